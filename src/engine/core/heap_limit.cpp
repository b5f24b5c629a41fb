// See heap_limit.h.
#include "engine/core/heap_limit.h"

#include "base/machine_memory.h"
#include "engine/patches/nursery.h"

#include <JavaScriptCore/MarkedBlockInlines.h>
#include <JavaScriptCore/PreciseAllocation.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace rondo::engine {

namespace {

// Bytes outside the heap that array buffers and typed arrays hold; each buffer once, however many views it has.
struct BufferCount {
  WTF::HashSet<JSC::ArrayBuffer*> seen;
  size_t bytes = 0;

  void add(JSC::ArrayBuffer* buffer) {
    if (buffer && seen.add(buffer).isNewEntry) bytes += buffer->byteLength();
  }
  void add(JSC::HeapCell* cell, JSC::HeapCell::Kind kind) {
    if (!JSC::isJSCellKind(kind)) return;
    auto* object = static_cast<JSC::JSCell*>(cell);
    if (auto* buffer = JSC::jsDynamicCast<JSC::JSArrayBuffer*>(object)) return add(buffer->impl());
    auto* view = JSC::jsDynamicCast<JSC::JSArrayBufferView*>(object);
    if (!view) return;
    if (view->hasArrayBuffer())
      add(view->possiblySharedBuffer());
    else if (view->mode() == JSC::OversizeTypedArray)
      bytes += view->byteLengthRaw();
  }
};

// For the end of a collection, when what is marked is what lives.
size_t buffer_bytes(JSC::MarkedSpace& space) {
  BufferCount count;
  for (auto* block : space.blocks().set())
    block->handle().forEachMarkedCell([&](size_t, JSC::HeapCell* cell, JSC::HeapCell::Kind kind) {
      count.add(cell, kind);
      return IterationStatus::Continue;
    });
  for (auto* allocation : space.preciseAllocations())
    if (allocation->isMarked()) count.add(allocation->cell(), allocation->attributes().cellKind);
  return count.bytes;
}

}  // namespace

uint64_t default_heap_limit() {
  // A group of almost no memory: what the library itself needs, and the kernel decides about the rest.
  constexpr uint64_t kLeast = uint64_t{32} << 20;
  static const uint64_t limit =
      std::max(usable_memory() / 2, kLeast);  // a dozen files of the kernel's, which each worker would read again
  return limit;
}

HeapLimit::HeapLimit(JSC::VM& vm, uint64_t limit, std::function<void()> on_reached)
    : vm_(vm), limit_(limit), on_reached_(std::move(on_reached)) {
  vm_.heap.addObserver(this);
  begin_nursery(vm_.heap);
}

HeapLimit::~HeapLimit() { vm_.heap.removeObserver(this); }

void HeapLimit::didGarbageCollect(JSC::CollectionScope scope) {
  resize_nursery(vm_.heap, scope);
  if (scope != JSC::CollectionScope::Full) return;
  const size_t kept = vm_.heap.sizeAfterLastFullCollection();
  if (kept <= limit_) return;
  const size_t buffers = std::min(kept, buffer_bytes(vm_.heap.objectSpace()));
  if (kept - buffers <= limit_) return;
  if (on_reached_) return on_reached_();
  constexpr double kMegabyte = 1024 * 1024;
  fprintf(stderr,
          "\n<--- Last few GCs --->\n\n"
          "[%d] Mark-Compact: %.1f MB kept, limit %.1f MB (--max-old-space-size sets it)\n\n"
          "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
          getpid(), static_cast<double>(kept - buffers) / kMegabyte, static_cast<double>(limit_) / kMegabyte);
  abort();
}

}  // namespace rondo::engine
