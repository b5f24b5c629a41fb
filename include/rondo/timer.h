// One-shot and repeating timers. Never early: a callback runs only when the loop's cached now has
// reached the deadline. Order: by deadline, equal deadlines in the order of starting. A timer
// started while timers run waits for the next iteration, whatever its delay.
//
// Delays count from the loop's cached now(), as in libuv; call Loop::update_time() first after long work.
//
// Repeating: the next deadline is the last deadline plus the period, not the time of the call, so there
// is no drift. Periods missed entirely (a blocked loop) are skipped, not made up for. Each call counts as a new start in the
// order of equal deadlines. Rules of owner and thread: handle.h. After close() starting does nothing.
#pragma once

#include <cstdint>

#include "rondo/base/clock.h"
#include "rondo/base/result.h"
#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

class Timer final : public Handle {
 public:
  explicit Timer(Loop& loop) : Handle(loop, HandleKind::Timer) {}
  ~Timer() override;

  // Starting an active timer re-arms it. Negative delays count as zero; `period` zero: one shot.
  template <class F>
  void start(Delay delay, F&& callback, Delay period = Duration::zero()) {
    if (is_closing()) return;
    callback_.set(Function<void()>(std::forward<F>(callback)));
    arm_after(delay.count(), period.count());
  }
  // With an absolute deadline on the loop's clock (Loop::now() + something).
  template <class F>
  void start_at(Nanoseconds deadline, F&& callback, Delay period = Duration::zero()) {
    if (is_closing()) return;
    callback_.set(Function<void()>(std::forward<F>(callback)));
    arm(deadline, period.count());
  }
  // Re-arm with the function it has: the cheapest way to push an idle time-out ahead.
  void restart(Delay delay) { arm_after(delay.count(), period_); }
  void restart_at(Nanoseconds deadline) { arm(deadline, period_); }
  // uv_timer_again: one period from now; EINVAL for a timer that was never started or has no period, which is left as it is.
  [[nodiscard]] Result<void> again();
  // Its function does not run any more, also when it was due in this very visit. No effect when it is not active.
  void stop();

  // On the loop's clock; of a timer that is not active, its last one.
  Nanoseconds deadline() const { return deadline_; }
  Duration period() const { return Duration(period_); }

 private:
  friend class TimerQueue;
  friend class Loop;
  void begin_close() override;
  void arm_after(Nanoseconds delay, Nanoseconds period);
  void arm(Nanoseconds deadline, Nanoseconds period);

  Nanoseconds deadline_ = 0;
  Nanoseconds period_ = 0;
  std::uint64_t sequence_ = 0;  // start order among equal deadlines
  std::uint32_t index_ = 0;  // place in the queue's run or heap
  std::uint8_t place_ = 0;  // TimerQueue::Place
};

}  // namespace rondo
