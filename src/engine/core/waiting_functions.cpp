// See waiting_functions.h.
#include "engine/core/waiting_functions.h"

#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/MarkedBlockInlines.h>
#include <JavaScriptCore/MarkedBlockSet.h>
#include <JavaScriptCore/PreciseAllocation.h>

namespace rondo::engine {

namespace {

bool is_suspended(JSC::JSCell* cell) {
  auto* generator = JSC::jsDynamicCast<JSC::JSGenerator*>(cell);
  if (!generator) return false;
  Value state = generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::State)).get();
  return state.isInt32() && state.asInt32() > 0;
}

}  // namespace

void find_waiting_functions(JSC::VM& vm, JSC::MarkedArgumentBuffer& found) {
  const auto take = [&](JSC::HeapCell* cell, JSC::HeapCell::Kind kind) {
    auto* object = static_cast<JSC::JSCell*>(cell);
    if (JSC::isJSCellKind(kind) && is_suspended(object)) found.append(object);
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
