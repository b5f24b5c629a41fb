// All cells of a VM's heap, one by one. Thread: the VM's. The function must not allocate in that heap.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/MarkedBlockInlines.h>
#include <JavaScriptCore/MarkedBlockSet.h>
#include <JavaScriptCore/PreciseAllocation.h>

namespace rondo::engine {

template <class Function>
void for_each_cell(JSC::VM& vm, Function function) {
  const auto take = [&](JSC::HeapCell* cell, JSC::HeapCell::Kind kind) {
    if (JSC::isJSCellKind(kind)) function(static_cast<JSC::JSCell*>(cell));
  };
  vm.heap.willStartIterating();
  // The first few of a kind of object are allocated one by one.
  for (auto* allocation : vm.heap.objectSpace().preciseAllocations()) {
    if (allocation->isLive()) take(allocation->cell(), allocation->attributes().cellKind);
  }
  for (auto* block : vm.heap.objectSpace().blocks().set()) {
    block->handle().forEachLiveCell([&](size_t, JSC::HeapCell* cell, JSC::HeapCell::Kind kind) {
      take(cell, kind);
      return WTF::IterationStatus::Continue;
    });
  }
  vm.heap.didFinishIterating();
}

}  // namespace rondo::engine
