// See permission_check.h.
#include "modules/support/permission_check.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

JSC::JSObject* ask_permission(Runtime& runtime, Scope scope, std::string_view resource, LastLink last) {
  const auto* permission = runtime.permission();
  if (permission->allows(scope, resource, last)) return nullptr;
  auto* error = tell_refusal(runtime, scope, resource);
  return runtime.permission()->is_enforced() ? error : nullptr;
}

namespace {

JSC::JSObject* make_refusal(Runtime& runtime, std::initializer_list<std::string_view> texts) {
  auto* realm = runtime.realm();
  auto& vm = runtime.vm();
  if (auto* denied = runtime.local<PermissionHandler>().denied.get()) {
    JSC::MarkedArgumentBuffer arguments;
    for (std::string_view text : texts) arguments.append(make_string(vm, text));
    auto outcome = runtime.call_nested(denied, JSC::jsUndefined(), arguments);
    if (!outcome.exception && outcome.value.isObject()) return outcome.value.getObject();
  }
  auto* error = JSC::createError(realm, "Access to this API has been restricted"_s);
  put(realm, error, "code", make_string(vm, "ERR_ACCESS_DENIED"));
  return error;
}

}  // namespace

JSC::JSObject* tell_refusal(Runtime& runtime, Scope scope, std::string_view resource) {
  const auto& names = runtime::names_of(scope);
  return make_refusal(runtime, {names.permission, resource, names.option, names.channel, ""});
}

JSC::JSObject* refused_whatever(Runtime& runtime, std::string_view message) {
  if (!runtime.permission()->is_enforced()) return nullptr;
  return make_refusal(runtime, {"", "", "", "", message});
}

}  // namespace rondo::modules
