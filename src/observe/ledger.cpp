// See ledger.h.
#include "observe/ledger.h"

#include "engine/core/function_label.h"

#include <algorithm>
#include <utility>

namespace rondo::observe {

using runtime::TaskKind;

Ledger::Ledger(size_t capacity) : ring_(std::max<size_t>(capacity, 16)), start_(steady_now()) {
  add(RecordKind::Start);
}

Record& Ledger::add(RecordKind kind, uint32_t id, uint8_t what) {
  auto slot = next_.fetch_add(1, std::memory_order_relaxed) % ring_.size();
  auto& record = ring_[slot];
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
  auto written = next_.load(std::memory_order_relaxed);
  if (written <= ring_.size()) return {ring_.begin(), ring_.begin() + static_cast<long>(written)};
  std::vector<Record> ordered(ring_.size());
  auto first = static_cast<long>(written % ring_.size());
  std::rotate_copy(ring_.begin(), ring_.begin() + first, ring_.end(), ordered.begin());
  return ordered;
}

uint64_t Ledger::dropped() const {
  auto written = next_.load(std::memory_order_relaxed);
  return written > ring_.size() ? written - ring_.size() : 0;
}

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
void Ledger::pool_job_begin(uint32_t id, JobClass job_class, int thread) {
  add(RecordKind::JobBegin, id, static_cast<uint8_t>(job_class)).payload = thread;
}
void Ledger::pool_job_end(uint32_t id, JobClass job_class, int thread) {
  add(RecordKind::JobEnd, id, static_cast<uint8_t>(job_class)).payload = thread;
}

uint32_t Ledger::queued(TaskKind kind, engine::Value function, double detail) {
  uint32_t id = ++last_task_;
  uint32_t name = name_of(function);
  auto& record = add(RecordKind::TaskQueued, id, static_cast<uint8_t>(kind));
  record.name = name;
  record.payload = static_cast<int64_t>(detail * 1000);
  return id;
}

// A task is known by its function; of a promise reaction without one, the next queued will say by whom.
void Ledger::begin(TaskKind kind, uint32_t id) {
  if (kind != TaskKind::Tick && kind != TaskKind::Microtask) end_run();
  if (watch_.begin(kind, id, last_task_)) {
    starving_ = Starving::Unnamed;
    if (uint32_t name = name_of_task(id)) queuer(names_[name]);
  }
  running_.push_back(id);
  add(RecordKind::TaskBegin, id, static_cast<uint8_t>(kind));
}

void Ledger::end(TaskKind kind, uint32_t id) {
  add(RecordKind::TaskEnd, id, static_cast<uint8_t>(kind));
  if (!running_.empty()) running_.pop_back();
}

void Ledger::queuer(std::string label) {
  if (starving_ != Starving::Unnamed) return;
  starving_ = Starving::Told;
  starving_name_ = label.empty() ? 0 : intern(std::move(label));
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

uint32_t Ledger::intern(std::string name) {
  auto [it, is_new] = name_ids_.try_emplace(std::move(name), static_cast<uint32_t>(names_.size()));
  if (is_new) names_.push_back(it->first);
  return it->second;
}

uint32_t Ledger::name_of(engine::Value function) {
  std::string label = engine::function_label(function);
  return label.empty() ? 0 : intern(std::move(label));
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
