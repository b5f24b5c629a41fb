// See virtual_clock.h.
#include "runtime/html/virtual_clock.h"

#include <algorithm>

namespace rondo::runtime {

void VirtualTime::settle(const VirtualClock* caller) {
  if (holds_ > 0) return;
  Nanoseconds next = kNever;
  for (const auto* clock : clocks_) {
    if (!clock->is_waiting_) return;
    next = std::min(next, clock->deadline_);
  }
  if (next == kNever) return;
  if (next > now()) now_.store(next, std::memory_order_relaxed);
  for (auto* clock : clocks_) {
    if (clock->deadline_ > now()) continue;
    clock->is_waiting_ = false;
    if (clock != caller && clock->wake_) clock->wake_();
  }
}

VirtualClock::VirtualClock(std::shared_ptr<VirtualTime> time) : time_(std::move(time)) {
  const std::lock_guard lock(time_->mutex_);
  time_->clocks_.push_back(this);
}

VirtualClock::~VirtualClock() {
  const std::lock_guard lock(time_->mutex_);
  std::erase(time_->clocks_, this);
  time_->settle(nullptr);
}

void VirtualClock::wake_with(std::function<void()> wake) {
  const std::lock_guard lock(time_->mutex_);
  wake_ = std::move(wake);
}

bool VirtualClock::skip_to(Nanoseconds deadline) {
  const std::lock_guard lock(time_->mutex_);
  is_waiting_ = true;
  deadline_ = deadline;
  time_->settle(this);
  return !is_waiting_;
}

void VirtualTime::hold() {
  const std::lock_guard lock(mutex_);
  holds_++;
}

// An agent that receives something runs.
void VirtualClock::release() {
  const std::lock_guard lock(time_->mutex_);
  is_waiting_ = false;
  time_->holds_--;
}

}  // namespace rondo::runtime
