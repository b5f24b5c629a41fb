// native('ledger'): how lib/'s queues tell the ledger about ticks, timers and immediates.
#pragma once

#include "runtime/builtins.h"

namespace rondo::observe {

void init_ledger(runtime::Runtime& runtime, JSC::JSObject* target);
// While the program runs: lib/'s queues begin or cease to tell. On the runtime's thread.
void set_traced(runtime::Runtime& runtime, bool is_traced);

}  // namespace rondo::observe
