// The numbers of tasks while a program is traced: each callback of the program gets one when it is queued, and the task that runs then
// is its cause. Observers of the loop are told; without one nothing here is called.
//
// Owner: the Runtime. Thread: its loop's.
#pragma once

#include "rondo/loop.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rondo {

// Numbers are part of the trace format.
enum class TaskKind : uint8_t {
  Script,
  Tick,
  Microtask,
  Timer,
  Immediate,
  Io,
  Event,  // of the process: beforeExit, exit, unhandledRejection
  Rendering,  // of a page
  Idle,
  Call,  // of a function, inside of another task (rondo trace --calls)
  // Tasks of a page's other sources.
  Dom,
  Interaction,
  Networking,
  History,
  Message,
  Scheduler,
  Database
};

}  // namespace rondo

namespace rondo::runtime {

// An observer of a loop that hears more of the tasks on it. It is given to the loop and to the TaskTrace. Loop's thread.
class TaskObserver : public Observer {
 public:
  // Names of tasks cost something: an observer that does not want them hears of phases, callbacks and events.
  virtual bool wants_tasks() const { return true; }
  // An event of a handle or the end of an operation is handed to the program. `name` lives as long as the process.
  virtual void event_begin(const char* /*name*/) {}
  // The task queued last was sent by another runtime: its number + 1 in the upper half, its task in the lower one.
  virtual void task_sent(int64_t /*sender*/) {}
  // It will not begin: the program cleared it or, `is_done`, its operation ended at once and nothing is called.
  virtual void task_cancelled(TaskKind, uint32_t /*id*/, bool /*is_done*/) {}
  // More is known of a task that runs. `name` replaces what it was called.
  virtual void task_named(uint32_t /*id*/, std::string_view /*name*/) {}
  // The HTML loop begins a turn in which it runs a task or renders.
  virtual void turn_begin(uint64_t /*number*/) {}
  // The program writes text for people to read.
  virtual void output(int /*fd*/, std::string_view /*text*/) {}
};

class TaskTrace {
 public:
  explicit TaskTrace(Loop& loop) : loop_(loop) {}

  void add(TaskObserver& observer) { observers_.push_back(&observer); }
  void remove(TaskObserver& observer) { std::erase(observers_, &observer); }

  bool is_traced() const {
    if (observers_.empty()) [[likely]]
      return false;
    for (const auto* observer : observers_) {
      if (observer->wants_tasks()) return true;
    }
    return false;
  }
  void event_begins(const char* name) {
    for (auto* observer : observers_) observer->event_begin(name);
  }
  // The innermost task that runs; 0 is the main script, or nobody.
  uint32_t running() const { return running_.empty() ? 0 : running_.back(); }
  // The last task but ticks and microtasks that began while no other was running.
  uint32_t outermost() const { return outermost_; }

  // Where the program started what runs now, for what lib/ starts on its behalf later. Returns what was there before. Places are texts
  // that live as long as the runtime.
  std::string_view exchange_place(std::string_view place) { return std::exchange(place_, place); }
  std::string_view place() const { return place_; }
  // The same for a queued task of lib/: its place holds while it runs.
  void remember_place(uint32_t id, std::string_view place) {
    if (spare_.empty()) {
      places_.emplace(id, place);
      return;
    }
    spare_.key() = id;
    spare_.mapped() = place;
    places_.insert(std::move(spare_));
  }

  uint32_t queued(TaskKind kind, std::string_view name, double delay_ms = 0) {
    return queued_by(running(), kind, name, delay_ms);
  }
  // As queued(), by a task that need not run any more.
  uint32_t queued_by(uint32_t cause, TaskKind kind, std::string_view name, double delay_ms = 0, int64_t sender = 0) {
    uint32_t id = ++last_;
    if (auto* observer = loop_.observer()) observer->task_queued({kind, id, cause, name, delay_ms});
    if (sender) {
      for (auto* observer : observers_) observer->task_sent(sender);
    }
    return id;
  }
  // It will never begin. `is_done`: because its operation ended at once.
  void cancelled(TaskKind kind, uint32_t id, bool is_done) {
    forget_place(places_.find(id));
    for (auto* observer : observers_) observer->task_cancelled(kind, id, is_done);
  }
  void begin(TaskKind kind, uint32_t id) {
    if (running_.empty() && kind != TaskKind::Tick && kind != TaskKind::Microtask) outermost_ = id;
    settle_name();
    running_.push_back(id);
    if (auto found = places_.find(id); found != places_.end()) std::swap(place_, found->second);
    if (auto* observer = loop_.observer()) observer->task_begin(kind, id);
  }
  void end(TaskKind kind, uint32_t id) {
    settle_name();
    if (!running_.empty()) running_.pop_back();
    if (auto found = places_.find(id); found != places_.end()) {
      std::swap(place_, found->second);
      forget_place(found);
    }
    if (auto* observer = loop_.observer()) observer->task_end(kind, id);
  }

  // The task that runs now is an event called `what`, which no function of the program's own stands for yet.
  void expect_name(std::string_view what, std::string_view place) {
    settle_name();
    unnamed_ = running();
    event_ = what;
    event_place_ = place;
  }
  bool expects_name() const { return unnamed_ != 0 && unnamed_ == running(); }
  // Subject of the event: a method and a path. It is told with the function, or when the event is over.
  void detail(std::initializer_list<std::string_view> words) {
    if (!expects_name()) return;
    for (const auto word : words) event_.append(" ").append(word);
    has_detail_ = true;
  }
  // The first function of the program's own that the event calls.
  void ran(std::string_view function) {
    if (!expects_name()) return;
    has_detail_ = false;
    event_.append(" → ").append(function);
    rename();
    unnamed_ = 0;
  }
  void turn_begins(uint64_t number) {
    for (auto* observer : observers_) observer->turn_begin(number);
  }
  void output(int fd, std::string_view text) {
    for (auto* observer : observers_) observer->output(fd, text);
  }

 private:
  using Places = std::unordered_map<uint32_t, std::string_view>;
  void forget_place(Places::iterator found) {
    if (found != places_.end()) spare_ = places_.extract(found);
  }
  void rename() {
    for (auto* observer : observers_) observer->task_named(running(), event_);
  }
  void settle_name() {
    if (has_detail_ && expects_name()) {
      if (!event_place_.empty()) event_.append(" (").append(event_place_).append(")");
      rename();
    }
    has_detail_ = false;
    unnamed_ = 0;
  }

  Loop& loop_;
  std::vector<TaskObserver*> observers_;
  uint32_t last_ = 0;
  uint32_t outermost_ = 0;
  std::vector<uint32_t> running_;  // innermost last
  uint32_t unnamed_ = 0;
  std::string event_;  // its memory is used again and again
  bool has_detail_ = false;
  std::string_view event_place_;
  std::string_view place_;
  Places places_;  // of tasks that wait; while one runs, what was there before
  Places::node_type spare_;
};

}  // namespace rondo::runtime
