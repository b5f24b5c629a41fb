// Random lives of handles, by seeds: every callback starts, stops, sends, closes and destroys handles at random, its own and others,
// among them those that are to be called next. Held against a simple model of each:
//   - a callback comes only while the model says that it may, and never after stop, close or destruction;
//   - each close callback comes once, unless the handle was destroyed before; each posted, deferred or finished function once;
//   - the loop counts as alive what the model does.
// With Signal in its name, because the thread sanitizer delivers signals late.
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "loop/sim/seeds.h"
#include "rondo/loop.h"
#include "rondo/signal.h"

namespace rondo {
namespace {

// The model of one handle. Callbacks hold it, so it outlives the handle.
struct Life {
  HandleKind kind;
  bool is_active = false;
  bool has_ref = true;
  bool is_closed = false;
  bool is_destroyed = false;
  bool repeats = false;  // Timer
  int due = 0;  // Async: sends; Signal: deliveries
};

class Lives {
 public:
  Lives(const char* poller, std::uint64_t seed)
      : clock_(ManualClock::Mode::Manual, 1), loop_({.clock = &clock_, .poller = poller}), random_(seed) {}

  std::string run() {
    slots_.resize(12);
    for (int round = 0; round < 60 && breach_.empty(); round++) {
      act();
      clock_.advance(Duration(random_() % 2'000'000));
      loop_.run(RunMode::NoWait);
      check();
    }
    is_ending_ = true;
    for (Slot& slot : slots_) {
      if (random_() % 2) close(slot);
      destroy_unless_closing(slot);
    }
    while (loop_.run() && breach_.empty()) check();
    slots_.clear();
    if (breach_.empty() && once_begun_ != once_ran_) return "of functions that run once some did not";
    if (breach_.empty() && loop_.active_handles() != 0) return "handles left active";
    return breach_;
  }

 private:
  struct Slot {
    std::unique_ptr<Handle> handle;
    std::shared_ptr<Life> life;
  };

  Slot& any() { return slots_[random_() % slots_.size()]; }
  void breach(const std::string& what) {
    if (breach_.empty()) breach_ = what;
  }
  void check() {
    std::size_t expected = 0;
    for (const Slot& slot : slots_) expected += slot.handle && slot.life->is_active && slot.life->has_ref;
    if (loop_.active_handles() != expected) {
      breach("the loop counts " + std::to_string(loop_.active_handles()) + " handles, the model " +
             std::to_string(expected));
    }
  }

  // Each callback of a handle begins here.
  void called(const std::shared_ptr<Life>& life) {
    if (!life->is_active) breach("called while inactive");
    if (life->is_closed || life->is_destroyed) breach("called after its end");
    const bool counts = life->kind == HandleKind::Async || life->kind == HandleKind::Signal;
    if (counts && life->due == 0) breach("called without a reason");
    if (life->kind == HandleKind::Async) life->due = 0;
    if (life->kind == HandleKind::Signal) life->due--;
    if (life->kind == HandleKind::Timer) life->is_active = life->repeats;
    for (std::uint64_t i = random_() % 3; i > 0 && !is_ending_; i--) act();
    if (is_ending_ && life->kind != HandleKind::Async && !life->is_destroyed) stop_by(life);
  }
  void stop_by(const std::shared_ptr<Life>& life) {
    for (Slot& slot : slots_) {
      if (slot.life == life) stop(slot);
    }
  }

  void act() {
    Slot& slot = any();
    switch (random_() % 12) {
      case 0:
      case 1:
      case 2:
        return slot.handle ? start(slot) : make(slot);
      case 3:
        return stop(slot);
      case 4:
        return close(slot);
      case 5:
        return destroy(slot);
      case 6:
        return send(slot);
      case 7:
        return raise_signal();
      case 8:
        if (!slot.handle) return;
        slot.life->has_ref = !slot.life->has_ref;
        return slot.life->has_ref ? slot.handle->ref() : slot.handle->unref();
      case 9:
        once_begun_++;
        return loop_.post([this] { once(); });
      case 10:
        once_begun_++;
        return loop_.defer([this] { once(); });
      default:
        once_begun_++;
        return run_on_pool(loop_, JobClass::User, [] {}, [this] { once(); });
    }
  }
  void once() {
    once_ran_++;
    if (!is_ending_) act();
  }

  void make(Slot& slot) {
    auto life = std::make_shared<Life>();
    switch (random_() % 6) {
      case 0:
        slot.handle = std::make_unique<Timer>(loop_);
        break;
      case 1:
        slot.handle = std::make_unique<Idle>(loop_);
        break;
      case 2:
        slot.handle = std::make_unique<Prepare>(loop_);
        break;
      case 3:
        slot.handle = std::make_unique<Check>(loop_);
        break;
      case 4:
        slot.handle = std::make_unique<Async>(loop_, [this, life] { called(life); });
        life->is_active = true;
        break;
      default:
        slot.handle = std::make_unique<Signal>(loop_);
    }
    life->kind = slot.handle->kind();
    slot.life = std::move(life);
    start(slot);
  }
  void start(Slot& slot) {
    if (slot.life->kind == HandleKind::Async) return;
    const std::shared_ptr<Life> life = slot.life;
    const auto callback = [this, life] { called(life); };
    if (life->kind == HandleKind::Timer) {
      const Duration period(random_() % 2 ? 0 : 1 + random_() % 3'000'000);
      life->repeats = period.count() > 0;
      static_cast<Timer&>(*slot.handle).start(Duration(random_() % 3'000'000), callback, period);
    } else if (life->kind == HandleKind::Signal) {
      if (!life->is_active) life->due = 0;
      static_cast<void>(static_cast<Signal&>(*slot.handle).start(SIGUSR2, [callback](int) { callback(); }));
    } else {
      static_cast<PhaseHandle&>(*slot.handle).start(callback);
    }
    life->is_active = !life->is_closed;
  }
  void stop(Slot& slot) {
    if (!slot.handle || slot.life->kind == HandleKind::Async) return;
    if (slot.life->kind == HandleKind::Timer) {
      static_cast<Timer&>(*slot.handle).stop();
    } else if (slot.life->kind == HandleKind::Signal) {
      static_cast<Signal&>(*slot.handle).stop();
    } else {
      static_cast<PhaseHandle&>(*slot.handle).stop();
    }
    slot.life->is_active = false;
  }
  void close(Slot& slot) {
    if (!slot.handle || slot.life->is_closed) return;
    slot.life->is_active = false;
    slot.life->is_closed = true;
    slot.handle->close([this, &slot, life = slot.life] {
      if (life->is_destroyed) breach("closed after destruction");
      if (slot.life == life) destroy(slot);
    });
  }
  void destroy(Slot& slot) {
    if (!slot.handle) return;
    slot.life->is_destroyed = true;
    slot.life->is_active = false;
    const std::shared_ptr<Life> life = std::move(slot.life);
    const std::unique_ptr<Handle> last = std::move(slot.handle);
  }
  void destroy_unless_closing(Slot& slot) {
    if (slot.handle && !slot.life->is_closed) destroy(slot);
  }
  void send(Slot& slot) {
    if (!slot.handle || slot.life->kind != HandleKind::Async) return;
    static_cast<Async&>(*slot.handle).send();
    if (!slot.life->is_closed) slot.life->due++;
  }
  void raise_signal() {
    bool is_watched = false;
    for (Slot& slot : slots_) {
      if (!slot.handle || slot.life->kind != HandleKind::Signal || !slot.life->is_active) continue;
      slot.life->due++;
      is_watched = true;
    }
    if (is_watched) raise(SIGUSR2);
  }

  ManualClock clock_;
  Loop loop_;
  std::mt19937_64 random_;
  std::vector<Slot> slots_;
  std::string breach_;
  std::size_t once_begun_ = 0, once_ran_ = 0;
  bool is_ending_ = false;
};

class RandomHandlesTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pollers, RandomHandlesTest, ::testing::Values("epoll", "uring"));

TEST_P(RandomHandlesTest, S130_handles_and_Signals_live_as_the_model_says) {
  testing::run_seeds(testing::Seeds(500), [](std::uint64_t seed) { return Lives(GetParam(), seed).run(); });
}

}  // namespace
}  // namespace rondo
