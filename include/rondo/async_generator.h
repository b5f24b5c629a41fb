// A coroutine that gives any number of values, one for each co_await next(), and may wait in between.
//
//   rondo::AsyncGenerator<std::string> lines(rondo::BufferedReader& reader) {
//     for (;;) {
//       rondo::Result<std::string_view> line = co_await reader.read_line();
//       if (!line) co_return;
//       co_yield std::string(*line);
//     }
//   }
//
//   auto all = lines(reader);
//   while (std::optional<std::string> line = co_await all.next()) use(*line);
//
//  AG1 The body runs only while someone waits in next(); one at a time.
//  AG2 Destroying the generator destroys the body where it stands (K3).
//  AG3 An exception that leaves the body comes out of next(); afterwards next() gives nothing.
//
// Thread: the loop's.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "rondo/base/fatal.h"
#include "rondo/coroutine_type.h"

namespace [[gnu::visibility("default")]] rondo {

template <class T>
class [[nodiscard]] AsyncGenerator {
 public:
  struct promise_type : detail::CoroutinePromiseBase {
    std::optional<T> value;

    // Gives the floor to the one who waits in next(), with or without a value.
    struct HandOver {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        promise_type& promise = self.promise();
        promise.awaited_by = nullptr;
        return detail::transfer(self, std::exchange(promise.continuation, {}));
      }
      void await_resume() noexcept {}
    };

    AsyncGenerator get_return_object() noexcept {
      return AsyncGenerator(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    HandOver final_suspend() noexcept { return {}; }
    template <class U>
    HandOver yield_value(U&& next) {
      value.emplace(std::forward<U>(next));
      return {};
    }
    void return_void() noexcept {}
  };

  AsyncGenerator(AsyncGenerator&& other) noexcept : body_(std::exchange(other.body_, {})) {}
  AsyncGenerator& operator=(AsyncGenerator&& other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~AsyncGenerator() {
    if (body_) body_.destroy();
  }

  class [[nodiscard]] NextAwait {
   public:
    explicit NextAwait(std::coroutine_handle<promise_type> body) : body_(body) {
      if (!body) misuse("next() of an AsyncGenerator that was moved from");
    }
    bool await_ready() const noexcept { return body_.done(); }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
      promise_type& promise = body_.promise();
      if (promise.continuation) misuse("next() of an AsyncGenerator was awaited by two");
      promise.continuation = waiting;
      if constexpr (std::is_base_of_v<detail::CoroutinePromiseBase, Promise>) promise.awaited_by = &waiting.promise();
      return detail::transfer(waiting, body_);
    }
    [[nodiscard]] std::optional<T> await_resume() {
      promise_type& promise = body_.promise();
      if (promise.exception) [[unlikely]]
        std::rethrow_exception(std::exchange(promise.exception, nullptr));
      return std::exchange(promise.value, std::nullopt);
    }

   private:
    std::coroutine_handle<promise_type> body_;
  };
  // co_await: the next value, or nothing when the body has ended.
  NextAwait next() { return NextAwait(body_); }

 private:
  explicit AsyncGenerator(std::coroutine_handle<promise_type> body) : body_(body) {}
  std::coroutine_handle<promise_type> body_;
};

}  // namespace rondo
