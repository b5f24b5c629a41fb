// A sampling profile of a VM's heap: the stacks that allocated the objects that live, in the form that Chrome opens (.heapprofile). The
// engine tells of one allocation a block (16 kilobytes of cells) and of each large cell; each stands for the bytes around it. Memory
// outside of the heap (characters of strings, array buffers) is not in it.
//
// Thread: the VM's; the engine calls the heap's observer on whichever thread collects, with the others stopped.
#pragma once

#include "engine/core/profile_tree.h"
#include "engine/patches/allocation_watch.h"

#include <JavaScriptCore/HeapObserver.h>
#include <wtf/WeakRandom.h>

#include <mutex>
#include <unordered_map>

namespace rondo::engine {

struct HeapProfileOptions {
  size_t interval = 512 * 1024;  // bytes between two samples, about
  size_t most_frames = 128;
  bool keeps_dead = false;  // found dead by a full collection
  bool keeps_dead_young = false;  // by one of young objects
};

class HeapProfiler final : private AllocationWatch, private JSC::HeapObserver {
 public:
  HeapProfiler(JSC::VM& vm, HeapProfileOptions options);
  ~HeapProfiler() override;

  // The profile so far, as JSON. Addresses of scripts are as stacks show them.
  std::string text();

 private:
  struct Sample {
    void* cell = nullptr;  // null once it is dead
    uint32_t node = 0;
    size_t bytes = 0;
    uint32_t number = 0;
  };

  void on_allocation(void* cell, size_t bytes) override;
  void willGarbageCollect() override {}
  void didGarbageCollect(JSC::CollectionScope scope) override;
  uint32_t current_node();
  void write_node(WTF::StringBuilder& out, uint32_t node, const std::vector<size_t>& sizes) const;

  JSC::VM& vm_;
  const HeapProfileOptions options_;
  WTF::WeakRandom random_;
  size_t bytes_ = 0;  // since the last sample
  size_t next_ = 0;
  uint32_t last_number_ = 0;
  std::mutex mutex_;  // guards the list
  std::vector<Sample> samples_;
  ProfileTree tree_;
  std::unordered_map<uint64_t, uint32_t> frame_numbers_;  // script and place → frame
};

}  // namespace rondo::engine
