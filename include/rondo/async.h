// Wake-up from other threads. Any number of send() calls before the loop gets to it make one callback
// (coalescing), in the poll phase. Active from construction, so it keeps the loop alive: unref()
// it when that is not wanted. To hand over values use Loop::post.
#pragma once

#include <atomic>

#include "rondo/detail/lock_free_stack.h"
#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

class Async final : public Handle, public StackLink<Async> {
 public:
  Async(Loop& loop, Function<void()> callback);
  // Loop's thread. No send() may begin afterwards; one that has begun may be what ended the handle.
  ~Async() override;

  // Any thread, any time between construction and destruction; also from a signal handler. After
  // close() it does nothing.
  void send();

 private:
  friend class Loop;
  void begin_close() override;
  void withdraw();

  std::atomic<bool> pending_{false};
};

}  // namespace rondo
