// See ledger.h.
#include "observe/ledger.h"

#include "rondo/thread_pool.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace rondo::observe {

namespace {

// A poll that returned sooner did not sleep: what it found may have been there since the look before.
constexpr int64_t kSlept = 200'000;
// Records are written too far apart for the processor to guess the next lines of memory by itself; a write that waits for memory makes
// others wait.
constexpr uint64_t kFetchAhead = 16;
constexpr size_t kMostOutput = 120;  // bytes of a text that is written out

}  // namespace

Ledger::Ledger(size_t capacity, Nanoseconds start)
    : ring_(std::max<size_t>(capacity, 16)),
      mask_(std::has_single_bit(ring_.capacity()) ? ring_.capacity() - 1 : 0),
      start_(start ? start : steady_now()) {
  add(RecordKind::Start);
}

Record& Ledger::add(RecordKind kind, uint32_t id, uint8_t what) {
  time_ = clock_.now() - start_;
  return add_at_once(kind, id, what);
}

Record& Ledger::add_at_once(RecordKind kind, uint32_t id, uint8_t what) {
  __builtin_prefetch(&at(written_ + kFetchAhead), 1);
  auto& record = at(written_++);
  record = {.time = time_,
            .id = id,
            .cause = running_.empty() ? 0 : running_.back(),
            .kind = kind,
            .phase = phase_,
            .what = what,
            .depth = static_cast<uint8_t>(std::min<size_t>(running_.size(), 255))};
  // The record before this one is whole; this one will be when the next is begun, or flush() is called.
  ring_.header().written.store(written_ - 1, std::memory_order_release);
  return record;
}

std::vector<Record> Ledger::records() const {
  std::vector<Record> ordered;
  const Record* ring = ring_.records();
  const auto size = static_cast<long>(ring_.capacity());
  if (written_ <= ring_.capacity()) {
    ordered.assign(ring, ring + static_cast<long>(written_));
  } else {
    ordered.resize(ring_.capacity());
    std::rotate_copy(ring, ring + static_cast<long>(written_) % size, ring + size, ordered.begin());
  }
  // Pool jobs are told when they are over.
  if (!std::ranges::is_sorted(ordered, {}, &Record::time)) std::ranges::stable_sort(ordered, {}, &Record::time);
  return ordered;
}

uint64_t Ledger::dropped() const { return written_ > ring_.capacity() ? written_ - ring_.capacity() : 0; }

void Ledger::note_exit(int code) {
  end_run();
  add(RecordKind::Exit).payload = code;
}

void Ledger::iteration_begin(uint64_t number) { add(RecordKind::IterationBegin, static_cast<uint32_t>(number)); }

void Ledger::phase_begin(Phase phase) {
  end_run();
  phase_ = static_cast<uint8_t>(phase);
  const bool is_next = written_ > 0 && at(written_ - 1).kind == RecordKind::PhaseEnd;
  const auto& record = is_next ? add_at_once(RecordKind::PhaseBegin) : add(RecordKind::PhaseBegin);
  if (!looked_) looked_ = looked_before_ = record.time;  // nothing was waited for before the first phase
}

void Ledger::phase_end(Phase phase) {
  phase_ = static_cast<uint8_t>(phase);
  add(RecordKind::PhaseEnd);
}

void Ledger::wait_begin(Nanoseconds timeout) {
  auto& record = add(RecordKind::WaitBegin);
  record.payload = timeout == kNever ? -1 : timeout;
  wait_from_ = record.time;
  may_sleep_ = timeout != 0;
  flush();  // the loop may sleep long
}

void Ledger::wait_end(size_t ready) {
  auto& record = add(RecordKind::WaitEnd);
  record.payload = static_cast<int64_t>(ready);
  const bool has_slept = may_sleep_ && record.time - wait_from_ >= kSlept;
  looked_before_ = has_slept ? record.time : looked_;
  looked_ = record.time;
}

void Ledger::flush() { ring_.header().written.store(written_, std::memory_order_release); }

void Ledger::poll_budget_spent(size_t callbacks) {
  add(RecordKind::BudgetSpent).payload = static_cast<int64_t>(callbacks);
}

void Ledger::callback_begin(HandleKind kind, uint32_t id) {
  end_run();
  add(RecordKind::CallbackBegin, id, static_cast<uint8_t>(kind));
}
void Ledger::callback_end(HandleKind kind, uint32_t id) {
  add(RecordKind::CallbackEnd, id, static_cast<uint8_t>(kind));
}
void Ledger::handle_start(HandleKind kind, uint32_t id) {
  add(RecordKind::HandleStart, id, static_cast<uint8_t>(kind));
}
void Ledger::handle_stop(HandleKind kind, uint32_t id) { add(RecordKind::HandleStop, id, static_cast<uint8_t>(kind)); }
void Ledger::handle_close(HandleKind kind, uint32_t id) {
  add(RecordKind::HandleClose, id, static_cast<uint8_t>(kind));
}

void Ledger::pool_job_queued(uint32_t id, JobClass job_class) {
  add(RecordKind::JobQueued, id, static_cast<uint8_t>(job_class));
}
// Known when it is over: in the ring the two records stand later than their times say.
void Ledger::pool_job_done(const JobRun& run) {
  const auto job_class = static_cast<uint8_t>(run.job_class);
  for (auto [kind, time] : {std::pair{RecordKind::JobBegin, run.begun_at}, {RecordKind::JobEnd, run.ended_at}}) {
    auto& record = add(kind, run.id, job_class);
    record.time = time - start_;
    record.payload = run.thread;
  }
}

void Ledger::task_queued(const QueuedTask& task) {
  const uint32_t name = task.name.empty() ? 0 : names_.intern(task.name);
  newest_task_ = task.id;
  newest_queued_ = written_;
  auto& record = add(RecordKind::TaskQueued, task.id, static_cast<uint8_t>(task.kind));
  record.cause = task.cause;
  record.name = name;
  record.payload = static_cast<int64_t>(task.delay_ms * 1000);
  if (starving_ == Starving::Unnamed && name) name_starvation(name);
}

// Events that poll found were ready since it woke up or, where it did not sleep, perhaps since the look before.
int64_t Ledger::ready_for(TaskKind kind, int64_t now) const {
  const bool is_found = kind == TaskKind::Io && phase_ == static_cast<uint8_t>(Phase::Poll);
  return is_found ? std::max<int64_t>(0, now - looked_before_) : 0;
}

void Ledger::task_begin(TaskKind kind, uint32_t id) {
  const bool is_call = kind == TaskKind::Call;
  if (kind != TaskKind::Tick && kind != TaskKind::Microtask && !is_call) end_run();
  if (!is_call && watch_.begin(kind, id, newest_task_)) {
    starving_ = Starving::Unnamed;
    if (uint32_t name = name_of_task(id)) name_starvation(name);
  }
  running_.push_back(id);
  // An event of a handle begins when it is queued.
  const bool is_queued_now = kind == TaskKind::Io && id == newest_task_ && newest_queued_ + 1 == written_;
  const auto what = static_cast<uint8_t>(kind);
  auto& record = is_queued_now ? add_at_once(RecordKind::TaskBegin, id, what) : add(RecordKind::TaskBegin, id, what);
  record.payload = ready_for(kind, record.time);
  if (running_.size() == 1) flush();  // it may run long
}

void Ledger::task_sent(int64_t sender) { at(newest_queued_).payload = sender; }

void Ledger::task_cancelled(TaskKind kind, uint32_t id, bool is_done) {
  add(RecordKind::TaskCancelled, id, static_cast<uint8_t>(kind)).payload = is_done;
}

// An event is named when it has begun: its first record has the name too, as far as that is at hand.
void Ledger::task_named(uint32_t id, std::string_view text) {
  const uint32_t name = names_.intern(text);
  const bool is_newest = id == newest_task_ && written_ - newest_queued_ < ring_.capacity();
  if (is_newest) at(newest_queued_).name = name;
  // A better name right behind one that no reader has seen takes its place.
  const bool is_unread = written_ > ring_.header().written.load(std::memory_order_relaxed);
  auto& last = at(written_ - 1);
  if (is_unread && last.kind == RecordKind::TaskNamed && last.id == id)
    last.name = name;
  else
    add_at_once(RecordKind::TaskNamed, id).name = name;
}

void Ledger::turn_begin(uint64_t number) {
  end_run();
  has_turns_ = true;
  add(RecordKind::Turn, static_cast<uint32_t>(number));
}

void Ledger::output(int fd, std::string_view text) {
  if (fd == kPlaceOfOutput) {
    const uint32_t place = names_.intern(text);
    add(RecordKind::Place).name = place;
    return;
  }
  const auto size = static_cast<int64_t>(text.size());
  if (text.ends_with('\n')) text.remove_suffix(1);
  const uint32_t name = names_.intern(shortened(text, kMostOutput));
  auto& record = add(RecordKind::Output, static_cast<uint32_t>(fd));
  record.name = name;
  record.payload = size;
}

void Ledger::task_end(TaskKind kind, uint32_t id) {
  add(RecordKind::TaskEnd, id, static_cast<uint8_t>(kind));
  if (!running_.empty()) running_.pop_back();
}

// A run of reactions without names is named by the next one queued that has one.
void Ledger::name_starvation(uint32_t name) {
  starving_ = Starving::Told;
  starving_name_ = name;
  findings_++;
  note_starvation(watch_.run());
}

void Ledger::note_starvation(const StarvationWatch::Run& run) {
  auto& record = add(RecordKind::Starvation, findings_, static_cast<uint8_t>(run.queue));
  record.cause = run.origin;
  record.name = starving_name_;
  record.payload = static_cast<int64_t>(run.length);
  if (watch_.is_noticed() && on_starvation_) on_starvation_(record);
}

void Ledger::end_run() {
  auto over = watch_.end();
  if (over && starving_ == Starving::Told) note_starvation(*over);
  starving_ = Starving::No;
}

// Looked up once a finding, not kept for every task.
uint32_t Ledger::name_of_task(uint32_t id) const {
  const size_t count = std::min<uint64_t>(written_, ring_.capacity());
  for (size_t i = 0; i < count; i++) {
    const auto& record = ring_.records()[i];
    if (record.kind == RecordKind::TaskQueued && record.id == id) return record.name;
  }
  return 0;
}

const char* record_kind_name(RecordKind kind) {
  switch (kind) {
    case RecordKind::Start:
      return "start";
    case RecordKind::IterationBegin:
      return "iteration";
    case RecordKind::PhaseBegin:
      return "phase.begin";
    case RecordKind::PhaseEnd:
      return "phase.end";
    case RecordKind::WaitBegin:
      return "wait.begin";
    case RecordKind::WaitEnd:
      return "wait.end";
    case RecordKind::BudgetSpent:
      return "poll.budget";
    case RecordKind::CallbackBegin:
      return "callback.begin";
    case RecordKind::CallbackEnd:
      return "callback.end";
    case RecordKind::HandleStart:
      return "handle.start";
    case RecordKind::HandleStop:
      return "handle.stop";
    case RecordKind::HandleClose:
      return "handle.close";
    case RecordKind::TaskQueued:
      return "task.queued";
    case RecordKind::TaskBegin:
      return "task.begin";
    case RecordKind::TaskEnd:
      return "task.end";
    case RecordKind::JobQueued:
      return "job.queued";
    case RecordKind::JobBegin:
      return "job.begin";
    case RecordKind::JobEnd:
      return "job.end";
    case RecordKind::Exit:
      return "exit";
    case RecordKind::Starvation:
      return "starvation";
    case RecordKind::TaskCancelled:
      return "task.cancelled";
    case RecordKind::TaskNamed:
      return "task.named";
    case RecordKind::Output:
      return "output";
    case RecordKind::Place:
      return "place";
    case RecordKind::Turn:
      return "turn";
  }
  return "unknown";
}

const char* job_class_name(JobClass job_class) {
  switch (job_class) {
    case JobClass::Fs:
      return "fs";
    case JobClass::Dns:
      return "dns";
    case JobClass::Crypto:
      return "crypto";
    case JobClass::User:
      return "user";
  }
  return "unknown";
}

const char* task_kind_name(TaskKind kind) {
  switch (kind) {
    case TaskKind::Script:
      return "script";
    case TaskKind::Tick:
      return "tick";
    case TaskKind::Microtask:
      return "microtask";
    case TaskKind::Timer:
      return "timer";
    case TaskKind::Immediate:
      return "immediate";
    case TaskKind::Io:
      return "io";
    case TaskKind::Event:
      return "event";
    case TaskKind::Rendering:
      return "rendering";
    case TaskKind::Idle:
      return "idle";
    case TaskKind::Call:
      return "call";
    case TaskKind::Dom:
      return "dom";
    case TaskKind::Interaction:
      return "interaction";
    case TaskKind::Networking:
      return "networking";
    case TaskKind::History:
      return "history";
    case TaskKind::Message:
      return "message";
    case TaskKind::Scheduler:
      return "scheduler";
    case TaskKind::Database:
      return "database";
  }
  return "unknown";
}

}  // namespace rondo::observe
