// The base of all awaits on things of a loop; derive from it to await something of your own. An await is a few words in the
// coroutine's frame, and no allocation:
//
//   vtable | link | token | coroutine        Awaiter: 40 bytes
//   ... | ticket                             TicketAwaiter: 48
//
// The link is in the token's list while the coroutine waits (so that cancel() finds it), and in the loop's list of continuations
// when the coroutine has to go on from there.
//
//  AW1 await_suspend calls wait() once it has begun what it waits for; resume() ends the wait, from the loop only.
//  AW2 Cancelled, withdraw() stops what was begun, set_error(ECANCELED) makes the result, and the coroutine goes on from the loop. A
//      withdraw() that answers false says that the end comes later by itself.
//  AW3 Destroyed while it waits (K3), a derived class stops what was begun in its destructor.
//
// In coroutines of another library a token must be kept by its owner while it is waited for. Thread: the loop's.
#pragma once

#include <cerrno>
#include <coroutine>
#include <type_traits>
#include <utility>

#include "rondo/cancel.h"
#include "rondo/coroutine_type.h"
#include "rondo/detail/loop_access.h"

namespace [[gnu::visibility("default")]] rondo {

class Awaiter : protected CancelToken::Waiter {
 public:
  Awaiter(const Awaiter&) = delete;
  Awaiter& operator=(const Awaiter&) = delete;
  bool await_ready() { return false; }

 protected:
  explicit Awaiter(CancelToken token) : token_(std::move(token)) {}
  ~Awaiter() {
    if (!coroutine_) token_.~CancelToken();
  }

  virtual Loop& await_loop() = 0;
  // Called on cancellation. True: what was begun is stopped, and the coroutine may go on.
  virtual bool withdraw() = 0;
  virtual void set_error(int number) = 0;

  // The token was cancelled before: do not begin. Not after wait().
  bool is_cancelled() const { return token_.is_cancelled(); }
  bool is_waiting() const { return static_cast<bool>(coroutine_); }

  template <class Promise>
  void wait(std::coroutine_handle<Promise> coroutine) {
    CancelToken token = note(coroutine);
    token.tell(*this);
    // A source that hangs on a parent has to stay, though its owner may have gone.
    if (promise_) promise_->token = std::move(token);
  }
  // The end of a wait, called by the loop: the coroutine runs until it waits again. The awaiter may be gone afterwards.
  void resume() {
    unlink();
    if (promise_) detail::LoopAccess::went_on(*promise_);
    detail::resume(coroutine_);
  }
  // The end of a wait, called by anything: the coroutine goes on in the loop's next iteration.
  void resume_later() {
    unlink();
    detail::LoopAccess::go_on_later(await_loop(), *this);
  }
  // For awaits that are ready without having waited: true when there were so many of them in a row that the loop has to get its
  // turn (A5); then wait_for_turn().
  bool is_turn_over() { return detail::LoopAccess::is_turn_over(await_loop()); }
  template <class Promise>
  void wait_for_turn(std::coroutine_handle<Promise> coroutine) {
    note(coroutine);
    resume_later();
  }

 private:
  void on_cancel() override {
    if (!withdraw()) return;
    set_error(ECANCELED);
    resume_later();
  }
  void go_on() override { resume(); }
  // From here on the token's place is the promise's.
  template <class Promise>
  CancelToken note(std::coroutine_handle<Promise> coroutine) {
    CancelToken token = std::move(token_);
    token_.~CancelToken();
    coroutine_ = coroutine;
    promise_ = nullptr;
    if constexpr (std::is_base_of_v<detail::CoroutinePromiseBase, Promise>) {
      promise_ = &coroutine.promise();
      detail::LoopAccess::waits(await_loop(), *promise_);
    }
    return token;
  }

  union {
    CancelToken token_;  // until the coroutine waits
    detail::CoroutinePromiseBase* promise_;  // of the coroutine that waits, if it is a task of ours
  };
  std::coroutine_handle<> coroutine_;
};

// An await whose end comes through a function given to a handle. The function owns a Ticket: while the ticket lives the handle lives
// and may be told to stop; when it dies unused, the handle was closed or destroyed, and the await ends with ECANCELED.
class TicketAwaiter : public Awaiter {
 public:
  class Ticket {
   public:
    explicit Ticket(TicketAwaiter& awaiter) : awaiter_(&awaiter) { awaiter.ticket_ = this; }
    Ticket(Ticket&& other) noexcept : awaiter_(std::exchange(other.awaiter_, nullptr)) {
      if (awaiter_) awaiter_->ticket_ = this;
    }
    ~Ticket() {
      if (awaiter_) awaiter_->dropped();
    }
    // The awaiter, once; null when it has gone.
    template <class Await>
    Await* use() {
      if (awaiter_) awaiter_->ticket_ = nullptr;
      return static_cast<Await*>(std::exchange(awaiter_, nullptr));
    }

   private:
    friend class TicketAwaiter;
    TicketAwaiter* awaiter_;
  };

 protected:
  using Awaiter::Awaiter;
  ~TicketAwaiter() { disarm(); }

  bool is_armed() const { return ticket_ != nullptr; }
  void disarm() {
    if (ticket_) std::exchange(ticket_, nullptr)->awaiter_ = nullptr;
  }
  // Stops what was begun, while the ticket lives.
  virtual void stop() = 0;

 private:
  bool withdraw() final {
    if (is_armed()) stop();
    disarm();
    return true;
  }
  void dropped() {
    disarm();
    if (!is_waiting()) return;
    set_error(ECANCELED);
    resume_later();
  }

  Ticket* ticket_ = nullptr;
};

}  // namespace rondo
