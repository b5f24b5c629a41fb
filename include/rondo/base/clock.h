// Time as a seam. All times are nanoseconds of a monotonic clock, as a plain signed 64-bit number:
// comparisons and arithmetic stay free, and 292 years are enough. Loops take a Clock*; null means the
// system's monotonic clock, read without a virtual call.
#pragma once

#include <chrono>
#include <cstdint>

namespace rondo {

using Nanoseconds = std::int64_t;
using Duration = std::chrono::nanoseconds;

inline constexpr Nanoseconds kNever = INT64_MAX;

// CLOCK_MONOTONIC.
Nanoseconds steady_now();

// May be read by the loop's thread only, unless the implementation says otherwise.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanoseconds now() = 0;

  // A virtual clock may jump instead of letting the loop sleep until `deadline` (kNever: no timer).
  // Returning true says that time has moved, so the loop does not block; false says "sleep for real".
  virtual bool skip_to(Nanoseconds deadline) = 0;
};

// Moves only when told to. With `auto_advance` a loop that has nothing to do before its next timer
// moves the clock there at once, so a day of timers runs in no time at all.
class ManualClock final : public Clock {
 public:
  enum class Mode { Manual, AutoAdvance };

  explicit ManualClock(Mode mode = Mode::Manual, Nanoseconds start = 0) : now_(start), mode_(mode) {}

  Nanoseconds now() override { return now_; }
  bool skip_to(Nanoseconds deadline) override {
    if (mode_ != Mode::AutoAdvance || deadline == kNever) return false;
    if (deadline > now_) now_ = deadline;
    return true;
  }
  void advance(Duration by) { now_ += by.count(); }

 private:
  Nanoseconds now_;
  Mode mode_;
};

}  // namespace rondo
