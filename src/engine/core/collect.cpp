// See collect.h.
#include "engine/core/collect.h"

#include <wtf/FastMalloc.h>

namespace rondo::engine {

void collect_when_idle(JSC::VM& vm) {
  constexpr size_t kSmallHeap = size_t{16} << 20;  // up to here a whole collection takes a few milliseconds
  const bool is_small = vm.heap.size() <= kSmallHeap;
  vm.heap.collectNow(JSC::Sync, is_small ? JSC::CollectionScope::Full : JSC::CollectionScope::Eden);
  WTF::releaseFastMallocFreeMemory();
}

}  // namespace rondo::engine
