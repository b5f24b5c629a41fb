// Every choice that the outside world makes for a loop, as one question. Absent in production. A
// simulated poller, an explorer or a replayer plugs in to answer instead of chance. Called on the
// loop's thread only.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] rondo {

enum class Choice : std::uint8_t {
  Completion,     // which of `count` ready completions is delivered first
  Latency,        // how long an operation takes, in units the asker defines
  PoolJob,        // which of `count` running pool jobs ends first
  TransferSize,   // how many of `count` bytes a read or write moves
  Fault,          // 0: none; else one of `count` - 1 faults the asker lists
  ClockStep,      // how far the clock moves while nothing happens, in units the asker defines
};

class Decider {
 public:
  virtual ~Decider() = default;
  // Returns a number in [0, count). `count` is at least 1.
  virtual std::uint32_t choose(Choice choice, std::uint32_t count) = 0;
};

}  // namespace rondo
