#include "observe/record_clock.h"

#include <gtest/gtest.h>

namespace rondo::observe {
namespace {

// Each reading lies between two of the monotonic clock, but for some microseconds, and none is less than the one before.
TEST(RecordClock, AgreesWithTheMonotonicClock) {
  constexpr Nanoseconds kRun = 60'000'000, kOff = 50'000;
  RecordClock clock;
  Nanoseconds last = 0;
  for (const Nanoseconds end = steady_now() + kRun; steady_now() < end;) {
    const Nanoseconds before = steady_now();
    const Nanoseconds now = clock.now();
    const Nanoseconds after = steady_now();
    ASSERT_GE(now, last);
    ASSERT_GE(now, before - kOff);
    ASSERT_LE(now, after + kOff);
    last = now;
  }
}

}  // namespace
}  // namespace rondo::observe
