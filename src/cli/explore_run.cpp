// See explore_run.h.
#include "cli/explore_run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace rondo::cli {

namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;

char letter_of(Choice choice) {
  switch (choice) {
    case Choice::ClockStep:
      return 'c';
    case Choice::TransferSize:
      return 'b';
    case Choice::Fault:
      return 'f';
    default:
      return 'r';
  }
}

ExploreSettings settings_of(const Schedule& schedule) {
  ExploreSettings settings;
  settings.has_faults = schedule.has_faults;
  return settings;
}

bool take_number(const char*& at, uint32_t& number) {
  if (*at < '0' || *at > '9') return false;
  char* end = nullptr;
  number = static_cast<uint32_t>(strtoul(at, &end, 10));
  at = end;
  return true;
}

std::string text_of(uint32_t position, const Schedule::Pick& pick) {
  return std::to_string(position) + pick.kind + std::to_string(pick.choice);
}

}  // namespace

std::optional<Schedule> parse_schedule(const std::string& text) {
  Schedule schedule;
  const char* at = text.c_str();
  if (*at == 's') {
    if (!take_number(++at, schedule.seed) || *at++ != ':') return std::nullopt;
  }
  if (*at == 'f') {
    if (*++at != ':') return std::nullopt;
    schedule.has_faults = true;
    at++;
  }
  if (at[0] == '0' && at[1] == 0) return schedule;
  for (;; at++) {
    uint32_t position;
    Schedule::Pick pick;
    if (!take_number(at, position)) return std::nullopt;
    pick.kind = *at;
    if (!strchr("rcbf", pick.kind) || !*at++ || !take_number(at, pick.choice)) return std::nullopt;
    schedule.picks[position] = pick;
    if (!*at) return schedule;
    if (*at != '.') return std::nullopt;
  }
}

ExploreRun::ExploreRun(Schedule schedule, const Channels& channels)
    : TimerWatch(world_),
      schedule_(std::move(schedule)),
      log_(channels.log),
      notes_(channels.notes),
      explains_(channels.explains),
      world_(*this, settings_of(schedule_)) {
  if (notes_ >= 0) world_.on_note([this](std::string_view line) { write_line("note " + std::string(line)); });
}

void ExploreRun::write_line(std::string_view line) const {
  const std::string whole = std::string(line) + '\n';
  [[maybe_unused]] const ssize_t written = write(notes_, whole.data(), whole.size());
}

void ExploreRun::task_queued(const QueuedTask& task) {
  TimerWatch::task_queued(task);
  if (explains_) names_[task.id] = task.name;
}

void ExploreRun::task_begin(TaskKind kind, uint32_t id) {
  TimerWatch::task_begin(kind, id);
  if (!explains_ || kind == TaskKind::Tick || kind == TaskKind::Microtask) return;
  write_line("begin " + std::to_string(id) + " " + std::to_string(static_cast<int>(kind)) + " " + names_[id]);
}

void ExploreRun::task_named(uint32_t id, std::string_view name) {
  if (explains_) write_line("named " + std::to_string(id) + " " + std::string(name));
}

runtime::TaskObserver* ExploreRun::watch_thread() {
  const std::lock_guard lock(mutex_);
  watches_.push_back(std::make_unique<TimerWatch>(*ExploreWorld::current()));
  return watches_.back().get();
}

void ExploreRun::note_stuck() {
  note_end();
  if (log_) log_->flags |= ChoiceLog::Stuck;
}

uint32_t ExploreRun::choose(Choice choice, uint32_t count) {
  const uint32_t position = position_++;
  const char letter = letter_of(choice);
  uint32_t pick = 0;
  if (const auto found = schedule_.picks.find(position); found != schedule_.picks.end()) {
    pick = found->second.choice;
    if (found->second.kind != letter || pick >= count) {
      if (misfit_.empty()) misfit_ = text_of(position, found->second);
      pick = 0;
    }
    schedule_.picks.erase(found);
  }
  if (explains_) write_line("choice " + std::to_string(position) + " " + letter + " " + std::to_string(pick));
  if (log_) {
    if (position < ChoiceLog::kCapacity) {
      log_->entries[position] = {static_cast<uint8_t>(letter), 0, static_cast<uint16_t>(std::min(count, 0xffffu)),
                                 static_cast<uint16_t>(pick)};
      log_->count = position + 1;
    } else {
      log_->flags |= ChoiceLog::Limited;
    }
  }
  return pick;
}

void ExploreRun::note_end() {
  if (misfit_.empty() && !schedule_.picks.empty()) {
    const auto& [position, pick] = *schedule_.picks.begin();
    misfit_ = text_of(position, pick);
  }
  if (!log_) return;
  if (world_.is_limited()) log_->flags |= ChoiceLog::Limited;
  if (world_.met_outside()) log_->flags |= ChoiceLog::Outside;
  if (!misfit_.empty()) log_->flags |= ChoiceLog::Misfit;
}

void TimerWatch::task_queued(const QueuedTask& task) {
  if (task.kind == TaskKind::Timer)
    world_->timer_started(task.id, static_cast<Nanoseconds>(task.delay_ms) * kMillisecond);
}

void TimerWatch::task_begin(TaskKind kind, uint32_t id) {
  if (kind == TaskKind::Timer) world_->timer_gone(id);
}

void TimerWatch::task_cancelled(TaskKind kind, uint32_t id, bool) {
  if (kind == TaskKind::Timer) world_->timer_gone(id);
}

// The first text that a program writes takes Node more than a millisecond: its console is made then.
void ExploreRun::output(int, std::string_view) {
  if (!std::exchange(has_written_, true)) world_.spend(kMillisecond);
}

}  // namespace rondo::cli
