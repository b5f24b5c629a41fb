// A world for the loops of a process in which everything outside the program's control is a choice: which ready completion comes next and
// how many in one visit of poll, which thread goes on, whether the clock has passed a deadline, where a stream is cut. Files, sockets and
// pool jobs are the real ones, but each takes effect on the loop's thread at the moment it is chosen, one thread runs at a time, and the
// clock is virtual; so a run is a function of the choices. Choice 0 is always the one that a quick, idle machine would make.
//
//   ExploreWorld world(decider);
//   Loop loop(world.options());
//   loop.add_observer(world.observer());
//
// The choices are those that Node's loop has; an order that Node cannot show is an error here:
//  X1  an operation completes in the first poll after its submission at the earliest.
//  X2  several completions may be delivered in one visit of poll; pool jobs and files are one event of the kernel and come in one row.
//  X3  the code of one callback takes at most `longest_turn`, that of the program's start `longest_start`: only so far may the clock
//      pass a deadline while the program runs. A loop that sleeps until a timer is due wakes at most `latest_wake` late. Operations take as
//      long as they like.
//  X4  bytes of a connection come in order, cut anywhere.
//  X5  an operation waits at most `patience` times while others or the clock go on. A run that met this limit says so (is_limited).
//  X6  threads take turns, and change where a loop polls.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/decider.h"
#include "rondo/loop.h"
#include "rondo/observer.h"

namespace rondo {

class ExplorePoller;
class ExploreThreads;

struct ExploreSettings {
  Nanoseconds longest_turn = 2'000'000;
  Nanoseconds longest_start = 15'000'000;  // its code is cold: nothing has been compiled yet
  Nanoseconds latest_wake = 20'000'000;
  std::uint32_t patience = 16;
  bool has_faults = false;
};

class ExploreWorld final : public Clock, public Decider, private Observer {
 public:
  // Of the main thread; one world serves one loop. The decider is asked by one thread at a time.
  explicit ExploreWorld(Decider& decider, const ExploreSettings& settings = {});
  // Of a thread that the running one starts: null when nothing is explored. It is made before the thread, and begins on it.
  static std::unique_ptr<ExploreWorld> for_new_thread();
  ~ExploreWorld() override;

  // On the new thread: waits for its first turn; the last thing it does.
  void begin_thread();
  void end_thread();
  // Threads run as they like from here on, because one is about to wait for another by other means than its loop.
  static void release_threads();
  // The one of the running thread, or null.
  static ExploreWorld* current();

  // Operations may fail from now on.
  void allow_faults();
  // For the loop of this world.
  LoopOptions options();
  Observer& observer() { return *this; }

  // A timer of the loop's owner, which has many behind one of the loop's: its deadline takes part in choices of the clock.
  void timer_started(std::uint32_t id, Nanoseconds delay);
  void timer_gone(std::uint32_t id) { timers_.erase(id); }
  // The program has run for so long at least.
  void spend(Nanoseconds time);
  // For a program that asks for the time of day: one callback that asks a thousand times is waiting, and would wait for ever.
  Nanoseconds read();

  // Clock
  Nanoseconds now() override;
  bool skip_to(Nanoseconds deadline) override;
  // Decider
  std::uint32_t choose(Choice choice, std::uint32_t count) override;

  // A job of the pool, for which the pool has no thread here: it runs when it is chosen.
  static void take_job(Loop& loop, Job& job);

  bool is_limited() const;  // X5
  // A child process or another machine took part: the run is not a function of the choices alone.
  bool met_outside() const;
  // Called, once, by the thread that finds that the program waits for something that cannot come.
  void on_stuck(Function<void()> then);
  // A line of the program for its explorer.
  void note(std::string_view line);
  void on_note(Function<void(std::string_view)> then);

 private:
  friend class ExplorePoller;
  friend class ExploreThreads;
  struct JobOperation;

  explicit ExploreWorld(std::shared_ptr<ExploreThreads> threads);

  void iteration_begin(std::uint64_t number) override;
  void wait_begin(Nanoseconds timeout) override;
  void callback_begin(HandleKind, std::uint32_t) override { begin_callback(); }
  void task_begin(TaskKind, std::uint32_t) override { begin_callback(); }
  void begin_callback() {
    has_run_ = true;
    readings_ = date_readings_ = 0;
  }
  void pass_deadlines(Nanoseconds most);
  void stop_stuck();

  const std::shared_ptr<ExploreThreads> threads_;
  Nanoseconds wait_timeout_ = 0;
  Nanoseconds wait_deadline_ = kNever;
  Loop* loop_ = nullptr;
  ExplorePoller* poller_ = nullptr;
  std::map<std::uint32_t, Nanoseconds> timers_;  // deadlines
  // It may be as late as this by now: decided where a timer's place among the others depends on it.
  Nanoseconds latest_ = 0;
  bool is_start_ = true;  // before the first iteration
  bool has_run_ = true;  // something of the program, since the clock was last asked about
  std::uint32_t readings_ = 0;
  std::uint32_t date_readings_ = 0;
};

// From now on fill_random() (system.h) gives bytes that follow from `seed`. They are no secret.
void seed_random(std::uint64_t seed);

}  // namespace rondo
