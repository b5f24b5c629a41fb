// The time of records: the monotonic clock at a third of its price, for a writer that reads it some hundred thousand times a second. Where the
// processor's time stamp counter runs at one rate and Linux keeps its own clock by it, a reading is that counter, set by the monotonic clock
// every few milliseconds; elsewhere it is the monotonic clock itself.
//
// Thread: one.
#pragma once

#include "rondo/base/clock.h"

#include <cstdint>

namespace rondo::observe {

class RecordClock {
 public:
  RecordClock();

  // On the scale of steady_now(), within some microseconds of it; never less than before.
  Nanoseconds now();

 private:
  Nanoseconds set(uint64_t count);

  bool is_fast_ = false;
  // A reading of both clocks, and how many nanoseconds one count is.
  uint64_t at_count_ = 0, next_set_ = 0;
  Nanoseconds at_time_ = 0;
  double ns_per_count_ = 0;
  Nanoseconds last_ = 0;
};

}  // namespace rondo::observe
