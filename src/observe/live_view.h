// The loop as it is now, for a prompt that shows it: tasks that wait, handles that are active, and, when asked for, each task that
// has run since the last question. The ledger is for whole runs; this keeps only what is alive.
//
// Owner: the Runtime (runtime.local<LiveView>()), made before it boots so that tasks are numbered from the start. Thread: its loop's.
#pragma once

#include "rondo/observer.h"
#include "runtime/entry/task_trace.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace rondo::runtime {
class Runtime;
}

namespace rondo::observe {

class LiveView final : public runtime::TaskObserver {
 public:
  struct Task {
    TaskKind kind;
    uint32_t id;
    uint32_t cause;
    std::string name;
    double delay_ms;
    Nanoseconds queued_at;
  };
  struct Run {
    Task task;
    Phase phase;
    uint64_t iteration;
    Nanoseconds begun_at;
    Nanoseconds ended_at;
  };

  explicit LiveView(runtime::Runtime& runtime);
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;
  ~LiveView() override;

  // In the order of queueing.
  std::vector<Task> waiting() const;
  const std::map<uint32_t, HandleKind>& handles() const { return handles_; }
  Phase phase() const { return phase_; }
  uint64_t iteration() const { return iteration_; }

  void record(bool is_wanted);
  // The tasks that have run since the last call, in the order of their ends; at most kMostRuns.
  std::vector<Run> take_runs() { return std::exchange(runs_, {}); }

  void iteration_begin(uint64_t number) override { iteration_ = number; }
  void phase_begin(Phase phase) override { phase_ = phase; }
  void handle_start(HandleKind kind, uint32_t id) override { handles_[id] = kind; }
  void handle_stop(HandleKind, uint32_t id) override { handles_.erase(id); }
  void handle_close(HandleKind, uint32_t id) override { handles_.erase(id); }
  void task_queued(const QueuedTask& task) override;
  void task_begin(TaskKind kind, uint32_t id) override;
  void task_end(TaskKind kind, uint32_t id) override;
  // Cleared, or over without a callback.
  void task_cancelled(TaskKind, uint32_t id, bool /*is_done*/) override { waiting_.erase(id); }

 private:
  static constexpr size_t kMostRuns = 10'000;
  // Beyond so many the oldest is forgotten.
  static constexpr size_t kMostWaiting = 100'000;

  runtime::Runtime& runtime_;
  std::map<uint32_t, Task> waiting_;
  std::vector<Run> running_;  // innermost last
  std::vector<Run> runs_;
  std::map<uint32_t, HandleKind> handles_;
  Phase phase_ = Phase::UpdateTime;
  uint64_t iteration_ = 0;
  bool records_ = false;
};

}  // namespace rondo::observe
