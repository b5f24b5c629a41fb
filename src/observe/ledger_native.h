// native('ledger'): how lib/'s queues tell the ledger about ticks, timers and immediates.
#pragma once

#include "runtime/builtins.h"

namespace rondo::observe {

void init_ledger(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::observe
