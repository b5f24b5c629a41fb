// The event loop: Node's phases over one poller. One loop belongs to one thread, the one that
// runs it; only post(), wake() and Async::send() may be called from others. Several loops
// in several threads are fine and share nothing.
//
//   rondo::Loop loop;
//   rondo::Timer timer(loop);
//   timer.start(10ms, [] { puts("ten milliseconds"); });
//   loop.run();
//
// One iteration (docs/loop.md uses the same numbers):
//
//   1 update time -> 2 timers -> 3 pending -> 4 idle -> 5 prepare -> 6 poll -> 7 check -> 8 closing
//
//  L1  alive = active ref'd handles, or operations and pool jobs in flight that keep the loop alive (most do), or a KeepAlive,
//      or closing handles, or functions and coroutines that wait for the pending phase, or functions that other threads have posted.
//  L2  now() changes only in update_time(): at 1, after poll has waited, and when called. An iteration without timers reads the
//      clock when now() is first asked for.
//  L3  poll blocks only if nothing else is to do; see backend_timeout().
//  L4  callbacks never nest: the loop calls one at a time, and run() must not be called from inside one.
//
// A program that runs a loop inside its own callback or in a second thread, destroys it while it runs or before active handles, or submits
// an operation that is in flight, is told so on standard error, and the process is aborted: there is nothing sound to go on with.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/base/list.h"
#include "rondo/base/result.h"
#include "rondo/detail/lingering.h"
#include "rondo/detail/lock_free_stack.h"
#include "rondo/detail/ready.h"
#include "rondo/detail/timer_queue.h"
#include "rondo/handle.h"
#include "rondo/kinds.h"
#include "rondo/loop_address.h"
#include "rondo/metrics.h"
#include "rondo/observer.h"
#include "rondo/operation.h"
#include "rondo/phase_handles.h"
#include "rondo/poller.h"
#include "rondo/thread_pool.h"
#include "rondo/timer.h"

// Set to 0 (CMake option RONDO_OBSERVE=OFF) to build without the observers' hooks; then add_observer has no effect.
#ifndef RONDO_OBSERVE
#define RONDO_OBSERVE 1
#endif

namespace [[gnu::visibility("default")]] rondo {

class CancelToken;
class Decider;
class InotifyHub;
class ScheduleAwait;
class SleepAwait;
namespace detail {
struct LoopAccess;
struct CoroutinePromiseBase;
}  // namespace detail

struct LoopOptions {
  Clock* clock = nullptr;  // null: the system's monotonic clock; must outlive the loop
  Observer* observer = nullptr;  // the first one; see observer.h and add_observer()
  Decider* decider = nullptr;  // answers for chance, in simulations
  // "epoll" or "uring"; null: RONDO_POLLER, then the best the kernel allows. Another name is a mistake: EINVAL from Loop::make(),
  // else one line on standard error and abort. "uring" where the kernel refuses it gives epoll; poller().name() tells.
  const char* poller = nullptr;
  std::unique_ptr<Poller> (*make_poller)(Loop&, void* context) = nullptr;  // for simulations
  void* make_poller_context = nullptr;
  std::size_t poll_budget = 1024;  // callbacks one poll phase may run before the other phases get a turn
};

class Loop {
 public:
  // Without descriptors or memory for the loop itself it prints one line and aborts; make() reports instead.
  explicit Loop(const LoopOptions& options = {});
  // EINVAL: no such poller. EMFILE, ENFILE, ENOMEM: the kernel gives no descriptor for it.
  [[nodiscard]] static Result<std::unique_ptr<Loop>> make(const LoopOptions& options = {});
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  // Outside run(), by the loop's thread or one that has joined it. Handles must be gone, and tasks that
  // someone owns and that wait; those that spawn() let run are destroyed first. Functions still posted or deferred are
  // dropped unrun, and so are pool jobs that have not begun, except those of class Fs: a file that was to be closed is
  // closed. Those and jobs that run are waited for and their ends are dropped; operations in flight never complete.
  ~Loop();

  // Runs the phases as `mode` says. Returns alive(): false when nothing is left to do. Not from inside a callback. The loop's
  // thread is the one that calls this first; it may have been set up in another one, but stays with this.
  bool run(RunMode mode = RunMode::Default);
  // Makes run() return at the end of the iteration; before run(), makes it return without iterating.
  void stop() { stop_ = true; }
  // Something keeps run() going (L1).
  bool alive() const;

  // Cached; nanoseconds on the loop's clock. Timers count from it.
  Nanoseconds now() const {
    if (is_now_stale_) [[unlikely]]
      refresh_now();
    return now_;
  }
  // After long work, before timers are started.
  void update_time() { refresh_now(); }
  // The clock itself; now() stays as it is.
  Nanoseconds read_clock() const { return clock_ ? clock_->now() : steady_now(); }

  // How long poll may block, from this moment on: 0 if stopped, nothing active, idle handles, pending queue or
  // closing handles; else the distance to the next timer; kNever without one.
  Nanoseconds backend_timeout();

  // Any thread: runs `function` on the loop's thread, in poll, in the order of posting. Keeps the
  // loop alive from then on; a loop that has already left run() runs it in the next run().
  // A post() must begin before the loop is destroyed; the destructor waits for one that is under way, so the function
  // posted may be the one that ends the loop. Who cannot know that posts to an address() instead.
  template <class F>
  void post(F&& function) {
    push_post(new Post(Function<void()>(std::forward<F>(function))));
  }
  // Any thread: makes a blocking poll return.
  void wake();
  // For senders in other threads that may outlive the loop; see loop_address.h.
  LoopAddress address() const { return LoopAddress(door_); }

  // Loop's thread: runs `function` in the pending phase of the next iteration. Keeps the loop alive until then.
  void defer(Function<void()> function);

  // Operations, the layer below the handles; see operation.h for the rules. Loop's thread.
  void submit(Operation& operation);
  // No effect on one that is not in flight.
  void cancel(Operation& operation);
  // As submit, for a result that the submitter has already: on_complete gets it in the next poll.
  void complete(Operation& operation, int result);
  // Before a descriptor that operations were submitted for is closed by other means (O5). False: not yet, an operation that was
  // cancelled has to complete first.
  bool forget(int fd) { return poller_->forget(fd); }
  // For socket(2) and accept4(2): the mode in which this loop's poller wants descriptors.
  int socket_flags() const { return poller_->socket_flags(); }

  // For coroutines; include rondo/coroutine.h. Result<void>: ECANCELED when cut short. Counts from the real time, not from now().
  SleepAwait sleep(Delay delay);
  SleepAwait sleep(Delay delay, const CancelToken& token);
  // For coroutines: goes on in the next iteration, behind all that wait for it already.
  ScheduleAwait schedule();

  // Calls `visit(const Handle&)` for every handle that is active or closing; `visit` must not start, stop, close or destroy any.
  // Handles that do neither are known to their owners alone.
  void for_each_handle(Function<void(const Handle&)> visit) const;

  // Keeps the loop alive while it exists. Loop's thread.
  class KeepAlive {
   public:
    explicit KeepAlive(Loop& loop) : loop_(&loop) { loop.active_operations_++; }
    KeepAlive(KeepAlive&& other) noexcept : loop_(std::exchange(other.loop_, nullptr)) {}
    KeepAlive& operator=(KeepAlive&& other) noexcept {
      std::swap(loop_, other.loop_);
      return *this;
    }
    ~KeepAlive() {
      if (loop_) loop_->active_operations_--;
    }

   private:
    Loop* loop_;
  };

  // Driving the loop from a foreign one: ask next_deadline(), wait until backend_fd() is readable or that time has come,
  // then run(RunMode::NoWait); repeat. Ask before every wait: other threads ring the descriptor only for a loop that sleeps.
  int backend_fd() { return poller_->backend_fd(); }
  // On the loop's clock: when run(NoWait) has something to do at the latest. In the past: now. kNever: only the descriptor tells;
  // so it is with a loop that is not alive.
  Nanoseconds next_deadline();

  // In the child after fork(2), before the loop is used there: handles and operations go on, independent of the parent's.
  // Pool jobs under way end in the parent only; best fork without any.
  void after_fork();

  // The poller that the loop sleeps in; poller().name() is "uring", "epoll" or "sim".
  Poller& poller() { return *poller_; }
  // Loop's thread. Whom to tell: null when nothing observes. Any number of observers may be added; each must stay until it is removed.
  Observer* observer() const { return RONDO_OBSERVE ? observer_ : nullptr; }
  void add_observer(Observer& observer);
  void remove_observer(Observer& observer);
  Decider* decider() const { return decider_; }
  // Callbacks that one poll phase may run before timers and the other phases get a turn.
  std::size_t poll_budget() const { return poll_budget_; }
  void set_poll_budget(std::size_t callbacks) { poll_budget_ = callbacks ? callbacks : 1; }

  // A snapshot; loop's thread.
  LoopMetrics metrics() const;
  // From now on metrics() tells how long phases take.
  void measure_phases() { measures_phases_ = true; }
  std::uint64_t iterations() const { return metrics_.iterations; }
  Nanoseconds idle_time() const { return metrics_.idle_time; }  // spent waiting in poll
  // The same from any thread, with the wait that is under way.
  Nanoseconds idle_time_now() const;
  std::size_t active_handles() const { return active_handles_; }  // active and ref'd
  std::size_t active_operations() const { return active_operations_; }

 private:
  friend class Handle;
  friend class PhaseHandle;
  friend class Timer;
  friend class Async;
  friend class LoopAddress;
  friend class KeepAlive;
  friend class ThreadPool;
  friend struct detail::LoopAccess;

  class PhaseScope;
  class RunScope;
  struct Post : StackLink<Post> {
    explicit Post(Function<void()> work) : function(std::move(work)) {}
    Function<void()> function;
  };

  // For ThreadPool: a job was submitted (loop's thread), has ended (any thread).
  void job_submitted(const Job& job);
  void jobs_finished(Job* newest);  // linked as in a LockFreeStack, newest first
  // The time jobs count as queued at; read once for all that a batch of finished jobs submits.
  bool defers_jobs() { return job_time_ != 0 && ++deferred_jobs_ % 64 != 0; }
  Nanoseconds job_time() const { return job_time_ ? job_time_ : steady_now(); }

  std::uint32_t next_id() { return next_id_++; }
  // Runs `call` as one callback of the loop: the observer sees its beginning and end.
  template <class Call>
  void observed(HandleKind kind, std::uint32_t id, Call&& call) {
    if (observer()) [[unlikely]] {
      observer_->callback_begin(kind, id);
      call();
      if (observer_) observer_->callback_end(kind, id);
    } else {
      call();
    }
  }

  Loop(const LoopOptions& options, int* error);
  void refresh_now() const {
    is_now_stale_ = false;
    now_ = read_clock();
  }
  void begin_iteration();
  bool run_timers();
  bool run_pending();
  bool is_watched() const { return measures_phases_ || observer(); }
  void run_phase(Phase phase, List<PhaseHandle>& handles) {
    if (handles.is_empty()) return;
    run_phase_handles(phase, handles);
  }
  void run_phase_handles(Phase phase, List<PhaseHandle>& handles);
  void run_phase_watched(Phase phase, List<PhaseHandle>& handles);
  Nanoseconds poll_deadline();
  void poll(bool may_block);
  void look();
  bool poll_once(Nanoseconds deadline);
  std::size_t wait(Nanoseconds timeout);
  void deliver_completed();
  void deliver_completions();
  void deliver(Operation& operation, const Completion& completion);
  void run_closing();
  void run_sent();
  void run_posts(Post* oldest);
  static void list_asyncs(Async* oldest, List<Async>& due);
  void run_asyncs(List<Async>& due);
  void run_jobs(Job* oldest);
  bool spin_for_jobs();
  static constexpr Nanoseconds kLongestSpin = 20'000;
  bool spin_for_sent();
  void note_wait(Nanoseconds waited, bool by_sender);
  void push_post(Post* post);
  void push_async(Async& async);
  void wake_if_sleeping();
  bool has_sent() const { return !posts_.is_empty() || !sent_.is_empty() || !finished_.is_empty(); }
  List<PhaseHandle>& phase_list(HandleKind kind);

  // Hot first: what a turn touches.
  mutable Nanoseconds now_ = 0;
  Clock* clock_;
  Observer* observer_ = nullptr;  // observers_.front()
  std::unique_ptr<Poller> poller_;
  std::size_t active_handles_ = 0;
  std::size_t active_operations_ = 0;
  bool stop_ = false;
  bool is_running_ = false;
  mutable bool is_now_stale_ = false;  // the iteration has not read the clock yet
  bool has_thread_ = false;
  std::uint32_t next_id_ = 1;
  bool measures_phases_ = false;
  std::size_t poll_budget_;
  pthread_t thread_{};  // that ran it first
  List<PhaseHandle> idle_;
  List<PhaseHandle> prepare_;
  List<PhaseHandle> check_;
  List<Handle> active_;  // those that are in no other list while they are active
  List<Handle> closing_;
  List<Operation> completed_;  // complete(): results that wait for the next poll
  std::vector<Function<void()>> pending_;
  List<detail::Ready> ready_;  // coroutines that go on in the next pending phase
  List<Lingering> lingering_;
  List<detail::CoroutinePromiseBase> waiting_;
  std::uint64_t ready_turn_ = 0;
  unsigned ready_awaits_ = 0;
  InotifyHub* inotify_hub_ = nullptr;  // of this loop's FileWatches; among the lingering
  Decider* decider_;
  ObserverList observers_;
  LoopMetrics metrics_;
  std::size_t jobs_in_flight_ = 0;
  Nanoseconds job_time_ = 0;
  bool had_jobs_ = false;
  unsigned deferred_jobs_ = 0;
  int quick_waits_ = 0;  // of late, one after another; below zero after spins for nothing: see spin_for_sent

  // Read by other threads.
  std::atomic<Nanoseconds> idle_so_far_{0};  // as metrics_.idle_time
  std::atomic<Nanoseconds> waiting_since_{0};  // 0: it does not wait

  // Written by other threads.
  alignas(64) LockFreeStack<Post> posts_;
  LockFreeStack<Async> sent_;
  LockFreeStack<Job> finished_;
  std::atomic<bool> sleeping_{false};
  std::atomic<bool> woken_{false};  // by wake()
  const std::shared_ptr<detail::LoopDoor> door_;

  alignas(64) TimerQueue timers_;
};

}  // namespace rondo
