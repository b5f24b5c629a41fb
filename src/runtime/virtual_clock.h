// The clock of --virtual-time: it stands still while anything runs and jumps to the next deadline when nothing is left to do before
// it. A run's times are exact, and waiting costs nothing. Only what is asked of the outside world takes real time: while such a request
// is under way (hold), the clock waits for it. Loop's thread only.
#pragma once

#include "rondo/base/clock.h"

namespace rondo::runtime {

class VirtualClock final : public Clock {
 public:
  Nanoseconds now() override { return now_; }
  bool skip_to(Nanoseconds deadline) override {
    if (holds_ > 0 || deadline == kNever) return false;
    if (deadline > now_) now_ = deadline;
    return true;
  }
  void advance(Nanoseconds by) { now_ += by; }

  void hold() { holds_++; }
  void release() { holds_--; }

  // For a program that asks for the time: one task that asks a thousand times is waiting, and would wait for ever.
  Nanoseconds read() {
    constexpr int kPatience = 1000;
    constexpr Nanoseconds kStep = 1'000'000;
    if (++readings_ > kPatience) now_ += kStep;
    return now_;
  }
  // Another task begins: its readings count anew.
  void forget_readings() { readings_ = 0; }

 private:
  Nanoseconds now_ = 0;
  int holds_ = 0;
  int readings_ = 0;
};

}  // namespace rondo::runtime
