// Timer's verbs: deadlines in, queue calls out. Order and storage are the TimerQueue's.
#include "rondo/timer.h"

#include <algorithm>

#include "rondo/loop.h"

namespace rondo {

Timer::~Timer() {
  if (place_) loop_->timers_.remove(*this);
}

void Timer::arm_after(Nanoseconds delay, Nanoseconds period) {
  delay = std::max<Nanoseconds>(delay, 0);
  const Nanoseconds now = loop_->now();
  arm(delay > kNever - 1 - now ? kNever - 1 : now + delay, period);
}

void Timer::arm(Nanoseconds deadline, Nanoseconds period) {
  if (is_closing()) return;
  // Long past is past: half of the range leaves room to reckon with.
  deadline = std::max(deadline, -kNever / 2);
  period_ = std::max<Nanoseconds>(period, 0);
  if (loop_->timers_.postpone(*this, deadline)) return;
  if (place_) loop_->timers_.remove(*this);
  deadline_ = deadline;
  loop_->timers_.insert(*this);
  activate();
}

void Timer::stop() {
  if (place_) loop_->timers_.remove(*this);
  deactivate();
}

Result<void> Timer::again() {
  if (period_ <= 0 || is_closing()) return failure(EINVAL, "timer");
  arm_after(period_, period_);
  return {};
}

void Timer::begin_close() { stop(); }

}  // namespace rondo
