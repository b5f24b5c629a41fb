// See heap_size.h. An explicit instantiation of a template may name private members: the language's own way past `private`.
#include "engine/patches/heap_size.h"

namespace rondo::engine {

namespace {

template <auto Member, typename Tag>
struct Reveal {
  friend constexpr auto reveal(Tag) { return Member; }
};

// Layout: m_sizeAfterLastCollect, m_bytesAllocatedThisCycle, m_arrayBuffers
struct AfterLast {
  friend constexpr auto reveal(AfterLast);
};
struct SinceThen {
  friend constexpr auto reveal(SinceThen);
};
struct Buffers {
  friend constexpr auto reveal(Buffers);
};
template struct Reveal<&JSC::Heap::m_sizeAfterLastCollect, AfterLast>;
template struct Reveal<&JSC::Heap::m_bytesAllocatedThisCycle, SinceThen>;
template struct Reveal<&JSC::Heap::m_arrayBuffers, Buffers>;

}  // namespace

HeapSize heap_size(JSC::Heap& heap) {
  // Both numbers count the memory of array buffers among the rest.
  const size_t all = heap.*reveal(AfterLast()) + heap.*reveal(SinceThen());
  const size_t buffers = (heap.*reveal(Buffers())).size();
  return {all > buffers ? all - buffers : 0, buffers};
}

size_t allocated_since_collection(JSC::Heap& heap) { return heap.*reveal(SinceThen()); }

void memory_left(JSC::Heap& heap, size_t bytes) {
  auto& since = heap.*reveal(SinceThen());
  since -= std::min(since, bytes);
}

}  // namespace rondo::engine
