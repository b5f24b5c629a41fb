// A collection while the program is idle, and what was free before and after it given back to the system. Called by code that knows that
// nothing is to do (src/runtime/idle_collection.h), on the VM's thread and outside of JavaScript.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// Of a large heap only what is new is looked through, so that a program that is asked again meanwhile does not wait long.
void collect_when_idle(JSC::VM& vm);

}  // namespace rondo::engine
