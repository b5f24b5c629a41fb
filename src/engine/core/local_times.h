// Dates remember the local time that they were last asked for. The engine does not drop these when the time zone changes.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// The time zone of the process has changed: all dates of this VM compute their local time anew. Thread: the VM's.
void forget_local_times(JSC::VM& vm);

}  // namespace rondo::engine
