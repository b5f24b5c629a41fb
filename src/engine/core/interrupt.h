// Ends the JavaScript that runs on a thread: a request that another thread makes, or that falls due at a time. JavaScript ends at its next
// loop or call, a regular expression when it backtracks next (patches/regexp_limit.cpp), a loop of WebAssembly by a signal
// (patches/wasm_interrupt.h), which one helper thread of the process repeats until the code has ended.
//
//  I1  After cancel() or the destructor nothing of this request reaches the VM; a termination that was asked for and has not been thrown
//      is withdrawn, unless another request of the same VM has begun.
//  I2  A request begins only when the script is really to end: what was interrupted in the middle gives no answer.
#pragma once

#include "engine/core/jsc.h"
#include "engine/patches/wasm_interrupt.h"

#include <pthread.h>

namespace rondo::engine {

class Interrupt {
 public:
  // On the thread that runs the VM, and destroyed there.
  explicit Interrupt(JSC::VM& vm);
  ~Interrupt() { cancel(); }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Any thread; again at once if it has begun.
  void begin_at(WTF::MonotonicTime when);
  // On the VM's thread: begins when the process gets a SIGINT, which until cancel() does nothing else.
  void begin_on_sigint();
  // Whether it had begun.
  bool cancel();
  bool has_begun() const;
  bool has_begun_by_sigint() const;

 private:
  friend class Interrupter;

  JSC::VM& vm_;
  const pthread_t thread_;
  WasmInterrupt wasm_;
  // The rest is guarded by the interrupter's lock.
  bool is_listed_ = false;
  bool has_begun_ = false;
  bool waits_for_sigint_ = false;
  bool is_by_sigint_ = false;
  bool is_told_ = false;  // the VM knows
  unsigned signals_ = 0;
  WTF::MonotonicTime next_ = WTF::MonotonicTime::infinity();
};

}  // namespace rondo::engine
