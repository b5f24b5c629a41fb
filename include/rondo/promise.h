// One value, once: Promise<T> joins one callback to one coroutine. Event is a flag that any number of coroutines wait for.
//
//   rondo::Promise<Reply> reply(loop);
//   pending[id] = &reply;                              // a callback calls reply.resolve(...) or reply.reject(...)
//   rondo::Result<Reply> answer = co_await reply.wait(token);
//
//  PR1 The first resolve() or reject() counts, later ones do nothing. The value may come before wait() or after.
//  PR2 The waiter goes on from the loop, never from inside resolve(). One waiter, once.
//  PR3 Destroying the promise ends the wait with ECANCELED.
//
// No allocation. Thread: the loop's; from another thread: loop.post([&] { reply.resolve(value); }).
#pragma once

#include <cerrno>
#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "rondo/awaiter.h"
#include "rondo/base/fatal.h"
#include "rondo/base/list.h"
#include "rondo/base/result.h"
#include "rondo/loop.h"

namespace [[gnu::visibility("default")]] rondo {

template <class T = void>
class Promise {
  using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

 public:
  class WaitAwait;

  explicit Promise(Loop& loop) : loop_(loop) {}
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() {
    if (waiter_) waiter_->abandon();
  }

  template <class... Arguments>
  void resolve(Arguments&&... arguments) {
    if (is_settled()) return;
    value_.emplace(std::forward<Arguments>(arguments)...);
    if (waiter_) waiter_->resume_later();
  }
  void reject(Error error) {
    if (is_settled()) return;
    error_ = error;
    if (waiter_) waiter_->resume_later();
  }
  bool is_settled() const { return value_ || error_.number; }
  // co_await: Result<T>. Does not wait when it is settled.
  WaitAwait wait(CancelToken token = {}) { return WaitAwait(*this, std::move(token)); }

 private:
  Loop& loop_;
  WaitAwait* waiter_ = nullptr;
  std::optional<Value> value_;
  Error error_;
};

template <class T>
class [[nodiscard]] Promise<T>::WaitAwait final : public Awaiter {
 public:
  WaitAwait(Promise& promise, CancelToken token)
      : Awaiter(std::move(token)), loop_(promise.loop_), promise_(&promise) {}
  ~WaitAwait() { leave(); }
  bool await_ready() {
    if (is_cancelled()) return set_error(ECANCELED), true;
    return promise_->is_settled();
  }
  template <class Promised>
  void await_suspend(std::coroutine_handle<Promised> coroutine) {
    if (promise_->waiter_) [[unlikely]]
      misuse("a Promise was waited for by two");
    promise_->waiter_ = this;
    wait(coroutine);
  }
  [[nodiscard]] Result<T> await_resume() {
    if (error_) return failure(error_, "promise");
    leave();
    if (promise_->error_.number) return std::unexpected(promise_->error_);
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return Result<T>(std::in_place, std::move(*promise_->value_));
    }
  }

 private:
  friend class Promise;
  void leave() {
    if (promise_ && promise_->waiter_ == this) promise_->waiter_ = nullptr;
  }
  void abandon() {
    promise_ = nullptr;
    error_ = ECANCELED;
    resume_later();
  }
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return leave(), true; }
  void set_error(int number) override { error_ = number; }

  Loop& loop_;
  Promise* promise_;
  int error_ = 0;
};

// Waiters go on from the loop when it is set; later ones do not wait until it is reset. Destroying it ends all waits with ECANCELED.
class Event {
 public:
  class WaitAwait;

  explicit Event(Loop& loop) : loop_(loop) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { end_all(ECANCELED); }

  void set() {
    is_set_ = true;
    end_all(0);
  }
  void reset() { is_set_ = false; }
  bool is_set() const { return is_set_; }
  // co_await: Result<void>.
  WaitAwait wait(CancelToken token = {});

 private:
  struct Place : ListNode {
    explicit Place(WaitAwait& a) : awaiter(a) {}
    WaitAwait& awaiter;
  };
  void end_all(int error);

  Loop& loop_;
  List<Place> waiters_;
  bool is_set_ = false;
};

class [[nodiscard]] Event::WaitAwait final : public Awaiter {
 public:
  WaitAwait(Event& event, CancelToken token)
      : Awaiter(std::move(token)), event_(event), loop_(event.loop_), place_(*this) {}
  bool await_ready() {
    if (is_cancelled()) return set_error(ECANCELED), true;
    return event_.is_set_;
  }
  template <class Promised>
  void await_suspend(std::coroutine_handle<Promised> coroutine) {
    event_.waiters_.push_back(place_);
    wait(coroutine);
  }
  [[nodiscard]] Result<void> await_resume() {
    if (error_) return failure(error_, "event");
    return {};
  }

 private:
  friend class Event;
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return place_.unlink(), true; }
  void set_error(int number) override { error_ = number; }

  Event& event_;  // not after the wait: it may be gone
  Loop& loop_;
  Place place_;
  int error_ = 0;
};

inline Event::WaitAwait Event::wait(CancelToken token) { return WaitAwait(*this, std::move(token)); }
inline void Event::end_all(int error) {
  while (!waiters_.is_empty()) {
    WaitAwait& waiter = waiters_.pop_front().awaiter;
    waiter.error_ = error;
    waiter.resume_later();
  }
}

}  // namespace rondo
