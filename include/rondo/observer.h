// The loop's report of itself. A Loop tells each of its observers what it does; without one every hook is one predictable
// branch. All calls come from the loop's thread, in the middle of its work, so that an observer needs no lock. An observer must
// not call into the loop.
//
// Tasks are what the loop's owner runs inside its callbacks (a program's functions, say): the owner numbers them and reports them
// through Loop::observer(), the loop itself makes none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include "rondo/base/clock.h"
#include "rondo/kinds.h"

namespace [[gnu::visibility("default")]] rondo {

enum class JobClass : std::uint8_t;

enum class TaskKind : std::uint8_t;  // the owner's

// A task that will run, or runs now: who queued it, under which name.
struct QueuedTask {
  TaskKind kind;
  std::uint32_t id;  // from 1
  std::uint32_t cause;  // the task that queued it
  std::string_view name;  // "what (file:line:column)"; empty when nothing is known. Valid during the call
  double delay_ms = 0;  // of a timer
};

// The record of a pool job, told when its end reaches the loop's thread.
struct JobRun {
  std::uint32_t id;
  JobClass job_class;
  int thread;
  Nanoseconds begun_at;  // on the monotonic clock
  Nanoseconds ended_at;
};

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void iteration_begin(std::uint64_t /*number*/) {}
  virtual void phase_begin(Phase) {}
  virtual void phase_end(Phase) {}

  // `timeout` in nanoseconds; kNever when the loop sleeps until something happens.
  virtual void wait_begin(Nanoseconds /*timeout*/) {}
  virtual void wait_end(std::size_t /*ready*/) {}
  // The poll phase left completions for the next iteration because its budget was used up.
  virtual void poll_budget_spent(std::size_t /*callbacks*/) {}

  virtual void callback_begin(HandleKind, std::uint32_t /*id*/) {}
  virtual void callback_end(HandleKind, std::uint32_t /*id*/) {}

  // A handle became active, became inactive, began to close.
  virtual void handle_start(HandleKind, std::uint32_t /*id*/) {}
  virtual void handle_stop(HandleKind, std::uint32_t /*id*/) {}
  virtual void handle_close(HandleKind, std::uint32_t /*id*/) {}

  // A coroutine of the loop waits in the co_await at `place`; it goes on. `task` names it from its first wait to its end.
  virtual void coroutine_waits(const void* /*task*/, const std::source_location& /*place*/) {}
  virtual void coroutine_goes_on(const void* /*task*/) {}

  virtual void pool_job_queued(std::uint32_t /*id*/, JobClass) {}
  virtual void pool_job_done(const JobRun&) {}

  virtual void task_queued(const QueuedTask&) {}
  virtual void task_begin(TaskKind, std::uint32_t /*id*/) {}
  virtual void task_end(TaskKind, std::uint32_t /*id*/) {}
};

// Several observers as one; each is told in the order in which it was added. An observer may be removed inside a call.
class ObserverList final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }
  void remove(Observer& observer);
  // Null without an observer; the observer itself when it is alone.
  Observer* front() { return observers_.empty() ? nullptr : observers_.size() == 1 ? observers_[0] : this; }

  void iteration_begin(std::uint64_t number) override { tell(&Observer::iteration_begin, number); }
  void phase_begin(Phase phase) override { tell(&Observer::phase_begin, phase); }
  void phase_end(Phase phase) override { tell(&Observer::phase_end, phase); }
  void wait_begin(Nanoseconds timeout) override { tell(&Observer::wait_begin, timeout); }
  void wait_end(std::size_t ready) override { tell(&Observer::wait_end, ready); }
  void poll_budget_spent(std::size_t callbacks) override { tell(&Observer::poll_budget_spent, callbacks); }
  void callback_begin(HandleKind kind, std::uint32_t id) override { tell(&Observer::callback_begin, kind, id); }
  void callback_end(HandleKind kind, std::uint32_t id) override { tell(&Observer::callback_end, kind, id); }
  void handle_start(HandleKind kind, std::uint32_t id) override { tell(&Observer::handle_start, kind, id); }
  void handle_stop(HandleKind kind, std::uint32_t id) override { tell(&Observer::handle_stop, kind, id); }
  void handle_close(HandleKind kind, std::uint32_t id) override { tell(&Observer::handle_close, kind, id); }
  void coroutine_waits(const void* task, const std::source_location& place) override {
    tell(&Observer::coroutine_waits, task, place);
  }
  void coroutine_goes_on(const void* task) override { tell(&Observer::coroutine_goes_on, task); }
  void pool_job_queued(std::uint32_t id, JobClass kind) override { tell(&Observer::pool_job_queued, id, kind); }
  void pool_job_done(const JobRun& run) override { tell(&Observer::pool_job_done, run); }
  void task_queued(const QueuedTask& task) override { tell(&Observer::task_queued, task); }
  void task_begin(TaskKind kind, std::uint32_t id) override { tell(&Observer::task_begin, kind, id); }
  void task_end(TaskKind kind, std::uint32_t id) override { tell(&Observer::task_end, kind, id); }

 private:
  template <class... Parameters, class... Arguments>
  void tell(void (Observer::*what)(Parameters...), Arguments&&... arguments) {
    for (std::size_t i = 0; i < observers_.size(); i++) (observers_[i]->*what)(arguments...);
  }

  std::vector<Observer*> observers_;
};

inline void ObserverList::remove(Observer& observer) { std::erase(observers_, &observer); }

}  // namespace rondo
