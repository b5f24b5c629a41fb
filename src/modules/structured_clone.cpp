// native('structured_clone'): structured clone for structuredClone() and message ports. A message waiting in a port is a
// number here (its Serialized is kept on this side); lib/web/structured_clone.js names the hooks for its own objects.
#include "engine/clone/structured_clone.h"
#include "runtime/runtime.h"

#include <unordered_map>

namespace rondo::modules {

using namespace engine;

namespace {

enum class HookName : uint8_t { Describe, NestedTransfers, Revive, CloneError, Count };

// Of this thread's realm; set once, never released while the VM lives.
thread_local JSC::Strong<JSC::JSObject>* hooks[static_cast<size_t>(HookName::Count)] = {};
thread_local std::unordered_map<uint32_t, Serialized> messages;
thread_local uint32_t next_message = 1;

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
    auto* hook = hooks[static_cast<size_t>(name)];
    if (hook == nullptr) return JSC::jsUndefined();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(first);
    arguments.append(second);
    Value function = hook->get();
    auto scope = DECLARE_THROW_SCOPE(realm_->vm());
    Value result = JSC::call(realm_, function, JSC::getCallData(function), JSC::jsUndefined(), arguments);
    return scope.exception() ? JSC::jsUndefined() : result;
  }

  JSC::JSGlobalObject* realm_;
};

// setHooks(describe, nestedTransfers, revive, cloneError)
Encoded set_hooks(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  for (unsigned i = 0; i < static_cast<unsigned>(HookName::Count); i++) {
    if (auto* function = call.function(i)) hooks[i] = new JSC::Strong<JSC::JSObject>(call.vm(), function);
  }
  return call.undefined();
}

// clone(value, transferList or undefined)
Encoded clone(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  LibHost host(realm);
  Serialized message;
  if (!serialize(realm, host, call.at(0), call.at(1), message)) return {};
  return call.value(deserialize(realm, host, message));
}

// serialize(value, transferList): the number of a message that read() will turn into a value, once.
Encoded serialize_message(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  LibHost host(realm);
  Serialized message;
  if (!serialize(realm, host, call.at(0), call.at(1), message)) return {};
  uint32_t id = next_message++;
  messages.emplace(id, std::move(message));
  return call.value(static_cast<double>(id));
}

Encoded read(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto node = messages.extract(call.uint32(0));
  if (node.empty()) return call.undefined();
  LibHost host(realm);
  return call.value(deserialize(realm, host, node.mapped()));
}

Encoded drop(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  messages.erase(call.uint32(0));
  return call.undefined();
}

// setMode(object, mode) and mode(object), with the bits of CloneMode.
Encoded set_mode(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* object = call.object(0)) set_clone_mode(realm, object, static_cast<CloneMode>(call.int32(1)));
  return call.undefined();
}

Encoded mode(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* object = call.object(0);
  return call.value(static_cast<int32_t>(object != nullptr ? clone_mode(realm, object) : CloneMode::Plain));
}

constexpr FunctionSpec kFunctions[] = {
    {"setHooks", set_hooks, 4}, {"clone", clone, 2}, {"serialize", serialize_message, 2},
    {"read", read, 1},          {"drop", drop, 1},   {"setMode", set_mode, 2},
    {"mode", mode, 1},
};

}  // namespace

void init_structured_clone(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
