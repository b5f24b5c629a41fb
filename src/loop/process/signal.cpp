// The process-wide table of signal watchers, its handler, and the Signal handle over it.
//
// The table is guarded by a spin lock that is only ever taken with all signals blocked: by the handler
// (its sa_mask is full) and by start/stop. So its holder cannot be interrupted by a handler that
// wants it, nor be suspended by a collector's signal while it holds it.
#include "rondo/signal.h"

#include <pthread.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <utility>

#include "loop/explore/record_poller.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr int kSignals = 65;  // numbers 1...64

struct Entry {
  Signal* first = nullptr;
  struct sigaction before{};
};

}  // namespace

struct SignalTable {
  static void handle(int number);
  static Result<void> add(Signal& signal, int number);
  static void remove(Signal& signal);

  static inline std::array<Entry, kSignals> entries;
  static inline std::atomic_flag locked = ATOMIC_FLAG_INIT;

  // Blocks every signal on this thread, then takes the lock.
  class Lock {
   public:
    Lock() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &saved_);
      acquire();
    }
    ~Lock() {
      release();
      pthread_sigmask(SIG_SETMASK, &saved_, nullptr);
    }

   private:
    sigset_t saved_;
  };

  static void acquire() {
    while (locked.test_and_set(std::memory_order_acquire)) {
    }
  }
  static void release() { locked.clear(std::memory_order_release); }
};

void SignalTable::handle(int number) {
  const int saved = errno;
  acquire();
  for (Signal* signal = entries[static_cast<std::size_t>(number)].first; signal; signal = signal->next_) {
    signal->caught_.fetch_add(1, std::memory_order_release);
    signal->wake_.send();
  }
  release();
  if (Recording::current()) [[unlikely]]
    note_recorded_signal(number);
  errno = saved;
}

Result<void> SignalTable::add(Signal& signal, int number) {
  Lock lock;
  Entry& entry = entries[static_cast<std::size_t>(number)];
  if (!entry.first) {
    struct sigaction action{};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    if (sigaction(number, &action, &entry.before) < 0) return last_failure("sigaction");
  }
  signal.previous_ = nullptr;
  signal.next_ = entry.first;
  if (entry.first) entry.first->previous_ = &signal;
  entry.first = &signal;
  signal.number_ = number;
  return {};
}

void SignalTable::remove(Signal& signal) {
  Lock lock;
  const int number = std::exchange(signal.number_, 0);
  Entry& entry = entries[static_cast<std::size_t>(number)];
  (signal.previous_ ? signal.previous_->next_ : entry.first) = signal.next_;
  if (signal.next_) signal.next_->previous_ = signal.previous_;
  signal.next_ = signal.previous_ = nullptr;
  if (!entry.first) sigaction(number, &entry.before, nullptr);
}

Signal::Signal(Loop& loop) : Handle(loop, HandleKind::Signal), wake_(loop, [this] { deliver(); }) { wake_.unref(); }

Signal::~Signal() { stop(); }

Result<void> Signal::start(int number, Function<void(int)> callback, Repeat repeat) {
  if (is_closing() || number <= 0 || number >= kSignals) return failure(EINVAL, "sigaction");
  if (number != number_) {
    if (number_) SignalTable::remove(*this);
    caught_.store(0, std::memory_order_relaxed);
    if (Result<void> added = SignalTable::add(*this, number); !added) {
      deactivate();
      return added;
    }
  }
  on_signal_.set(std::move(callback));
  repeat_ = repeat;
  activate();
  return {};
}

void Signal::stop() {
  if (number_) SignalTable::remove(*this);
  deactivate();
}

void Signal::begin_close() {
  stop();
  wake_.close();
}

void Signal::deliver() {
  const std::uint32_t count = caught_.load(std::memory_order_acquire);
  const int number = number_;
  Loop& loop = *loop_;
  const std::uint32_t handle_id = id();
  for (std::uint32_t i = 0; i < count; i++) {
    if (number_ != number || number == 0) return;  // stopped, closed or moved by the call before
    if (caught_.load(std::memory_order_relaxed) == 0) return;  // stopped and started anew by it
    caught_.fetch_sub(1, std::memory_order_relaxed);
    if (repeat_ == Repeat::Once) stop();
    bool exists = true;
    detail::LoopAccess::observed(loop, HandleKind::Signal, handle_id, [&] { exists = on_signal_(number); });
    if (!exists) return;
  }
}

}  // namespace rondo
