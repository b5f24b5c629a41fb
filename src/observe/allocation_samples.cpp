// See allocation_samples.h.
#include "observe/allocation_samples.h"

#include "engine/patches/sampled_stack.h"

#include <algorithm>

namespace rondo::observe {

// As many bytes between two stacks as make some hundred stacks a second.
void AllocationSamples::on_allocation(void*, size_t bytes) {
  constexpr Nanoseconds kOften = 3'000'000, kSeldom = 30'000'000;
  constexpr size_t kFewest = size_t{16} << 10, kMostFrames = 64;
  bytes_ += bytes;
  if (bytes_ < every_) return;
  bytes_ = 0;
  const auto now = steady_now(), since = now - last_;
  last_ = now;
  if (since < kOften) every_ *= 2;
  if (since > kSeldom) every_ = std::max(kFewest, every_ / 2);
  told_(engine::stack_at_allocation(vm_, kMostFrames));
}

}  // namespace rondo::observe
