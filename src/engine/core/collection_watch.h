// Counts of a VM's collections, for observers: how many, how long they took, what was left. Any thread reads; whatever thread collects
// writes. Made and destroyed on the VM's thread.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/HeapObserver.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace rondo::engine {

class CollectionWatch final : private JSC::HeapObserver {
 public:
  explicit CollectionWatch(JSC::VM& vm);
  ~CollectionWatch() override;
  CollectionWatch(const CollectionWatch&) = delete;
  CollectionWatch& operator=(const CollectionWatch&) = delete;

  uint32_t count() const { return count_.load(std::memory_order_relaxed); }
  int64_t nanoseconds() const { return nanoseconds_.load(std::memory_order_relaxed); }
  uint64_t bytes_left() const { return left_.load(std::memory_order_relaxed); }
  // `told` is called when a collection begins, on whatever thread collects; null: no more. The program's thread is where it allocates.
  void set_on_collection(std::function<void()> told);

 private:
  void willGarbageCollect() override;
  void didGarbageCollect(JSC::CollectionScope scope) override;

  JSC::VM& vm_;
  std::atomic<uint32_t> count_ = 0;
  std::atomic<int64_t> nanoseconds_ = 0, from_ = 0;
  std::atomic<uint64_t> left_ = 0;
  std::mutex mutex_;  // guards the function
  std::function<void()> on_collection_;
};

}  // namespace rondo::engine
