// The async functions of a program that wait for something, for who asks why it ended without them.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The generators behind them. One that nothing refers to any more is among them until it is collected.
void find_waiting_functions(JSC::VM& vm, JSC::MarkedArgumentBuffer& found);

}  // namespace rondo::engine
