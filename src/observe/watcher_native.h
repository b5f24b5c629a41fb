// native('observe'): the native half of lib/internal/observe. For a watcher: the signal by which a running program is asked to connect.
// For the watched: names of functions, and async functions that wait.
#pragma once

#include "runtime/builtins.h"

namespace rondo::observe {

void init_observe(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::observe
