// Breakpoints on the event loop: rules that stop the program when a phase begins, a timer is late, a queue is long or a function is called.
// This only watches and asks for the stop: a debugger stops at the next statement, a watcher (stepper.h) where the rule holds.
//
// Owner: native('inspector') of a runtime or a Stepper, while there is a rule. Thread: the loop's.
#pragma once

#include "runtime/runtime.h"

#include "rondo/observer.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace rondo::observe {

struct LoopStop {
  // PoolQueue: jobs of the pool that are not done. ReadyEvents: completions that one wait of the poll phase brought. TaskQueue: tasks that
  // were queued since the rule was set and have not begun. Function: a task begins whose name has the text.
  enum class Kind : uint8_t { Phase, LateTimer, PoolQueue, ReadyEvents, TaskQueue, Function };

  Kind kind;
  Phase phase = Phase::Timers;
  double limit = 0;  // milliseconds, or entries of the queue
  std::string text = {};
};

class LoopStops final : public runtime::TaskObserver {
 public:
  struct Hit {
    uint32_t rule;
    double value;  // how late, how many; of a phase 0
  };

  // `ask(true)` asks for a stop at the next statement, `ask(false)` takes that back: the phase ended without one.
  LoopStops(runtime::Runtime& runtime, std::function<void(bool)> ask);
  ~LoopStops() override;
  LoopStops(const LoopStops&) = delete;
  LoopStops& operator=(const LoopStops&) = delete;

  void set(uint32_t rule, LoopStop stop);
  void remove(uint32_t rule);
  void clear();
  bool is_empty() const { return rules_.empty(); }
  // The rule that asked for the stop that happens now, if one did.
  std::optional<Hit> take() { return std::exchange(hit_, std::nullopt); }

  bool wants_tasks() const override;
  void phase_begin(Phase phase) override;
  void phase_end(Phase phase) override;
  void wait_end(size_t ready) override;
  void pool_job_queued(uint32_t id, JobClass job_class) override;
  void pool_job_done(const JobRun& run) override;
  void task_queued(const QueuedTask& task) override;
  void task_begin(TaskKind kind, uint32_t id) override;
  void task_cancelled(TaskKind kind, uint32_t id, bool is_done) override;
  void task_named(uint32_t id, std::string_view name) override;

 private:
  bool has(LoopStop::Kind kind) const;
  const uint32_t* rule_for(std::string_view name) const;
  void check(LoopStop::Kind kind, double value);
  void ask_for(uint32_t rule, double value);

  runtime::Runtime& runtime_;
  const std::function<void(bool)> ask_;
  std::map<uint32_t, LoopStop> rules_;
  std::optional<Hit> hit_;
  std::unordered_map<uint32_t, Nanoseconds> due_;  // timers: task → when
  std::unordered_map<uint32_t, uint32_t> named_;  // tasks whose name has the text of a rule → the rule
  std::unordered_set<uint32_t> waiting_;  // tasks, while there is a rule for their number
  uint32_t jobs_ = 0;
};

}  // namespace rondo::observe
