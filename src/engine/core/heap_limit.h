// The end of a program that keeps too much: when what a whole collection leaves is more than the limit, the process says so in
// Node's words and aborts (exit code 134), before the kernel's killer ends it without a word. Objects, strings and code count,
// as in Node's old space; the contents of array buffers do not. A worker's limit ends the worker alone.
//
// One a VM. The limit is looked at after collections only: between them garbage may grow the process beyond it.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/HeapObserver.h>

#include <cstdint>
#include <functional>

namespace rondo::engine {

// Without a word from the user: half of what the process may use. The other half is for buffers, code and garbage not yet collected.
uint64_t default_heap_limit();

class HeapLimit final : private JSC::HeapObserver {
 public:
  // on_reached: called in place of the end of the process, by whatever thread collects, with the program stopped.
  HeapLimit(JSC::VM& vm, uint64_t limit, std::function<void()> on_reached = {});
  ~HeapLimit() override;
  uint64_t bytes() const { return limit_; }

 private:
  void willGarbageCollect() override {}
  void didGarbageCollect(JSC::CollectionScope scope) override;

  JSC::VM& vm_;
  uint64_t limit_;
  std::function<void()> on_reached_;
};

}  // namespace rondo::engine
