// State that the worlds of an explored process share: the clock, the decider, and whose turn it is. One thread runs at a time; it gives its
// turn away where its loop polls (take_turn) and at its end. Which thread is next is a choice where several could go on.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "rondo/explore.h"

namespace rondo {

class ExploreThreads {
 public:
  ExploreThreads(Decider& decider, const ExploreSettings& settings) : decider(decider), settings(settings) {}

  void add(ExploreWorld& world);
  void remove(ExploreWorld& world);
  void await_turn(ExploreWorld& world);
  // In poll, with nothing delivered yet. False: this thread goes on. True: others have run meanwhile, look again.
  bool take_turn(ExploreWorld& world, bool has_work);
  void release_all();

  Decider& decider;
  ExploreSettings settings;
  Nanoseconds now = 1'000'000;
  bool is_limited = false;
  bool is_stuck = false;
  bool met_outside = false;
  Function<void()> on_stuck;
  Function<void(std::string_view)> on_note;

 private:
  struct Thread {
    ExploreWorld* world;
    bool has_begun;
  };
  std::vector<ExploreWorld*> runnable_others(const ExploreWorld& but);
  ExploreWorld* earliest(const ExploreWorld* but, Nanoseconds before);
  void hand_over(ExploreWorld& to);
  void wait_for_turn(ExploreWorld& world);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Thread> threads_;  // in order of start
  ExploreWorld* running_ = nullptr;
  bool is_free_ = false;  // no turns any more
};

}  // namespace rondo
