// Ends a loop of WebAssembly: the engine's code for it never looks whether its VM is to terminate, so a signal does what the engine's own
// handler does after a fault, and sends the thread to where exceptions are thrown; there the termination is thrown instead (decision 0079).
#pragma once

#include "engine/core/jsc.h"

#include <pthread.h>

#include <atomic>

namespace rondo::engine {

// State that the handler needs of the thread that it interrupts. It outlives the signals: its owner's thread enters the kernel between
// the last one and the end.
class WasmInterrupt {
 public:
  // On the thread that runs the VM.
  explicit WasmInterrupt(JSC::VM& vm);
  // Any thread. Does nothing unless that thread runs WebAssembly, at a place where it can be ended, and a termination is asked for.
  void signal(pthread_t thread);

  JSC::VM& vm;
  const char* const stack_end;
  std::atomic<bool> is_thrown = false;  // the thread is on its way to where the termination is thrown
};

// The VM whose WebAssembly has been ended on this thread, once; null if an exception is the program's own. (core/interrupt.cpp)
JSC::VM* take_interrupted_vm();

}  // namespace rondo::engine
