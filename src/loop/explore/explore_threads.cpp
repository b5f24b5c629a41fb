// See the header.
#include "loop/explore/explore_threads.h"

#include <algorithm>

#include "loop/explore/explore_poller.h"

namespace rondo {

void ExploreThreads::add(ExploreWorld& world) {
  const std::lock_guard lock(mutex_);
  threads_.push_back({&world, running_ == nullptr});
  if (!running_) running_ = &world;  // the main thread
}

// Its turn goes to a thread that can go on; else to the one whose timer is next, or to the main thread.
void ExploreThreads::remove(ExploreWorld& world) {
  std::vector<ExploreWorld*> others;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(threads_, [&](const Thread& thread) { return thread.world == &world; });
    if (running_ != &world || threads_.empty() || is_free_) return;
  }
  others = runnable_others(world);
  ExploreWorld* next = nullptr;
  if (!others.empty()) {
    next = others.size() == 1 ? others[0]
                              : others[decider.choose(Choice::Completion, static_cast<std::uint32_t>(others.size()))];
  } else {
    next = earliest(nullptr, kNever);
    if (!next) next = threads_.front().world;
  }
  hand_over(*next);
}

void ExploreThreads::await_turn(ExploreWorld& world) {
  wait_for_turn(world);
  const std::lock_guard lock(mutex_);
  for (Thread& thread : threads_) {
    if (thread.world == &world) thread.has_begun = true;
  }
}

// All but the running one wait for their turn, so that their loops may be looked at.
std::vector<ExploreWorld*> ExploreThreads::runnable_others(const ExploreWorld& but) {
  const std::lock_guard lock(mutex_);
  std::vector<ExploreWorld*> found;
  for (const Thread& thread : threads_) {
    if (thread.world == &but) continue;
    if (!thread.has_begun || (thread.world->poller_ && thread.world->poller_->has_work()))
      found.push_back(thread.world);
  }
  return found;
}

ExploreWorld* ExploreThreads::earliest(const ExploreWorld* but, Nanoseconds before) {
  const std::lock_guard lock(mutex_);
  ExploreWorld* found = nullptr;
  for (const Thread& thread : threads_) {
    if (thread.world == but || !thread.world->loop_) continue;
    const Nanoseconds deadline = thread.world->wait_deadline_;
    if (deadline >= before) continue;
    before = deadline;
    found = thread.world;
  }
  return found;
}

void ExploreThreads::hand_over(ExploreWorld& to) {
  const std::lock_guard lock(mutex_);
  running_ = &to;
  changed_.notify_all();
}

void ExploreThreads::wait_for_turn(ExploreWorld& world) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return running_ == &world || is_free_; });
}

bool ExploreThreads::take_turn(ExploreWorld& world, bool has_work) {
  if (threads_.size() < 2 || is_free_) return false;
  const auto others = runnable_others(world);
  ExploreWorld* next = nullptr;
  if (others.empty()) {
    if (has_work) return false;
    next = earliest(&world, world.wait_deadline_);
    if (!next) return false;
  } else {
    // Others may be so slow that this thread's next timer is due before they go on.
    const bool may_skip = !has_work && world.wait_deadline_ != kNever && !earliest(&world, world.wait_deadline_);
    const std::uint32_t mine = has_work ? 1 : 0;
    const auto last = static_cast<std::uint32_t>(others.size()) + mine;
    const std::uint32_t count = last + (may_skip ? 1 : 0);
    const std::uint32_t pick = count == 1 ? 0 : std::min(decider.choose(Choice::Completion, count), count - 1);
    if (pick < mine || pick == last) return false;
    next = others[pick - mine];
  }
  hand_over(*next);
  wait_for_turn(world);
  return true;
}

void ExploreThreads::release_all() {
  const std::lock_guard lock(mutex_);
  is_free_ = true;
  changed_.notify_all();
}

}  // namespace rondo
