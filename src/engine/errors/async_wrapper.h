// An async function is two functions to the engine: the one a program calls, and its body, which runs in pieces and has no name. For
// stack traces: which function a body belongs to.
#pragma once

#include "engine/core/jsc.h"

#include <string>

namespace rondo::engine {

// Null when `function` is no such body, or when the one that made it is gone. Looks through all functions of the file: not for hot
// paths, and not while the collector runs.
JSC::FunctionExecutable* wrapper_of_async_body(JSC::FunctionExecutable* function);

// The name of the async function that `function` is the body of; by the text of the program where the engine has thrown away the code around
// it. Empty when it has none, or is no such body.
std::string name_of_async_body(JSC::FunctionExecutable* function);

}  // namespace rondo::engine
