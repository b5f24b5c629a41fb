// Gives memory back when a program is idle after a burst of work: collects what it left behind, returns free pages to the system and lets go
// of the pages of the program file that hold the library, which are read once. Without it the garbage of a burst stays until the
// engine's next threshold, for ever in a server that nobody asks any more. Why: decision 0069.
//
// One a Runtime, on the loop's thread. Its timer runs only while there is something to give back, and never keeps the loop alive.
#pragma once

#include "engine/core/jsc.h"
#include "engine/patches/heap_size.h"

#include "rondo/timer.h"

#include <cstddef>

namespace rondo::runtime {

class Runtime;

class IdleCollection {
 public:
  explicit IdleCollection(Runtime& runtime);

  // After every turn: whether it is worth to come back later.
  void after_turn() {
    if (!is_armed_ && engine::allocated_since_collection(heap_) >= kWorthwhile) [[unlikely]]
      arm();
  }
  void stop() { timer_.stop(); }

 private:
  static constexpr size_t kWorthwhile = size_t{2} << 20;

  void arm();
  void look();
  void collect();

  Runtime& runtime_;
  JSC::Heap& heap_;
  Timer timer_;
  bool is_armed_ = false;
  size_t seen_ = 0;  // allocated since the last collection, at the last look
};

}  // namespace rondo::runtime
