// The iteration: Node's phases in order, run modes, alive rule and poll timeout. How completions
// come about is the poller's business; what handles do is in their own files.
#include "rondo/loop.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "loop/watch/inotify_hub.h"
#include "rondo/base/fatal.h"
#include "rondo/coroutine_type.h"
#include "rondo/decider.h"
#include "rondo/detail/loop_access.h"

namespace rondo {
namespace {

// For the destructor, which has to wait for what other threads do: awake at first, as that is mostly over at once.
void wait_a_moment(int looks) {
  constexpr int kLooksAwake = 1000;
  if (looks < kLooksAwake) return std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

}  // namespace

Loop::Loop(const LoopOptions& options, int* error)
    : clock_(options.clock),
      poll_budget_(options.poll_budget ? options.poll_budget : 1),
      decider_(options.decider),
      door_(std::make_shared<detail::LoopDoor>(this)),
      timers_(options.clock ? options.clock->now() : steady_now()) {
  if (options.observer) add_observer(*options.observer);
  update_time();
  poller_ = options.make_poller ? options.make_poller(*this, options.make_poller_context)
                                : make_poller(*this, options.poller, error);
}

Loop::Loop(const LoopOptions& options) : Loop(options, nullptr) {}

Result<std::unique_ptr<Loop>> Loop::make(const LoopOptions& options) {
  int error = 0;
  std::unique_ptr<Loop> loop(new Loop(options, &error));
  if (error) return failure(error, "loop");
  return loop;
}

Loop::~Loop() {
  if (is_running_) misuse("a Loop was destroyed while it runs, inside one of its callbacks or by another thread");
  detail::destroy_spawned(waiting_);
  if (active_handles_ > 0) misuse("a Loop was destroyed before its handles: some are still active");
  const auto drop = [this](Job* job) {
    while (job) {
      Job& ended = LockFreeStack<Job>::pop(job);
      jobs_in_flight_--;
      ended.loop_ = nullptr;
      if (ended.on_dropped) ended.on_dropped(ended);
    }
  };
  if (jobs_in_flight_ > 0) drop(ThreadPool::shared().withdraw_waiting(*this));
  // Jobs may still run: their memory is the owner's, their reports come here.
  for (int looks = 0; jobs_in_flight_ > 0; looks++) {
    drop(finished_.take());
    if (jobs_in_flight_ > 0) wait_a_moment(looks);
  }
  if (had_jobs_) ThreadPool::shared().await_reports(*this);
  door_->loop.store(nullptr, std::memory_order_seq_cst);
  while (door_->senders.load(std::memory_order_seq_cst) > 0) std::this_thread::yield();
  for (Post* posts = posts_.take(); posts;) delete &LockFreeStack<Post>::pop(posts);
  poller_.reset();
  while (!lingering_.is_empty()) delete &lingering_.pop_front();
}

void Loop::add_observer(Observer& observer) {
  observers_.add(observer);
  observer_ = observers_.front();
}

void Loop::remove_observer(Observer& observer) {
  observers_.remove(observer);
  observer_ = observers_.front();
}

// Tells the observer, if there is one, where a phase begins and ends, and times it when asked to.
class Loop::PhaseScope {
 public:
  PhaseScope(Loop& loop, Phase phase) : loop_(loop), phase_(phase) {
    if (loop_.measures_phases_) [[unlikely]]
      begun_ = loop_.read_clock();
    if (Observer* observer = loop_.observer()) [[unlikely]]
      observer->phase_begin(phase_);
  }
  ~PhaseScope() {
    if (Observer* observer = loop_.observer()) [[unlikely]]
      observer->phase_end(phase_);
    if (begun_) [[unlikely]]
      loop_.metrics_.phase_time[static_cast<std::size_t>(phase_)] += loop_.read_clock() - begun_;
  }

 private:
  Loop& loop_;
  Nanoseconds begun_ = 0;
  Phase phase_;
};

// The loop runs as long as this exists.
class Loop::RunScope {
 public:
  explicit RunScope(Loop& loop) : loop_(loop) {
    const pthread_t self = pthread_self();
    if (!loop.has_thread_) {
      loop.has_thread_ = true;
      loop.thread_ = self;
    }
    if (!pthread_equal(loop.thread_, self)) [[unlikely]]
      misuse("Loop::run was called in another thread than the one that ran the loop first");
    if (loop.is_running_) [[unlikely]]
      misuse("Loop::run was called from inside a callback of the same loop");
    loop.is_running_ = true;
  }
  RunScope(const RunScope&) = delete;
  ~RunScope() { loop_.is_running_ = false; }

 private:
  Loop& loop_;
};

bool Loop::run(RunMode mode) {
  const RunScope scope(*this);
  bool is_alive = alive();
  if (!is_alive) update_time();

  while (is_alive && !stop_) {
    metrics_.iterations++;
    if (observer()) [[unlikely]]
      observer_->iteration_begin(metrics_.iterations);

    begin_iteration();                                                          // 1
    bool has_run = timers_.size() > 0 && run_timers();                      // 2
    if (!pending_.empty() || !ready_.is_empty()) has_run |= run_pending();  // 3
    has_run |= !idle_.is_empty();
    run_phase(Phase::Idle, idle_);        // 4
    run_phase(Phase::Prepare, prepare_);  // 5

    // Once promises progress: it waits for it unless there was some.
    poll(mode == RunMode::Default || (mode == RunMode::Once && !has_run));  // 6
    run_phase(Phase::Check, check_);                                        // 7
    if (!closing_.is_empty()) run_closing();                                // 8

    if (mode == RunMode::Once) {
      // Poll may have returned only because its timeout expired: then a timer's callback is the progress.
      update_time();
      run_timers();
    }
    is_alive = alive();
    if (mode != RunMode::Default) break;
  }

  stop_ = false;
  return is_alive;
}

// The time is needed by timers, and by those who ask for it: without timers it is read then. Clocks of a program are read as ever,
// which may count the looks.
void Loop::begin_iteration() {
  if (timers_.size() == 0 && !clock_) {
    is_now_stale_ = true;
  } else {
    refresh_now();
  }
}

bool Loop::alive() const {
  return active_handles_ > 0 || active_operations_ > 0 || !closing_.is_empty() || !pending_.empty() ||
         !ready_.is_empty() || !posts_.is_empty(std::memory_order_relaxed);
}

Nanoseconds Loop::backend_timeout() {
  const Nanoseconds deadline = poll_deadline();
  if (deadline == 0 || deadline == kNever) return deadline;
  return std::max<Nanoseconds>(deadline - read_clock(), 0);
}

// Until when poll may block; 0: not at all.
Nanoseconds Loop::poll_deadline() {
  if (stop_) return 0;
  if (active_handles_ == 0 && active_operations_ == 0) return 0;
  if (!idle_.is_empty()) return 0;
  if (!pending_.empty() || !ready_.is_empty()) return 0;
  if (!closing_.is_empty()) return 0;
  return timers_.next_deadline();
}

Nanoseconds Loop::next_deadline() {
  poller_->flush();
  sleeping_.store(true, std::memory_order_seq_cst);  // the foreign loop sleeps for us: from here on senders ring
  if (jobs_in_flight_ > 0) ThreadPool::shared().before_sleep();
  if (!alive()) return kNever;  // run() would do nothing
  if (has_sent() || poller_->has_ready() || !completed_.is_empty()) return now();
  const Nanoseconds deadline = poll_deadline();
  return deadline == 0 ? now() : deadline;
}

LoopMetrics Loop::metrics() const {
  LoopMetrics result = metrics_;
  result.timers = timers_.size();
  result.pending = pending_.size();
  result.active_handles = active_handles_;
  result.active_operations = active_operations_;
  result.jobs_in_flight = jobs_in_flight_;
  return result;
}

bool Loop::run_timers() {
  if (timers_.next_deadline() > now()) return false;
  PhaseScope scope(*this, Phase::Timers);
  timers_.begin_visit(now_);
  while (Timer* timer = timers_.pop_due()) {
    if (timer->period_ > 0) {
      // From the old deadline, not from now: no drift. Whole periods missed are skipped.
      const Nanoseconds last = now_ - (now_ - timer->deadline_) % timer->period_;
      timer->deadline_ = timer->period_ > kNever - 1 - last ? kNever - 1 : last + timer->period_;
      timers_.insert(*timer);
    } else {
      timer->deactivate();
    }
    timer->run_callback();
  }
  timers_.end_visit();
  return true;
}

bool Loop::run_pending() {
  PhaseScope scope(*this, Phase::Pending);
  // Both lists as they stand: what is added meanwhile waits for the next iteration.
  List<detail::Ready> ready;
  ready.take(ready_);
  std::vector<Function<void()>> due;
  due.swap(pending_);
  while (!ready.is_empty()) observed(HandleKind::Deferred, 0, [&] { ready.pop_front().go_on(); });
  for (Function<void()>& function : due) observed(HandleKind::Deferred, 0, function);
  return true;
}

void Loop::run_phase_handles(Phase phase, List<PhaseHandle>& handles) {
  if (!handles.has_one() || is_watched()) [[unlikely]]
    return run_phase_watched(phase, handles);
  handles.front().callback_();
}

void Loop::run_phase_watched(Phase phase, List<PhaseHandle>& handles) {
  PhaseScope scope(*this, phase);
  // Two lists, so that a handle started now waits for the next iteration, at the end, and any of them
  // may stop or destroy any other.
  List<PhaseHandle> due;
  List<PhaseHandle> done;
  due.take(handles);
  while (!due.is_empty()) {
    PhaseHandle& handle = due.pop_front();
    done.push_back(handle);
    handle.run_callback();
  }
  done.take(handles);
  handles.take(done);
}

// A poll that may not wait, which is every one of a busy loop. As poll_once(0).
void Loop::look() {
  const std::size_t ready = poller_->wait(0);
  if (sleeping_.load(std::memory_order_relaxed)) [[unlikely]]
    sleeping_.store(false, std::memory_order_relaxed);
  const bool has_more = has_sent();
  if (has_more) run_sent();
  if (!completed_.is_empty()) deliver_completed();
  if (ready > 0 || (has_more && poller_->has_ready())) deliver_completions();  // ends of jobs may complete operations
}

// The kernel may wake us for nothing (epoll: a socket that becomes writable while nobody writes). That is no reason to leave.
void Loop::poll(bool may_block) {
  Nanoseconds deadline = may_block ? poll_deadline() : 0;
  if (deadline == 0 && !is_watched()) return look();
  PhaseScope scope(*this, Phase::Poll);
  const std::uint64_t events = metrics_.events;
  while (poll_once(deadline) && metrics_.events == events) {
    if (woken_.load(std::memory_order_relaxed) && woken_.exchange(false, std::memory_order_acquire)) return;
    deadline = poll_deadline();
    if (deadline <= now()) return;
  }
}

Nanoseconds Loop::idle_time_now() const {
  const Nanoseconds since = waiting_since_.load(std::memory_order_relaxed);
  return idle_so_far_.load(std::memory_order_relaxed) + (since ? std::max<Nanoseconds>(read_clock() - since, 0) : 0);
}

// True when it has waited. The time to wait counts from this moment: the phases before may have taken their time.
bool Loop::poll_once(Nanoseconds deadline) {
  const Nanoseconds before = deadline != 0 ? read_clock() : 0;
  const Nanoseconds timeout =
      deadline == 0 || deadline == kNever ? deadline : std::max<Nanoseconds>(deadline - before, 0);
  if (timeout != 0) waiting_since_.store(before, std::memory_order_relaxed);
  const std::size_t ready = wait(timeout);
  if (timeout != 0) {
    update_time();
    metrics_.idle_time += now_ - before;
    waiting_since_.store(0, std::memory_order_relaxed);
    idle_so_far_.store(metrics_.idle_time, std::memory_order_relaxed);
    metrics_.waits++;
  }
  const bool has_more = has_sent();
  if (timeout != 0) note_wait(now_ - before, has_more);
  if (has_more) run_sent();
  if (!completed_.is_empty()) deliver_completed();
  if (ready > 0 || (has_more && poller_->has_ready())) deliver_completions();  // ends of jobs may complete operations
  return timeout != 0;
}

// Dekker's handshake with wake_if_sleeping(): either the sender sees sleeping_ and wakes the poller, or
// we see what was sent and do not sleep.
std::size_t Loop::wait(Nanoseconds timeout) {
  if (timeout != 0 && (poller_->has_ready() || !completed_.is_empty())) timeout = 0;
  if (timeout != 0 && jobs_in_flight_ > 0 && spin_for_jobs()) timeout = 0;
  if (timeout > kLongestSpin && spin_for_sent()) timeout = 0;
  if (timeout != 0) {
    sleeping_.store(true, std::memory_order_seq_cst);
    if (has_sent()) timeout = 0;
  }
  if (observer()) [[unlikely]]
    observer_->wait_begin(timeout);
  std::size_t ready;
  if (clock_ && timeout != 0) [[unlikely]] {
    ready = poller_->wait(0);
    if (ready == 0 && !has_sent() && !clock_->skip_to(timeout == kNever ? kNever : read_clock() + timeout)) {
      ready = poller_->wait(timeout);
    }
  } else {
    ready = poller_->wait(timeout);
  }
  if (observer()) [[unlikely]]
    observer_->wait_end(ready);
  if (sleeping_.load(std::memory_order_relaxed)) sleeping_.store(false, std::memory_order_relaxed);
  return ready;
}

void Loop::deliver(Operation& operation, const Completion& completion) {
  if (!completion.more) {
    operation.in_flight_ = false;
    if (operation.keeps_loop_alive) active_operations_--;
  }
  if (operation.source == HandleKind::None) {  // its handle is over: no callback of the program runs
    if (operation.keeps_loop_alive) metrics_.events++;
    return operation.on_complete(operation, completion);
  }
  metrics_.events++;
  observed(operation.source, operation.source_id, [&] { operation.on_complete(operation, completion); });
}

// Operations that callbacks complete meanwhile wait for the next visit, so nothing else starves.
void Loop::deliver_completed() {
  List<Operation> due;
  due.take(completed_);
  while (!due.is_empty()) {
    Operation& operation = due.pop_front();
    deliver(operation, {operation.poller_result_, false, nullptr});
  }
}

// The end of a child comes behind what it has written, as in Node: its pipes were ready before it was.
void Loop::deliver_completions() {
  Completion completion;
  List<Operation> ended_children;
  for (std::size_t left = poll_budget_; left > 0; left--) {
    Operation* operation = poller_->next(completion);
    if (!operation) break;
    if (operation->source == HandleKind::Process) [[unlikely]] {
      operation->poller_result_ = completion.result;
      operation->in_flight_ = false;
      ended_children.push_back(*operation);
    } else {
      deliver(*operation, completion);
    }
  }
  while (!ended_children.is_empty()) {
    Operation& operation = ended_children.pop_front();
    deliver(operation, {operation.poller_result_, false, nullptr});
  }
  if (!poller_->has_ready()) return;
  metrics_.events_deferred++;
  if (observer()) observer_->poll_budget_spent(poll_budget_);
}

void Loop::run_closing() {
  PhaseScope scope(*this, Phase::Closing);
  List<Handle> due;
  due.take(closing_);
  while (!due.is_empty()) {
    Handle& handle = due.pop_front();
    handle.flags_ = static_cast<std::uint8_t>((handle.flags_ & ~Handle::kClosing) | Handle::kClosed);
    observed(HandleKind::Closing, handle.id_, [&] {
      if (!handle.callback_()) return;  // destroyed there
      const Function<void()> close_function = handle.callback_.take();
      handle.drop_functions();
    });
  }
}

void Loop::defer(Function<void()> function) { pending_.push_back(std::move(function)); }

void Loop::submit(Operation& operation) {
  if (operation.in_flight_) [[unlikely]]
    misuse("an Operation was submitted again before its completion");
  if (!operation.on_complete) [[unlikely]]
    misuse("an Operation was submitted without on_complete: there is no one to tell its end");
  operation.in_flight_ = true;
  operation.cancelled_ = false;
  if (operation.keeps_loop_alive) active_operations_++;
  poller_->submit(operation);
}

void Loop::complete(Operation& operation, int result) {
  if (operation.in_flight_) [[unlikely]]
    misuse("an Operation was completed by hand that is in flight");
  if (!operation.on_complete) [[unlikely]]
    misuse("an Operation was completed that has no on_complete");
  operation.in_flight_ = true;
  operation.cancelled_ = true;  // too late for that: the result stands
  operation.poller_result_ = result;
  if (operation.keeps_loop_alive) active_operations_++;
  completed_.push_back(operation);
}

void Loop::cancel(Operation& operation) {
  if (!operation.in_flight_ || operation.cancelled_) return;
  operation.cancelled_ = true;
  poller_->cancel(operation);
}

void Loop::after_fork() {
  door_->senders.store(0, std::memory_order_relaxed);  // other threads are not here
  ThreadPool::after_fork();
  // Jobs that had not ended run in the parent only; ~Loop does not wait for them.
  jobs_in_flight_ = 0;
  for (const Job* job = finished_.newest(); job; job = LockFreeStack<Job>::next(*job)) jobs_in_flight_++;
  InotifyHub::after_fork(*this);
  poller_->after_fork();
  update_time();
}

void Loop::for_each_handle(Function<void(const Handle&)> visit) const {
  timers_.for_each([&](const Timer& timer) { visit(timer); });
  for (const List<PhaseHandle>* list : {&idle_, &prepare_, &check_})
    list->for_each([&](const PhaseHandle& handle) { visit(handle); });
  active_.for_each([&](const Handle& handle) { visit(handle); });
  closing_.for_each([&](const Handle& handle) { visit(handle); });
}

void destroy_spawned(Loop& loop) { detail::destroy_spawned(detail::LoopAccess::waiting(loop)); }

}  // namespace rondo
