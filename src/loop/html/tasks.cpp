// Queueing tasks and microtasks, the microtask checkpoint, and tasks of documents that are not fully active.
#include <algorithm>
#include <utility>

#include "rondo/base/fatal.h"
#include "rondo/html/document.h"
#include "rondo/html/event_loop.h"

namespace rondo::html {

std::string_view name_of(TaskSource source) {
  constexpr std::string_view kNames[kTaskSources] = {
      "DOM manipulation", "user interaction", "networking", "history traversal", "timer",     "posted message",
      "scheduler",        "rendering",        "idle",       "database access",   "microtask",
  };
  const auto index = static_cast<std::size_t>(source);
  return index < kTaskSources ? kNames[index] : "other";
}

std::optional<TaskSource> EventLoop::add_task_source(std::string name) {
  const std::size_t number = kTaskSources + own_sources_.size();
  if (number >= kMaxTaskSources) return std::nullopt;
  own_sources_.push_back(std::move(name));
  queues_used_++;
  return static_cast<TaskSource>(number);
}

std::string_view EventLoop::name_of_source(TaskSource source) const {
  const auto index = static_cast<std::size_t>(source);
  if (index < kTaskSources) return name_of(source);
  return index - kTaskSources < own_sources_.size() ? std::string_view(own_sources_[index - kTaskSources]) : "";
}

std::string_view name_of(LoopKind kind) {
  return kind == LoopKind::Window ? "window" : kind == LoopKind::Worker ? "worker" : "worklet";
}

bool Task::is_runnable() const { return !document || document->is_fully_active(); }

// https://html.spec.whatwg.org/#queue-a-task
std::uint64_t EventLoop::queue_a_task(TaskSource source, Document* document, Function<void()> steps) {
  if (!pthread_equal(pthread_self(), thread_)) [[unlikely]] {
    reactor_.post([self = self_, source, document, steps = std::move(steps)]() mutable {
      if (*self) (*self)->queue_a_task(source, document, std::move(steps));
    });
    return 0;
  }
  if (static_cast<std::size_t>(source) >= kTaskSources + own_sources_.size()) [[unlikely]]
    misuse("a task was queued with a source that this html::EventLoop does not have");
  const std::uint64_t id = next_task_++;
  enqueue({std::move(steps), document, id, source});
  return id;
}

void EventLoop::enqueue(Task task) {
  if (is_destroyed_ || is_closing_) return;
  if (!task.is_runnable()) {
    task.document->set_aside_.push_back(std::move(task));
    return;
  }
  const std::size_t queue = queue_of_[static_cast<std::size_t>(task.source)];
  queues_[queue].push_back(std::move(task));
  ready_ |= 1u << queue;
}

void EventLoop::set_aside(Document& document) {
  for (std::size_t i = 0; i < queues_.size(); i++) {
    TaskQueue& queue = queues_[i];
    TaskQueue staying;
    for (Task& task : queue) {
      if (task.document == &document)
        document.set_aside_.push_back(std::move(task));
      else
        staying.push_back(std::move(task));
    }
    queue = std::move(staying);
    if (queue.empty()) ready_ &= ~(1u << i);
  }
}

// Each to the place that it would have now, had it stayed: ids count up in every queue.
void EventLoop::bring_back(Document& document) {
  std::vector<Task> tasks = std::exchange(document.set_aside_, {});
  for (Task& task : tasks) {
    const std::size_t index = queue_of_[static_cast<std::size_t>(task.source)];
    TaskQueue& queue = queues_[index];
    const auto place = std::upper_bound(queue.begin(), queue.end(), task.id,
                                        [](std::uint64_t id, const Task& other) { return id < other.id; });
    queue.insert(place, std::move(task));
    ready_ |= 1u << index;
  }
}

void EventLoop::drop_tasks(const Document& document) {
  for (std::size_t i = 0; i < queues_.size(); i++) {
    std::erase_if(queues_[i], [&](const Task& task) { return task.document == &document; });
    if (queues_[i].empty()) ready_ &= ~(1u << i);
  }
  std::erase_if(microtasks_, [&](const Task& task) { return task.document == &document; });
  drop_timers(document);
}

// https://html.spec.whatwg.org/#queue-a-microtask
void EventLoop::queue_a_microtask(Function<void()> steps, Document* document) {
  if (is_destroyed_) return;
  microtasks_.push_back({std::move(steps), document, next_task_++, TaskSource::Microtask});
}

// https://html.spec.whatwg.org/#perform-a-microtask-checkpoint
void EventLoop::perform_a_microtask_checkpoint() {
  // 1. If the event loop's performing a microtask checkpoint is true, then return.
  if (performing_a_microtask_checkpoint_) return;
  if (!is_checkpoint_due_ && !has_microtasks()) return;
  // 2. Set it to true.
  performing_a_microtask_checkpoint_ = true;
  checkpoints_++;
  // 3. While the microtask queue is not empty: oldest microtask, currently running task, run, null again.
  // 4. Notify about rejected promises: the owner does so when its microtasks are empty.
  Task* const outer = currently_running_;
  while (!is_destroyed_ && has_microtasks()) {
    if (microtasks_.empty()) {
      // The owner's: one task stands for those that run now. A timer that they start is as deep as one of the task beneath.
      Task theirs;
      theirs.source = TaskSource::Microtask;
      theirs.timer_nesting_level = outer ? outer->timer_nesting_level : std::uint8_t{0};
      currently_running_ = &theirs;
      host_->run_microtasks();
      currently_running_ = outer;
      continue;
    }
    Task oldest_microtask = std::move(microtasks_.front());
    microtasks_.pop_front();
    currently_running_ = &oldest_microtask;
    oldest_microtask.steps();
    currently_running_ = outer;
  }
  // 5. Cleanup Indexed Database transactions.
  if (host_ && !is_destroyed_) host_->clean_up_indexed_database_transactions();
  // 6. Set performing a microtask checkpoint to false.
  performing_a_microtask_checkpoint_ = false;
  is_checkpoint_due_ = false;
}

}  // namespace rondo::html
