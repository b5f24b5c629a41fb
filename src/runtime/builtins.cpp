// See builtins.h.
#include "runtime/builtins.h"

#include "engine/core/entry.h"
#include "engine/core/method_copy.h"
#include "engine/core/source.h"
#include "runtime/library_text.h"
#include "runtime/runtime.h"
#include "runtime/start_methods.h"
#include "runtime/uninterrupted.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rondo::runtime {

using engine::Call;
using engine::CallOutcome;
using engine::Value;

namespace {

// The functions of native('ledger') come with the first watcher; every other native is frozen when it is made.
constexpr std::string_view kChangingNative = "ledger";

Value require_builtin(Call& call) { return call.value(Runtime::from(call.realm()).builtins().require(call.string(0))); }

Value native_object(Call& call) { return call.value(Runtime::from(call.realm()).builtins().native(call.string(0))); }

// Copies of the language's methods. Those that the files of a start do without are made when the first other file is loaded (decision 0102).
struct MethodCopies {
  explicit MethodCopies(Runtime& runtime) : copier(runtime.realm()) {}

  engine::MethodCopier copier;
  bool is_started = false;  // the names are settled
  JSC::Strong<JSC::JSArray> originals;  // of the late ones, in order; empty when they are made
};

JSC::JSFunction* make_function(Runtime& runtime, const char* name, engine::NativeFunction function) {
  return JSC::JSFunction::create(runtime.vm(), runtime.realm(), 1, engine::to_wtf(name), function,
                                 JSC::ImplementationVisibility::Private);
}

#if RONDO_DEV
// Development builds read lib/ from disk, so that an edit needs no rebuild.
const std::string* source_from_disk(std::string_view id) {
  static const char* root = getenv("RONDO_LIB");
  if (!root) return nullptr;
  for (const char* prefix : {"/node/", "/"}) {
    std::ifstream file(std::string(root) + prefix + std::string(id) + ".js", std::ios::binary);
    if (!file) continue;
    std::ostringstream text;
    text << file.rdbuf();
    // Lives as long as the process, like an embedded source.
    return new std::string(std::string(kWrapperHead) + text.str() + std::string(kWrapperTail));
  }
  return nullptr;
}
#endif

const EmbeddedSource* find_embedded(std::string_view id) {
  auto table = embedded_sources();
  auto it = std::lower_bound(table.begin(), table.end(), id,
                             [](const EmbeddedSource& a, std::string_view b) { return a.id < b; });
  return it != table.end() && it->id == id ? &*it : nullptr;
}

void copy_start_methods(Runtime& runtime, engine::NameScope& scope) {
  auto& copies = runtime.local<MethodCopies>();
  JSC::MarkedArgumentBuffer originals;
  for (size_t i = std::size(kPrimordials); i < kScopeNames.size(); i++) {
    Value original = copies.copier.original(kScopeNames[i]);
    if (kIsLateMethod[i])
      originals.append(original);
    else
      scope.set(i, copies.copier.copy(kScopeNames[i], original));
  }
  copies.originals.set(
      runtime.vm(),
      JSC::constructArray(runtime.realm(), static_cast<JSC::ArrayAllocationProfile*>(nullptr), originals));
}

void copy_late_methods(Runtime& runtime, engine::NameScope& scope) {
  auto& copies = runtime.local<MethodCopies>();
  if (!copies.originals) return;
  unsigned next = 0;
  for (size_t i = 0; i < kScopeNames.size(); i++) {
    if (kIsLateMethod[i]) scope.set(i, copies.copier.copy(kScopeNames[i], copies.originals->getIndexQuickly(next++)));
  }
  copies.originals.clear();
  if (copies.is_started) scope.settle();
}

}  // namespace

std::string builtin_url(std::string_view id) { return "node:" + std::string(id); }

Builtins::Builtins(Runtime& runtime, std::span<const NativeModule> natives)
    : runtime_(runtime), natives_(natives), own_(runtime.realm(), own_names()) {
  auto& vm = runtime.vm();
  auto* realm = runtime.realm();
  modules_.set(vm, JSC::JSMap::create(vm, realm->mapStructure()));
  native_objects_.set(vm, JSC::JSMap::create(vm, realm->mapStructure()));
  require_function_.set(vm, make_function(runtime, "require", engine::native<require_builtin>));
  native_function_.set(vm, make_function(runtime, "native", engine::native<native_object>));
  for (size_t i = 0; i < std::size(kPrimordials); i++)
    own_.set(i, realm->get(realm, engine::identifier(vm, kPrimordials[i])));
  copy_start_methods(runtime, own_);
}

std::vector<std::string_view> Builtins::own_names() const {
  std::vector<std::string_view> names(kScopeNames.begin(), kScopeNames.end());
  if (runtime_.html()) names.push_back(kBufferName);
  return names;
}

void Builtins::refresh_own() {
  auto* realm = runtime_.realm();
  auto& vm = runtime_.vm();
  Value made = require("bootstrap/00_primordials");
  if (!made.isObject()) return;
  for (size_t i = 0; i < std::size(kPrimordials); i++) {
    Value value = JSC::asObject(made)->getIfPropertyExists(realm, engine::identifier(vm, kPrimordials[i]));
    if (value) own_.set(i, value);
  }
}

const EmbeddedSource* Builtins::find(std::string_view id) const {
  if (const auto* embedded = find_embedded(id)) return embedded;
#if RONDO_DEV
  if (auto* text = source_from_disk(id)) return new EmbeddedSource{*new std::string(id), *text, false, {}};
#endif
  return nullptr;
}

std::optional<std::string> library_text(std::string_view id) {
#if RONDO_DEV
  if (auto* text = source_from_disk(id)) return *text;
#endif
  const auto* embedded = find_embedded(id);
  return embedded ? std::optional(std::string(embedded->source)) : std::nullopt;
}

bool Builtins::has_loaded(std::string_view id) {
  return modules_->get(runtime_.realm(), engine::make_string(runtime_.vm(), id)).isObject();
}

std::vector<std::string_view> Builtins::ids() const {
  std::vector<std::string_view> ids;
  for (const auto& source : embedded_sources()) ids.push_back(source.id);
  return ids;
}

engine::EmbeddedBundle& Builtins::start_files() {
  if (start_files_.is_open()) return start_files_;
  const auto* first = find(kStartFiles[0]);
  const auto* last = find(std::span(kStartFiles).back());
  const char* end = last->source.data() + last->source.size();
  if (!first->bytecode.empty())
    start_files_.open(runtime_.realm(), {{first->source.data(), end}, true, kStartUrl, first->bytecode});
  return start_files_;
}

CallOutcome Builtins::compile(const EmbeddedSource& source, JSC::JSScope* scope) {
  const std::string url = builtin_url(source.id);
  engine::EmbeddedFunction function{source.source, source.is_ascii, url, source.bytecode};
#if RONDO_DEV
  if (auto* edited = source_from_disk(source.id)) function = {*edited, false, url};
#endif
  const auto* index = std::ranges::find(kStartFiles, source.id);
  const bool is_of_start = index != std::end(kStartFiles) && start_files().is_open();
  return is_of_start ? start_files().compile(scope, static_cast<size_t>(index - kStartFiles), url)
                     : engine::compile_embedded(scope, function);
}

JSC::JSObject* Builtins::make_module(const EmbeddedSource& source) {
  auto* realm = runtime_.realm();
  auto* module = engine::make_object(realm);
  engine::put(realm, module, "exports", engine::make_object(realm));
  engine::put(realm, module, "id", engine::make_string(runtime_.vm(), source.id));
  return module;
}

CallOutcome Builtins::run(const EmbeddedSource& source, JSC::JSObject* module, JSC::JSScope* scope) {
  const Uninterrupted::Scope uninterrupted(runtime_);
  auto* realm = scope->globalObject();
  auto exports = engine::identifier(runtime_.vm(), "exports");
  auto compiled = compile(source, scope);
  if (compiled.exception) return compiled;
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(module->get(realm, exports));
  arguments.append(require_function_.get());
  arguments.append(module);
  arguments.append(native_function_.get());
  arguments.append(require_function_.get());
  auto outcome = engine::call(realm, compiled.value, JSC::jsUndefined(), arguments);
  if (!outcome.exception) outcome.value = module->get(realm, exports);
  return outcome;
}

Value Builtins::load(const EmbeddedSource& source) {
  auto* realm = runtime_.realm();
  auto& vm = runtime_.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (std::ranges::find(kStartFiles, source.id) == std::end(kStartFiles)) copy_late_methods(runtime_, own_);
  auto* module = make_module(source);
  Value key = engine::make_string(vm, source.id);
  modules_->set(realm, key, module);
  auto outcome = run(source, module, sees_own_names(source.id) ? own_.get() : realm->globalScope());
  if (outcome.exception) {
    modules_->remove(realm, key);
    JSC::throwException(realm, scope, outcome.exception);
    return {};
  }
  return outcome.value;
}

CallOutcome Builtins::load_in(JSC::JSGlobalObject* realm, std::string_view id) {
  const auto* source = find(id);
  RELEASE_ASSERT(source);
  if (!sees_own_names(id)) return run(*source, make_module(*source), realm->globalScope());
  copy_late_methods(runtime_, own_);
  const auto names = own_names();
  engine::NameScope own(realm, names);
  for (size_t i = 0; i < names.size(); i++) own.set(i, own_.at(i));
  return run(*source, make_module(*source), own.get());
}

Value Builtins::require(std::string_view id) {
  if (id.starts_with("node:")) id.remove_prefix(5);  // embedded npm packages name builtins as programs do
  auto* realm = runtime_.realm();
  auto& vm = runtime_.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  Value loaded = modules_->get(realm, engine::make_string(vm, id));
  if (loaded.isObject())
    RELEASE_AND_RETURN(scope, JSC::asObject(loaded)->get(realm, engine::identifier(vm, "exports")));
  const auto* source = find(id);
  if (!source) {
    JSC::throwException(realm, scope,
                        JSC::createError(realm, engine::to_wtf("No such built-in module: " + std::string(id))));
    return {};
  }
  RELEASE_AND_RETURN(scope, load(*source));
}

Value Builtins::native(std::string_view name) {
  auto* realm = runtime_.realm();
  auto& vm = runtime_.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  Value key = engine::make_string(vm, name);
  Value existing = native_objects_->get(realm, key);
  if (existing.isObject()) return existing;
  for (const auto& module : natives_) {
    if (module.name != name) continue;
    const Uninterrupted::Scope uninterrupted(runtime_);
    auto* target = engine::make_object(realm);
    native_objects_->set(realm, key, target);
    module.init(runtime_, target);
    RETURN_IF_EXCEPTION(scope, {});
    if (name != kChangingNative) target->freeze(vm);
    return target;
  }
  JSC::throwException(realm, scope,
                      JSC::createError(realm, engine::to_wtf("No such native module: " + std::string(name))));
  return {};
}

JSC::Exception* Builtins::run_bootstrap() {
  auto& vm = runtime_.vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  for (const auto& source : embedded_sources()) {
    if (!source.id.starts_with("bootstrap/")) continue;
    require(source.id);
    if (source.id == "bootstrap/00_primordials" || source.id == "bootstrap/10_queues") refresh_own();  // these make it
    if (auto* exception = scope.exception()) {
      scope.clearException();
      return exception;
    }
  }
  if (runtime_.html()) {
    Value module = require("buffer");
    if (auto* exception = scope.exception()) {
      scope.clearException();
      return exception;
    }
    own_.set(kScopeNames.size(), JSC::asObject(module)->get(runtime_.realm(), engine::identifier(vm, kBufferName)));
  }
  own_.settle();
  runtime_.local<MethodCopies>().is_started = true;
  return nullptr;
}

}  // namespace rondo::runtime
