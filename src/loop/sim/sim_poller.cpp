// Scheduling of simulated operations; see the header.
#include "loop/sim/sim_poller.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace rondo {

SimPoller::SimPoller(Loop& loop, SimWorld& world) : loop_(loop), world_(world) { world.poller_ = this; }

SimPoller::~SimPoller() { world_.poller_ = nullptr; }

void SimPoller::submit(Operation& operation) { pending_.push_back({&operation, world_.now_ + world_.latency()}); }

void SimPoller::cancel(Operation& operation) {
  for (Pending& pending : pending_) {
    if (pending.operation != &operation) continue;
    pending.is_cancelled = true;
    pending.is_blocked = false;
    pending.due = std::min(pending.due, world_.now_ + world_.latency());
  }
}

bool SimPoller::has_ready() const {
  return std::any_of(pending_.begin(), pending_.end(), [this](const Pending& pending) { return is_due(pending); });
}

Nanoseconds SimPoller::next_event() const {
  Nanoseconds first = kNever;
  for (const Pending& pending : pending_) {
    if (!pending.is_blocked) first = std::min(first, pending.due);
  }
  return first;
}

void SimPoller::unblock() {
  for (Pending& pending : pending_) {
    if (!pending.is_blocked) continue;
    pending.is_blocked = false;
    pending.due = world_.now_ + world_.latency();
  }
}

std::size_t SimPoller::wait(Nanoseconds timeout) {
  world_.now_ += 100 * world_.decider_.choose(Choice::ClockStep, 8);  // running callbacks takes time
  const auto ready = static_cast<std::size_t>(
      std::count_if(pending_.begin(), pending_.end(), [this](const Pending& pending) { return is_due(pending); }));
  if (ready == 0 && timeout == kNever && next_event() == kNever) {
    world_.is_stuck_ = true;
    loop_.stop();
  }
  return ready;
}

Operation* SimPoller::next(Completion& completion) {
  for (;;) {
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < pending_.size(); i++) {
      if (is_due(pending_[i])) due.push_back(i);
    }
    if (due.empty()) return nullptr;
    const std::size_t index = due[world_.decider_.choose(Choice::Completion, static_cast<std::uint32_t>(due.size()))];
    Pending& chosen = pending_[index];
    Operation* operation = chosen.operation;
    // The end that was asked for and the real one race.
    if (chosen.is_cancelled && world_.decider_.choose(Choice::Completion, 2) == 0) {
      finish(index, -ECANCELED, completion);
      return operation;
    }
    int result = world_.inject_fault(*operation);
    if (result == -EINTR) {  // an interrupted call is made again, later
      chosen.due = world_.now_ + 1000 + world_.latency();
      continue;
    }
    if (result == 0) result = world_.perform(*operation);
    if (result == -EAGAIN) {
      if (chosen.is_cancelled) {
        finish(index, -ECANCELED, completion);
        return operation;
      }
      chosen.is_blocked = true;
      continue;
    }
    finish(index, result, completion);
    return operation;
  }
}

bool SimPoller::finish(std::size_t index, int result, Completion& completion) {
  Pending& pending = pending_[index];
  const Operation& operation = *pending.operation;
  completion.result = result;
  completion.data = nullptr;
  if (operation.kind == OpKind::Recv && !operation.data && result > 0) {
    completion.data = reinterpret_cast<const std::byte*>(world_.scratch_.data());
  }
  const bool goes_on = operation.kind == OpKind::Recv ? result > 0 : result >= 0;
  completion.more = operation.multishot && goes_on && !pending.is_cancelled;
  if (completion.more) {
    pending.due = world_.now_ + 100 + world_.latency();
  } else {
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  return completion.more;
}

}  // namespace rondo
