// The numbers of tasks while somebody watches: each callback of the program gets one when it is queued, and the task that runs then
// is its cause. Observers of the loop are told; without one nothing here is called.
//
// Owner: the Runtime. Thread: its loop's.
#pragma once

#include "rondo/loop.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rondo {

// Numbers are part of the trace format.
enum class TaskKind : uint8_t { Script, Tick, Microtask, Timer, Immediate, Io };

}  // namespace rondo

namespace rondo::runtime {

class TaskTrace {
 public:
  explicit TaskTrace(Loop& loop) : loop_(loop) {}

  bool is_traced() const { return loop_.observer() != nullptr; }
  // The innermost task that runs; 0 is the main script, or nobody.
  uint32_t running() const { return running_.empty() ? 0 : running_.back(); }

  // Where the program started what runs now, for what lib/ starts on its behalf later. Returns what was there before.
  std::string exchange_place(std::string place) { return std::exchange(place_, std::move(place)); }
  const std::string& place() const { return place_; }
  // The same for a queued task of lib/: its place holds while it runs.
  void remember_place(uint32_t id, std::string place) { places_.emplace(id, std::move(place)); }

  uint32_t queued(TaskKind kind, std::string_view name, double delay_ms = 0) {
    return queued_by(running(), kind, name, delay_ms);
  }
  // As queued(), by a task that need not run any more.
  uint32_t queued_by(uint32_t cause, TaskKind kind, std::string_view name, double delay_ms = 0) {
    uint32_t id = ++last_;
    if (auto* observer = loop_.observer()) observer->task_queued({kind, id, cause, name, delay_ms});
    return id;
  }
  void begin(TaskKind kind, uint32_t id) {
    running_.push_back(id);
    if (auto found = places_.find(id); found != places_.end()) std::swap(place_, found->second);
    if (auto* observer = loop_.observer()) observer->task_begin(kind, id);
  }
  void end(TaskKind kind, uint32_t id) {
    if (!running_.empty()) running_.pop_back();
    if (auto found = places_.find(id); found != places_.end()) {
      std::swap(place_, found->second);
      places_.erase(found);
    }
    if (auto* observer = loop_.observer()) observer->task_end(kind, id);
  }

 private:
  Loop& loop_;
  uint32_t last_ = 0;
  std::vector<uint32_t> running_;  // innermost last
  std::string place_;
  std::unordered_map<uint32_t, std::string> places_;  // of tasks that wait; while one runs, what was there before
};

}  // namespace rondo::runtime
