// Structured concurrency: tasks that run side by side and end before the scope that started them.
//
//   rondo::TaskGroup group(loop, token);
//   group.spawn(pump(client, server, group.token()));
//   group.spawn(pump(server, client, group.token()));
//   rondo::Result<void> both = co_await group.join();          // the first error; it has cancelled the other
//
//   auto [user, cart] = co_await rondo::when_all(fetch_user(id), fetch_cart(id));
//   auto first = co_await rondo::when_any(loop, ask(primary), ask(replica));      // a std::variant; the other is destroyed
//   rondo::Result<Reply> reply = co_await rondo::with_timeout(loop, 5s, ask(server));
//
//  TG1 A child is a Coroutine<> or a Coroutine<Result<void>>. It starts in spawn(), and is owned by the group.
//  TG2 The first child that fails (an error Result, or an exception) cancels the group's token; join() waits for all children all the
//      same, then gives that error, or throws that exception.
//  TG3 Destroying the group destroys children that still wait (K3), before anything that was declared before the group. Not from
//      inside a child.
//  TG4 The group's token is cancelled with its parent, by cancel() and by TG2. Children see it only if they are given it.
//
// Thread: the loop's.
#pragma once

#include <cerrno>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rondo/awaiter.h"
#include "rondo/base/fatal.h"
#include "rondo/base/list.h"
#include "rondo/base/result.h"
#include "rondo/coroutine.h"
#include "rondo/coroutine_type.h"
#include "rondo/loop.h"

namespace [[gnu::visibility("default")]] rondo {

class TaskGroup {
 public:
  class JoinAwait;

  explicit TaskGroup(Loop& loop, const CancelToken& parent = {}) : loop_(loop), source_(parent) {}
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup() {
    while (!children_.is_empty()) children_.front().frame.destroy();
  }

  void spawn(Coroutine<void> task) { begin(run(*this, std::move(task))); }
  void spawn(Coroutine<Result<void>> task) { begin(run(*this, std::move(task))); }
  // co_await: Result<void>, when no child is left (TG2). One waits at a time. Children may be added before, meanwhile and afterwards.
  JoinAwait join();

  CancelToken token() const { return source_.token(); }
  void cancel() { source_.cancel(); }
  std::size_t size() const { return size_; }

 private:
  // In a child's frame, from its start to its end.
  struct Child : ListNode {
    explicit Child(TaskGroup& g) : group(g) {
      group.children_.push_back(*this);
      group.size_++;
    }
    ~Child() {
      unlink();
      group.child_left();
    }
    TaskGroup& group;
    std::coroutine_handle<> frame;

    bool await_ready() { return false; }
    bool await_suspend(std::coroutine_handle<> self) { return frame = self, false; }
    void await_resume() {}
  };

  template <class T>
  static Coroutine<void> run(TaskGroup& group, Coroutine<T> task) {
    Child child(group);
    co_await child;
#if defined(__cpp_exceptions)
    try {
#endif
      if constexpr (std::is_void_v<T>) {
        co_await std::move(task);
      } else {
        const T result = co_await std::move(task);
        if (!result) group.failed(result.error());
      }
#if defined(__cpp_exceptions)
    } catch (...) {
      group.threw(std::current_exception());
    }
#endif
    task.reset();  // the child's locals go before the group hears of its end
  }
  static void begin(Coroutine<void> child) { rondo::spawn(std::move(child)); }

  void failed(Error error) {
    if (!error_.number && !exception_) error_ = error;
    cancel();
  }
  void threw(std::exception_ptr exception) {
    if (!error_.number && !exception_) exception_ = std::move(exception);
    cancel();
  }
  void child_left();

  Loop& loop_;
  CancelSource source_;
  List<Child> children_;
  std::size_t size_ = 0;
  JoinAwait* joiner_ = nullptr;
  Error error_;
  std::exception_ptr exception_;
};

class [[nodiscard]] TaskGroup::JoinAwait final : public Awaiter {
 public:
  explicit JoinAwait(TaskGroup& group) : Awaiter({}), group_(group) {}
  ~JoinAwait() {
    if (group_.joiner_ == this) group_.joiner_ = nullptr;
  }
  bool await_ready() { return group_.size_ == 0; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (group_.joiner_) [[unlikely]]
      misuse("a TaskGroup was joined by two");
    group_.joiner_ = this;
    wait(coroutine);
  }
  [[nodiscard]] Result<void> await_resume() {
    if (group_.exception_) [[unlikely]]
      std::rethrow_exception(std::exchange(group_.exception_, nullptr));
    if (const Error error = std::exchange(group_.error_, {}); error.number) return std::unexpected(error);
    return {};
  }

 private:
  friend class TaskGroup;
  Loop& await_loop() override { return group_.loop_; }
  bool withdraw() override { return false; }
  void set_error(int) override {}

  TaskGroup& group_;
};

inline TaskGroup::JoinAwait TaskGroup::join() { return JoinAwait(*this); }
inline void TaskGroup::child_left() {
  if (--size_ == 0 && joiner_) std::exchange(joiner_, nullptr)->resume_later();
}

namespace detail {

template <class T>
using Storable = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T>
Coroutine<Storable<T>> storable(Coroutine<T> task) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(task);
    co_return std::monostate{};
  } else {
    co_return co_await std::move(task);
  }
}

// Where the tasks of a when_any meet: the first that ends wakes the one who waits, from the loop, so that no task is destroyed while it
// runs.
template <class Outcome>
class FirstAwait final : public Awaiter {
 public:
  explicit FirstAwait(Loop& loop) : Awaiter({}), loop_(loop) {}
  bool await_ready() { return static_cast<bool>(outcome_) || exception_; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    wait(coroutine);
  }
  Outcome await_resume() {
    if (exception_) [[unlikely]]
      std::rethrow_exception(exception_);
    return std::move(*outcome_);
  }
  bool is_decided() const { return outcome_ || exception_; }
  template <class Make>
  void decide(Make make) {
    if (is_decided()) return;
    outcome_.emplace(make());
    if (is_waiting()) resume_later();
  }
  void decide(std::exception_ptr exception) {
    if (is_decided()) return;
    exception_ = std::move(exception);
    if (is_waiting()) resume_later();
  }

 private:
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return false; }
  void set_error(int) override {}

  Loop& loop_;
  std::optional<Outcome> outcome_;
  std::exception_ptr exception_;
};

template <class Outcome, class T, class Make>
Coroutine<void> compete(FirstAwait<Outcome>& first, Coroutine<T> task, Make make) {
#if defined(__cpp_exceptions)
  try {
#endif
    Storable<T> value = co_await storable(std::move(task));
    first.decide([&] { return make(std::move(value)); });
#if defined(__cpp_exceptions)
  } catch (...) {
    first.decide(std::current_exception());
  }
#endif
}

template <class... T, std::size_t... I>
Coroutine<std::variant<Storable<T>...>> when_any(Loop& loop, std::index_sequence<I...>, Coroutine<T>... tasks) {
  using Outcome = std::variant<Storable<T>...>;
  FirstAwait<Outcome> first(loop);
  Coroutine<void> competitors[] = {compete(first, std::move(tasks), [](Storable<T>&& value) {
    return Outcome(std::in_place_index<I>, std::move(value));
  })...};
  for (Coroutine<void>& competitor : competitors) {
    if (!first.is_decided()) competitor.start();
  }
  co_return co_await first;
}

template <class T>
struct Flattened {
  using Type = Result<T>;
};
template <class T>
struct Flattened<Result<T>> {
  using Type = Result<T>;
};

}  // namespace detail

// All results, in the order of the arguments; void is std::monostate. All tasks run until the last has ended; an exception ends the
// others. A failed Result is a result like any other: where one failure shall end the rest, use a TaskGroup.
template <class... T>
Coroutine<std::tuple<detail::Storable<T>...>> when_all(Coroutine<T>... tasks) {
  (tasks.start(), ...);
  co_return std::tuple<detail::Storable<T>...>{co_await detail::storable(std::move(tasks))...};
}
template <class T>
Coroutine<std::vector<detail::Storable<T>>> when_all(std::vector<Coroutine<T>> tasks) {
  for (Coroutine<T>& task : tasks) task.start();
  std::vector<detail::Storable<T>> results;
  results.reserve(tasks.size());
  for (Coroutine<T>& task : tasks) results.push_back(co_await detail::storable(std::move(task)));
  co_return results;
}

// The result of the task that ends first, its index telling which; the others are destroyed (K3).
template <class... T>
Coroutine<std::variant<detail::Storable<T>...>> when_any(Loop& loop, Coroutine<T>... tasks) {
  return detail::when_any<T...>(loop, std::index_sequence_for<T...>(), std::move(tasks)...);
}
// Of a list, with its index. Not empty.
template <class T>
Coroutine<std::pair<std::size_t, detail::Storable<T>>> when_any(Loop& loop, std::vector<Coroutine<T>> tasks) {
  using Outcome = std::pair<std::size_t, detail::Storable<T>>;
  if (tasks.empty()) misuse("when_any was given no task");
  detail::FirstAwait<Outcome> first(loop);
  std::vector<Coroutine<void>> competitors;
  competitors.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); i++) {
    competitors.push_back(detail::compete(first, std::move(tasks[i]),
                                          [i](detail::Storable<T>&& value) { return Outcome(i, std::move(value)); }));
  }
  for (Coroutine<void>& competitor : competitors) {
    if (!first.is_decided()) competitor.start();
  }
  co_return co_await first;
}

// ETIMEDOUT, and the task destroyed (K3), when it has not ended in time. A task that gives a Result is not wrapped in another one.
template <class T>
Coroutine<typename detail::Flattened<T>::Type> with_timeout(Loop& loop, Delay limit, Coroutine<T> task) {
  auto clock = [](Loop& on, Delay after) -> Coroutine<void> { co_await on.sleep(after); };
  auto outcome = co_await when_any(loop, std::move(task), clock(loop, limit));
  if (outcome.index() == 1) co_return failure(ETIMEDOUT, "timeout");
  if constexpr (std::is_void_v<T>) {
    co_return Result<void>();
  } else {
    co_return std::move(std::get<0>(outcome));
  }
}

// Runs the loop until the task has ended, and gives its result: for main() and for tests. Not inside the loop's callbacks. A task that
// waits for what does not keep the loop alive would wait for ever: that aborts, with one line.
template <class T>
T sync_wait(Loop& loop, Coroutine<T> task) {
  task.start();
  while (!task.is_done()) {
    if (!loop.run(RunMode::Once) && !task.is_done())
      misuse("sync_wait: the task waits, and nothing keeps the loop alive");
  }
  if constexpr (std::is_void_v<T>) {
    task.result();
  } else {
    return std::move(task.result());
  }
}

}  // namespace rondo
