// native('permission'): process.permission's native half. The checks themselves stand in the modules that do the work
// (support/permission_check.h).
#include "modules/support/permission_check.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

std::string text_at(const Call& call, unsigned index) {
  if (call.at(index).isString()) return call.string(index);
  auto bytes = call.bytes(index);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// enable(denied): from now on the rights hold. `denied` is PermissionHandler's.
Value enable(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  if (auto* denied = call.function(0)) runtime.local<PermissionHandler>().denied.set(call.vm(), denied);
  runtime.enable_permission();
  return call.value(runtime.permission() != nullptr);
}

// has(scope, reference) → boolean; what is refused is told
Value has(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  const auto scope = runtime::scope_named(call.string(0));
  if (!scope || !runtime.permission()) return call.value(false);
  const std::string reference = text_at(call, 1);
  if (runtime.permission()->allows(*scope, reference)) return call.value(true);
  tell_refusal(runtime, *scope, reference);
  return call.value(false);
}

// drop(scope, reference) → [permission, channel] of what was dropped, or undefined
Value drop(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  const auto scope = runtime::scope_named(call.string(0));
  if (!scope || !runtime.permission()) return call.undefined();
  runtime.permission()->drop(*scope, text_at(call, 1));
  const auto& names = runtime::names_of(*scope);
  return make_array(call.realm(), std::vector<std::string>{names.permission, names.channel});
}

// isEnabled() → under --permission or --permission-audit; isEnforced() → the former
Value is_enabled(Call& call) {
  const auto* permission = Runtime::from(call.realm()).permission();
  return call.value(permission && permission->mode() != runtime::Permission::Mode::Record);
}
Value is_enforced(Call& call) {
  const auto* permission = Runtime::from(call.realm()).permission();
  return call.value(permission && permission->is_enforced());
}

// options() → the command line that gives these rights to a child
Value options(Call& call) {
  const auto* permission = Runtime::from(call.realm()).permission();
  return make_array(call.realm(), permission ? permission->as_options() : std::vector<std::string>{});
}

// check(scope, resource): throws what a native function would
Value check(Call& call) {
  const auto scope = runtime::scope_named(call.string(0));
  if (!scope) return call.undefined();
  auto* refusal = refused(Runtime::from(call.realm()), *scope, text_at(call, 1));
  return refusal ? call.raise(refusal) : call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"enable", native<enable>, 1},       {"has", native<has>, 2},
                                       {"drop", native<drop>, 2},           {"isEnabled", native<is_enabled>},
                                       {"isEnforced", native<is_enforced>}, {"options", native<options>},
                                       {"check", native<check>, 2}};

}  // namespace

void init_permission(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  const auto& given = runtime.options().permission;
  put(runtime.realm(), target, "isGiven", JSC::jsBoolean(given.has_value()));
  put(runtime.realm(), target, "isRecording",
      JSC::jsBoolean(given && given->mode() == runtime::Permission::Mode::Record));
}

}  // namespace rondo::modules
