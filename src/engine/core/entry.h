// Calling JavaScript without a turn: for hooks of the engine (src/engine) and for the turns themselves (src/runtime), which decide when ticks
// and microtasks run. Native modules and observers do not include it (tools/check_layers): a native calls with its Call, a callback of a C
// library with Runtime::call_nested, a completion with a Continuation.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

CallOutcome call(JSC::JSGlobalObject* realm, Value function, Value self, const JSC::ArgList& arguments);

}  // namespace rondo::engine
