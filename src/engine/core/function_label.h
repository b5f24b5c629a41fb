// What to call a function in an account for people: its name and where it stands in its source. For the ledger.
#pragma once

#include <string>

#include "engine/core/native.h"

namespace rondo::engine {

// "name (file:line:column)"; a function without a name is its place alone; empty when `value` is no function.
std::string function_label(Value value);

// The same for a function of the program's own; empty for those of lib/ and of the engine.
std::string program_function_label(Value value);

// Where the program is: "file:line:column" of the innermost call of its own on the stack; empty when there is none.
std::string running_place(JSC::VM& vm);
// The innermost function of the program's own on the stack, with that place.
std::string running_function_label(JSC::VM& vm);

}  // namespace rondo::engine
