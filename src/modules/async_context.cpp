// native('async_context'): the value the engine carries along promise reactions (lib/internal/async_hooks/context.js).
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;

namespace {

Value get(Call& call) {
  auto* realm = call.realm();
  return realm->m_asyncContextData.get()->getInternalField(0);
}

Value set(Call& call) {
  auto* realm = call.realm();
  realm->m_asyncContextData.get()->putInternalField(call.vm(), 0, call.at(0));
  return call.undefined();
}

// setPromiseHook(function): it is told of promises (src/engine/patches/promise_functions.cpp, P7); undefined ends that.
Value set_promise_hook(Call& call) {
  auto* realm = call.realm();
  realm->m_asyncContextData.get()->putInternalField(call.vm(), 1, call.at(0));
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {
    {"get", native<get>}, {"set", native<set>, 1}, {"setPromiseHook", native<set_promise_hook>, 1}};

}  // namespace

void init_async_context(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
