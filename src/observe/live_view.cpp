// See live_view.h.
#include "observe/live_view.h"

#include "rondo/base/clock.h"
#include "runtime/runtime.h"

namespace rondo::observe {

LiveView::LiveView(runtime::Runtime& runtime) : runtime_(runtime) {
  runtime_.loop().add_observer(*this);
  runtime_.tasks().add(*this);
}

LiveView::~LiveView() {
  runtime_.tasks().remove(*this);
  runtime_.loop().remove_observer(*this);
}

std::vector<LiveView::Task> LiveView::waiting() const {
  std::vector<Task> tasks;
  for (const auto& [id, task] : waiting_) tasks.push_back(task);
  return tasks;
}

void LiveView::record(bool is_wanted) {
  records_ = is_wanted;
  runs_.clear();
}

void LiveView::task_queued(const QueuedTask& task) {
  if (waiting_.size() == kMostWaiting) waiting_.erase(waiting_.begin());
  waiting_[task.id] = {task.kind, task.id, task.cause, std::string(task.name), task.delay_ms, steady_now()};
}

void LiveView::task_begin(TaskKind kind, uint32_t id) {
  const auto now = steady_now();
  auto found = waiting_.find(id);
  Task task = found == waiting_.end() ? Task{kind, id, 0, "", 0, now} : std::move(found->second);
  if (found != waiting_.end()) waiting_.erase(found);
  running_.push_back({std::move(task), phase_, iteration_, now, now});
}

void LiveView::task_end(TaskKind, uint32_t) {
  if (running_.empty()) return;
  Run run = std::move(running_.back());
  running_.pop_back();
  if (!records_ || runs_.size() == kMostRuns) return;
  run.ended_at = steady_now();
  runs_.push_back(std::move(run));
}

}  // namespace rondo::observe
