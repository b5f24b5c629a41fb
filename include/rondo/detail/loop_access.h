// Functions of a loop for the library's own handles, beyond its public face. Not for use outside the library.
#pragma once

#include <cstdint>
#include <utility>

#include "rondo/detail/lingering.h"
#include "rondo/coroutine_type.h"
#include "rondo/detail/ready.h"
#include "rondo/loop.h"

namespace rondo {
namespace [[gnu::visibility("default")]] detail {

struct LoopAccess {
  // Takes what a destroyed handle leaves behind until its operations are over; see lingering.h.
  static void linger(Loop& loop, Lingering& part) { loop.lingering_.push_back(part); }

  // Where the loop's FileWatches find what they share.
  static InotifyHub*& inotify_hub(Loop& loop) { return loop.inotify_hub_; }

  // Coroutines that wait for something of the loop: so that its end finds the tasks that no one owns, and a dump all.
  static List<CoroutinePromiseBase>& waiting(Loop& loop) { return loop.waiting_; }
  static void waits(Loop& loop, CoroutinePromiseBase& task) {
    task.loop = &loop;
    loop.waiting_.push_back(task);
    if (loop.observer()) [[unlikely]]
      loop.observer()->coroutine_waits(&task, task.place);
  }
  static void went_on(CoroutinePromiseBase& task) {
    Loop& loop = *task.loop;
    task.unlink();
    if (loop.observer()) [[unlikely]]
      loop.observer()->coroutine_goes_on(&task);
  }
  // In the pending phase of the next iteration.
  static void go_on_later(Loop& loop, Ready& entry) { loop.ready_.push_back(entry); }

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

}  // namespace detail
}  // namespace rondo
