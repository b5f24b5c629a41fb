// See waiting_functions.h.
#include "engine/core/waiting_functions.h"

#include "engine/core/live_cells.h"

#include <JavaScriptCore/BuiltinNames.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/JSPromise.h>

namespace rondo::engine {

namespace {

bool is_suspended(JSC::JSCell* cell) {
  auto* generator = JSC::jsDynamicCast<JSC::JSGenerator*>(cell);
  if (!generator) return false;
  Value state = generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::State)).get();
  return state.isInt32() && state.asInt32() > 0;
}

// The newest reaction to a promise that waits; each names the one before.
JSC::JSObject* first_reaction(JSC::VM& vm, JSC::JSCell* cell) {
  auto* promise = JSC::jsDynamicCast<JSC::JSPromise*>(cell);
  if (!promise || promise->status(vm) != JSC::JSPromise::Status::Pending) return nullptr;
  Value reactions = promise->internalField(JSC::JSPromise::Field::ReactionsOrResult).get();
  return reactions.isObject() ? JSC::asObject(reactions) : nullptr;
}

}  // namespace

void find_waiting_functions(JSC::VM& vm, JSC::MarkedArgumentBuffer& found) {
  for_each_cell(vm, [&](JSC::JSCell* cell) {
    if (is_suspended(cell)) found.append(cell);
  });
}

void find_waiting_handlers(JSC::VM& vm, JSC::MarkedArgumentBuffer& found) {
  constexpr int kMostReactions = 1000;  // of one promise
  const auto& names = vm.propertyNames->builtinNames();
  for_each_cell(vm, [&](JSC::JSCell* cell) {
    auto* reaction = first_reaction(vm, cell);
    for (int i = 0; reaction && i < kMostReactions; i++) {
      Value handler = reaction->getDirect(vm, names.onFulfilledPrivateName());
      if (handler && handler.isObject()) found.append(handler);
      Value next = reaction->getDirect(vm, names.nextPrivateName());
      reaction = next && next.isObject() ? JSC::asObject(next) : nullptr;
    }
  });
}

}  // namespace rondo::engine
