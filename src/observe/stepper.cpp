// See stepper.h.
#include "observe/stepper.h"

#include "engine/core/thread_calls.h"
#include "observe/ledger_native.h"

#include <chrono>
#include <utility>

namespace rondo::observe {

namespace {

// How soon a held thread looks for questions.
constexpr std::chrono::milliseconds kLook{5};

}  // namespace

Stepper::Stepper(runtime::Runtime& runtime, Told told) : runtime_(runtime), told_(std::move(told)) {
  runtime.loop().add_observer(*this);
  runtime.tasks().add(*this);
  set_traced(runtime, true);
}

Stepper::~Stepper() {
  stops_.reset();
  runtime_.tasks().remove(*this);
  runtime_.loop().remove_observer(*this);
  set_traced(runtime_, runtime_.tasks().is_traced());
}

void Stepper::go(Unit unit) {
  const std::lock_guard lock(mutex_);
  unit_ = unit;
  is_held_ = false;
  changed_.notify_all();
}

void Stepper::slow(int milliseconds) {
  const std::lock_guard lock(mutex_);
  pause_ms_ = milliseconds;
  is_held_ = false;
  changed_.notify_all();
}

void Stepper::release() {
  const std::lock_guard lock(mutex_);
  is_released_ = true;
  is_held_ = false;
  changed_.notify_all();
}

// Questions are answered in between: their answers need this thread.
void Stepper::wait(std::unique_lock<std::mutex>& lock) {
  while (is_held_) {
    changed_.wait_for(lock, kLook);
    lock.unlock();
    engine::run_thread_calls(runtime_.vm());
    lock.lock();
  }
}

void Stepper::hold(std::string_view reason, double value) {
  const auto alive = shared_from_this();  // the watcher may go meanwhile
  std::unique_lock lock(mutex_);
  if (is_held_ || is_released_) return;
  is_held_ = true;
  unit_ = Unit::None;
  lock.unlock();
  told_(reason, value);
  lock.lock();
  wait(lock);
  lock.unlock();
  told_({}, 0);
}

void Stepper::set_rule(uint32_t rule, const LoopStop& stop) {
  const auto ask = [this](bool is_wanted) {
    if (!is_wanted) return;
    const auto hit = stops_->take();
    if (hit) hold("rule " + std::to_string(hit->rule), hit->value);
  };
  if (!stops_) stops_ = std::make_unique<LoopStops>(runtime_, ask);
  stops_->set(rule, stop);
}

void Stepper::clear_rules() {
  if (stops_) stops_->clear();
}

void Stepper::iteration_begin(uint64_t) {
  std::unique_lock lock(mutex_);
  const bool is_wanted = unit_ == Unit::Iteration;
  lock.unlock();
  if (is_wanted) hold("step");
}

void Stepper::phase_begin(Phase) {
  std::unique_lock lock(mutex_);
  const bool is_wanted = unit_ == Unit::Phase;
  lock.unlock();
  if (is_wanted) hold("step");
}

bool Stepper::wants(TaskKind kind) const {
  const bool is_inner = kind == TaskKind::Tick || kind == TaskKind::Microtask || kind == TaskKind::Call;
  switch (unit_) {
    case Unit::Any:
      return true;
    case Unit::Task:
      return !is_inner;
    case Unit::Tick:
      return kind == TaskKind::Tick;
    case Unit::Microtask:
      return kind == TaskKind::Microtask;
    case Unit::Call:
      return kind == TaskKind::Call;
    default:
      return false;
  }
}

void Stepper::task_begin(TaskKind kind, uint32_t) {
  const auto alive = shared_from_this();
  std::unique_lock lock(mutex_);
  if (wants(kind)) {
    lock.unlock();
    return hold("step");
  }
  if (pause_ms_ <= 0 || is_released_) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(pause_ms_);
  lock.unlock();
  told_("slow", 0);
  lock.lock();
  while (pause_ms_ > 0 && !is_released_ && std::chrono::steady_clock::now() < until) {
    changed_.wait_for(lock, kLook);
    lock.unlock();
    engine::run_thread_calls(runtime_.vm());
    lock.lock();
  }
  lock.unlock();
  told_({}, 0);
}

Stepper::Unit Stepper::unit_named(std::string_view name) {
  static constexpr std::pair<std::string_view, Unit> kUnits[] = {
      {"any", Unit::Any},   {"task", Unit::Task},   {"tick", Unit::Tick},          {"microtask", Unit::Microtask},
      {"call", Unit::Call}, {"phase", Unit::Phase}, {"iteration", Unit::Iteration}};
  for (const auto& [word, unit] : kUnits)
    if (word == name) return unit;
  return Unit::None;
}

}  // namespace rondo::observe
