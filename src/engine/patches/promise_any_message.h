// The error of Promise.any has a message in Node ("All promises were rejected"); the engine's built-in makes it without one. The built-in
// finds its constructor through a link-time constant, which is ours here.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// Before any code of the realm runs.
void install_promise_any_message(JSC::JSGlobalObject* realm);

}  // namespace rondo::engine
