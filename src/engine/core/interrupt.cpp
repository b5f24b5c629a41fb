// See interrupt.h.
#include "engine/core/interrupt.h"

#include "engine/patches/thread_start.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <sched.h>
#include <vector>

namespace rondo::engine {

namespace {

std::atomic<bool> has_sigint{false};
void on_sigint(int) { has_sigint = true; }

}  // namespace

// The helper thread and its list. It lives as long as the process, from the first request on.
class Interrupter {
 public:
  static Interrupter& get() {
    static auto* const interrupter = new Interrupter;
    return *interrupter;
  }

  void begin_at(Interrupt& interrupt, WTF::MonotonicTime when) {
    const std::lock_guard lock(mutex_);
    start();
    if (!std::exchange(interrupt.is_listed_, true)) list_.push_back(&interrupt);
    interrupt.is_told_ = false;
    interrupt.next_ = when;
    changed_.notify_all();
  }

  // A handler can do no more than note the signal; the helper thread looks for it.
  void begin_on_sigint(Interrupt& interrupt) {
    const std::lock_guard lock(mutex_);
    start();
    interrupt.waits_for_sigint_ = true;
    if (!std::exchange(interrupt.is_listed_, true)) list_.push_back(&interrupt);
    if (sigint_waiters_++ == 0) {
      has_sigint = false;
      struct sigaction action{};
      action.sa_handler = on_sigint;
      action.sa_flags = SA_RESTART;
      sigemptyset(&action.sa_mask);
      sigaction(SIGINT, &action, &before_sigint_);
    }
    changed_.notify_all();
  }

  bool cancel(Interrupt& interrupt) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(interrupt.waits_for_sigint_, false) && --sigint_waiters_ == 0)
      sigaction(SIGINT, &before_sigint_, nullptr);
    if (std::exchange(interrupt.is_listed_, false)) std::erase(list_, &interrupt);
    // A signal that has been sent arrives when the thread enters the kernel, while the request is there.
    if (interrupt.signals_ != 0 && pthread_equal(interrupt.thread_, pthread_self())) sched_yield();
    if (!interrupt.has_begun_) return false;
    const bool is_last =
        std::ranges::none_of(list_, [&](auto* other) { return &other->vm_ == &interrupt.vm_ && other->has_begun_; });
    if (is_last) interrupt.vm_.traps().clearTrapBit(JSC::VMTraps::NeedTermination);
    return true;
  }

  JSC::VM* take_interrupted_vm() {
    const std::lock_guard lock(mutex_);
    for (auto* interrupt : list_)
      if (pthread_equal(interrupt->thread_, pthread_self()) && interrupt->wasm_.is_thrown.exchange(false))
        return &interrupt->vm_;
    return nullptr;
  }

  bool has_begun(const Interrupt& interrupt) {
    const std::lock_guard lock(mutex_);
    return interrupt.has_begun_;
  }
  bool has_begun_by_sigint(const Interrupt& interrupt) {
    const std::lock_guard lock(mutex_);
    return interrupt.is_by_sigint_;
  }

 private:
  void start() {
    if (std::exchange(is_started_, true)) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's threads
    pthread_t thread;
    const int error = pthread_create(
        &thread, nullptr,
        [](void* self) -> void* {
          pthread_setname_np(pthread_self(), "interrupter");
          static_cast<Interrupter*>(self)->run();
          return nullptr;
        },
        this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error) end_without_thread(error);
    pthread_detach(thread);
  }

  [[noreturn]] void run() {
    for (std::unique_lock lock(mutex_);;) {
      auto next = WTF::MonotonicTime::infinity();
      if (sigint_waiters_ > 0) next = WTF::MonotonicTime::now() + kSigintPeriod;
      if (has_sigint.exchange(false)) begin_innermost();
      for (auto* interrupt : list_) {
        if (interrupt->next_ <= WTF::MonotonicTime::now()) fire(*interrupt);
        next = std::min(next, interrupt->next_);
      }
      if (next == WTF::MonotonicTime::infinity()) {
        changed_.wait(lock);
      } else {
        const auto wait = std::max(next - WTF::MonotonicTime::now(), WTF::Seconds(0));
        changed_.wait_for(lock, std::chrono::duration<double>(std::min(wait, WTF::Seconds(3600)).seconds()));
      }
    }
  }

  // Of nested scripts that wait for the signal it ends the one that began last.
  void begin_innermost() {
    const auto last =
        std::ranges::find_if(list_.rbegin(), list_.rend(), [](auto* one) { return one->waits_for_sigint_; });
    if (last == list_.rend() || (*last)->has_begun_) return;
    (*last)->is_by_sigint_ = true;
    (*last)->next_ = WTF::MonotonicTime::now();
  }

  // A signal finds WebAssembly at a place where it can be ended about once in five times.
  void fire(Interrupt& interrupt) {
    constexpr unsigned kQuickSignals = 200;
    constexpr auto kSoon = WTF::Seconds::fromMilliseconds(1);
    constexpr auto kLater = WTF::Seconds::fromMilliseconds(20);
    interrupt.has_begun_ = true;
    if (!std::exchange(interrupt.is_told_, true)) interrupt.vm_.notifyNeedTermination();
    interrupt.next_ = WTF::MonotonicTime::infinity();
    if (!interrupt.vm_.traps().hasTrapBit(JSC::VMTraps::NeedTermination)) return;
    interrupt.wasm_.signal(interrupt.thread_);
    interrupt.next_ = WTF::MonotonicTime::now() + (interrupt.signals_++ < kQuickSignals ? kSoon : kLater);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Interrupt*> list_;
  bool is_started_ = false;
  static constexpr auto kSigintPeriod = WTF::Seconds::fromMilliseconds(10);
  int sigint_waiters_ = 0;
  struct sigaction before_sigint_{};
};

Interrupt::Interrupt(JSC::VM& vm) : vm_(vm), thread_(pthread_self()), wasm_(vm) { vm.ensureTerminationException(); }

void Interrupt::begin_at(WTF::MonotonicTime when) { Interrupter::get().begin_at(*this, when); }
void Interrupt::begin_on_sigint() { Interrupter::get().begin_on_sigint(*this); }
bool Interrupt::cancel() { return Interrupter::get().cancel(*this); }
bool Interrupt::has_begun() const { return Interrupter::get().has_begun(*this); }
bool Interrupt::has_begun_by_sigint() const { return Interrupter::get().has_begun_by_sigint(*this); }
JSC::VM* take_interrupted_vm() { return Interrupter::get().take_interrupted_vm(); }

}  // namespace rondo::engine
