// Functions of a loop for the library's own handles, beyond its public face. Not for use outside the library.
#pragma once

#include <cstdint>
#include <utility>

#include "rondo/detail/lingering.h"
#include "rondo/loop.h"
#include "rondo/coroutine_type.h"

namespace rondo::detail {

struct LoopAccess {
  // Takes what a destroyed handle leaves behind until its operations are over; see lingering.h.
  static void linger(Loop& loop, Lingering& part) { loop.lingering_.push_back(part); }

  // Where the loop's FileWatches find what they share.
  static InotifyHub*& inotify_hub(Loop& loop) { return loop.inotify_hub_; }

  // Awaits that coroutines are in, so that the loop's end can find the tasks that no one owns.
  static List<CoroutineWait>& task_waits(Loop& loop) { return loop.task_waits_; }

  // Counts an await that did not wait. True when there were many since the loop last called anything.
  static bool is_turn_over(Loop& loop) {
    constexpr unsigned kReadyAwaits = 128;
    const std::uint64_t turn = loop.metrics_.events + loop.metrics_.iterations;
    if (std::exchange(loop.ready_turn_, turn) != turn) loop.ready_awaits_ = 0;
    return ++loop.ready_awaits_ % kReadyAwaits == 0;
  }

  // Runs `call` as one callback of the loop: the observer sees its beginning and end.
  template <class Call>
  static void observed(Loop& loop, HandleKind kind, std::uint32_t id, Call&& call) {
    loop.observed(kind, id, std::forward<Call>(call));
  }
};

}  // namespace rondo::detail
