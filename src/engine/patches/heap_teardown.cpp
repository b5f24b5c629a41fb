// A heap that ends. The engine frees a block of cells in two steps: it gives the block's pages back to the kernel, for a heap that goes
// on may not want the block for long, and with the heap's end marks them as used again and hands the block to the allocator. When the
// heap is going at that moment, the first step costs a worker some hundred system calls, and the next worker as many page faults
// on the same block, which the allocator would have kept at hand. The linker puts this function before the engine's
// (--wrap, see cmake/engine.cmake). The allocator's own thread gives back what nobody takes within a fraction of a second.
//
// The engine's function is told neither VM nor heap, so the thread remembers.
#include "engine/patches/heap_teardown.h"

#include <pthread.h>

#include <cstddef>

namespace {

pthread_key_t make_key() {
  pthread_key_t key;
  pthread_key_create(&key, nullptr);
  return key;
}

pthread_key_t ending_key() {
  static const pthread_key_t key = make_key();
  return key;
}

}  // namespace

namespace bmalloc {
enum class HeapKind;
}

extern "C" void __real__ZN7bmalloc3api23decommitAlignedPhysicalEPvmNS_8HeapKindE(void* begin, std::size_t size,
                                                                                 bmalloc::HeapKind kind);

extern "C" void __wrap__ZN7bmalloc3api23decommitAlignedPhysicalEPvmNS_8HeapKindE(void* begin, std::size_t size,
                                                                                 bmalloc::HeapKind kind) {
  if (pthread_getspecific(ending_key())) return;
  __real__ZN7bmalloc3api23decommitAlignedPhysicalEPvmNS_8HeapKindE(begin, size, kind);
}

namespace rondo::engine {

void EndingHeap::begin() {
  has_begun_ = true;
  pthread_setspecific(ending_key(), this);
}

EndingHeap::~EndingHeap() {
  if (has_begun_) pthread_setspecific(ending_key(), nullptr);
}

}  // namespace rondo::engine
