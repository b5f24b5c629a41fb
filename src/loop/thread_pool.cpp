// The pool's threads: starting, sleeping, ringing, running jobs and telling loops. Submitters push on a lock-free stack and ring
// only when a thread sleeps; threads give the stack to the policy under one lock, which says what is to be done next
// (pool_policy.h). The rules P1...P4 are in the public header.
#include "rondo/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "loop/pool_policy.h"
#include "rondo/base/fatal.h"
#include "rondo/explore.h"
#include "rondo/loop.h"
#include "rondo/observer.h"
#include "rondo/recording.h"

namespace rondo {
namespace {

constexpr int kDefaultThreads = 4;
constexpr int kMaxThreads = 1024;
constexpr int kSpins = 50;  // looks at the queue before sleeping

std::atomic<pid_t> pool_process{0};  // whose threads they are

int configured_threads() {
  const char* text = std::getenv("UV_THREADPOOL_SIZE");
  if (!text) return kDefaultThreads;
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text, &end, 10);
  if (errno == 0 && end != text && *end == '\0' && value >= 1 && value <= kMaxThreads) return static_cast<int>(value);
  std::fprintf(stderr, "(rondo) Warning: UV_THREADPOOL_SIZE must be a number from 1 to %d; using %d\n", kMaxThreads,
               kDefaultThreads);
  return kDefaultThreads;
}

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

struct ThreadPool::State {
  // One for each thread that ever was; kept in a list so that loops can wait for their reporters.
  struct Worker {
    std::atomic<Loop*> reporting_to{nullptr};
    bool in_use = true;
    Worker* next = nullptr;
  };

  LockFreeStack<Job> submitted;
  std::atomic<int> sleepers{0};  // asleep and not yet rung
  std::atomic<int> started{0};  // regular threads
  Policy policy;

  std::mutex mutex;
  std::condition_variable wake;
  int rings = 0;  // sleepers rung that have not woken yet
  std::condition_variable wake_supervisor;
  bool supervisor_rung = false;
  Worker* workers = nullptr;
  std::atomic<bool> has_supervisor{false};  // one sleeping thread looks now and then whether others are stuck
  std::atomic<int> helpers{0};  // changed with the lock held

  int thread_count();
  struct Start {
    State* state;
    int number;
    int helper_class;
    static void* run(void* start) {
      const Start own = *static_cast<Start*>(start);
      delete static_cast<Start*>(start);
      own.state->work(own.number, own.helper_class);
      return nullptr;
    }
  };
  bool start_thread(int helper_class);
  void work(int number, int helper_class);
  bool wait_for_work(std::unique_lock<std::mutex>& lock, Worker& worker, int helper_class);
  bool is_anyone_awake() const {
    return sleepers.load(std::memory_order_relaxed) < started.load(std::memory_order_relaxed);
  }
  void supervise(std::unique_lock<std::mutex>& lock, Worker& worker);
  bool spin_for_work();
  void sort_submitted();
  Job* take(int helper_class);
  void engage_another(JobClass job_class);
  void help_starving_class();
  void run(Job& job, int number, Nanoseconds begun_at);
  Worker& register_worker();
  static void report(Worker& worker, Job* newest);
  void release_held(std::unique_lock<std::mutex>& lock, Worker& by);
  void sleep(std::unique_lock<std::mutex>& lock);
  void attend(JobClass job_class, bool quick);
  void ring();
};

ThreadPool::ThreadPool() : state_(new State) { pool_process = getpid(); }

ThreadPool& ThreadPool::shared() {
  static auto* pool = new ThreadPool;
  return *pool;
}

int ThreadPool::size() { return state_->thread_count(); }

int ThreadPool::State::thread_count() {
  int count = policy.size.load(std::memory_order_acquire);
  if (count == 0) {
    std::lock_guard lock(mutex);
    count = policy.size.load(std::memory_order_relaxed);
    if (count == 0) policy.size.store(count = configured_threads(), std::memory_order_release);
  }
  return count;
}

void ThreadPool::submit(Loop& loop, Job& job) {
  State& state = *state_;
  if (job.loop_) [[unlikely]]
    misuse("a Job was submitted again before its end was told");
  if (loop.decider() && (ExploreWorld::current() || Recording::current())) [[unlikely]]
    return ExploreWorld::take_job(loop, job);
  job.loop_ = &loop;
  job.id_ = loop.next_id();
  job.error_ = 0;
  job.cancelled_.store(false, std::memory_order_relaxed);
  job.state_ = Job::State::Queued;
  job.queued_at_ = loop.job_time();
  if (Observer* observer = loop.observer()) [[unlikely]]
    observer->pool_job_queued(job.id_, job.job_class);
  loop.job_submitted(job);

  state.submitted.push(job);

  if (state.started.load(std::memory_order_relaxed) == 0) [[unlikely]] {
    state.thread_count();
    std::lock_guard lock(state.mutex);
    if (state.started == 0) return static_cast<void>(state.start_thread(Policy::kRegular));
  }
  // The loop is handing out ends: quick jobs that these start wait for the whole batch, and one ring serves all.
  const bool quick = state.policy.is_quick(job.job_class);
  if (quick && loop.defers_jobs()) return;
  state.attend(job.job_class, quick);
}

void ThreadPool::flush() {
  if (!state_->submitted.is_empty(std::memory_order_relaxed)) state_->attend(JobClass::User, expects_quick_jobs());
}

// Sees to it that what was submitted gets a thread.
void ThreadPool::State::attend(JobClass job_class, bool quick) {
  // A thread that is awake looks again before it sleeps, and a supervisor looks after it: enough for quick jobs.
  const int asleep = sleepers.load(std::memory_order_seq_cst);
  const bool is_looked_after =
      asleep < started.load(std::memory_order_relaxed) && has_supervisor.load(std::memory_order_seq_cst);
  if (quick && is_looked_after) return;
  std::lock_guard lock(mutex);
  if (asleep > 0) return ring();
  sort_submitted();
  if (policy.waiting() > 0) engage_another(job_class);
}

// The one rung no longer counts as a sleeper, so that many submissions in a row ring once. The supervisor, which sleeps too,
// is rung last: while it stays, one thread serves quick jobs. Called with the lock held.
void ThreadPool::State::ring() {
  const int asleep = sleepers.load(std::memory_order_relaxed);
  if (asleep == 0) return;
  sleepers.fetch_sub(1, std::memory_order_relaxed);
  const bool supervisor_sleeps = has_supervisor.load(std::memory_order_relaxed) && !supervisor_rung;
  if (supervisor_sleeps && asleep == 1) {
    supervisor_rung = true;
    wake_supervisor.notify_one();
  } else {
    rings++;
    wake.notify_one();
  }
}

bool ThreadPool::expects_quick_jobs() const { return state_->policy.was_last_quick(); }

void ThreadPool::before_sleep() {
  State& state = *state_;
  if (state.policy.waiting() == 0 && state.submitted.is_empty(std::memory_order_relaxed)) return;
  if (state.sleepers.load(std::memory_order_seq_cst) == 0) return;
  if (expects_quick_jobs() && state.has_supervisor.load(std::memory_order_relaxed)) return;
  std::lock_guard lock(state.mutex);
  state.ring();
}

void ThreadPool::await_reports(const Loop& loop) {
  State& state = *state_;
  std::lock_guard lock(state.mutex);
  for (State::Worker* worker = state.workers; worker; worker = worker->next) {
    while (worker->reporting_to.load(std::memory_order_seq_cst) == &loop) std::this_thread::yield();
  }
}

Job* ThreadPool::withdraw_waiting(const Loop& loop) {
  std::lock_guard lock(state_->mutex);
  state_->sort_submitted();
  return state_->policy.withdraw(loop);
}

bool ThreadPool::cancel(Job& job) {
  job.cancelled_.store(true, std::memory_order_relaxed);
  {
    std::lock_guard lock(state_->mutex);
    state_->sort_submitted();
    if (!state_->policy.cancel(job)) return false;
  }
  job.loop_->jobs_finished(&job);
  return true;
}

PoolStatistics ThreadPool::statistics() {
  std::lock_guard lock(state_->mutex);
  state_->sort_submitted();
  PoolStatistics result = state_->policy.statistics();
  result.threads = state_->started + state_->helpers;
  return result;
}

void ThreadPool::after_fork() {
  // Threads and their lock do not survive fork(2): leave the old state behind.
  ThreadPool& pool = shared();
  if (pool_process.exchange(getpid()) != getpid()) pool.state_ = new State;
}

// Not std::thread, which can tell of a failure by an exception only. When there is no thread for us (limits of the user, the
// container, memory), those that there are do the work; the first one must be.
bool ThreadPool::State::start_thread(int helper_class) {
  std::atomic<int>* count = &started;
  if (helper_class != Policy::kRegular) count = &helpers;
  count->fetch_add(1, std::memory_order_relaxed);
  auto* start = new Start{this, started + helpers, helper_class};
  // Signals belong to the threads that run loops.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  const int error = pthread_create(&thread, nullptr, Start::run, start);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (error == 0) return pthread_detach(thread) == 0;
  delete start;
  if (count->fetch_sub(1, std::memory_order_relaxed) == 1 && count == &started) fatal("cannot start a thread", error);
  return false;
}

void ThreadPool::State::work(int number, int helper_class) {
  char name[16];
  std::snprintf(name, sizeof name, "rondo-pool-%d", number);
  pthread_setname_np(pthread_self(), name);
  // One lock a job: taking the next and accounting for the last share it; the loop is told outside.
  Job* finished = nullptr;
  Nanoseconds last_end = 0;
  std::unique_lock lock(mutex);
  Worker& worker = register_worker();
  for (;;) {
    sort_submitted();
    Job* job = take(helper_class);
    if (!job && !finished) {
      last_end = 0;
      if (wait_for_work(lock, worker, helper_class)) continue;
      helpers--;
      worker.in_use = false;
      return;
    }
    Job* of_another_loop = finished ? policy.hold(*finished) : nullptr;
    Job* ended = policy.release_unless_quick(job, has_supervisor);
    lock.unlock();
    if (of_another_loop) report(worker, of_another_loop);
    if (ended) report(worker, ended);
    if (job) run(*job, number, last_end ? std::max(last_end, job->queued_at_) : steady_now());
    lock.lock();
    if (job) {
      policy.account(*job, helper_class);
      last_end = job->ended_at_;
    }
    finished = job;
  }
}

ThreadPool::State::Worker& ThreadPool::State::register_worker() {
  for (Worker* worker = workers; worker; worker = worker->next) {
    if (!std::exchange(worker->in_use, true)) return *worker;
  }
  auto* worker = new Worker;
  worker->next = workers;
  workers = worker;
  return *worker;
}

// The loop may take the jobs and be gone before this thread has left it: its destructor waits for us.
void ThreadPool::State::report(Worker& worker, Job* newest) {
  Loop* loop = newest->loop_;
  worker.reporting_to.store(loop, std::memory_order_relaxed);  // published by the push in jobs_finished
  loop->jobs_finished(newest);
  worker.reporting_to.store(nullptr, std::memory_order_release);
}

void ThreadPool::State::release_held(std::unique_lock<std::mutex>& lock, Worker& by) {
  Job* ended = policy.release_unless_quick(nullptr, has_supervisor);
  if (!ended) return;
  lock.unlock();
  report(by, ended);
  lock.lock();
}

void ThreadPool::State::sleep(std::unique_lock<std::mutex>& lock) {
  wake.wait(lock, [this] { return rings > 0; });
  rings--;
}

// Called and left with the lock held. False: a helper whose class waits no more.
bool ThreadPool::State::wait_for_work(std::unique_lock<std::mutex>& lock, Worker& worker, int helper_class) {
  if (helper_class != Policy::kRegular) {
    policy.helper_left(helper_class);
    return false;
  }
  lock.unlock();
  const bool found = spin_for_work();
  lock.lock();
  if (found) return true;
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  if (!submitted.is_empty() || policy.has_work_for_regulars()) {
    sleepers.fetch_sub(1, std::memory_order_relaxed);
  } else if (is_anyone_awake() && !has_supervisor) {
    supervise(lock, worker);
  } else {
    sleep(lock);
  }
  return true;
}

// Quick jobs wake no second thread, and their ends may be held. Should one of them turn out long, the jobs behind it and
// the ends before it would wait for it: so while jobs come, one sleeper looks, less and less often, whether the others
// still get on. It stays through the moments in which all sleep; getting a new one for each batch costs as much as the batch.
void ThreadPool::State::supervise(std::unique_lock<std::mutex>& lock, Worker& worker) {
  constexpr auto kFirst = std::chrono::microseconds(200), kLongest = std::chrono::microseconds(1'600);
  has_supervisor = true;
  supervisor_rung = false;
  for (auto delay = kFirst;; delay = std::min(delay * 2, kLongest)) {
    const std::uint64_t finished = policy.finished();
    if (wake_supervisor.wait_for(lock, delay, [this] { return supervisor_rung; })) break;
    if (policy.finished() != finished) continue;
    release_held(lock, worker);
    sort_submitted();
    if (policy.has_work_for_regulars() || !is_anyone_awake()) break;
    if (delay == kLongest && !policy.holds_ends()) {
      // The others have long jobs and nothing waits that we could do: the next submit() wakes us. Who has submitted
      // since we looked may have counted on us (attend): look once more.
      has_supervisor.store(false, std::memory_order_seq_cst);
      if (!submitted.is_empty()) break;
      return sleep(lock);
    }
  }
  has_supervisor = false;
  if (!supervisor_rung) sleepers.fetch_sub(1, std::memory_order_relaxed);  // nobody rang: wake by oneself
  release_held(lock, worker);
}

bool ThreadPool::State::spin_for_work() {
  for (int i = 0; i < kSpins; i++) {
    if (!submitted.is_empty(std::memory_order_relaxed)) return true;
    pause_briefly();
  }
  return false;
}

void ThreadPool::State::sort_submitted() {
  if (Job* oldest = submitted.take_oldest_first()) policy.add(oldest);
}

Job* ThreadPool::State::take(int helper_class) {
  Job* job = policy.take(helper_class);
  if (job && helper_class == Policy::kRegular && policy.waiting() > 0) engage_another(job->job_class);
  return job;
}

// Jobs wait: get one more thread going, which will do the same. Called with the lock held.
void ThreadPool::State::engage_another(JobClass job_class) {
  if (policy.is_quick(job_class) && has_supervisor) return;
  if (sleepers.load(std::memory_order_relaxed) > 0) {
    ring();
  } else if (started.load(std::memory_order_relaxed) < policy.size.load(std::memory_order_relaxed)) {
    start_thread(Policy::kRegular);
  } else {
    help_starving_class();
  }
}

// Called with the lock held.
void ThreadPool::State::help_starving_class() {
  for (int index; (index = policy.next_to_be_helped()) >= 0;) {
    if (!start_thread(index)) return policy.helper_left(index);
  }
}

void ThreadPool::State::run(Job& job, int number, Nanoseconds begun_at) {
  job.begun_at_ = begun_at;
  job.thread_ = number;
  job.work(job);
  job.ended_at_ = steady_now();
}

}  // namespace rondo
