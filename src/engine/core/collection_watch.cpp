// See collection_watch.h.
#include "engine/core/collection_watch.h"

#include "rondo/base/clock.h"

namespace rondo::engine {

CollectionWatch::CollectionWatch(JSC::VM& vm) : vm_(vm), left_(vm.heap.sizeAfterLastFullCollection()) {
  vm.heap.addObserver(this);
}
CollectionWatch::~CollectionWatch() { vm_.heap.removeObserver(this); }

void CollectionWatch::set_on_collection(std::function<void()> told) {
  const std::lock_guard lock(mutex_);
  on_collection_ = std::move(told);
}

void CollectionWatch::willGarbageCollect() {
  from_ = steady_now();
  const std::lock_guard lock(mutex_);
  if (on_collection_) on_collection_();
}

void CollectionWatch::didGarbageCollect(JSC::CollectionScope scope) {
  count_++;
  nanoseconds_ += steady_now() - from_;
  const bool is_full = scope == JSC::CollectionScope::Full;
  left_ = is_full ? vm_.heap.sizeAfterLastFullCollection() : vm_.heap.sizeAfterLastEdenCollection();
}

}  // namespace rondo::engine
