// See ledger.h.
#include "observe/ledger.h"

#include "rondo/thread_pool.h"

#include <algorithm>
#include <utility>

namespace rondo::observe {

Ledger::Ledger(size_t capacity) : ring_(std::max<size_t>(capacity, 16)), start_(steady_now()) {
  add(RecordKind::Start);
}

Record& Ledger::add(RecordKind kind, uint32_t id, uint8_t what) {
  auto& record = ring_[written_++ % ring_.size()];
  record = {.time = steady_now() - start_,
            .id = id,
            .cause = running_.empty() ? 0 : running_.back(),
            .kind = kind,
            .phase = phase_,
            .what = what,
            .depth = static_cast<uint8_t>(std::min<size_t>(running_.size(), 255))};
  return record;
}

std::vector<Record> Ledger::records() const {
  std::vector<Record> ordered;
  if (written_ <= ring_.size()) {
    ordered.assign(ring_.begin(), ring_.begin() + static_cast<long>(written_));
  } else {
    ordered.resize(ring_.size());
    std::rotate_copy(ring_.begin(), ring_.begin() + static_cast<long>(written_ % ring_.size()), ring_.end(),
                     ordered.begin());
  }
  // Pool jobs are told when they are over.
  if (!std::ranges::is_sorted(ordered, {}, &Record::time)) std::ranges::stable_sort(ordered, {}, &Record::time);
  return ordered;
}

uint64_t Ledger::dropped() const { return written_ > ring_.size() ? written_ - ring_.size() : 0; }

void Ledger::note_exit(int code) {
  end_run();
  add(RecordKind::Exit).payload = code;
}

void Ledger::iteration_begin(uint64_t number) { add(RecordKind::IterationBegin, static_cast<uint32_t>(number)); }

void Ledger::phase_begin(Phase phase) {
  end_run();
  phase_ = static_cast<uint8_t>(phase);
  add(RecordKind::PhaseBegin);
}

void Ledger::phase_end(Phase phase) {
  phase_ = static_cast<uint8_t>(phase);
  add(RecordKind::PhaseEnd);
}

void Ledger::wait_begin(Nanoseconds timeout) { add(RecordKind::WaitBegin).payload = timeout == kNever ? -1 : timeout; }
void Ledger::wait_end(size_t ready) { add(RecordKind::WaitEnd).payload = static_cast<int64_t>(ready); }
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
  const uint32_t name = task.name.empty() ? 0 : intern(task.name);
  newest_task_ = task.id;
  auto& record = add(RecordKind::TaskQueued, task.id, static_cast<uint8_t>(task.kind));
  record.cause = task.cause;
  record.name = name;
  record.payload = static_cast<int64_t>(task.delay_ms * 1000);
  if (starving_ == Starving::Unnamed && name) name_starvation(name);
}

void Ledger::task_begin(TaskKind kind, uint32_t id) {
  if (kind != TaskKind::Tick && kind != TaskKind::Microtask) end_run();
  if (watch_.begin(kind, id, newest_task_)) {
    starving_ = Starving::Unnamed;
    if (uint32_t name = name_of_task(id)) name_starvation(name);
  }
  running_.push_back(id);
  add(RecordKind::TaskBegin, id, static_cast<uint8_t>(kind));
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
  for (const auto& record : ring_) {
    if (record.kind == RecordKind::TaskQueued && record.id == id) return record.name;
  }
  return 0;
}

uint32_t Ledger::intern(std::string_view name) {
  auto [it, is_new] = name_ids_.try_emplace(std::string(name), static_cast<uint32_t>(names_.size()));
  if (is_new) names_.push_back(it->first);
  return it->second;
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
  }
  return "unknown";
}

}  // namespace rondo::observe
