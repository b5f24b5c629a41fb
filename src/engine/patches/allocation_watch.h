// Allocations in a VM's heap, now and then: the engine's slow paths, which it takes once for each block of cells that it begins, and for
// each large cell. Without a watcher, which is the rule, this costs one load there.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// Made and destroyed on the VM's thread. One a VM: a second one is told nothing.
class AllocationWatch {
 public:
  explicit AllocationWatch(JSC::VM& vm);
  virtual ~AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  // The VM's thread. `bytes`: of a large cell, or of all cells in the block that begins with this one. The cell is not initialized yet: nothing
  // may be allocated in the heap, and nothing may be thrown.
  virtual void on_allocation(void* cell, size_t bytes) = 0;

 private:
  JSC::VM& vm_;
};

}  // namespace rondo::engine
