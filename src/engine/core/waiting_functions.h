// The async functions and the handlers of promises that wait for something, for who asks why a program ended without them.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The generators behind them. One that nothing refers to any more is among them until it is collected.
void find_waiting_functions(JSC::VM& vm, JSC::MarkedArgumentBuffer& found);
// Functions given to then() of promises that are not settled, as their first argument.
void find_waiting_handlers(JSC::VM& vm, JSC::MarkedArgumentBuffer& found);

}  // namespace rondo::engine
