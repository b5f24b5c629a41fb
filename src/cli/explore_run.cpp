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
  if (*at == '?') {
    schedule.sample.emplace();
    return take_number(++at, *schedule.sample) && !*at ? std::optional(schedule) : std::nullopt;
  }
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

void ExploreRun::begin(Schedule schedule, const Channels& channels) {
  schedule_ = std::move(schedule);
  channels_ = channels;
  if (schedule_.has_faults) world_.allow_faults();
  if (channels_.notes >= 0) world_.on_note([this](std::string_view line) { write_line("note " + std::string(line)); });
}

void ExploreRun::write_line(std::string_view line) const {
  const std::string whole = std::string(line) + '\n';
  [[maybe_unused]] const ssize_t written = write(channels_.notes, whole.data(), whole.size());
}

void ExploreRun::task_queued(const QueuedTask& task) {
  TimerWatch::task_queued(task);
  if (channels_.explains) names_[task.id] = task.name;
}

void ExploreRun::task_begin(TaskKind kind, uint32_t id) {
  TimerWatch::task_begin(kind, id);
  if (!channels_.explains || kind == TaskKind::Tick || kind == TaskKind::Microtask) return;
  write_line("begin " + std::to_string(id) + " " + std::to_string(static_cast<int>(kind)) + " " + names_[id]);
}

void ExploreRun::task_named(uint32_t id, std::string_view name) {
  if (channels_.explains) write_line("named " + std::to_string(id) + " " + std::string(name));
}

runtime::TaskObserver* ExploreRun::watch_thread() {
  const std::lock_guard lock(mutex_);
  watches_.push_back(std::make_unique<TimerWatch>(*ExploreWorld::current()));
  return watches_.back().get();
}

void ExploreRun::note_stuck() {
  note_end();
  if (channels_.log) channels_.log->flags |= ChoiceLog::Stuck;
}

// Sample 0 is a busy machine's: the clock passes all that it may. Sample 1 is all late. The others vary all completions and the clock at random,
// or, two of four, few of them: a race may need one operation to be late beside many others, or many to be. Cuts and failures are rare,
// or there would be nothing else.
uint32_t ExploreRun::random_pick(char letter, uint32_t count) {
  const auto next = [this] {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    return random_ ^= random_ << 5;
  };
  const uint32_t sample = *schedule_.sample;
  const bool is_order = letter == 'r' || letter == 'c';
  if (sample == 1 || (sample == 0 && letter == 'c')) return is_order ? count - 1 : 0;
  if (random_ == 0) random_ = (sample + 1) * 2'654'435'761u | 1;
  const bool is_full = sample < 4 || sample % 4 < 2;
  const uint32_t one_in = is_order && is_full ? 1 : 8;
  return (next() >> 8) % one_in == 0 ? (next() >> 8) % count : 0;
}

uint32_t ExploreRun::pick(uint32_t position, char letter, uint32_t count) {
  if (schedule_.sample) return random_pick(letter, count);
  const auto found = schedule_.picks.find(position);
  if (found == schedule_.picks.end()) return 0;
  const Schedule::Pick picked = found->second;
  schedule_.picks.erase(found);
  if (picked.kind == letter && picked.choice < count) return picked.choice;
  if (misfit_.empty()) misfit_ = text_of(position, picked);
  return 0;
}

uint32_t ExploreRun::choose(Choice choice, uint32_t count) {
  const uint32_t position = position_++;
  const char letter = letter_of(choice);
  const uint32_t pick = this->pick(position, letter, count);
  if (channels_.explains) write_line("choice " + std::to_string(position) + " " + letter + " " + std::to_string(pick));
  if (channels_.log) {
    if (position < ChoiceLog::kCapacity) {
      channels_.log->entries[position] = {static_cast<uint8_t>(letter), 0,
                                          static_cast<uint16_t>(std::min(count, 0xffffu)), static_cast<uint16_t>(pick)};
      channels_.log->count = position + 1;
    } else {
      channels_.log->flags |= ChoiceLog::Limited;
    }
  }
  return pick;
}

void ExploreRun::note_end() {
  if (misfit_.empty() && !schedule_.picks.empty()) {
    const auto& [position, pick] = *schedule_.picks.begin();
    misfit_ = text_of(position, pick);
  }
  if (!channels_.log) return;
  if (world_.is_limited()) channels_.log->flags |= ChoiceLog::Limited;
  if (world_.met_outside()) channels_.log->flags |= ChoiceLog::Outside;
  if (!misfit_.empty()) channels_.log->flags |= ChoiceLog::Misfit;
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
