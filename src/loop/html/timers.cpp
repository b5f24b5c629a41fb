// setTimeout and setInterval of the Standard: https://html.spec.whatwg.org/#timers. A timer waits in the reactor and ends in a task
// of the timer source; one without a delay is queued at once.
#include <algorithm>
#include <cmath>
#include <utility>

#include "loop/html/html_timer.h"
#include "rondo/html/event_loop.h"

namespace rondo::html {
namespace {

constexpr double kClampedTimeout = 4;  // milliseconds
constexpr std::uint8_t kUnclampedLevels = 5;
constexpr double kNanosecondsPerMillisecond = 1e6;

}  // namespace

// https://html.spec.whatwg.org/#timer-initialisation-steps
std::int32_t EventLoop::initialize_a_timer(Document* document, double timeout, bool repeats, Function<void()> steps) {
  if (is_destroyed_ || is_closing_) return 0;
  // 2. A number greater than zero that is not in use.
  while (next_timer_ <= 0 || timers_.contains(next_timer_)) next_timer_ = next_timer_ <= 0 ? 1 : next_timer_ + 1;
  const std::int32_t id = next_timer_;
  next_timer_ = id == INT32_MAX ? 1 : id + 1;
  auto& timer =
      *timers_.emplace(id, std::make_unique<HtmlTimer>(id, document, repeats, timeout, std::move(steps))).first->second;
  arm_timer(timer);
  return id;
}

void EventLoop::arm_timer(HtmlTimer& timer) {
  // 3. The nesting level of the task that runs, if a timer made it, or zero. Timers that a microtask starts are not nested.
  const bool is_nested = currently_running_ && !performing_a_microtask_checkpoint_;
  const std::uint8_t nesting_level = is_nested ? currently_running_->timer_nesting_level : 0;
  // 4. If timeout is less than 0, then set timeout to 0.
  double timeout = timer.timeout > 0 ? timer.timeout : 0;
  // 5. If nesting level is greater than 5, and timeout is less than 4, then set timeout to 4.
  if (nesting_level > kUnclampedLevels && timeout < kClampedTimeout) timeout = kClampedTimeout;
  // 10. Increment nesting level by one. 11. The task's timer nesting level is nesting level.
  timer.nesting_level = static_cast<std::uint8_t>(std::min(nesting_level + 1, 255));
  timer.arming = next_arming_++;
  const Nanoseconds now = reactor_.read_clock();
  // Others may be due already that the reactor has not been asked for yet: they come first.
  if (timeout == 0 && now < timer_due_) return queue_timer_task(timer);
  const auto due = now + static_cast<Nanoseconds>(std::llround(timeout * kNanosecondsPerMillisecond));
  timer_due_ = std::min(timer_due_, due);
  poll_due_ = std::min(poll_due_, due);
  if (!timer.timer) timer.timer.emplace(reactor_);
  timer.timer->start_at(due, [this, &timer] {
    timer_due_ = kNever;  // told anew when the reactor has been looked after
    queue_timer_task(timer);
  });
}

void EventLoop::queue_timer_task(const HtmlTimer& timer) {
  queue_a_task(TaskSource::Timer, timer.document,
               [this, id = timer.id, arming = timer.arming] { run_timer(id, arming); });
}

// 8. and 9. of the timer initialization steps: the task.
void EventLoop::run_timer(std::int32_t id, std::uint64_t arming) {
  auto found = timers_.find(id);
  // 8.1 If id does not exist in the map of active timers (or is another timer by now), then abort.
  if (found == timers_.end() || found->second->arming != arming) return;
  currently_running_->timer_nesting_level = found->second->nesting_level;
  Function<void()> steps = std::move(found->second->steps);
  const bool repeats = found->second->repeats;
  if (!repeats) timers_.erase(found);
  steps();
  if (!repeats) return;
  // 8.5, 8.6 If it is still there and repeats, perform the timer initialization steps again with the same id.
  found = timers_.find(id);
  if (found == timers_.end() || found->second->arming != arming) return;
  found->second->steps = std::move(steps);
  arm_timer(*found->second);
}

// https://html.spec.whatwg.org/#dom-cleartimeout
void EventLoop::clear_a_timer(std::int32_t id) { timers_.erase(id); }

void EventLoop::drop_timers(const Document& document) {
  std::erase_if(timers_, [&](const auto& entry) { return entry.second->document == &document; });
}

}  // namespace rondo::html
