// See gc_log.h.
#include "engine/core/gc_log.h"

namespace rondo::engine {

GcLog::GcLog(JSC::VM& vm) : vm_(vm) { vm_.heap.addObserver(this); }

GcLog::~GcLog() { vm_.heap.removeObserver(this); }

void GcLog::willGarbageCollect() {
  const std::lock_guard lock(mutex_);
  begin_ = WTF::MonotonicTime::now();
  before_ = vm_.heap.size();
}

void GcLog::didGarbageCollect(JSC::CollectionScope scope) {
  const std::lock_guard lock(mutex_);
  collections_.push_back({.is_full = scope == JSC::CollectionScope::Full,
                          .begun_at = begin_.secondsSinceEpoch().microseconds(),
                          .microseconds = (WTF::MonotonicTime::now() - begin_).microseconds(),
                          .before = before_,
                          .after = vm_.heap.size()});
}

std::vector<GcLog::Collection> GcLog::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(collections_, {});
}

}  // namespace rondo::engine
