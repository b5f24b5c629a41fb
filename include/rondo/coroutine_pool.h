// Pool work in coroutines. Part of coroutine.h.
//
//   rondo::Result<std::string> digest = co_await rondo::on_pool(loop, [&text] { return hash(text); });
//
//  CP1 The function runs on a pool thread; it and what it returns are destroyed on the loop's. An exception that leaves it comes out
//      of the co_await.
//  CP2 The function may refer to the coroutine's locals: the await never ends before the function does. One that has not begun when
//      it is cancelled is not called, and the await is over at once; one that runs is told (a function that takes a
//      `const rondo::Job&` sees job.is_cancelled()) and waited for, and the await gives ECANCELED.
//  CP3 Destroying the task (K3) while the function runs blocks the loop's thread until the function returns. Long work takes a
//      Job& and looks at it.
//
// Thread: the loop's, apart from the function. One allocation, for the job.
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "rondo/awaiter.h"
#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/loop.h"
#include "rondo/thread_pool.h"

namespace [[gnu::visibility("default")]] rondo {

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
      : Awaiter(std::move(token)), loop_(loop), owned_(new Owned(std::move(work))) {
    owned_->job_class = job_class;
  }
  ~PoolAwait() {
    if (owned_->awaiter) abandon(*owned_.release());
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return error_ = ECANCELED, false;
    owned_->awaiter = this;
    owned_->work = [](Job& job) { static_cast<Owned&>(job).run(); };
    owned_->on_done = [](Job& job, int error) {
      auto& owned = static_cast<Owned&>(job);
      if (PoolAwait* self = std::exchange(owned.awaiter, nullptr)) return self->finish(error);
      delete &owned;  // abandoned
    };
    owned_->on_dropped = [](Job& job) {
      auto& owned = static_cast<Owned&>(job);
      // Without a loop no one goes on; the await still owns the job.
      if (!std::exchange(owned.awaiter, nullptr)) delete &owned;
    };
    wait(coroutine);
    ThreadPool::shared().submit(loop_, *owned_);
    return true;
  }
  [[nodiscard]] Result<Value> await_resume() {
    if (owned_->thrown) [[unlikely]]
      std::rethrow_exception(owned_->thrown);
    if (error_) return failure(error_, "pool");
    if constexpr (std::is_void_v<Value>) {
      return {};
    } else {
      return Result<Value>(std::in_place, std::move(*owned_->value));
    }
  }

 private:
  enum class Progress : std::uint32_t { Waits, HasReturned };
  struct Owned final : Job {
    explicit Owned(Call f) : function(std::move(f)) {}
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
      progress.store(Progress::HasReturned, std::memory_order_release);
      progress.notify_one();
    }
    void call_it() {
      if constexpr (std::is_void_v<Value>) {
        call(*function, *this);
      } else {
        value.emplace(call(*function, *this));
      }
    }
    PoolAwait* awaiter = nullptr;  // while it waits
    std::optional<Call> function;
    std::optional<std::conditional_t<std::is_void_v<Value>, std::monostate, Value>> value;
    std::exception_ptr thrown;
    std::atomic<Progress> progress{Progress::Waits};
  };

  // The frame goes, and what the function refers to with it (CP3). The job itself stays until the loop hears of its end.
  static void abandon(Owned& owned) {
    owned.awaiter = nullptr;
    if (!ThreadPool::shared().cancel(owned)) owned.progress.wait(Progress::Waits, std::memory_order_acquire);
    owned.value.reset();
    owned.function.reset();
  }
  void finish(int error) {
    if (error) error_ = error;
    resume();
  }
  Loop& await_loop() override { return loop_; }
  // Not over before the function is: the end comes by the job.
  bool withdraw() override {
    ThreadPool::shared().cancel(*owned_);
    error_ = ECANCELED;
    return false;
  }
  void set_error(int number) override { error_ = number; }

  Loop& loop_;
  std::unique_ptr<Owned> owned_;
  int error_ = 0;
};

// co_await: Result<what `work` returns>, also of void.
template <class Call>
PoolAwait<Call> on_pool(Loop& loop, Call work, JobClass job_class = JobClass::User, CancelToken token = {}) {
  return {loop, job_class, std::move(work), std::move(token)};
}

}  // namespace rondo
