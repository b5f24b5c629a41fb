// Tells a yield* of an async generator from a yield: the engine's code gives both the same mark, and awaits the value of both, which
// the language does for yield alone.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// delegates(generator): whether an async generator that has just suspended itself stands in a yield*.
JSC_DECLARE_HOST_FUNCTION(stands_in_delegating_yield);

}  // namespace rondo::engine
