// native('napi'): process.dlopen. Loads a shared object, finds how it registers itself, and runs its initialisation in an environment
// of its own. An addon registers by exporting napi_register_module_v1, or, the older way, by calling napi_module_register from a
// constructor while it is being loaded.
#include "modules/napi/cells.h"

#include "engine/core/buffer_class.h"
#include "modules/support/permission_check.h"
#include "runtime/addon_table.h"

#include <dlfcn.h>

namespace rondo::modules {

using namespace engine;

namespace {

using napi::kDefaultVersion;
using napi::kSupportedVersion;

Value raise_dlopen(Call& call, const std::string& message) {
  return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_DLOPEN_FAILED"_s, to_wtf(message));
}

// The loader's message about an addon written for V8's own interface gets a sentence that helps.
std::string explained(std::string message) {
  if (message.contains("undefined symbol: _ZN2v8") || message.contains("undefined symbol: _ZNK2v8") ||
      message.contains("undefined symbol: _ZN4node") || message.contains("undefined symbol: node_module_register"))
    message +=
        "\nThis addon is written for V8's C++ interface, which Rondo does not have; addons that use Node-API work.";
  return message;
}

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

// dlopen(module, filename, file: address, flags, does every exception count as uncaught?): runs the addon's initialisation and puts what it exports into module.exports.
Value dlopen_addon(Call& call) {
  auto* module = call.object(0);
  if (!module) return call.type_error("The module is no object");
  const std::string file = call.string(1);
  if (auto* refusal = refused(runtime::Runtime::from(call.realm()), Scope::Addon, file)) return call.raise(refusal);
  auto& table = runtime::AddonTable::get();
  auto loaded = table.load(file.c_str(), call.int32(3, RTLD_LAZY));
  if (!loaded.library) return raise_dlopen(call, explained(loaded.error));

  auto initialise = find<napi_addon_register_func>(loaded.library, "napi_register_module_v1");
  if (!initialise && loaded.registered)
    initialise = static_cast<const napi_module*>(loaded.registered)->nm_register_func;
  if (!initialise && loaded.registered) return call.error("Module has no declared entry point.");
  if (!initialise) return raise_dlopen(call, explained("Module did not self-register: '" + file + "'."));
  int32_t version = kDefaultVersion;
  if (auto ask = find<node_api_addon_get_api_version_func>(loaded.library, "node_api_module_get_api_version_v1"))
    version = ask();
  if (version > kSupportedVersion && version != napi::kExperimentalVersion) {
    return call.error(
        fmt::format("{} requires Node-API version {}, but this version of Node.js only supports version {} add-ons.",
                    call.string(2), version, kSupportedVersion));
  }

  auto& addons = runtime::Runtime::from(call.realm()).local<napi::Addons>();
  napi_env env = addons.make_env(call.realm(), call.string(2), std::max(version, kDefaultVersion));
  env->reports_all = call.boolean(4);
  const auto name = identifier(call.vm(), "exports");
  Value exports = module->get(call.realm(), name);
  if (call.failed()) return {};
  napi_value made = nullptr;
  auto* thrown = env->call_into_addon([&] { made = initialise(env, env->handle(exports)); });
  if (call.failed()) return {};
  if (thrown) {
    auto scope = DECLARE_THROW_SCOPE(call.vm());
    scope.throwException(call.realm(), thrown);
    return {};
  }
  if (made && napi::decode(made) != exports) put(call.realm(), module, "exports", napi::decode(made));
  return call.undefined();
}

napi::External* external_in(Value value) { return JSC::jsDynamicCast<napi::External*>(value); }
Value is_external(Call& call) { return call.value(external_in(call.at(0)) != nullptr); }
// As util.inspect shows it.
Value external_address(Call& call) {
  auto* external = external_in(call.at(0));
  return call.text(fmt::format("{:x}", external ? reinterpret_cast<uintptr_t>(external->data) : 0));
}

}  // namespace

void init_napi(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr FunctionSpec kFunctions[] = {{"dlopen", native<dlopen_addon>, 4},
                                                {"isExternal", native<is_external>, 1},
                                                {"externalAddress", native<external_address>, 1}};
  put_functions(runtime.realm(), target, kFunctions);
  put(runtime.realm(), target, "version", JSC::jsNumber(kSupportedVersion));
}

}  // namespace rondo::modules

void napi_module_register(napi_module* module) { rondo::runtime::AddonTable::get().note_registration(module); }
