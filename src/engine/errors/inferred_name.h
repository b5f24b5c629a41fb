// V8's name, in stacks, of a function without one: the target it is assigned to ("exports.f", "a.<computed>").
#pragma once

#include "engine/core/jsc.h"

#include <string>

namespace rondo::engine {

// "" when the function is not assigned where it is written. Reads the text before the function, backwards.
std::string inferred_name(JSC::FunctionExecutable& code);
// The same for the function that begins at `start`.
std::string inferred_name(WTF::StringView text, unsigned start);

}  // namespace rondo::engine
