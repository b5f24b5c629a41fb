// See module_record.h.
#include "engine/modules/module_record.h"

#include <JavaScriptCore/AbstractModuleRecord.h>

namespace rondo::engine {

namespace {

JSC::AbstractModuleRecord* record_of(Value value) {
  return value.isCell() ? JSC::jsDynamicCast<JSC::AbstractModuleRecord*>(value.asCell()) : nullptr;
}

}  // namespace

void set_top_level_await(JSC::VM& vm, Value record, bool has_it) {
  if (auto* own = record_of(record)) own->putDirect(vm, identifier(vm, "hasTopLevelAwait"), JSC::jsBoolean(has_it));
}

bool has_top_level_await(JSC::VM& vm, Value record) {
  auto* own = record_of(record);
  Value known = own ? own->getDirect(vm, identifier(vm, "hasTopLevelAwait")) : Value();
  return known && known.isTrue();
}

CallOutcome execute_module(JSC::JSGlobalObject* realm, Value record, Value sent, int mode) {
  auto* own = record_of(record);
  if (!own) return {JSC::jsUndefined(), nullptr};
  auto scope = DECLARE_CATCH_SCOPE(realm->vm());
  Value awaited = own->evaluate(own->globalObject(), sent, JSC::jsNumber(mode));
  auto* exception = scope.exception();
  scope.clearException();
  return {awaited ? awaited : JSC::jsUndefined(), exception};
}

bool is_module_suspended(Value record) {
  auto* own = record_of(record);
  constexpr auto kExecuting = static_cast<int32_t>(JSC::AbstractModuleRecord::State::Executing);
  return own && own->internalField(JSC::AbstractModuleRecord::Field::State).get().asInt32() != kExecuting;
}

}  // namespace rondo::engine
