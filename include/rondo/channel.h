// A queue between coroutines of one loop, and from callbacks to coroutines.
//
//   rondo::Channel<Job> jobs(loop, 16);
//   rondo::Result<void> queued = co_await jobs.push(std::move(job), token);   // waits while 16 are queued
//   rondo::Result<Job> job = co_await jobs.pop(token);
//   if (!jobs.try_push(another)) ...                                          // from a callback: full or closed
//
//  CH1 Values come out in the order they went in; waiters are served in the order they came. A value that was pushed is not lost
//      when a waiter is cancelled or destroyed.
//  CH2 Waiters go on from the loop, never from inside push() or pop(). A channel keeps the loop alive only while a waiter may go on.
//  CH3 Destroying the channel ends all waits with ECANCELED.
//
// Loop's thread only; from another thread: loop.post([&] { (void)channel.try_push(value); }). Memory is needed only for values that no
// one waits for. One value, once: promise.h.
#pragma once

#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rondo/awaiter.h"
#include "rondo/base/list.h"
#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/loop.h"

namespace [[gnu::visibility("default")]] rondo {

template <class T>
class Channel {
 public:
  class PopAwait;
  class PushAwait;

  // `limit`: how many values may be queued; at least one.
  explicit Channel(Loop& loop, std::size_t limit = SIZE_MAX) : loop_(loop), limit_(limit ? limit : 1) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    while (!poppers_.is_empty()) poppers_.pop_front().awaiter.abandon();
    while (!served_.is_empty()) served_.pop_front().awaiter.channel_ = nullptr;
    while (!pushers_.is_empty()) pushers_.pop_front().awaiter.abandon();
  }

  // False, and the value is dropped, when the channel is full or closed.
  [[nodiscard]] bool try_push(T value) {
    if (!has_room()) return false;
    put(std::move(value));
    return true;
  }
  // co_await: Result<void>; EPIPE when the channel is closed. Queued in the call itself when there is room and no one is before you;
  // one that finds none and is not awaited drops its value.
  PushAwait push(T value, CancelToken token = {}) { return PushAwait(*this, std::move(value), std::move(token)); }
  // No more values. Those that are queued are still handed out; then pop() gives kEndOfFile. Waiting push()es end with EPIPE.
  void close() {
    is_closed_ = true;
    while (!pushers_.is_empty()) pushers_.pop_front().awaiter.finish(EPIPE);
    while (!poppers_.is_empty()) poppers_.pop_front().awaiter.fail(kEndOfFile);
  }
  // co_await: Result<T>. Does not wait when a value is there.
  PopAwait pop(CancelToken token = {}) { return PopAwait(*this, std::move(token)); }
  // Without waiting.
  std::optional<T> try_pop() {
    if (size() == 0) return {};
    std::optional<T> value(std::move(values_[first_++]));
    trim();
    if (!pushers_.is_empty()) {
      PushAwait& waiter = pushers_.pop_front().awaiter;
      values_.push_back(std::move(waiter.value_));
      waiter.finish(0);
    }
    return value;
  }

  std::size_t size() const { return values_.size() - first_; }
  bool is_closed() const { return is_closed_; }

 private:
  template <class Await>
  struct Place : ListNode {
    explicit Place(Await& a) : awaiter(a) {}
    Await& awaiter;
  };

  bool has_room() const { return !is_closed_ && size() < limit_ && pushers_.is_empty(); }
  void put(T value) {
    if (poppers_.is_empty()) return values_.push_back(std::move(value));
    poppers_.pop_front().awaiter.finish(std::move(value));
  }
  // A waiter was destroyed between its value's coming and its going on.
  void put_back(T value) {
    if (!poppers_.is_empty()) return poppers_.pop_front().awaiter.finish(std::move(value));
    values_.insert(values_.begin() + static_cast<std::ptrdiff_t>(first_), std::move(value));
  }
  void trim() {
    if (first_ == values_.size()) {
      values_.clear();
    } else if (first_ < 64 || first_ < values_.size() / 2) {
      return;
    } else {
      values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(first_));
    }
    first_ = 0;
  }

  Loop& loop_;
  std::size_t limit_;
  std::size_t first_ = 0;  // values before it are taken
  std::vector<T> values_;
  List<Place<PopAwait>> poppers_;  // only while nothing is queued
  List<Place<PopAwait>> served_;  // have a value and go on soon
  List<Place<PushAwait>> pushers_;  // only while it is full
  bool is_closed_ = false;
};

template <class T>
class [[nodiscard]] Channel<T>::PopAwait final : public Awaiter {
 public:
  PopAwait(Channel& channel, CancelToken token)
      : Awaiter(std::move(token)), loop_(channel.loop_), channel_(&channel), place_(*this) {}
  ~PopAwait() {
    if (value_ && channel_) channel_->put_back(std::move(*value_));
  }
  bool await_ready() {
    if (is_cancelled()) {
      error_ = ECANCELED;
    } else if (!(value_ = channel_->try_pop()) && channel_->is_closed_) {
      error_ = kEndOfFile;
    }
    return (value_ || error_) && !is_turn_over();
  }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (value_ || error_) return wait_for_turn(coroutine);
    channel_->poppers_.push_back(place_);
    wait(coroutine);
  }
  [[nodiscard]] Result<T> await_resume() {
    place_.unlink();
    if (!value_) return failure(error_, "pop");
    Result<T> result(std::move(*value_));
    value_.reset();
    return result;
  }

 private:
  friend class Channel;
  void finish(T value) {
    value_.emplace(std::move(value));
    channel_->served_.push_back(place_);
    resume_later();
  }
  void fail(int error) {
    error_ = error;
    resume_later();
  }
  void abandon() {
    channel_ = nullptr;
    fail(ECANCELED);
  }
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return place_.unlink(), true; }
  void set_error(int number) override { error_ = number; }

  Loop& loop_;
  Channel* channel_;
  Place<PopAwait> place_;
  std::optional<T> value_;
  int error_ = 0;
};

template <class T>
class [[nodiscard]] Channel<T>::PushAwait final : public Awaiter {
 public:
  PushAwait(Channel& channel, T value, CancelToken token)
      : Awaiter(std::move(token)), loop_(channel.loop_), channel_(&channel), place_(*this), value_(std::move(value)) {
    if (is_cancelled()) {
      error_ = ECANCELED;
    } else if (channel.is_closed_) {
      error_ = EPIPE;
    } else if (channel.has_room()) {
      channel.put(std::move(value_));
      error_ = 0;
    }
  }
  bool await_ready() { return error_ >= 0 && !is_turn_over(); }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (error_ >= 0) return wait_for_turn(coroutine);
    channel_->pushers_.push_back(place_);
    wait(coroutine);
  }
  [[nodiscard]] Result<void> await_resume() {
    if (error_) return failure(error_, "push");
    return {};
  }

 private:
  friend class Channel;
  static constexpr int kNotYet = -1;
  void finish(int error) {
    error_ = error;
    resume_later();
  }
  void abandon() { finish(ECANCELED); }
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return place_.unlink(), true; }
  void set_error(int number) override { error_ = number; }

  Loop& loop_;
  Channel* channel_;
  Place<PushAwait> place_;
  T value_;
  int error_ = kNotYet;
};

}  // namespace rondo
