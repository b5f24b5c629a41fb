// The clock of --virtual-time: it stands still while anything runs and jumps to the next deadline when nothing is left to do before
// it. A run's times are exact, and waiting costs nothing. Only what is asked of the outside world takes real time: while such a request
// is under way (hold), the clock waits for it.
//
// The agents of a run, a page and its workers, share one time (VirtualTime): it moves when all of them wait and no message is on its way between
// them (its sender holds, its receiver releases). Each agent has a VirtualClock, its own thread's; VirtualTime is any thread's.
#pragma once

#include "rondo/base/clock.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace rondo::runtime {

class VirtualClock;

class VirtualTime {
 public:
  Nanoseconds now() const { return now_.load(std::memory_order_relaxed); }
  void advance(Nanoseconds by) { now_.fetch_add(by, std::memory_order_relaxed); }
  // Any thread; one agent's clock releases it (VirtualClock::release).
  void hold();

 private:
  friend class VirtualClock;
  // With the mutex held: moves on if everybody waits, and wakes those whose time has come.
  void settle(const VirtualClock* caller);

  std::atomic<Nanoseconds> now_{0};
  std::mutex mutex_;
  std::vector<VirtualClock*> clocks_;
  int holds_ = 0;
};

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(std::shared_ptr<VirtualTime> time = std::make_shared<VirtualTime>());
  ~VirtualClock() override;
  VirtualClock(const VirtualClock&) = delete;
  VirtualClock& operator=(const VirtualClock&) = delete;

  const std::shared_ptr<VirtualTime>& time() const { return time_; }
  // How its loop is woken, from any thread; nothing when it must not be any more.
  void wake_with(std::function<void()> wake);

  Nanoseconds now() override { return time_->now(); }
  bool skip_to(Nanoseconds deadline) override;
  void advance(Nanoseconds by) { time_->advance(by); }

  void hold() { time_->hold(); }
  void release();

  // For a program that asks for the time: one task that asks a thousand times is waiting, and would wait for ever.
  Nanoseconds read() {
    constexpr int kPatience = 1000;
    constexpr Nanoseconds kStep = 1'000'000;
    if (++readings_ > kPatience) advance(kStep);
    return now();
  }
  // Another task begins: its readings count anew.
  void forget_readings() { readings_ = 0; }

 private:
  friend class VirtualTime;

  const std::shared_ptr<VirtualTime> time_;
  int readings_ = 0;
  // Under the time's mutex.
  std::function<void()> wake_;
  bool is_waiting_ = false;
  Nanoseconds deadline_ = kNever;
};

}  // namespace rondo::runtime
