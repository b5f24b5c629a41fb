// An async function is two functions to the engine: the one a program calls, and its body, which runs in pieces and has no name. For
// stack traces: which function a body belongs to.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// Null when `function` is no such body, or when the one that made it is gone. Looks through all functions of the file: not for hot
// paths, and not while the collector runs.
JSC::FunctionExecutable* wrapper_of_async_body(JSC::FunctionExecutable* function);

}  // namespace rondo::engine
