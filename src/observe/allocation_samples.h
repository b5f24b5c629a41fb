// Stacks of a runtime from where its program allocates, for the doctor: one for each so many bytes, so that a function that allocates twice as
// much is met twice as often. Owner: the runtime's Pulse, while a watcher wants them. The runtime's thread.
#pragma once

#include "engine/core/running_stack.h"
#include "engine/patches/allocation_watch.h"

#include "rondo/base/clock.h"

#include <functional>
#include <vector>

namespace rondo::observe {

class AllocationSamples final : public engine::AllocationWatch {
 public:
  // Called in the middle of an allocation: it must not touch the heap.
  using Told = std::function<void(const std::vector<engine::RunningFrame>& stack)>;

  AllocationSamples(JSC::VM& vm, Told told) : AllocationWatch(vm), vm_(vm), told_(std::move(told)) {}

 private:
  void on_allocation(void* cell, size_t bytes) override;

  JSC::VM& vm_;
  const Told told_;
  size_t bytes_ = 0, every_ = size_t{64} << 10;
  Nanoseconds last_ = 0;
};

}  // namespace rondo::observe
