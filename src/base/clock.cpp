// The system's monotonic clock, read through the vDSO. Called by loops that were given no Clock.
#include "rondo/base/clock.h"

#include <time.h>

namespace rondo {

Nanoseconds steady_now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace rondo
