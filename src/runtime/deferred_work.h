// The engine's work in the background that ends in JavaScript: WebAssembly compiled on its threads, Atomics.waitAsync. The engine
// has a run loop of its own for that, which nobody turns here; this hands the ends to our loop, each as a turn, and keeps the
// loop alive until then. (A waiter of Atomics does not: nobody may ever wake it.) Waits with a time-out
// end by a timer of our loop.
//
// Owner: the Runtime. Thread: the loop's; the engine's threads only post.
#pragma once

#include <memory>

namespace rondo::runtime {

class Runtime;

class DeferredWork {
 public:
  explicit DeferredWork(Runtime& runtime);
  ~DeferredWork();
  DeferredWork(const DeferredWork&) = delete;
  DeferredWork& operator=(const DeferredWork&) = delete;

 private:
  struct State;
  std::shared_ptr<State> state_;  // a post under way may outlive us
};

}  // namespace rondo::runtime
