// A log of collections while one is asked for: each collection's kind, time and the heap before and after. For v8.GCProfiler.
//
// Thread: the VM's; the engine calls the observer on whichever thread collects, with the others stopped.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/HeapObserver.h>

#include <mutex>
#include <vector>

namespace rondo::engine {

class GcLog final : private JSC::HeapObserver {
 public:
  struct Collection {
    bool is_full = false;
    double begun_at = 0;  // microseconds on the monotonic clock
    double microseconds = 0;
    size_t before = 0;  // bytes in use
    size_t after = 0;
  };

  explicit GcLog(JSC::VM& vm);
  ~GcLog() override;
  GcLog(const GcLog&) = delete;
  GcLog& operator=(const GcLog&) = delete;

  std::vector<Collection> take();

 private:
  void willGarbageCollect() override;
  void didGarbageCollect(JSC::CollectionScope scope) override;

  JSC::VM& vm_;
  std::mutex mutex_;
  WTF::MonotonicTime begin_;
  size_t before_ = 0;
  std::vector<Collection> collections_;
};

}  // namespace rondo::engine
