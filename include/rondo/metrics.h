// Counters of a loop, of work done and work pending: a snapshot, taken on the loop's thread. Cheap counters are always kept; times
// of phases only after Loop::measure_phases(), because they cost two looks at the clock a phase.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rondo/base/clock.h"
#include "rondo/kinds.h"

namespace [[gnu::visibility("default")]] rondo {

struct LoopMetrics {
  std::uint64_t iterations = 0;
  std::uint64_t waits = 0;  // times the loop was allowed to block in poll
  std::uint64_t events = 0;  // completions, wake-ups, posted functions and finished jobs handed out
  std::uint64_t events_deferred = 0;  // visits of poll that ended because the budget was spent
  Nanoseconds idle_time = 0;  // spent waiting in poll
  std::array<Nanoseconds, 8> phase_time{};  // indexed by Phase; poll's includes the waiting

  // Now.
  std::size_t timers = 0;
  std::size_t pending = 0;
  std::size_t active_handles = 0;
  std::size_t active_operations = 0;
  std::size_t jobs_in_flight = 0;

  Nanoseconds time_in(Phase phase) const { return phase_time[static_cast<std::size_t>(phase)]; }
};

}  // namespace rondo
