// Coroutines over the loop: Coroutine<T> and cancellation. What can be awaited is in coroutine.h.
//
//   rondo::Coroutine<int> answer(rondo::Loop& loop) {
//     co_await loop.sleep(10ms);
//     co_return 42;
//   }
//
//  K1  A task does nothing until it is awaited, start()ed or given to spawn(). Tasks that run at the same time: start()
//      them all, then await each.
//  K2  Coroutines run on the loop's thread: inside start() until they first wait, then from the loop.
//  K3  Destroying a task that waits frees its frame, its locals and the frames it awaits; what it waited for
//      is withdrawn and nothing runs any more. Not from inside the task itself, and not while it waits for run(request)
//      of coroutine.h.
//  K4  A spawn()ed task that waits when its loop is destroyed is destroyed by the loop, as in K3. A task that someone owns is
//      not: it must go before the loop.
//  K5  Errors are Results; the library throws nothing and needs no exceptions. Where they are on, one that leaves a task
//      comes out of the co_await or result() that asks for the task's result; one that leaves a spawn()ed task ends the
//      program.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "rondo/base/function.h"
#include "rondo/base/list.h"

namespace rondo {

template <class T>
class Coroutine;

namespace detail {

#if defined(__GNUC__) && !defined(__clang__)
// g++ turns the transfer from one coroutine to another into a jump only where it optimizes a good deal; else every task that ends
// without having waited stays on the stack. So a transfer goes back to who resumed the coroutine, who then resumes the other.
struct Resumption {
  void* running;
  std::coroutine_handle<> next;
};
inline constinit thread_local Resumption* innermost_resumption = nullptr;

inline void resume(std::coroutine_handle<> coroutine) {
  Resumption here{};
  Resumption* outer = std::exchange(innermost_resumption, &here);
  while (coroutine) {
    here.running = coroutine.address();
    coroutine.resume();
    coroutine = std::exchange(here.next, {});
  }
  innermost_resumption = outer;
}
inline std::coroutine_handle<> transfer(std::coroutine_handle<> from, std::coroutine_handle<> to) noexcept {
  // A coroutine that a stranger has resumed goes over directly.
  if (!innermost_resumption || innermost_resumption->running != from.address()) return to;
  innermost_resumption->next = to;
  return std::noop_coroutine();
}
#else
inline void resume(std::coroutine_handle<> coroutine) { coroutine.resume(); }
inline std::coroutine_handle<> transfer(std::coroutine_handle<>, std::coroutine_handle<> to) noexcept { return to; }
#endif

// When a coroutine ends, who awaits it goes on; a detached one frees itself.
struct CoroutinePromiseBase {
  std::coroutine_handle<> continuation;
  CoroutinePromiseBase* awaited_by = nullptr;  // the continuation's, if that is a task
  std::exception_ptr exception;
  bool is_started = false;
  bool is_detached = false;

  struct FinalAwait {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
      CoroutinePromiseBase& promise = ended.promise();
      if (promise.continuation) return transfer(ended, promise.continuation);
      if (promise.is_detached) ended.destroy();
      return std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };

  std::suspend_always initial_suspend() noexcept { return {}; }
  FinalAwait final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept {
    if (is_detached) std::terminate();
    exception = std::current_exception();
  }
  void rethrow() const {
    if (exception) [[unlikely]]
      std::rethrow_exception(exception);
  }
};

template <class T>
struct CoroutinePromise : CoroutinePromiseBase {
  std::optional<T> value;
  Coroutine<T> get_return_object() noexcept;
  template <class U = T>  // so that co_return {} works
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
};

template <>
struct CoroutinePromise<void> : CoroutinePromiseBase {
  Coroutine<void> get_return_object() noexcept;
  void return_void() noexcept {}
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Coroutine {
 public:
  using promise_type = detail::CoroutinePromise<T>;
  using Frame = std::coroutine_handle<promise_type>;

  Coroutine() = default;
  explicit Coroutine(Frame coroutine) : coroutine_(coroutine) {}
  Coroutine(Coroutine&& other) noexcept : coroutine_(std::exchange(other.coroutine_, {})) {}
  Coroutine& operator=(Coroutine&& other) noexcept {
    if (this != &other) {
      reset();
      coroutine_ = std::exchange(other.coroutine_, {});
    }
    return *this;
  }
  ~Coroutine() { reset(); }

  // Runs it until it first waits. Keep the task: destroying it withdraws everything (K3). Does nothing when it has begun.
  void start() {
    if (coroutine_ && !std::exchange(coroutine_.promise().is_started, true)) detail::resume(coroutine_);
  }
  bool is_done() const { return !coroutine_ || coroutine_.done(); }
  // The result of a task that is done; throws what the task threw (K5).
  std::add_lvalue_reference_t<T> result() {
    coroutine_.promise().rethrow();
    if constexpr (!std::is_void_v<T>) return *coroutine_.promise().value;
  }
  // As destruction: the task is empty afterwards.
  void reset() {
    if (coroutine_) std::exchange(coroutine_, {}).destroy();
  }

  // co_await task(...), or co_await std::move(task): starts it unless it has begun, goes on when it has ended, gives its
  // result. One waits for one task.
  struct Await {
    Frame coroutine;
    bool await_ready() const noexcept { return !coroutine || coroutine.done(); }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
      coroutine.promise().continuation = waiting;
      if constexpr (std::is_base_of_v<detail::CoroutinePromiseBase, Promise>)
        coroutine.promise().awaited_by = &waiting.promise();
      if (std::exchange(coroutine.promise().is_started, true)) return std::noop_coroutine();
      return detail::transfer(waiting, coroutine);
    }
    T await_resume() {
      if (coroutine) coroutine.promise().rethrow();
      if constexpr (!std::is_void_v<T>) return std::move(*coroutine.promise().value);
    }
  };
  Await operator co_await() && noexcept { return Await{coroutine_}; }

  // For spawn().
  Frame release() { return std::exchange(coroutine_, {}); }

 private:
  Frame coroutine_;
};

template <class T = void>
using Task [[deprecated("renamed: Coroutine")]] = Coroutine<T>;

namespace detail {

template <class T>
Coroutine<T> CoroutinePromise<T>::get_return_object() noexcept {
  return Coroutine<T>(std::coroutine_handle<CoroutinePromise>::from_promise(*this));
}
inline Coroutine<void> CoroutinePromise<void>::get_return_object() noexcept {
  return Coroutine<void>(std::coroutine_handle<CoroutinePromise>::from_promise(*this));
}

// A task that waits for something of a loop, linked there meanwhile.
struct CoroutineWait : ListNode {
  CoroutinePromiseBase* task = nullptr;
};

// For ~Loop: destroys the spawn()ed tasks among those that wait (K4). Others are their owners'.
inline void destroy_spawned(List<CoroutineWait>& waits) {
  while (!waits.is_empty()) {
    CoroutinePromiseBase* task = waits.pop_front().task;
    while (task->awaited_by) task = task->awaited_by;
    if (!task->is_detached) continue;
    auto& promise = static_cast<CoroutinePromise<void>&>(*task);
    std::coroutine_handle<CoroutinePromise<void>>::from_promise(promise).destroy();
  }
}

}  // namespace detail

// Lets a task run that no one owns: its frame is freed when it ends, or with the loop (K4). To end one earlier, end what it
// waits for: close the handle or cancel the token.
inline void spawn(Coroutine<void> task) {
  auto coroutine = task.release();
  if (!coroutine) return;
  coroutine.promise().is_detached = true;
  if (coroutine.done()) return coroutine.destroy();
  if (!std::exchange(coroutine.promise().is_started, true)) detail::resume(coroutine);
}

// Cancellation, for the loop's thread. A source hands out tokens; whoever waits with one of them goes on with
// ECANCELED soon after cancel(): from the loop, not from inside the call. Cheap to copy.
class CancelToken {
 public:
  CancelToken() = default;  // never cancelled
  CancelToken(const CancelToken& other) : state_(other.state_) { retain(); }
  CancelToken(CancelToken&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  CancelToken& operator=(CancelToken other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~CancelToken() { release(); }

  bool is_cancelled() const { return state_ && state_->is_cancelled; }

  // Linked while someone waits; unlinks itself on destruction.
  class Waiter : public ListNode {
   public:
    virtual void on_cancel() = 0;

   protected:
    ~Waiter() = default;
  };
  // on_cancel follows at most once, inside CancelSource::cancel.
  void tell(Waiter& waiter) const {
    if (state_) state_->waiters.push_back(waiter);
  }

 private:
  friend class CancelSource;
  struct State final : Waiter {  // waits for the parent's token, if there is one
    int references = 1;
    bool is_cancelled = false;
    List<Waiter> waiters;
    void on_cancel() override {
      if (std::exchange(is_cancelled, true)) return;
      references++;
      while (!waiters.is_empty()) waiters.pop_front().on_cancel();
      if (--references == 0) delete this;
    }
  };
  void retain() {
    if (state_) state_->references++;
  }
  void release() {
    if (state_ && --state_->references == 0) delete state_;
  }

  State* state_ = nullptr;
};

// Copies of a source are the same source. Destroying it cancels nothing.
class CancelSource {
 public:
  CancelSource() { token_.state_ = new CancelToken::State; }
  // Is cancelled with `parent`, too: a part of something larger that can be given up alone.
  explicit CancelSource(const CancelToken& parent) : CancelSource() {
    if (parent.is_cancelled()) {
      cancel();
    } else {
      parent.tell(*token_.state_);
    }
  }
  CancelToken token() const { return token_; }
  bool is_cancelled() const { return token_.is_cancelled(); }
  // For good; a second time does nothing.
  void cancel() { token_.state_->on_cancel(); }

 private:
  CancelToken token_;
};

}  // namespace rondo
