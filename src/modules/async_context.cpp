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

constexpr FunctionSpec kFunctions[] = {{"get", native<get>}, {"set", native<set>, 1}};

}  // namespace

void init_async_context(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
