// See clone_host.h.
#include "modules/support/clone_host.h"

namespace rondo::modules {

using namespace engine;

CloneHost::Description LibHost::describe(JSC::JSObject* object, bool is_transfer) {
  Value pair = invoke(CloneHook::Describe, object, JSC::jsBoolean(is_transfer));
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(pair);
  if (array == nullptr) return {JSC::jsUndefined(), JSC::jsUndefined()};
  return {array->getIndexQuickly(0), array->getIndexQuickly(1)};
}

Value LibHost::nested_transfers(JSC::JSObject* object) { return invoke(CloneHook::NestedTransfers, object); }

Value LibHost::revive(Value info, Value data) {
  return invoke(CloneHook::Revive, info, data, receiver_ ? Value(receiver_) : JSC::jsUndefined());
}

void LibHost::throw_clone_error(const WTF::String& message) {
  auto& vm = realm_->vm();
  Value error = invoke(CloneHook::CloneError, JSC::jsString(vm, message));
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (!scope.exception()) throwException(realm_, scope, error);
}

// Leaves an exception pending.
Value LibHost::invoke(CloneHook hook, Value first, Value second, Value third) {
  auto& runtime = runtime::Runtime::from(realm_);
  auto& slot = runtime.local<CloneHooks>().functions[static_cast<size_t>(hook)];
  if (!slot)
    runtime.builtins().require(
        "internal/messaging/structured_clone");  // sets them; most runtimes never clone what needs it
  Value function = slot.get();
  if (!function) return JSC::jsUndefined();
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(first);
  arguments.append(second);
  arguments.append(third);
  auto outcome = runtime.call_nested(function, JSC::jsUndefined(), arguments);
  if (!outcome.exception) return outcome.value;
  auto scope = DECLARE_THROW_SCOPE(realm_->vm());
  throwException(realm_, scope, outcome.exception);
  return JSC::jsUndefined();
}

}  // namespace rondo::modules
