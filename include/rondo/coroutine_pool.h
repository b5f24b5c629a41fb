// Pool work in coroutines. Part of coroutine.h.
//
//   rondo::Result<std::string> digest = co_await rondo::on_pool(loop, [text] { return hash(text); });
//
// The function runs on a pool thread; it and what it returns are destroyed on the loop's. One that takes a `const rondo::Job&` can look
// at job.is_cancelled() and stop early. An exception that leaves it comes out of the co_await. Cancelled or abandoned, the
// await is over at once; the function is not called if it has not begun, else it runs to its end and its result is dropped.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "rondo/base/result.h"
#include "rondo/coroutine.h"
#include "rondo/loop.h"
#include "rondo/coroutine_type.h"
#include "rondo/thread_pool.h"

namespace rondo {

template <class Call>
class [[nodiscard]] PoolAwait final : public Awaiter {
  static constexpr bool kTakesJob = std::is_invocable_v<Call&, const Job&>;
  static auto call(Call& function, const Job& job) {
    if constexpr (kTakesJob) {
      return function(job);
    } else {
      return function();
    }
  }

 public:
  using Value = decltype(call(std::declval<Call&>(), std::declval<const Job&>()));

  PoolAwait(Loop& loop, JobClass job_class, Call work, CancelToken token)
      : Awaiter(loop, std::move(token)), job_class_(job_class), work_(std::move(work)) {}
  ~PoolAwait() {
    if (job_ && is_armed()) ThreadPool::shared().cancel(*job_);
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_cancelled(), false;
    job_ = new Owned{Ticket(*this), std::move(work_)};
    job_->job_class = job_class_;
    job_->work = [](Job& job) { static_cast<Owned&>(job).run(); };
    job_->on_done = [](Job& job, int error) {
      const std::unique_ptr<Owned> owned(static_cast<Owned*>(&job));
      if (auto* self = owned->ticket.template use<PoolAwait>()) self->finish(*owned, error);
    };
    job_->on_dropped = [](Job& job) {
      const std::unique_ptr<Owned> owned(static_cast<Owned*>(&job));
      owned->ticket.template use<PoolAwait>();  // without a loop no one goes on
    };
    wait(coroutine);
    ThreadPool::shared().submit(loop_, *job_);
    return true;
  }
  Result<Value> await_resume() {
    if (thrown_) [[unlikely]]
      std::rethrow_exception(thrown_);
    return std::move(*result_);
  }

 private:
  struct Owned final : Job {
    Owned(Ticket t, Call f) : ticket(std::move(t)), function(std::move(f)) {}
    void run() {
#if defined(__cpp_exceptions)
      try {
        call_it();
      } catch (...) {
        thrown = std::current_exception();
      }
#else
      call_it();
#endif
    }
    void call_it() {
      if constexpr (std::is_void_v<Value>) {
        call(function, *this);
        value.emplace();
      } else {
        value.emplace(call(function, *this));
      }
    }
    Ticket ticket;
    Call function;
    std::optional<std::conditional_t<std::is_void_v<Value>, std::monostate, Value>> value;
    std::exception_ptr thrown;
  };

  void finish(Owned& owned, int error) {
    job_ = nullptr;
    thrown_ = std::move(owned.thrown);
    if (error) {
      result_.emplace(failure(error, "pool"));
    } else if constexpr (std::is_void_v<Value>) {
      result_.emplace();
    } else if (owned.value) {
      result_.emplace(std::in_place, std::move(*owned.value));
    }
    resume();
  }
  void withdraw() override { ThreadPool::shared().cancel(*std::exchange(job_, nullptr)); }
  void set_cancelled() override { result_.emplace(failure(ECANCELED, "pool")); }

  JobClass job_class_;
  Call work_;
  Owned* job_ = nullptr;
  std::exception_ptr thrown_;
  std::optional<Result<Value>> result_;
};

// co_await: Result<what `work` returns>, also of void.
template <class Call>
PoolAwait<Call> on_pool(Loop& loop, Call work, JobClass job_class = JobClass::User, CancelToken token = {}) {
  return {loop, job_class, std::move(work), std::move(token)};
}

}  // namespace rondo
