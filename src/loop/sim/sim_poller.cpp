// Scheduling of simulated operations; see the header.
#include "loop/sim/sim_poller.h"

#include <algorithm>
#include <cerrno>

namespace rondo {

SimPoller::SimPoller(Loop& loop, SimWorld& world) : loop_(loop), world_(world) { world.poller_ = this; }

SimPoller::~SimPoller() {
  for (const auto& [key, pending] : later_) delete pending;
  for (const Pending* pending : due_) delete pending;
  for (const auto& [number, pending] : blocked_) delete pending;
  world_.poller_ = nullptr;
  world_.drop_jobs();
}

void SimPoller::put_off(Pending& pending, Nanoseconds delay) {
  pending.due = world_.now_ + delay;
  pending.state = State::Later;
  later_.emplace(Key(pending.due, pending.number), &pending);
}

void SimPoller::submit(Operation& operation) {
  auto* pending = new Pending{&operation, submitted_++};
  operation.poller_data_ = pending;
  put_off(*pending, world_.latency());
}

void SimPoller::cancel(Operation& operation) {
  Pending& pending = pending_of(operation);
  pending.is_cancelled = true;
  if (pending.state == State::Due) return;
  const Nanoseconds delay = world_.latency();
  if (pending.state == State::Blocked) {
    blocked_.erase(pending.number);
    return put_off(pending, delay);
  }
  if (pending.due <= world_.now_ + delay) return;
  later_.erase(Key(pending.due, pending.number));
  put_off(pending, delay);
}

bool SimPoller::forget(int fd) {
  const auto note = [fd](Pending& pending) {
    if (pending.operation->fd == fd) pending.is_forgotten = true;
  };
  for (const auto& [key, pending] : later_) note(*pending);
  for (Pending* pending : due_) note(*pending);
  for (const auto& [number, pending] : blocked_) note(*pending);
  return true;
}

// Operations put off until now become due.
void SimPoller::collect() {
  while (!later_.empty() && later_.begin()->first.first <= world_.now_) {
    Pending* pending = later_.begin()->second;
    later_.erase(later_.begin());
    pending->state = State::Due;
    due_.push_back(pending);
  }
}

bool SimPoller::has_ready() const {
  return !due_.empty() || (!later_.empty() && later_.begin()->first.first <= world_.now_);
}

Nanoseconds SimPoller::next_event() const {
  if (!due_.empty()) return world_.now_;
  return later_.empty() ? kNever : later_.begin()->first.first;
}

void SimPoller::unblock() {
  for (const auto& [number, pending] : blocked_) put_off(*pending, world_.latency());
  blocked_.clear();
}

std::size_t SimPoller::wait(Nanoseconds timeout) {
  world_.now_ += 100 * world_.decider_.choose(Choice::ClockStep, 8);  // running callbacks takes time
  collect();
  if (!due_.empty() || timeout != kNever || !later_.empty()) return due_.size();
  if (world_.expects_threads_ || loop_.metrics().jobs_in_flight > 0) {
    sleep();
  } else {
    world_.is_stuck_ = true;
    loop_.stop();
  }
  return 0;
}

// Real time passes: only threads outside of the simulation can end this.
void SimPoller::sleep() {
  std::unique_lock lock(mutex_);
  rings_.wait(lock, [this] { return has_rung_; });
  has_rung_ = false;
}

void SimPoller::wake() {
  const std::lock_guard lock(mutex_);
  has_rung_ = true;
  rings_.notify_one();
}

Operation* SimPoller::next(Completion& completion) {
  for (;;) {
    collect();
    if (due_.empty()) return nullptr;
    const auto index = world_.decider_.choose(Choice::Completion, static_cast<std::uint32_t>(due_.size()));
    Pending& chosen = *due_[index];
    due_.erase(due_.begin() + index);
    Operation* operation = chosen.operation;
    const int result = attempt(chosen);
    if (result == -EINTR) {  // an interrupted call is made again, later
      put_off(chosen, 1000 + world_.latency());
    } else if (result == -EAGAIN) {
      chosen.state = State::Blocked;
      blocked_.emplace(chosen.number, &chosen);
    } else {
      finish(chosen, result, completion);
      return operation;
    }
  }
}

// One try: the result, -EINTR or -EAGAIN.
int SimPoller::attempt(Pending& pending) {
  Operation& operation = *pending.operation;
  if (pending.is_forgotten && !operation.perform) return -ECANCELED;
  // The end that was asked for and the real one race.
  if (pending.is_cancelled && world_.decider_.choose(Choice::Completion, 2) == 0) return -ECANCELED;
  if (operation.perform) return operation.perform(operation);  // its calls meet faults of their own
  if (const int fault = world_.inject_fault(operation)) return fault;
  const bool tells_changes = operation.kind == OpKind::Poll && operation.multishot;
  const auto object = tells_changes ? world_.object(operation.fd) : nullptr;
  int result = object && object->news == pending.news ? -EAGAIN : world_.perform(operation);
  if (object && result >= 0) pending.news = object->news;
  return result == -EAGAIN && pending.is_cancelled ? -ECANCELED : result;
}

void SimPoller::finish(Pending& pending, int result, Completion& completion) {
  const Operation& operation = *pending.operation;
  completion.result = result;
  completion.data = nullptr;
  if (operation.kind == OpKind::Recv && !operation.data && result > 0) {
    completion.data = reinterpret_cast<const std::byte*>(world_.scratch_.data());
  }
  bool goes_on = operation.kind == OpKind::Recv ? result > 0 : result >= 0;
  if (operation.kind == OpKind::Poll && operation.multishot && result >= 0) {
    const auto object = world_.object(operation.fd);
    goes_on = object && object->kind != SimWorld::Object::Kind::File;
  }
  completion.more = operation.multishot && goes_on && !pending.is_cancelled;
  if (completion.more) {
    put_off(pending, 100 + world_.latency());
  } else {
    delete &pending;
  }
}

}  // namespace rondo
