// See nursery.h. An explicit instantiation of a template may name private members: the language's own way past `private`.
#include "engine/patches/nursery.h"

#include <algorithm>

namespace rondo::engine {

namespace {

template <auto Member, typename Tag>
struct Reveal {
  friend constexpr auto reveal(Tag) { return Member; }
};

// Layout: m_maxEdenSize, m_maxHeapSize, m_minBytesPerCycle, m_bytesAllocatedBeforeLastEdenCollect, m_sizeBeforeLastEdenCollect
struct Allowed {
  friend constexpr auto reveal(Allowed);
};
struct Planned {
  friend constexpr auto reveal(Planned);
};
struct Usual {
  friend constexpr auto reveal(Usual);
};
struct Allocated {
  friend constexpr auto reveal(Allocated);
};
struct Before {
  friend constexpr auto reveal(Before);
};
template struct Reveal<&JSC::Heap::m_maxEdenSize, Allowed>;
template struct Reveal<&JSC::Heap::m_maxHeapSize, Planned>;
template struct Reveal<&JSC::Heap::m_minBytesPerCycle, Usual>;
template struct Reveal<&JSC::Heap::m_bytesAllocatedBeforeLastEdenCollect, Allocated>;
template struct Reveal<&JSC::Heap::m_sizeBeforeLastEdenCollect, Before>;

constexpr size_t kLeast = size_t{8} << 20;
constexpr size_t kTimesSurvivors =
    32;  // what survives is marked once a collection, so that collections that find much must be rare

size_t less(size_t from, size_t what) { return from - std::min(from, what); }

}  // namespace

void begin_nursery(JSC::Heap& heap) {
  auto& allowed = heap.*reveal(Allowed());
  allowed = std::min(allowed, kLeast);
}

void resize_nursery(JSC::Heap& heap, JSC::CollectionScope scope) {
  auto& allowed = heap.*reveal(Allowed());
  const size_t usual = heap.*reveal(Usual());
  const bool is_full = scope == JSC::CollectionScope::Full;
  const size_t kept = is_full ? heap.sizeAfterLastFullCollection() : heap.sizeAfterLastEdenCollection();
  const size_t small = kLeast + kept / 2;
  if (is_full) {
    if (kept <= usual / 2) allowed = std::min(allowed, small);
    return;
  }
  const size_t allocated = heap.*reveal(Allocated());
  if (heap.capacity() < kept + allocated / 2)
    return;  // mostly strings and buffers, whose memory the allocator has at hand again
  const size_t before = heap.*reveal(Before());
  const size_t survived = less(allocated, less(before, kept));
  const bool is_first = before == allocated;  // most of what is kept then is the library's
  if (survived <= allocated / 4) {
    allowed = std::min(allowed, std::max(small, is_first ? 0 : survived * kTimesSurvivors));
  } else if (allocated < usual / 2 && kept < usual / 2) {
    // The heap grows. The engine adds what survives to the size that it plans, once a collection; without this one it would not have.
    auto& planned = heap.*reveal(Planned());
    planned = std::max(less(planned, survived), usual);
    allowed = std::min(allowed, less(planned, kept));
  }
}

}  // namespace rondo::engine
