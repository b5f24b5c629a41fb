// See loop_stops.h.
#include "observe/loop_stops.h"

#include "observe/ledger_native.h"

#include "rondo/thread_pool.h"

#include <algorithm>
#include <utility>

namespace rondo::observe {

namespace {

constexpr double kNsPerMs = 1e6;

}  // namespace

LoopStops::LoopStops(runtime::Runtime& runtime, std::function<void(bool)> ask)
    : runtime_(runtime), ask_(std::move(ask)) {
  runtime.loop().add_observer(*this);
  runtime.tasks().add(*this);
}

LoopStops::~LoopStops() {
  runtime_.tasks().remove(*this);
  runtime_.loop().remove_observer(*this);
}

void LoopStops::set(uint32_t rule, LoopStop stop) {
  rules_[rule] = std::move(stop);
  set_traced(runtime_, runtime_.tasks().is_traced());  // lib/ numbers its timers from now on
}

void LoopStops::remove(uint32_t rule) {
  rules_.erase(rule);
  set_traced(runtime_, runtime_.tasks().is_traced());
}

void LoopStops::clear() {
  rules_.clear();
  due_.clear();
  named_.clear();
  waiting_.clear();
  set_traced(runtime_, runtime_.tasks().is_traced());
}

bool LoopStops::has(LoopStop::Kind kind) const {
  return std::ranges::any_of(rules_, [kind](const auto& rule) { return rule.second.kind == kind; });
}

bool LoopStops::wants_tasks() const {
  using enum LoopStop::Kind;
  return has(LateTimer) || has(TaskQueue) || has(Function);
}

const uint32_t* LoopStops::rule_for(std::string_view name) const {
  for (const auto& [rule, stop] : rules_) {
    if (stop.kind == LoopStop::Kind::Function && name.find(stop.text) != std::string_view::npos) return &rule;
  }
  return nullptr;
}

void LoopStops::ask_for(uint32_t rule, double value) {
  if (hit_) return;
  hit_ = Hit{rule, value};
  ask_(true);
}

void LoopStops::check(LoopStop::Kind kind, double value) {
  for (const auto& [rule, stop] : rules_) {
    if (stop.kind == kind && value >= stop.limit) return ask_for(rule, value);
  }
}

void LoopStops::phase_begin(Phase phase) {
  for (const auto& [rule, stop] : rules_) {
    if (stop.kind == LoopStop::Kind::Phase && stop.phase == phase) return ask_for(rule, 0);
  }
}

void LoopStops::phase_end(Phase) {
  if (!hit_) return;
  hit_.reset();
  ask_(false);
}

void LoopStops::wait_end(size_t ready) { check(LoopStop::Kind::ReadyEvents, static_cast<double>(ready)); }

void LoopStops::pool_job_queued(uint32_t, JobClass) { check(LoopStop::Kind::PoolQueue, ++jobs_); }

void LoopStops::pool_job_done(const JobRun&) {
  if (jobs_ > 0) jobs_--;
}

void LoopStops::task_queued(const QueuedTask& task) {
  if (const auto* rule = rule_for(task.name)) named_[task.id] = *rule;
  if (has(LoopStop::Kind::TaskQueue)) {
    waiting_.insert(task.id);
    check(LoopStop::Kind::TaskQueue, static_cast<double>(waiting_.size()));
  }
  if (task.kind != TaskKind::Timer || !has(LoopStop::Kind::LateTimer)) return;
  due_[task.id] = steady_now() + static_cast<Nanoseconds>(task.delay_ms * kNsPerMs);
}

void LoopStops::task_begin(TaskKind, uint32_t id) {
  waiting_.erase(id);
  if (const auto known = named_.find(id); known != named_.end()) {
    const uint32_t rule = known->second;
    named_.erase(known);
    return ask_for(rule, 0);
  }
  const auto found = due_.find(id);
  if (found == due_.end()) return;
  const auto late = static_cast<double>(steady_now() - found->second) / kNsPerMs;
  due_.erase(found);
  check(LoopStop::Kind::LateTimer, late);
}

void LoopStops::task_cancelled(TaskKind, uint32_t id, bool) {
  due_.erase(id);
  named_.erase(id);
  waiting_.erase(id);
}

// An event gets the name of the program's function when it calls it.
void LoopStops::task_named(uint32_t, std::string_view name) {
  if (const auto* rule = rule_for(name)) ask_for(*rule, 0);
}

}  // namespace rondo::observe
