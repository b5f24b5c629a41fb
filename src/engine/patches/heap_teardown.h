// Tells the engine's allocator that the heap of a VM is going as a whole: see heap_teardown.cpp.
#pragma once

namespace rondo::engine {

// A member of who owns a VM, before what destroys it. One at a time on a thread.
class EndingHeap {
 public:
  EndingHeap() = default;
  ~EndingHeap();
  EndingHeap(const EndingHeap&) = delete;
  EndingHeap& operator=(const EndingHeap&) = delete;

  // From now until this object goes, the heap that is freed on this thread is the one that ends.
  void begin();

 private:
  bool has_begun_ = false;
};

}  // namespace rondo::engine
