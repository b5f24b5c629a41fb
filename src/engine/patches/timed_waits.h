// Atomics.waitAsync with a time-out, for src/runtime/deferred_work.cpp; Atomics.wait of a worker that is to end, for worker_thread.cpp.
#pragma once

#include "engine/core/jsc.h"

#include <functional>

namespace rondo::engine {

// `hear` is called on the VM's thread when a wait begins that ends after so many seconds at the latest.
void on_timed_wait(JSC::VM& vm, std::function<void(double seconds)> hear);
// Runs what is due on the engine's own run loop of this thread, without waiting.
void turn_engine_loop();
// Any thread, while the VM exists: wakes its thread, and other threads that wait for the same place, if it sleeps in Atomics.wait. A thread
// just about to fall asleep misses it: ask again.
void wake_sleeper(JSC::VM& vm);

}  // namespace rondo::engine
