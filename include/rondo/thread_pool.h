// The process's threads for work that has no asynchronous interface: some files, name look-ups, hashing,
// yours. One pool serves all loops. Four threads, started on the first job; UV_THREADPOOL_SIZE (1...1024) changes
// that; where the system allows fewer threads there are fewer. Jobs have a class and a priority:
//
//  P1  a job is queued, running or finished; its loop hears of the end exactly once, in poll.
//  P2  a class with waiting jobs and none running gets a thread even when other classes occupy all of
//      them: one helper thread a class, beyond the configured number.
//  P3  name look-ups, which may hang for long, take at most half of the threads.
//  P4  within a class: higher priority first, then in order of submission.
//
// A Job is a plain structure owned by its submitter and stays where it is from submit until its
// on_done has been called. on_done may free it or submit it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/base/list.h"
#include "rondo/detail/lock_free_stack.h"

namespace [[gnu::visibility("default")]] rondo {

class Loop;

enum class JobClass : std::uint8_t { Fs, Dns, Crypto, User };
inline constexpr int kJobClasses = 4;
enum class JobPriority : std::uint8_t { High, Normal, Low };
inline constexpr int kJobPriorities = 3;

class Job : ListNode, public StackLink<Job> {  // in one stack at a time: submitted, or finished
 public:
  using Work = void (*)(Job&);              // on a pool thread
  using OnDone = void (*)(Job&, int error);  // on the loop's thread; 0, or ECANCELED when it never ran

  Work work = nullptr;
  OnDone on_done = nullptr;
  // Instead of on_done, when the loop is destroyed first: for jobs that free themselves. The loop cannot be used there.
  void (*on_dropped)(Job&) = nullptr;
  void* owner = nullptr;
  JobClass job_class = JobClass::User;
  JobPriority priority = JobPriority::Normal;
  bool keeps_loop_alive = true;
  bool is_internal = false;  // on_done is not a callback of the program: the observer is not told

  // For long work: true once cancel() was called; stop early and leave what you have.
  bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // Valid in on_done.
  Duration queue_time() const { return Duration(begun_at_ - queued_at_); }
  Duration run_time() const { return Duration(ended_at_ - begun_at_); }

 private:
  // The pool's and the loop's part.
  friend class Loop;
  friend class ThreadPool;
  template <class T>
  friend class List;
  enum class State : std::uint8_t { Idle, Queued, Running, Finished };
  std::atomic<bool> cancelled_{false};
  State state_ = State::Idle;  // guarded by the pool's lock
  int error_ = 0;
  std::uint32_t id_ = 0;
  Loop* loop_ = nullptr;  // from submit() to on_done
  int thread_ = 0;  // that ran it
  Nanoseconds queued_at_ = 0;
  Nanoseconds begun_at_ = 0;
  Nanoseconds ended_at_ = 0;
};

struct PoolStatistics {
  int threads = 0;  // started so far, helpers included
  std::uint64_t finished = 0;
  std::uint64_t queued = 0;  // waiting now
  std::uint64_t running = 0;
  Nanoseconds queue_time = 0;  // sums over finished jobs
  Nanoseconds run_time = 0;
  Nanoseconds longest_queue_time = 0;
};

class ThreadPool {
 public:
  // The process's pool; never destroyed, so that threads may outlive main.
  static ThreadPool& shared();

  // From the loop's thread.
  void submit(Loop& loop, Job& job);
  // From the loop's thread. A queued job ends at once with ECANCELED; a running one sees is_cancelled() and ends
  // when it ends, with error 0. Returns true in the first case.
  bool cancel(Job& job);

  // The number of threads there will be, helpers aside. Reads the environment on first use.
  int size();
  PoolStatistics statistics();

  // In the child after fork(2): the parent's threads are gone, new ones start with the next job. Jobs that the parent had
  // submitted never end here. Loop::after_fork() calls it; a second call does nothing.
  static void after_fork();

 private:
  friend class Loop;
  struct Policy;
  struct State;
  ThreadPool();

  // A loop has handed out a batch of ends: jobs submitted meanwhile may have been left to this moment.
  void flush();
  // A loop is about to sleep: make sure that waiting jobs have threads.
  void before_sleep();
  // Jobs usually end within a few microseconds, so waiting awake for one is cheaper than sleeping.
  bool expects_quick_jobs() const;

  // For ~Loop: takes back its jobs that have not begun, class Fs aside; linked as jobs_finished() gets them.
  Job* withdraw_waiting(const Loop& loop);
  // Returns when no thread is telling `loop` of an end any more. For ~Loop.
  void await_reports(const Loop& loop);

  State* state_;
};

// Runs `work()` on a pool thread, then `done()` on the loop. Allocates once.
template <class WorkFn, class DoneFn>
void run_on_pool(Loop& loop, JobClass job_class, WorkFn work, DoneFn done) {
  struct Owned : Job {
    Owned(WorkFn w, DoneFn d) : work_fn(std::move(w)), done_fn(std::move(d)) {}
    WorkFn work_fn;
    DoneFn done_fn;
  };
  auto* owned = new Owned(std::move(work), std::move(done));
  owned->job_class = job_class;
  owned->work = [](Job& job) { static_cast<Owned&>(job).work_fn(); };
  owned->on_done = [](Job& job, int) {
    auto& self = static_cast<Owned&>(job);
    DoneFn last = std::move(self.done_fn);
    delete &self;
    last();
  };
  owned->on_dropped = [](Job& job) { delete static_cast<Owned*>(&job); };
  ThreadPool::shared().submit(loop, *owned);
}

}  // namespace rondo
