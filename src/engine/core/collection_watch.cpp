// See collection_watch.h.
#include "engine/core/collection_watch.h"

#include "rondo/base/clock.h"

namespace rondo::engine {

CollectionWatch::CollectionWatch(JSC::VM& vm) : vm_(vm), left_(vm.heap.sizeAfterLastFullCollection()) {
  vm.heap.addObserver(this);
}
CollectionWatch::~CollectionWatch() { vm_.heap.removeObserver(this); }

void CollectionWatch::willGarbageCollect() { from_ = steady_now(); }

void CollectionWatch::didGarbageCollect(JSC::CollectionScope scope) {
  count_++;
  nanoseconds_ += steady_now() - from_;
  const bool is_full = scope == JSC::CollectionScope::Full;
  left_ = is_full ? vm_.heap.sizeAfterLastFullCollection() : vm_.heap.sizeAfterLastEdenCollection();
}

}  // namespace rondo::engine
