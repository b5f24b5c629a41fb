// Coroutines over the loop: Coroutine<T> and spawn(). Awaits are in coroutine.h, cancellation in cancel.h, tasks that run side by side
// in task_group.h.
//
//   rondo::Coroutine<int> answer(rondo::Loop& loop) {
//     co_await loop.sleep(10ms);
//     co_return 42;
//   }
//
//  K1  A task does nothing until it is awaited, start()ed, or given to spawn() or a TaskGroup. It is awaited once, by one.
//  K2  Coroutines run on the loop's thread: inside start() until they first wait, then from the loop.
//  K3  Destroying a task that waits frees its frame, its locals and the frames it awaits; its await is withdrawn, and nothing of it
//      runs any more. Not from inside the task itself.
//  K4  A spawn()ed task has no owner. One that still waits is destroyed by ~Loop, as in K3: everything that it refers to must outlive the
//      loop or belong to the task. Tasks that refer to shorter lives belong into a TaskGroup declared after what they use; or
//      destroy_spawned(loop) ends them where that is still there. A task with an owner must go before the loop.
//  K5  Errors are Results; the library throws nothing and needs no exceptions. Where they are on, one that leaves a task
//      comes out of the co_await or result() that asks for the task's result; one that leaves a spawn()ed task ends the
//      program.
//  K6  Awaiting an empty task, awaiting a task twice, and result() before the end are told on standard error and abort.
//
// Frames come from memory that the thread keeps (detail/frame_memory.h): in the long run no call of the allocator. Each task
// knows the place of the await it waits in (std::source_location); task_dump.h lists them.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "rondo/base/fatal.h"
#include "rondo/base/list.h"
#include "rondo/cancel.h"
#include "rondo/detail/frame_memory.h"

namespace [[gnu::visibility("default")]] rondo {

class Loop;
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

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 copies what await_transform returns, unless it is a temporary of its own: so it gets one that refers to the awaiter.
template <class Awaiter>
struct AwaiterReference {
  Awaiter& awaiter;
  decltype(auto) await_ready() { return awaiter.await_ready(); }
  template <class Promise>
  decltype(auto) await_suspend(std::coroutine_handle<Promise> coroutine) {
    return awaiter.await_suspend(coroutine);
  }
  decltype(auto) await_resume() { return awaiter.await_resume(); }
};
template <class Awaiter>
AwaiterReference<Awaiter> pass_through(Awaiter& awaiter) {
  return {awaiter};
}
#else
template <class Awaiter>
Awaiter& pass_through(Awaiter& awaiter) {
  return awaiter;
}
#endif

// Of every task of ours, whatever it returns. Linked in the loop's list while it waits for something of the loop.
struct CoroutinePromiseBase : ListNode {
  std::coroutine_handle<> continuation;  // goes on when this one has ended
  CoroutinePromiseBase* awaited_by = nullptr;  // the continuation's, if that is a task
  std::source_location place;  // of the co_await it is in, or was in last
  Loop* loop = nullptr;  // of that await; what is awaited may be gone before the wait ends
  CancelToken token;  // of the await it is in, or was in last
  std::exception_ptr exception;
  bool is_started = false;
  bool is_detached = false;  // frees itself at its end
  bool is_awaited = false;

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* memory, std::size_t size) { free_frame(memory, size); }

  // Notes the place, and hands the awaitable through.
  template <class Awaitable>
  decltype(auto) await_transform(Awaitable&& awaitable,
                                 std::source_location at = std::source_location::current()) noexcept {
    place = at;
    if constexpr (requires { static_cast<Awaitable&&>(awaitable).operator co_await(); }) {
      return static_cast<Awaitable&&>(awaitable).operator co_await();
    } else if constexpr (requires { operator co_await(static_cast<Awaitable&&>(awaitable)); }) {
      return operator co_await(static_cast<Awaitable&&>(awaitable));
    } else {
      return pass_through(awaitable);
    }
  }

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
    if (!coroutine_ || !coroutine_.done()) [[unlikely]]
      misuse("Coroutine::result() was asked of a task that has not ended");
    coroutine_.promise().rethrow();
    if constexpr (!std::is_void_v<T>) return *coroutine_.promise().value;
  }
  // As destruction: the task is empty afterwards.
  void reset() {
    if (coroutine_) std::exchange(coroutine_, {}).destroy();
  }

  // co_await task(...), or co_await std::move(task): starts it unless it has begun, goes on when it has ended, gives its
  // result. Once, by one.
  struct Await {
    Frame coroutine;
    bool await_ready() const noexcept {
      if (!coroutine) [[unlikely]]
        misuse("an empty Coroutine was awaited: it was moved from, or never given a task");
      if (std::exchange(coroutine.promise().is_awaited, true)) [[unlikely]]
        misuse("a Coroutine was awaited a second time");
      return coroutine.done();
    }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
      coroutine.promise().continuation = waiting;
      if constexpr (std::is_base_of_v<detail::CoroutinePromiseBase, Promise>)
        coroutine.promise().awaited_by = &waiting.promise();
      if (std::exchange(coroutine.promise().is_started, true)) return std::noop_coroutine();
      return detail::transfer(waiting, coroutine);
    }
    T await_resume() {
      coroutine.promise().rethrow();
      if constexpr (!std::is_void_v<T>) return std::move(*coroutine.promise().value);
    }
  };
  Await operator co_await() && noexcept { return Await{coroutine_}; }

  // For spawn(): the frame becomes the caller's.
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

// Destroys the spawn()ed tasks among those that wait (K4). Others are their owners'.
inline void destroy_spawned(List<CoroutinePromiseBase>& waits) {
  List<CoroutinePromiseBase> owned;
  while (!waits.is_empty()) {
    CoroutinePromiseBase& waiting = waits.pop_front();
    CoroutinePromiseBase* task = &waiting;
    while (task->awaited_by) task = task->awaited_by;
    if (!task->is_detached) {
      owned.push_back(waiting);
      continue;
    }
    auto& promise = static_cast<CoroutinePromise<void>&>(*task);
    std::coroutine_handle<CoroutinePromise<void>>::from_promise(promise).destroy();
  }
  waits.take(owned);
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

// Destroys all spawn()ed tasks that wait for something of this loop, as ~Loop does. Loop's thread; not from inside such a task.
void destroy_spawned(Loop& loop);

}  // namespace rondo
