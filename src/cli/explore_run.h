// One explored run: the schedule that it follows, the log of its choices, and the loop's world (rondo/explore.h) between them. Used by
// `rondo replay` and by the children of `rondo explore`.
//
// A schedule is text: "0" is the default, else the choices that differ from it, each as position, kind and number: "3r1.7c2". Kinds: r,
// which completion; c, the clock; b, bytes of a stream; f, a fault. Before them may stand "s7:", the seed of random numbers, and "f:",
// operations may fail. "?" and a number instead of choices, a sample: choices are random, from that number on, but the last there is of kind c
// with 0, of kinds r and c with 1.
#pragma once

#include "runtime/entry/task_trace.h"

#include "rondo/explore.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace rondo::cli {

inline constexpr int kExitStuck = 124;  // of a program that waits for ever

struct Schedule {
  struct Pick {
    char kind;
    uint32_t choice;
  };
  uint32_t seed = 1;
  bool has_faults = false;
  std::map<uint32_t, Pick> picks;  // by position
  std::optional<uint32_t> sample;  // the number behind "?"
};
std::optional<Schedule> parse_schedule(const std::string& text);

// Written by the run, read by its parent; in memory that both share.
struct ChoiceLog {
  static constexpr uint32_t kCapacity = 100'000;
  enum Flag : uint32_t {
    Limited = 1,  // an operation was put off as often as it may be
    Stuck = 2,  // waits for something that cannot come
    Outside = 4,  // a child process or another machine took part
    Misfit = 8,  // the schedule names a choice that this run did not have
  };
  struct Entry {
    uint8_t kind;  // a letter
    uint8_t unused;
    uint16_t count;
    uint16_t choice;
  };
  uint32_t flags;
  uint32_t count;
  Entry entries[kCapacity];
};

// Tells a world of the timers that a program has on its thread.
class TimerWatch : public runtime::TaskObserver {
 public:
  explicit TimerWatch(ExploreWorld& world) : world_(&world) {}

  void task_queued(const QueuedTask& task) override;
  void task_begin(TaskKind kind, uint32_t id) override;
  void task_cancelled(TaskKind kind, uint32_t id, bool is_done) override;

 private:
  ExploreWorld* const world_;
};

class ExploreRun final : public Decider, public TimerWatch {
 public:
  // Descriptors and memory are the caller's; `log` may be null.
  struct Channels {
    ChoiceLog* log = nullptr;
    int notes = -1;  // for lines of text
    bool explains = false;  // each choice and each callback is a line
  };
  ExploreRun() : TimerWatch(world_), world_(*this) {}
  // Before the program's first callback.
  void begin(Schedule schedule, const Channels& channels);

  ExploreWorld& world() { return world_; }
  uint32_t seed() const { return schedule_.seed; }
  // A choice of the schedule that the run never came to, or that had another form; empty: none.
  const std::string& misfit() const { return misfit_; }
  void note_end();
  void note_stuck();
  // The observer of the running thread's timers, a worker's.
  runtime::TaskObserver* watch_thread();

  // Decider
  uint32_t choose(Choice choice, uint32_t count) override;

  // TaskObserver
  void task_queued(const QueuedTask& task) override;
  void task_begin(TaskKind kind, uint32_t id) override;
  void task_named(uint32_t id, std::string_view name) override;
  void output(int fd, std::string_view text) override;

 private:
  void write_line(std::string_view line) const;
  uint32_t pick(uint32_t position, char letter, uint32_t count);
  uint32_t random_pick(char letter, uint32_t count);

  Schedule schedule_;
  Channels channels_;
  std::map<uint32_t, std::string> names_;  // of tasks, where choices are explained
  uint32_t position_ = 0;
  uint32_t random_ = 0;  // of samples
  bool has_written_ = false;
  std::string misfit_;
  ExploreWorld world_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TimerWatch>> watches_;  // of workers
};

}  // namespace rondo::cli
