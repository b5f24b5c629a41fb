// native('structured_clone'): structuredClone(), and what lib/ says of its own objects.
#include "engine/core/context_realm.h"
#include "modules/support/clone_host.h"

namespace rondo::modules {

using namespace engine;

namespace {

// setHooks(describe, nestedTransfers, revive, cloneError)
Value set_hooks(Call& call) {
  auto& hooks = runtime::Runtime::from(call.realm()).local<CloneHooks>();
  for (unsigned i = 0; i < static_cast<unsigned>(CloneHook::Count); i++) {
    if (auto* function = call.function(i)) hooks.functions[i].set(call.vm(), function);
  }
  return call.undefined();
}

// The realm of a context's global object; the library's own for anything else.
JSC::JSGlobalObject* realm_of(const Call& call, unsigned index) {
  auto* context = ContextRealm::of(call.at(index));
  return context ? static_cast<JSC::JSGlobalObject*>(context) : call.realm();
}

// clone(value, transferList or undefined, globalThis of the context whose objects the copy is made of, or undefined)
Value clone(Call& call) {
  auto* realm = call.realm();
  LibHost host(realm);
  Serialized message;
  if (!serialize(realm, host, call.at(0), call.at(1), message)) return {};
  return call.value(deserialize(realm_of(call, 2), host, message));
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
  return call.value(static_cast<int32_t>(object != nullptr ? clone_mode(realm, object) : CloneMode::kPlain));
}

constexpr FunctionSpec kFunctions[] = {
    {"setHooks", native<set_hooks>, 4},
    {"clone", native<clone>, 3},
    {"setMode", native<set_mode>, 2},
    {"mode", native<mode>, 1},
};

}  // namespace

void init_structured_clone(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
