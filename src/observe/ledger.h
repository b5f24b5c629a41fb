// The ledger: the loop's report of itself, one fixed-size record an event, in a ring. It observes one loop, with the tasks that
// run on it; everything that shows a run (trace, later the page and the doctor) reads it and nothing else. docs/trace-format.md
// is the contract between this writer and its readers.
//
// Thread: the loop's. When the ring is full the oldest records give way and `dropped` says how many.
#pragma once

#include "observe/starvation.h"

#include "rondo/base/clock.h"
#include "rondo/observer.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace rondo::observe {

// Numbers are part of the format.
enum class RecordKind : uint8_t {
  Start,  // the ledger was opened
  IterationBegin,  // id: number
  PhaseBegin,
  PhaseEnd,
  WaitBegin,  // payload: timeout in ns, -1 without limit
  WaitEnd,  // payload: ready completions
  BudgetSpent,  // payload: callbacks run
  CallbackBegin,  // what: HandleKind; id: handle
  CallbackEnd,
  HandleStart,
  HandleStop,
  HandleClose,
  TaskQueued,  // what: TaskKind; id: task; cause: the task that queued it; name; payload: delay in µs
  TaskBegin,
  TaskEnd,
  JobQueued,  // what: job class; id: job
  JobBegin,  // payload: thread
  JobEnd,
  Exit,  // payload: exit code
  Starvation,  // what: TaskKind of the queue; id: number of the finding; cause: the task before; name: who keeps queueing;
  // payload: length of the run, so far and, in a second record, when it is over
};

struct Record {
  int64_t time = 0;  // ns since Start
  int64_t payload = 0;
  uint32_t id = 0;
  uint32_t cause = 0;  // a task's id; 0: the main script
  uint32_t name = 0;  // index into names(); 0: none
  RecordKind kind = RecordKind::Start;
  uint8_t phase = 0;  // rondo::Phase, valid between PhaseBegin and PhaseEnd
  uint8_t what = 0;
  uint8_t depth =
      0;  // tasks running around this record: 0 outside, 1 in a task, 2 in a tick or microtask the task's turn drains
};
static_assert(sizeof(Record) == 32);

class Ledger final : public Observer {
 public:
  static constexpr size_t kDefaultCapacity = size_t{1} << 20;

  explicit Ledger(size_t capacity = kDefaultCapacity);

  // By time.
  std::vector<Record> records() const;
  uint64_t dropped() const;
  Nanoseconds start() const { return start_; }  // on the monotonic clock
  const std::vector<std::string>& names() const { return names_; }
  void note_exit(int code);
  // Called at once when a queue is found to starve the loop, while it still does.
  void on_starvation(std::function<void(const Record&)> told) { on_starvation_ = std::move(told); }

  // Observer
  void iteration_begin(uint64_t number) override;
  void phase_begin(Phase phase) override;
  void phase_end(Phase phase) override;
  void wait_begin(Nanoseconds timeout) override;
  void wait_end(size_t ready) override;
  void poll_budget_spent(size_t callbacks) override;
  void callback_begin(HandleKind kind, uint32_t id) override;
  void callback_end(HandleKind kind, uint32_t id) override;
  void handle_start(HandleKind kind, uint32_t id) override;
  void handle_stop(HandleKind kind, uint32_t id) override;
  void handle_close(HandleKind kind, uint32_t id) override;
  void pool_job_queued(uint32_t id, JobClass job_class) override;
  void pool_job_done(const JobRun& run) override;
  void task_queued(const QueuedTask& task) override;
  void task_begin(TaskKind kind, uint32_t id) override;
  void task_end(TaskKind kind, uint32_t id) override;

 private:
  Record& add(RecordKind kind, uint32_t id = 0, uint8_t what = 0);
  uint32_t intern(std::string_view name);
  void name_starvation(uint32_t name);
  uint32_t name_of_task(uint32_t id) const;
  void note_starvation(const StarvationWatch::Run& run);
  void end_run();

  std::vector<Record> ring_;
  uint64_t written_ = 0;
  Nanoseconds start_;
  std::vector<std::string> names_{""};
  std::unordered_map<std::string, uint32_t> name_ids_;
  uint32_t newest_task_ = 0;
  std::vector<uint32_t> running_;  // tasks on the stack, innermost last
  uint8_t phase_ = 0;

  enum class Starving : uint8_t { No, Unnamed, Told };
  StarvationWatch watch_;
  Starving starving_ = Starving::No;
  uint32_t findings_ = 0;
  uint32_t starving_name_ = 0;
  std::function<void(const Record&)> on_starvation_;
};

const char* record_kind_name(RecordKind kind);
const char* task_kind_name(TaskKind kind);
const char* job_class_name(JobClass job_class);

}  // namespace rondo::observe
