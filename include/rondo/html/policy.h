// Step 1 leaves to the implementation which queue is served next; this is that choice. Whatever a policy says, the order within one
// queue, and so within one source, is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "rondo/html/task.h"

namespace rondo {
namespace [[gnu::visibility("default")]] html {

// A queue with a runnable task.
struct ReadyQueue {
  std::size_t index;
  std::uint64_t oldest;  // the id of its oldest runnable task
  TaskSource source;  // of that task
};

class ChoicePolicy {
 public:
  virtual ~ChoicePolicy() = default;
  // Which of `ready` (at least one) is served: a place in it.
  virtual std::size_t choose(std::span<const ReadyQueue> ready) = 0;
};

// The oldest task of all queues.
class FifoPolicy final : public ChoicePolicy {
 public:
  std::size_t choose(std::span<const ReadyQueue> ready) override;
};

// User interaction before all else, then the oldest; yet a queue that is ready all the time is served at least once in
// kPriorityBound choices, and one more for each source that was added to the Standard's.
inline constexpr std::size_t kPriorityBound = 16;
class PriorityPolicy final : public ChoicePolicy {
 public:
  std::size_t choose(std::span<const ReadyQueue> ready) override;

 private:
  std::size_t waited_[kMaxTaskSources] = {};  // choices since a queue that is ready was last served
};

// Any of them, as the seed says. For tests: every order that the Standard allows comes up under some seed.
class SeededPolicy final : public ChoicePolicy {
 public:
  explicit SeededPolicy(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::size_t choose(std::span<const ReadyQueue> ready) override;

 private:
  std::uint64_t state_;
};

// "fifo", "priority" or "seed:N"; null for anything else.
std::unique_ptr<ChoicePolicy> make_policy(std::string_view name);

}  // namespace html
}  // namespace rondo
