// The global object and its method table; module hooks live in module_loader.cpp.
#include "engine/core/realm.h"

#include "engine/core/context_realm.h"
#include "engine/core/entry.h"
#include "engine/core/vm_state.h"
#include "engine/modules/module_loader.h"
#include "engine/patches/promise_any_message.h"
#include "engine/patches/regexp_replace.h"

namespace rondo::engine {

namespace {

void track_rejection(JSC::JSGlobalObject* global, JSC::JSPromise* promise, JSC::JSPromiseRejectionOperation operation) {
  Realm::main(global)->host().on_rejection(promise, operation);
}

void report_uncaught(JSC::JSGlobalObject* global, JSC::Exception* exception) {
  Realm::main(global)->host().on_uncaught_in_microtask(exception);
}

bool answer_yes(const JSC::JSGlobalObject*) { return true; }
bool answer_no(const JSC::JSGlobalObject*) { return false; }
JSC::RuntimeFlags runtime_flags(const JSC::JSGlobalObject*) { return JSC::RuntimeFlags(); }
JSC::JSObject* script_owner(JSC::JSGlobalObject* global) { return global; }
JSC::ScriptExecutionStatus script_status(JSC::JSGlobalObject*, JSC::JSObject*) {
  return JSC::ScriptExecutionStatus::Running;
}
void report_unsafe_eval(JSC::JSGlobalObject*, JSC::JSString*) {}

JSC::JSPromise* call_streaming_hook(JSC::JSGlobalObject* global, Hook hook, const JSC::ArgList& arguments) {
  auto* realm = Realm::main(global);
  auto outcome = call(realm, realm->hook(hook), JSC::jsUndefined(), arguments);
  auto* promise = outcome.value.isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(outcome.value.asCell()) : nullptr;
  return outcome.exception || !promise ? JSC::JSPromise::rejectedPromise(global, outcome.exception->value()) : promise;
}

JSC::JSPromise* compile_streaming(JSC::JSGlobalObject* global, Value source) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(source);
  return call_streaming_hook(global, Hook::CompileStreaming, arguments);
}

JSC::JSPromise* instantiate_streaming(JSC::JSGlobalObject* global, Value source, JSC::JSObject* imports) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(source);
  arguments.append(imports ? Value(imports) : JSC::jsUndefined());
  return call_streaming_hook(global, Hook::InstantiateStreaming, arguments);
}

// The user's language from the environment, as POSIX orders it: de_DE.UTF-8 → de-DE. American English when there is none.
std::string environment_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = ::getenv(name);
    if (!value || !*value) continue;
    std::string tag(value);
    tag.resize(std::min(tag.find_first_of(".@"), tag.size()));
    bool is_tag = tag.size() > 1 && tag != "POSIX";
    for (char& c : tag) {
      if (c == '_') c = '-';
      is_tag = is_tag && (WTF::isASCIIAlphanumeric(c) || c == '-');
    }
    return is_tag ? tag : "en-US";
  }
  return "en-US";
}

WTF::String default_language() {
  static const std::string language = environment_language();
  return to_wtf(language);
}

}  // namespace

const JSC::GlobalObjectMethodTable method_table = {
    .supportsRichSourceInfo =
        answer_yes,  // a script that looks like JSONP is run as any other, so its frame stands in the stack
    .shouldInterruptScript = answer_yes,
    .javaScriptRuntimeFlags = runtime_flags,
    .queueMicrotaskToEventLoop = nullptr,  // promises have a queue of ours: see microtask_queue.h
    .shouldInterruptScriptBeforeTimeout = answer_no,
    .moduleLoaderImportModule = import_module,
    .moduleLoaderResolve = resolve_module,
    .moduleLoaderFetch = fetch_module,
    .moduleLoaderCreateImportMetaProperties = create_import_meta,
    .moduleLoaderEvaluate = nullptr,
    .promiseRejectionTracker = track_rejection,
    .reportUncaughtExceptionAtEventLoop = report_uncaught,
    .currentScriptExecutionOwner = script_owner,
    .scriptExecutionStatus = script_status,
    .reportViolationForUnsafeEval = report_unsafe_eval,
    .defaultLanguage = default_language,
    .compileStreaming = compile_streaming,
    .instantiateStreaming = instantiate_streaming,
    .deriveShadowRealmGlobalObject = nullptr,
};

// CREATE_METHOD_TABLE names this namespace unqualified.
namespace JSCastingHelpers = JSC::JSCastingHelpers;

const JSC::ClassInfo Realm::s_info = {"Object"_s, &Base::s_info, nullptr, nullptr, CREATE_METHOD_TABLE(Realm)};

JSC::GCClient::IsoSubspace* Realm::space(JSC::VM& vm) { return &VmState::of(vm).realms.client; }

JSC::GCClient::IsoSubspace* ContextRealm::space(JSC::VM& vm) { return &VmState::of(vm).contexts.client; }

Realm* Realm::main(JSC::JSGlobalObject* global) {
  if (auto* context = JSC::jsDynamicCast<ContextRealm*>(global)) return context->main();
  return JSC::jsDynamicCast<Realm*>(global);
}

Realm::Realm(JSC::VM& vm, JSC::Structure* structure, RealmHost& host)
    : Base(vm, structure, &method_table), host_(&host) {}

Realm* Realm::create(JSC::VM& vm, RealmHost& host) {
  auto* structure =
      JSC::Structure::create(vm, nullptr, JSC::jsNull(), JSC::TypeInfo(JSC::GlobalObjectType, StructureFlags), info());
  auto* realm = new (NotNull, JSC::allocateCell<Realm>(vm)) Realm(vm, structure, host);
  realm->finishCreation(vm);
  install_promise_any_message(realm);
  install_regexp_replace(realm);
  return realm;
}

void Realm::set_hook(Hook hook, JSC::JSObject* function) {
  auto& slot = hooks_[static_cast<size_t>(hook)];
  if (function)
    slot.set(vm(), this, function);
  else
    slot.clear();
}

JSC::JSMap* Realm::synthetic_modules() {
  if (!synthetic_modules_) synthetic_modules_.set(vm(), this, JSC::JSMap::create(vm(), mapStructure()));
  return synthetic_modules_.get();
}

template <typename Visitor>
void Realm::visitChildrenImpl(JSC::JSCell* cell, Visitor& visitor) {
  auto* realm = JSC::jsCast<Realm*>(cell);
  Base::visitChildren(realm, visitor);
  for (auto& hook : realm->hooks_) visitor.append(hook);
  visitor.append(realm->microtasks_);
  visitor.append(realm->synthetic_modules_);
}
DEFINE_VISIT_CHILDREN(Realm);

}  // namespace rondo::engine
