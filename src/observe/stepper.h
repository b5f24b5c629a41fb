// Holds a runtime's thread for a watcher: at once, at the next task, tick, microtask, call, phase or iteration, when a rule of LoopStops
// holds, or for a while at each task (slow motion). A held thread runs nothing of the program; it still answers the watcher's questions.
//
// Owner: Control, while the watcher controls the runtime. Commands come from the control thread, the rest happens on the loop's.
#pragma once

#include "observe/loop_stops.h"
#include "runtime/runtime.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace rondo::observe {

class Stepper final : public runtime::TaskObserver, public std::enable_shared_from_this<Stepper> {
 public:
  enum class Unit : uint8_t { None, Any, Task, Tick, Microtask, Call, Phase, Iteration };
  // Told on the loop's thread, before it is held and after: "step", "pause", "slow", "rule 3"; empty: it goes on.
  using Told = std::function<void(std::string_view reason, double value)>;

  // The loop's thread, as the destructor.
  Stepper(runtime::Runtime& runtime, Told told);
  ~Stepper() override;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  runtime::Runtime& runtime() const { return runtime_; }
  // Any thread. A thread that is held goes on, up to the next `unit`; None is without a limit.
  void go(Unit unit);
  // Each task waits so long before it runs; 0 is full speed.
  void slow(int milliseconds);
  // Never held again.
  void release();
  // The loop's thread: now.
  void hold(std::string_view reason, double value = 0);
  void set_rule(uint32_t rule, const LoopStop& stop);
  void clear_rules();

  void iteration_begin(uint64_t number) override;
  void phase_begin(Phase phase) override;
  void task_begin(TaskKind kind, uint32_t id) override;

  // "task", "tick", …; None for another word.
  static Unit unit_named(std::string_view name);

 private:
  bool wants(TaskKind kind) const;
  void wait(std::unique_lock<std::mutex>& lock);

  runtime::Runtime& runtime_;
  const Told told_;
  std::mutex mutex_;  // guards the next five
  std::condition_variable changed_;
  bool is_held_ = false, is_released_ = false;
  Unit unit_ = Unit::None;
  int pause_ms_ = 0;
  std::unique_ptr<LoopStops> stops_;
};

}  // namespace rondo::observe
