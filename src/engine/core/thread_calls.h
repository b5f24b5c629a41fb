// Functions that another thread has run on a VM's thread: between two steps of the JavaScript that runs there, however long it runs, or
// when its owner asks (run_thread_calls). A regular expression, a loop of WebAssembly and native code come to an end first.
#pragma once

#include "engine/core/jsc.h"

#include <functional>

namespace rondo::engine {

// Before the first VM is made: afterwards the engine takes no callback any more.
void enable_thread_calls();

// Any thread, while the VM lives. The function may call JavaScript; it must not leave an exception behind.
void call_on_thread(JSC::VM& vm, std::function<void(JSC::VM&)> function);
// The VM's thread: what is waiting runs now.
void run_thread_calls(JSC::VM& vm);
// The VM's thread, before it goes: what is waiting is dropped.
void drop_thread_calls(JSC::VM& vm);

}  // namespace rondo::engine
