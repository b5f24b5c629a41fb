// A queue between coroutines of one loop, and from callbacks to coroutines: values go in by push(), a coroutine waits for them
// with co_await pop(). What has no await of its own is awaited through one:
//
//   rondo::Channel<rondo::ExitStatus> exits(loop);
//   child.spawn(options, [&](rondo::ExitStatus status) { exits.push(status); });
//   rondo::Result<rondo::ExitStatus> status = co_await exits.pop(token);
//
//  CH1 Values come out in the order they went in; waiters get them in the order they came. A value that was pushed is not lost
//      when a waiter is cancelled.
//  CH2 Waiters go on from the loop, never from inside push(). A channel keeps the loop alive only while a waiter has a value.
//  CH3 Destroying the channel ends all waits with ECANCELED.
//
// Loop's thread only; from another thread: loop.post([&] { channel.push(value); }).
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <utility>

#include "rondo/base/result.h"
#include "rondo/coroutine.h"
#include "rondo/loop.h"
#include "rondo/coroutine_type.h"
#include "rondo/timer.h"

namespace rondo {

template <class T>
class Channel {
 public:
  class PopAwait;

  // `limit`: how many values may wait.
  explicit Channel(Loop& loop, std::size_t limit = SIZE_MAX) : loop_(loop), limit_(limit), wake_(loop) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    if (destroyed_) *destroyed_ = true;
  }

  // False, and the value is dropped, when the channel is full or closed.
  bool push(T value) {
    if (is_closed_ || values_.size() >= limit_) return false;
    values_.push_back(std::move(value));
    wake();
    return true;
  }
  // No more values. Those that wait are still handed out; then pop() gives kEndOfFile.
  void close() {
    is_closed_ = true;
    wake();
  }
  // co_await: Result<T>. Does not wait when a value is there and no one is before you.
  PopAwait pop(CancelToken token = {}) { return PopAwait(*this, std::move(token)); }
  // Without waiting.
  std::optional<T> try_pop() {
    if (values_.empty()) return {};
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    return value;
  }

  std::size_t size() const { return values_.size(); }
  bool is_closed() const { return is_closed_; }

 private:
  bool can_serve() const { return !values_.empty() || is_closed_; }
  void wake() {
    if (!waiters_.empty() && !wake_.is_active()) wake_.start(Duration::zero(), [this] { serve(); });
  }
  void serve() {
    bool destroyed = false;
    destroyed_ = &destroyed;
    // A receiver that comes back meanwhile waits for the next visit, so that nothing else starves.
    for (std::size_t left = waiters_.size(); left > 0 && can_serve() && !waiters_.empty(); left--) {
      auto* waiter = waiters_.front().template use<PopAwait>();
      waiters_.pop_front();
      waiter->finish(take());
      if (destroyed) return;
    }
    destroyed_ = nullptr;
    if (can_serve()) wake();
  }
  [[nodiscard]] Result<T> take() {
    if (values_.empty()) return failure(kEndOfFile, "pop");
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

  Loop& loop_;
  std::size_t limit_;
  Timer wake_;
  bool is_closed_ = false;
  bool* destroyed_ = nullptr;
  std::deque<T> values_;
  std::list<Awaiter::Ticket> waiters_;  // their awaits are alive: who goes takes his ticket along
};

template <class T>
class [[nodiscard]] Channel<T>::PopAwait final : public Awaiter {
 public:
  PopAwait(Channel& channel, CancelToken token) : Awaiter(channel.loop_, std::move(token)), channel_(channel) {}
  ~PopAwait() {
    if (is_armed()) leave();
  }
  bool await_ready() {
    if (is_cancelled()) {
      set_cancelled();
    } else if (channel_.waiters_.empty() && channel_.can_serve()) {
      result_.emplace(channel_.take());
    }
    return false;
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (result_) return wait_for_turn(coroutine);
    place_ = channel_.waiters_.emplace(channel_.waiters_.end(), *this);
    wait(coroutine);
    return true;
  }
  Result<T> await_resume() { return std::move(*result_); }

 private:
  friend class Channel;
  void finish(Result<T> result) {
    result_.emplace(std::move(result));
    resume();
  }
  void leave() {
    disarm();
    channel_.waiters_.erase(place_);
  }
  void withdraw() override { leave(); }
  void set_cancelled() override { result_.emplace(failure(ECANCELED, "pop")); }

  Channel& channel_;
  std::list<Awaiter::Ticket>::iterator place_;
  std::optional<Result<T>> result_;
};

}  // namespace rondo
