// The stack of a VM's thread as another thread sees it while that thread is inside native code, a regular expression or WebAssembly, where
// thread_calls.h gets no answer. The engine's sampling profiler stops the thread for a moment and walks its frames; this one belongs to
// nobody else, and never samples by itself.
//
// Functions without code (the native one itself) are left out; a place in optimised code may be that of an earlier call of its function.
#pragma once

#include "engine/core/running_stack.h"

#include <memory>
#include <vector>

namespace rondo::engine {

struct SampledStack {
  std::vector<RunningFrame> frames;  // innermost first
  bool is_in_native = false;  // the thread was outside JavaScript's own code
};

// Made and destroyed on the VM's thread.
class StackSampler {
 public:
  explicit StackSampler(JSC::VM& vm);
  ~StackSampler();
  StackSampler(const StackSampler&) = delete;
  StackSampler& operator=(const StackSampler&) = delete;

  // Any other thread. Empty: the thread runs no JavaScript, or was between two calls.
  SampledStack take(size_t most);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The VM's thread, also in the middle of an allocation: this makes nothing in the heap. The frames are as those of a sampler.
std::vector<RunningFrame> stack_at_allocation(JSC::VM& vm, size_t most);

}  // namespace rondo::engine
