// The processing model: https://html.spec.whatwg.org/#event-loop-processing-model, and its turns with the reactor.
#include "rondo/html/event_loop.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "loop/html/html_timer.h"
#include "rondo/base/fatal.h"
#include "rondo/html/browsing_context.h"
#include "rondo/html/document.h"

namespace rondo::html {
namespace {

// A loop with tasks ready looks after its reactor this often.
constexpr unsigned kTurnsPerPoll = 64;
constexpr Nanoseconds kPollInterval = 1'000'000;

std::uint64_t next_loop_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::size_t count_queues(const std::array<std::uint8_t, kTaskSources>& queue_of) {
  std::uint32_t used = 0;
  for (std::uint8_t queue : queue_of) {
    if (queue >= kTaskSources) misuse("an html::EventLoop was given the number of a task queue that is too large");
    used |= 1u << queue;
  }
  return static_cast<std::size_t>(std::popcount(used));
}

// Sources that are added later have the queue of their number.
std::array<std::uint8_t, kMaxTaskSources> all_queues(const std::array<std::uint8_t, kTaskSources>& queue_of) {
  std::array<std::uint8_t, kMaxTaskSources> all;
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  std::copy(queue_of.begin(), queue_of.end(), all.begin());
  return all;
}

}  // namespace

EventLoop::EventLoop(Loop& reactor, EventLoopOptions options)
    : reactor_(reactor),
      kind_(options.kind),
      id_(next_loop_id()),
      thread_(pthread_self()),
      host_(options.host),
      policy_(std::move(options.policy)),
      queue_of_(all_queues(options.queue_of)),
      queues_used_(count_queues(options.queue_of)),
      origin_(reactor.read_clock()),
      frames_per_second_(options.frames_per_second ? options.frames_per_second : 1),
      frame_timer_(reactor),
      idle_timer_(reactor),
      self_(std::make_shared<EventLoop*>(this)) {}

EventLoop::~EventLoop() {
  if (!contexts_.empty()) misuse("an html::EventLoop was destroyed before its browsing contexts");
  destroy();
  *self_ = nullptr;
}

void EventLoop::add(BrowsingContext& context) { contexts_.push_back(&context); }

// "An event loop always has at least one browsing context. If such an event loop's browsing contexts all go away, then the event
// loop goes away as well."
void EventLoop::remove(BrowsingContext& context) {
  std::erase(contexts_, &context);
  if (kind_ == LoopKind::Window && contexts_.empty()) destroy();
}

void EventLoop::destroy() {
  if (is_destroyed_) return;
  is_destroyed_ = true;
  drop_all_tasks();
  frame_due_ = kNever;
  frame_timer_.stop();
  idle_timer_.stop();
}

void EventLoop::drop_all_tasks() {
  for (TaskQueue& queue : queues_) queue.clear();
  ready_ = 0;
  timers_.clear();
  if (is_destroyed_) microtasks_.clear();
}

void EventLoop::set_closing() {
  is_closing_ = true;
  drop_all_tasks();
}

std::size_t EventLoop::choose_a_task_queue() {
  if (std::has_single_bit(ready_)) return static_cast<std::size_t>(std::countr_zero(ready_));
  if (!policy_) {  // fifo, the usual one, without a call
    auto oldest = static_cast<std::size_t>(std::countr_zero(ready_));
    for (std::uint32_t left = ready_ & (ready_ - 1); left != 0; left &= left - 1) {
      const auto index = static_cast<std::size_t>(std::countr_zero(left));
      if (queues_[index].front().id < queues_[oldest].front().id) oldest = index;
    }
    return oldest;
  }
  ReadyQueue ready[kMaxTaskSources];
  std::size_t count = 0;
  for (std::uint32_t left = ready_; left != 0; left &= left - 1) {
    const auto index = static_cast<std::size_t>(std::countr_zero(left));
    ready[count++] = {index, queues_[index].front().id, queues_[index].front().source};
  }
  return ready[policy_->choose({ready, count})].index;
}

void EventLoop::run_oldest_task(std::size_t queue, TaskTiming& timing) {
  // 2. Let oldestTask be the first runnable task in taskQueue, and remove it from taskQueue.
  Task oldest_task = std::move(queues_[queue].front());
  queues_[queue].pop_front();
  if (queues_[queue].empty()) ready_ &= ~(1u << queue);
  // 3. Set the event loop's currently running task to oldestTask.
  currently_running_ = &oldest_task;
  // 4. Let taskStartTime be the current high resolution time.
  timing = {oldest_task.id, oldest_task.source, oldest_task.document, reactor_.read_clock(), 0};
  if (host_) host_->task_begins(oldest_task, timing.start);
  is_checkpoint_due_ = true;
  // 5. Perform oldestTask's steps.
  oldest_task.steps();
  // 6. Set the event loop's currently running task back to null.
  currently_running_ = nullptr;
}

bool EventLoop::turn() {
  if (is_destroyed_) return false;
  turns_++;
  TaskTiming timing{};
  // 1. Let taskQueue be one of the event loop's task queues, chosen in an implementation-defined manner, with at least one runnable
  //    task. If there is no such task queue, then jump to the microtasks step below.
  const bool has_task = ready_ != 0;
  if (has_task) run_oldest_task(choose_a_task_queue(), timing);
  // 7. Microtasks: perform a microtask checkpoint.
  perform_a_microtask_checkpoint();
  if (is_destroyed_) return true;
  // 8. Let now be the current high resolution time.
  const Nanoseconds now = last_now_ = reactor_.read_clock();
  // 9. Report the task's duration.
  if (has_task && host_) {
    timing.end = now;
    if (now - timing.start > kLongTask) host_->report_long_task(timing);
  }
  if (kind_ == LoopKind::Window) {
    // 10. Update the rendering.
    const bool has_rendered = update_the_rendering(now);
    if (is_destroyed_) return true;
    // 11. If this is a window event loop, no task is runnable, the microtask queue is empty, and no browsing context has a rendering
    //     opportunity, then start an idle period for each. (The text of 2020 says "no task whose document is fully active": a
    //     task without a document would not count.)
    if (!has_rendered && ready_ == 0 && !has_microtasks() && start_idle_periods(now)) return true;
    // 12. Report the duration of updating the rendering.
    if (has_rendered && host_) host_->rendering_ended(now, reactor_.read_clock());
    if (has_rendered) return true;
  }
  // 13. If this is a worker event loop with no tasks in its queues and its closing flag is true, then destroy the event loop.
  if (kind_ == LoopKind::Worker && is_closing_ && ready_ == 0) destroy();
  return has_task;
}

// 14. is the way back to step 1.
void EventLoop::run() {
  is_stopped_ = false;
  while (!is_destroyed_ && !is_stopped_) {
    if (go_on()) continue;
    if (!reactor_.alive()) return;
    poll_reactor(RunMode::Once);
  }
}

bool EventLoop::go_on() {
  if (!turn()) return false;
  if (++turns_since_poll_ >= kTurnsPerPoll || last_now_ >= poll_due_) poll_reactor(RunMode::NoWait);
  return true;
}

void EventLoop::poll_reactor(RunMode mode) {
  turns_since_poll_ = 0;
  reactor_.run(mode);
  const Nanoseconds now = reactor_.read_clock();
  timer_due_ = reactor_.next_deadline();
  if (timer_due_ <= now) timer_due_ = now + 1;
  poll_due_ = std::min(now + kPollInterval, timer_due_);
}

// https://html.spec.whatwg.org/#spin-the-event-loop
bool EventLoop::spin_the_event_loop(Function<bool()> goal) {
  // 1. Let task be the event loop's currently running task. 2. Let task source be task's source.
  Task* const task = currently_running_;
  if (!task) misuse("an html::EventLoop was spun outside of its tasks");
  const TaskSource source = task->source;
  // 3., 4. The stack is the owner's: it lies beneath this call.
  if (host_) host_->spin_begins();
  // 5. Perform a microtask checkpoint: without effect inside of a microtask.
  perform_a_microtask_checkpoint();
  // 6., 7. In parallel wait until the goal is met, then queue a task to continue; meanwhile this task does not run.
  currently_running_ = nullptr;
  bool is_queued = false;
  bool is_resumed = false;
  while (!is_resumed && !is_destroyed_ && !is_stopped_) {
    if (!is_queued && goal()) {
      is_queued = true;
      queue_a_task(source, task->document, [&is_resumed] { is_resumed = true; });
      if (is_closing_) break;  // no task is taken any more
    }
    if (go_on()) continue;
    if (!reactor_.alive()) break;
    poll_reactor(RunMode::Once);
  }
  currently_running_ = task;
  if (host_) host_->spin_ended();
  return is_queued;
}

}  // namespace rondo::html
