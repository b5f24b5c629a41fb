// Time as a seam. All times are nanoseconds of a monotonic clock, as a plain signed 64-bit number:
// comparisons and arithmetic stay free, and 292 years are enough. Loops take a Clock*; null means the
// system's monotonic clock, read without a virtual call.
#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>

namespace [[gnu::visibility("default")]] rondo {

using Nanoseconds = std::int64_t;
using Duration = std::chrono::nanoseconds;

inline constexpr Nanoseconds kNever = INT64_MAX;

// A duration of any unit as an argument: 10ms, 1.5s, std::chrono::years(9). Rounded up to whole nanoseconds, so that nothing comes
// early; beyond 292 years it is cut, and what is not a number counts as zero.
class Delay {
 public:
  template <class Rep, class Period>
  constexpr Delay(std::chrono::duration<Rep, Period> duration) : nanoseconds_(reckon(duration)) {}
  constexpr Nanoseconds count() const { return nanoseconds_; }
  constexpr operator Duration() const { return Duration(nanoseconds_); }

 private:
  template <class Rep, class Period>
  static constexpr Nanoseconds reckon(std::chrono::duration<Rep, Period> duration) {
    if constexpr (std::is_same_v<std::chrono::duration<Rep, Period>, Duration>) {
      return duration.count();
    } else {
      const auto exact = std::chrono::duration<long double, std::nano>(duration).count();
      if (!(exact == exact)) return 0;
      constexpr auto kLongest = static_cast<long double>(kNever - 1);
      if (exact >= kLongest) return kNever - 1;
      if (exact <= -kLongest) return -(kNever - 1);
      const auto whole = static_cast<Nanoseconds>(exact);
      return static_cast<long double>(whole) < exact ? whole + 1 : whole;
    }
  }

  Nanoseconds nanoseconds_;
};

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
