// The ledger: the loop's report of itself, one fixed-size record an event, in a ring. It observes one loop, with the tasks that
// run on it; everything that shows a run (trace, later the page and the doctor) reads it and nothing else. docs/trace-format.md
// is the contract between this writer and its readers.
//
// Thread: the loop's. When the ring is full the oldest records give way and `dropped` says how many.
#pragma once

#include "observe/record_clock.h"
#include "observe/shared_ring.h"
#include "observe/starvation.h"

#include "runtime/entry/task_trace.h"

#include "rondo/base/clock.h"
#include "rondo/observer.h"

#include <functional>
#include <string>
#include <vector>

namespace rondo::observe {

class Ledger final : public runtime::TaskObserver {
 public:
  static constexpr size_t kDefaultCapacity = size_t{1} << 20;
  // The descriptor of an output() that tells the place of the one before.
  static constexpr int kPlaceOfOutput = -1;

  // `start`: the zero of all times, for ledgers that are read side by side; 0 is now.
  explicit Ledger(size_t capacity = kDefaultCapacity, Nanoseconds start = 0);

  // By time.
  std::vector<Record> records() const;
  uint64_t dropped() const;
  Nanoseconds start() const { return start_; }  // on the monotonic clock
  // Empty for 0, and for a name that was not used for a long time.
  std::string_view name(uint32_t number) const { return names_.text(number); }
  const SharedRing& ring() const { return ring_; }
  // Whether the run was a page's, whose loop has turns.
  bool has_turns() const { return has_turns_; }
  void note_exit(int code);
  // Readers in another process see all that was added.
  void flush();
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
  void task_sent(int64_t sender) override;
  void task_cancelled(TaskKind kind, uint32_t id, bool is_done) override;
  void task_named(uint32_t id, std::string_view name) override;
  void turn_begin(uint64_t number) override;
  void output(int fd, std::string_view text) override;

 private:
  Record& add(RecordKind kind, uint32_t id = 0, uint8_t what = 0);
  // At the time of the record before.
  Record& add_at_once(RecordKind kind, uint32_t id = 0, uint8_t what = 0);
  Record& at(uint64_t number) const { return ring_.records()[mask_ ? number & mask_ : number % ring_.capacity()]; }
  int64_t ready_for(TaskKind kind, int64_t now) const;
  void name_starvation(uint32_t name);
  uint32_t name_of_task(uint32_t id) const;
  void note_starvation(const StarvationWatch::Run& run);
  void end_run();

  SharedRing ring_;
  NameTable names_{ring_};
  uint64_t mask_;  // of places in the ring; 0 when its size is no power of two
  uint64_t written_ = 0;
  RecordClock clock_;
  Nanoseconds start_;
  int64_t time_ = 0;  // of the newest record
  uint32_t newest_task_ = 0;
  std::vector<uint32_t> running_;  // tasks on the stack, innermost last
  uint8_t phase_ = 0;
  bool has_turns_ = false;
  bool may_sleep_ = false;  // in the wait that has begun
  int64_t looked_before_ = 0, looked_ = 0;  // when poll last took completions, and the time before that
  int64_t wait_from_ = 0;
  uint64_t newest_queued_ = 0;  // where in the ring the record of newest_task_ stands

  enum class Starving : uint8_t { No, Unnamed, Told };
  StarvationWatch watch_;
  Starving starving_ = Starving::No;
  uint32_t findings_ = 0;
  uint32_t starving_name_ = 0;
  std::function<void(const Record&)> on_starvation_;
};

const char* task_kind_name(TaskKind kind);
const char* job_class_name(JobClass job_class);

}  // namespace rondo::observe
