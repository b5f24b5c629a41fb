// The engine's list of work in the background (WebAssembly, Atomics.waitAsync), for src/runtime/deferred_work.cpp, which takes the
// place of the engine's own run loop.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/DeferredWorkTimer.h>

namespace rondo::engine {

using DeferredWorkTimer = JSC::DeferredWorkTimer;

}  // namespace rondo::engine
