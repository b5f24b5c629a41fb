// native('structured_clone'): structured clone for structuredClone() and message ports. A message waiting in a port is a
// native object; lib/web/structured_clone.js names the hooks for its own objects.
#include "engine/clone/structured_clone.h"
#include "engine/core/native_object.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;

namespace {

enum class HookName : uint8_t { Describe, NestedTransfers, Revive, CloneError, Count };

struct CloneHooks {
  JSC::Strong<JSC::JSObject> functions[static_cast<size_t>(HookName::Count)];
};

class LibHost final : public CloneHost {
 public:
  explicit LibHost(JSC::JSGlobalObject* realm) : realm_(realm) {}

  Description describe(JSC::JSObject* object, bool is_transfer) override {
    Value pair = invoke(HookName::Describe, object, JSC::jsBoolean(is_transfer));
    auto* array = JSC::jsDynamicCast<JSC::JSArray*>(pair);
    if (array == nullptr) return {JSC::jsUndefined(), JSC::jsUndefined()};
    return {array->getIndexQuickly(0), array->getIndexQuickly(1)};
  }
  Value nested_transfers(JSC::JSObject* object) override { return invoke(HookName::NestedTransfers, object); }
  Value revive(Value info, Value data) override { return invoke(HookName::Revive, info, data); }
  void throw_clone_error(const WTF::String& message) override {
    auto& vm = realm_->vm();
    Value error = invoke(HookName::CloneError, JSC::jsString(vm, message));
    auto scope = DECLARE_THROW_SCOPE(vm);
    if (!scope.exception()) throwException(realm_, scope, error);
  }

 private:
  // Leaves an exception pending.
  Value invoke(HookName name, Value first, Value second = JSC::jsUndefined()) {
    auto& hooks = runtime::Runtime::from(realm_).local<CloneHooks>();
    Value function = hooks.functions[static_cast<size_t>(name)].get();
    if (!function) return JSC::jsUndefined();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(first);
    arguments.append(second);
    auto scope = DECLARE_THROW_SCOPE(realm_->vm());
    Value result = JSC::call(realm_, function, JSC::getCallData(function), JSC::jsUndefined(), arguments);
    return scope.exception() ? JSC::jsUndefined() : result;
  }

  JSC::JSGlobalObject* realm_;
};

// setHooks(describe, nestedTransfers, revive, cloneError)
Value set_hooks(Call& call) {
  auto& hooks = runtime::Runtime::from(call.realm()).local<CloneHooks>();
  for (unsigned i = 0; i < static_cast<unsigned>(HookName::Count); i++) {
    if (auto* function = call.function(i)) hooks.functions[i].set(call.vm(), function);
  }
  return call.undefined();
}

// clone(value, transferList or undefined)
Value clone(Call& call) {
  auto* realm = call.realm();
  LibHost host(realm);
  Serialized message;
  if (!serialize(realm, host, call.at(0), call.at(1), message)) return {};
  return call.value(deserialize(realm, host, message));
}

// serialize(value, transferList): a message that read() will turn into a value, once.
Value serialize_message(Call& call) {
  auto* realm = call.realm();
  LibHost host(realm);
  Serialized message;
  if (!serialize(realm, host, call.at(0), call.at(1), message)) return {};
  return make_held(realm, std::move(message));
}

Value read(Call& call) {
  auto* message = held_in<Serialized>(call.at(0));
  if (!message) return call.undefined();
  LibHost host(call.realm());
  Serialized read = std::exchange(*message, {});
  return call.value(deserialize(call.realm(), host, read));
}

// setMode(object, mode) and mode(object), with the bits of CloneMode.
Value set_mode(Call& call) {
  auto* realm = call.realm();
  if (auto* object = call.object(0)) set_clone_mode(realm, object, static_cast<CloneMode>(call.int32(1)));
  return call.undefined();
}

Value mode(Call& call) {
  auto* realm = call.realm();
  auto* object = call.object(0);
  return call.value(static_cast<int32_t>(object != nullptr ? clone_mode(realm, object) : CloneMode::Plain));
}

constexpr FunctionSpec kFunctions[] = {
    {"setHooks", native<set_hooks>, 4}, {"clone", native<clone>, 2},      {"serialize", native<serialize_message>, 2},
    {"read", native<read>, 1},          {"setMode", native<set_mode>, 2}, {"mode", native<mode>, 1},
};

}  // namespace

void init_structured_clone(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
