// The pool's policy: which job is next, which class is in need of a thread, which ends are told together. It has no threads and does
// not wait. P2, P3 and P4 of thread_pool.h are kept here; thread_pool.cpp carries out what is decided. Everything is called with
// the pool's lock held, except what says otherwise.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "rondo/thread_pool.h"

namespace rondo {

struct ThreadPool::Policy {
  static constexpr int kRegular = -1;  // instead of a helper's class: a thread that serves all

  // Queues jobs that were submitted; linked as in a LockFreeStack, oldest first.
  void add(Job* oldest);
  // The next job for a helper of that class or for a regular thread, or null. It counts as running from now on.
  Job* take(int helper_class);
  // A job that was taken has been run.
  void account(Job& job, int helper_class);
  // Takes a job out that waits; false when it does not.
  bool cancel(Job& job);
  // For ~Loop: see ThreadPool::withdraw_waiting.
  Job* withdraw(const Loop& loop);

  bool has_work_for_regulars() const;
  // A class that waits while others occupy all threads (P2), or -1. It counts as helped from now on.
  int next_to_be_helped();
  void helper_left(int helper_class) { classes_[helper_class].has_helper = false; }

  // Any thread. Jobs of this class usually end within a few microseconds.
  bool is_quick(JobClass job_class) const { return classes_[static_cast<int>(job_class)].is_quick(); }
  bool was_last_quick() const { return was_last_quick_.load(std::memory_order_relaxed); }
  std::size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

  // Waking a loop costs more than a quick job, so the ends of quick jobs that follow each other are told together, in the
  // order in which they came. What is held is told when
  //   PE1 the thread finds no next job, or one of a class that is not quick,
  //   PE2 there are kTellTogether of them, or the first is kTellWithin old, or an end belongs to another loop,
  //   PE3 the supervisor sees no progress, or leaves. Without a supervisor nothing is held.
  // Both return what is to be told now.
  Job* hold(Job& finished);
  Job* release_unless_quick(const Job* next, bool has_supervisor);
  bool holds_ends() const { return held_ != nullptr; }

  std::uint64_t finished() const { return totals_.finished; }
  PoolStatistics statistics() const;

  std::atomic<int> size{0};  // regular threads that there may be; 0: environment not read yet

 private:
  static constexpr Nanoseconds kLongJob =
      24'000;  // counts as this in the average: one preempted job says nothing of the class
  static constexpr Nanoseconds kQuickJob = 4'000;  // below this average a second thread costs more than it brings
  static constexpr int kTellTogether = 128;  // ends of quick jobs,
  static constexpr Nanoseconds kTellWithin = 30'000;  // or what comes in this time

  struct ClassQueue {
    std::array<List<Job>, kJobPriorities> jobs;
    std::size_t waiting = 0;
    int running = 0;
    bool has_helper = false;
    std::atomic<Nanoseconds> average_run{kLongJob};  // moving; starts long so that first jobs spread
    bool is_quick() const { return average_run.load(std::memory_order_relaxed) < kQuickJob; }
  };

  ClassQueue& queue_of(const Job& job) { return classes_[static_cast<int>(job.job_class)]; }
  bool may_take(int index) const;
  Job* take_from(ClassQueue& queue);
  void leave_queue(Job& job);

  std::array<ClassQueue, kJobClasses> classes_;
  std::atomic<std::size_t> waiting_{0};  // in all queues
  std::atomic<bool> was_last_quick_{false};
  int next_class_ = 0;
  int busy_ = 0;  // regular threads that run a job
  Job* held_ = nullptr;  // ended, of one loop, newest first
  int held_count_ = 0;
  Nanoseconds held_since_ = 0;
  PoolStatistics totals_;
};

}  // namespace rondo
