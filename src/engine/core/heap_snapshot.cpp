// See heap_snapshot.h.
#include "engine/core/heap_snapshot.h"

#include <JavaScriptCore/HeapSnapshotBuilder.h>

namespace rondo::engine {

// A string has up to 2^31 characters, and building a longer one would end the process. A cell, and an element of an array, take four characters
// a byte of the heap at most.
constexpr size_t kLargestHeap = size_t{1} << 29;

WTF::String heap_snapshot(JSC::VM& vm) {
  if (vm.heap.size() > kLargestHeap) return {};
  JSC::HeapSnapshotBuilder builder(vm.ensureHeapProfiler());
  builder.buildSnapshot();
  return builder.json();
}

}  // namespace rondo::engine
