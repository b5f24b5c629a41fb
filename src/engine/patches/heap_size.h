// How much the collector's heap holds now. The engine tells the size after the last collection only; what was allocated since then
// stands in fields that it keeps to itself.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

struct HeapSize {
  size_t used = 0;  // cells and strings, without the memory of array buffers
  size_t array_buffers = 0;  // memory behind ArrayBuffers
};

HeapSize heap_size(JSC::Heap& heap);

// In bytes, the memory of array buffers included; it grows in steps of the allocator's blocks.
size_t allocated_since_collection(JSC::Heap& heap);

// Memory that the heap counts has left it: an ArrayBuffer was transferred. Else buffers that come and go by messages would bring on
// one collection after another, for nothing.
void memory_left(JSC::Heap& heap, size_t bytes);

}  // namespace rondo::engine
