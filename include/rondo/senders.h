// Coroutines and the loop in the shape of std::execution (P2300), without depending on an implementation of it: senders with a member
// connect(receiver), operation states with start(), receivers with set_value, set_error and set_stopped.
//
//   auto work = rondo::as_sender(fetch(loop, url));            // Coroutine<T> -> a sender of T
//   auto state = std::move(work).connect(my_receiver);         // nothing runs yet
//   state.start();
//
//   rondo::Result<int> n = co_await rondo::await_sender<int>(loop, some_sender);     // a sender of one value -> an await
//   auto on_loop = rondo::LoopScheduler(loop).schedule();                            // a sender that completes on the loop
//
// An error Result is set_error(rondo::Error), ECANCELED is set_stopped(), an exception is set_error(std::exception_ptr). as_sender and
// await_sender: the loop's thread, where the sender may complete on any. LoopScheduler's senders may be started by any thread while
// the loop exists.
#pragma once

#include <cerrno>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "rondo/awaiter.h"
#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/loop.h"
#include "rondo/loop_address.h"

namespace [[gnu::visibility("default")]] rondo {

struct SenderTag {};
struct OperationTag {};
struct ReceiverTag {};

namespace detail {

template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;

// Runs a task and tells the receiver how it ended.
template <class T, class Receiver>
class TaskOperation {
 public:
  using operation_state_concept = OperationTag;
  TaskOperation(Coroutine<T> task, Receiver receiver)
      : receiver_(std::move(receiver)), runner_(run(std::move(task), receiver_)) {}
  TaskOperation(const TaskOperation&) = delete;
  TaskOperation& operator=(const TaskOperation&) = delete;
  void start() noexcept { runner_.start(); }

 private:
  static Coroutine<void> run(Coroutine<T> task, Receiver& receiver) {
#if defined(__cpp_exceptions)
    std::exception_ptr exception;
    try {
#endif
      if constexpr (std::is_void_v<T>) {
        co_await std::move(task);
        std::move(receiver).set_value();
      } else {
        T value = co_await std::move(task);
        tell(std::move(receiver), std::move(value));
      }
      co_return;
#if defined(__cpp_exceptions)
    } catch (...) {
      exception = std::current_exception();
    }
    std::move(receiver).set_error(std::move(exception));
#endif
  }
  static void tell(Receiver&& receiver, T&& value) {
    if constexpr (kIsResult<T>) {
      if (!value && value.error().number == ECANCELED) return std::move(receiver).set_stopped();
      if (!value) return std::move(receiver).set_error(value.error());
      if constexpr (std::is_void_v<typename T::value_type>) {
        std::move(receiver).set_value();
      } else {
        std::move(receiver).set_value(std::move(*value));
      }
    } else {
      std::move(receiver).set_value(std::move(value));
    }
  }

  Receiver receiver_;
  Coroutine<void> runner_;
};

}  // namespace detail

template <class T>
class TaskSender {
 public:
  using sender_concept = SenderTag;
  explicit TaskSender(Coroutine<T> task) : task_(std::move(task)) {}
  template <class Receiver>
  detail::TaskOperation<T, Receiver> connect(Receiver receiver) && {
    return {std::move(task_), std::move(receiver)};
  }

 private:
  Coroutine<T> task_;
};

template <class T>
TaskSender<T> as_sender(Coroutine<T> task) {
  return TaskSender<T>(std::move(task));
}

// The completion may come in any thread; the coroutine goes on from the loop. A sender cannot be withdrawn by the frame that awaits it:
// its operation, and what was awaited, stay until it has completed.
template <class T, class Sender>
class [[nodiscard]] SenderAwait final : public Awaiter {
  struct Shared;

 public:
  struct Receiver {
    using receiver_concept = ReceiverTag;
    std::shared_ptr<Shared> shared;
    template <class... Values>
    void set_value(Values&&... values) && noexcept {
      shared->complete(Result<T>(std::in_place, std::forward<Values>(values)...), shared);
    }
    void set_error(Error error) && noexcept { shared->complete(std::unexpected(error), shared); }
    void set_error(std::exception_ptr exception) && noexcept {
      shared->exception = std::move(exception);
      shared->complete(failure(EIO, "sender"), shared);
    }
    void set_stopped() && noexcept { shared->complete(failure(ECANCELED, "sender"), shared); }
  };

  SenderAwait(Loop& loop, Sender sender) : Awaiter({}), loop_(loop), sender_(std::move(sender)) {}
  ~SenderAwait() {
    if (shared_) shared_->awaiter = nullptr;
  }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    shared_ = std::make_shared<Shared>(*this, loop_.address());
    wait(coroutine);
    shared_->operation.emplace(Connect{std::move(sender_), Receiver{shared_}});
    shared_->operation->start();
  }
  [[nodiscard]] Result<T> await_resume() {
    if (shared_->exception) std::rethrow_exception(shared_->exception);
    return std::move(*shared_->result);
  }

 private:
  using Operation = decltype(std::declval<Sender&&>().connect(std::declval<Receiver>()));
  struct Connect {  // an operation state neither copies nor moves: made in place
    Sender&& sender;
    Receiver receiver;
    operator Operation() { return std::move(sender).connect(std::move(receiver)); }
  };
  struct Shared {
    Shared(SenderAwait& await, LoopAddress loop) : awaiter(&await), home(std::move(loop)) {}
    void complete(Result<T> outcome, std::shared_ptr<Shared> self) {
      result.emplace(std::move(outcome));
      (void)home.post([self = std::move(self)] {
        self->operation.reset();
        if (SenderAwait* waiting = std::exchange(self->awaiter, nullptr)) waiting->resume();
      });
    }
    SenderAwait* awaiter;  // loop's thread
    LoopAddress home;
    std::optional<Result<T>> result;
    std::exception_ptr exception;
    std::optional<Operation> operation;
  };
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return false; }
  void set_error(int) override {}

  Loop& loop_;
  Sender sender_;
  std::shared_ptr<Shared> shared_;
};

template <class T, class Sender>
SenderAwait<T, Sender> await_sender(Loop& loop, Sender sender) {
  return {loop, std::move(sender)};
}

// Schedules on the loop: its senders complete there, with no value; set_stopped() when the loop has gone.
class LoopScheduler {
 public:
  explicit LoopScheduler(Loop& loop) : home_(loop.address()) {}

  template <class Receiver>
  class Operation {
   public:
    using operation_state_concept = OperationTag;
    Operation(LoopAddress home, Receiver receiver) : home_(std::move(home)), receiver_(std::move(receiver)) {}
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    void start() noexcept {
      if (!home_.post([this] { std::move(receiver_).set_value(); })) std::move(receiver_).set_stopped();
    }

   private:
    LoopAddress home_;
    Receiver receiver_;
  };
  class Sender {
   public:
    using sender_concept = SenderTag;
    explicit Sender(LoopAddress home) : home_(std::move(home)) {}
    template <class Receiver>
    Operation<Receiver> connect(Receiver receiver) const {
      return {home_, std::move(receiver)};
    }

   private:
    LoopAddress home_;
  };
  Sender schedule() const { return Sender(home_); }
  friend bool operator==(const LoopScheduler& a, const LoopScheduler& b) { return a.home_ == b.home_; }

 private:
  LoopAddress home_;
};

}  // namespace rondo
