// The loop's door for other threads: post, Async::send, wake, and the address that outlives it. Senders push on lock-free stacks
// and ring the poller only when the loop sleeps, so a busy loop costs them no system call.
#include <algorithm>
#include <thread>
#include <utility>

#include "rondo/loop.h"

namespace rondo {

namespace {

constexpr int kQuickWaits = 3;
constexpr int kRestAfterSpin = 32;

}  // namespace

void Loop::wake() {
  woken_.store(true, std::memory_order_release);
  poller_->wake();
}

void Loop::wake_if_sleeping() {
  // Pairs with Loop::wait. The exchange lets one sender of many ring.
  if (sleeping_.load(std::memory_order_seq_cst) && sleeping_.exchange(false, std::memory_order_seq_cst))
    poller_->wake();
}

bool LoopAddress::post(Function<void()> function) const {
  if (!door_) return false;
  const detail::DoorPass pass(*door_);
  if (!pass.loop()) return false;
  pass.loop()->push_post(new Loop::Post(std::move(function)));
  return true;
}

bool LoopAddress::wake() const {
  if (!door_) return false;
  const detail::DoorPass pass(*door_);
  if (pass.loop()) pass.loop()->wake();
  return pass.loop() != nullptr;
}

// A sent function may end the loop before the sender has returned: ~Loop waits until there are no senders.
void Loop::push_post(Post* post) {
  const detail::DoorPass pass(*door_);
  posts_.push(*post);
  wake_if_sleeping();
}

void Loop::push_async(Async& async) {
  const detail::DoorPass pass(*door_);
  sent_.push(async);
  wake_if_sleeping();
}

// The stacks are newest first; callbacks run oldest first. Functions that callbacks post wait for the next visit. Asyncs are put into a
// list before the first callback runs, because any callback may destroy or close any of them.
void Loop::run_sent() {
  Post* posts = posts_.take_oldest_first();
  Async* asyncs = sent_.take_oldest_first();
  Job* jobs = finished_.take_oldest_first();
  List<Async> due;
  if (asyncs) list_asyncs(asyncs, due);
  if (posts) run_posts(posts);
  if (!due.is_empty()) run_asyncs(due);
  if (jobs) run_jobs(jobs);
}

void Loop::run_posts(Post* oldest) {
  while (oldest) {
    std::unique_ptr<Post> post(&LockFreeStack<Post>::pop(oldest));
    metrics_.events++;
    observed(HandleKind::Post, 0, post->function);
  }
}

void Loop::list_asyncs(Async* oldest, List<Async>& due) {
  while (oldest) {
    Async& async = LockFreeStack<Async>::pop(oldest);
    if (async.is_closing()) continue;
    async.unlink();  // from the loop's active handles
    due.push_back(async);
  }
}

void Loop::run_asyncs(List<Async>& due) {
  while (!due.is_empty()) {
    Async& async = due.pop_front();
    active_.push_back(async);
    async.pending_.store(false, std::memory_order_seq_cst);  // a send from here on counts anew
    metrics_.events++;
    async.run_callback();
  }
}

void Loop::job_submitted(const Job& job) {
  jobs_in_flight_++;
  had_jobs_ = true;
  if (job.keeps_loop_alive) active_operations_++;
}

void Loop::jobs_finished(Job* newest) {
  Job* oldest = newest;
  while (Job* older = LockFreeStack<Job>::next(*oldest)) oldest = older;
  finished_.push_all(*newest, *oldest);
  wake_if_sleeping();
}

void Loop::run_jobs(Job* oldest) {
  job_time_ = steady_now();
  while (oldest) {
    Job& job = LockFreeStack<Job>::pop(oldest);
    jobs_in_flight_--;
    job.loop_ = nullptr;
    if (job.keeps_loop_alive) active_operations_--;
    if (observer() && job.error_ != ECANCELED) [[unlikely]]
      observer_->pool_job_done({job.id_, job.job_class, job.thread_, job.begun_at_, job.ended_at_});
    if (job.is_internal) {
      job.on_done(job, job.error_);
    } else {
      metrics_.events++;
      observed(HandleKind::PoolJob, job.id_, [&] { job.on_done(job, job.error_); });
    }
  }
  job_time_ = 0;
  ThreadPool::shared().flush();
}

// Before sleeping: quick jobs are waited for awake, for a moment; others must have their threads.
bool Loop::spin_for_jobs() {
  constexpr int kLooks = 100;
  ThreadPool& pool = ThreadPool::shared();
  if (pool.expects_quick_jobs()) {
    for (int i = 0; i < kLooks; i++) {
      if (!finished_.is_empty(std::memory_order_relaxed)) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
  pool.before_sleep();
  return false;
}

// A thread that answers at once does so sooner than the kernel puts us to sleep and wakes us: for both sides it is cheaper to wait awake.
// Done while the last waits were short; a spin for nothing is not repeated soon.
bool Loop::spin_for_sent() {
  constexpr int kLooksPerClock = 64;
  static const bool has_other_cores = std::thread::hardware_concurrency() > 1;
  if (quick_waits_ < kQuickWaits || clock_ || !has_other_cores) return false;
  for (const Nanoseconds end = read_clock() + kLongestSpin; read_clock() < end;) {
    for (int i = 0; i < kLooksPerClock; i++) {
      if (!sent_.is_empty(std::memory_order_relaxed)) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
  quick_waits_ = -kRestAfterSpin;
  return false;
}

void Loop::note_wait(Nanoseconds waited, bool by_sender) {
  constexpr Nanoseconds kQuick = 2 * kLongestSpin;  // asleep: the kernel takes its part
  if (by_sender && waited < kQuick)
    quick_waits_ = std::min(quick_waits_ + 1, kQuickWaits);
  else
    quick_waits_ = std::min(quick_waits_, 0);
}

Async::Async(Loop& loop, Function<void()> callback) : Handle(loop, HandleKind::Async) {
  callback_.set(std::move(callback));
  activate();
}

Async::~Async() {
  withdraw();
  unlink();
}

// Leaves the loop's stack of sent wake-ups: takes it down and puts the others back, in their order.
void Async::withdraw() {
  if (!pending_.load(std::memory_order_acquire)) return;
  Async* oldest = loop_->sent_.take_oldest_first();
  while (oldest) {
    Async& async = LockFreeStack<Async>::pop(oldest);
    if (&async != this) loop_->push_async(async);
  }
}

void Async::send() {
  if (pending_.load(std::memory_order_relaxed)) return;
  if (pending_.exchange(true, std::memory_order_acq_rel)) return;
  loop_->push_async(*this);
}

// Pending for good: later sends do nothing. One that is being pushed at this moment is skipped by list_asyncs.
void Async::begin_close() {
  withdraw();
  pending_.store(true, std::memory_order_release);
}

}  // namespace rondo
