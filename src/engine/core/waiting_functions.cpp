// See waiting_functions.h.
#include "engine/core/waiting_functions.h"

#include "engine/core/live_cells.h"

#include <JavaScriptCore/JSGenerator.h>

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
  for_each_cell(vm, [&](JSC::JSCell* cell) {
    if (is_suspended(cell)) found.append(cell);
  });
}

}  // namespace rondo::engine
