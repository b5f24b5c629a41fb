// Where in its line an operation stands, as V8 counts: at the called name, the property, the assignment's sign, the word `new` or `throw`. The engine's
// places are brackets, dots and ends. Reads the text around the engine's place; frame_info.cpp calls it for every frame of a stack.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/BytecodeIndex.h>

namespace rondo::engine {

// Changes the engine's line and column of an operation into V8's, where the two differ.
void move_to_operation(JSC::CodeBlock* block, JSC::BytecodeIndex index, unsigned& line, unsigned& column);

}  // namespace rondo::engine
