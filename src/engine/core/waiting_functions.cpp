// See waiting_functions.h.
#include "engine/core/waiting_functions.h"

#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/MarkedBlockInlines.h>
#include <JavaScriptCore/MarkedBlockSet.h>

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
  vm.heap.willStartIterating();
  for (auto* block : vm.heap.objectSpace().blocks().set()) {
    block->handle().forEachLiveCell([&](size_t, JSC::HeapCell* cell, JSC::HeapCell::Kind kind) {
      if (JSC::isJSCellKind(kind) && is_suspended(static_cast<JSC::JSCell*>(cell)))
        found.append(static_cast<JSC::JSCell*>(cell));
      return WTF::IterationStatus::Continue;
    });
  }
  vm.heap.didFinishIterating();
}

}  // namespace rondo::engine
