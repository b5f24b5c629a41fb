// See module_loader.h. A module that is not JavaScript text (CommonJS, JSON, builtins) is loaded as a small generated module
// that fetches its values when it is *evaluated*, so that it takes its turn in the graph's evaluation order.
#include "engine/modules/module_loader.h"

#include "engine/patches/microtask_queue.h"
#include "engine/core/source.h"
#include "engine/core/vm_state.h"
#include "engine/errors/syntax_fault.h"

#include <JavaScriptCore/IteratorOperations.h>
#include <JavaScriptCore/JSMap.h>
#include <wtf/text/StringBuilder.h>

namespace rondo::engine {

namespace {

using JSC::JSInternalPromise;

Value call_hook(JSC::JSGlobalObject* global, Hook hook, const JSC::ArgList& arguments) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* function = Realm::from(global)->hook(hook);
  if (!function) {
    JSC::throwTypeError(global, scope, "ES modules are not available before the runtime has started"_s);
    return {};
  }
  RELEASE_AND_RETURN(scope, JSC::call(global, function, arguments, "module hook"_s));
}

// Import attributes as the load hook sees them: { type } or undefined.
Value import_attributes(JSC::JSGlobalObject* global, Value parameters) {
  auto* cell = parameters.isCell() ? JSC::jsDynamicCast<JSC::JSScriptFetchParameters*>(parameters.asCell()) : nullptr;
  std::string_view type;
  if (cell && cell->parameters().type() == JSC::ScriptFetchParameters::JSON) type = "json";
  if (cell && cell->parameters().type() == JSC::ScriptFetchParameters::WebAssembly) type = "webassembly";
  if (type.empty()) return JSC::jsUndefined();
  auto* attributes = make_object(global);
  put(global, attributes, "type", make_string(global->vm(), type));
  return attributes;
}

WTF::String generated_source(JSC::JSGlobalObject* global, JSC::JSObject* description) {
  auto& vm = global->vm();
  auto* names = JSC::jsDynamicCast<JSC::JSArray*>(description->get(global, identifier(vm, "names")));
  unsigned count = names ? names->length() : 0;
  WTF::StringBuilder variables, cases, exports;
  for (unsigned i = 0; i < count; i++) {
    auto name = names->getIndex(global, i).toWTFString(global);
    variables.append(i ? ", $"_s : "let $"_s, i);
    cases.append("case "_s);
    cases.appendQuotedJSONString(name);
    cases.append(": $"_s, i, " = v; break;\n"_s);
    exports.append("$"_s, i, " as "_s);
    exports.appendQuotedJSONString(name);
    exports.append(", "_s);
  }
  WTF::StringBuilder text;
  text.append(variables.toString(), ";\nimport.meta.evaluate((n, v) => { switch (n) {\n"_s, cases.toString(),
              "} });\nexport { "_s, exports.toString(), "};\n"_s);
  return text.toString();
}

JSC::SourceCode source_from(JSC::JSGlobalObject* global, const WTF::String& key, JSC::JSObject* description) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto kind = description->get(global, identifier(vm, "kind")).toWTFString(global);
  RETURN_IF_EXCEPTION(scope, {});
  if (kind == "synthetic"_s) {
    auto text = generated_source(global, description);
    RETURN_IF_EXCEPTION(scope, {});
    // create_import_meta finds the evaluator again by key.
    auto* pending = Realm::from(global)->synthetic_modules();
    pending->set(global, JSC::jsString(vm, key), description->get(global, identifier(vm, "evaluate")));
    RETURN_IF_EXCEPTION(scope, {});
    return module_source(text, key);
  }
  auto text = description->get(global, identifier(vm, "source")).toWTFString(global);
  RETURN_IF_EXCEPTION(scope, {});
  if (kind == "json"_s) {
    return JSC::makeSource(text, JSC::SourceOrigin(WTF::URL(key)), JSC::SourceTaintedOrigin::Untainted, key,
                           WTF::TextPosition(), JSC::SourceProviderSourceType::JSON);
  }
  Value bytecode = description->get(global, identifier(vm, "bytecode"));
  RETURN_IF_EXCEPTION(scope, {});
  return module_source(text, key, bytes_of(bytecode));
}

// Errors of the parser have no stack when no JavaScript runs, as when a module is loaded: they get their place as one.
void give_stack(JSC::JSGlobalObject* global, Value reason) {
  auto& vm = global->vm();
  auto* error = reason && reason.isCell() ? JSC::jsDynamicCast<JSC::ErrorInstance*>(reason.asCell()) : nullptr;
  if (!error || error->getDirect(vm, vm.propertyNames->stack)) return;
  auto text = [&](const JSC::Identifier& name) {
    Value value = error->getDirect(vm, name);
    return value && value.isString() ? to_utf8(JSC::asString(value)->tryGetValue()) : std::string();
  };
  std::string stack = "SyntaxError: " + text(vm.propertyNames->message);
  Value line = error->getDirect(vm, identifier(vm, "line"));
  if (std::string url = text(identifier(vm, "sourceURL")); !url.empty() && line && line.isNumber()) {
    stack += "\n    at " + url + ":" + std::to_string(static_cast<int>(line.asNumber()));
  }
  error->putDirect(vm, vm.propertyNames->stack, make_string(vm, stack),
                   static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
}

// The engine's own parse of a module goes past the words for a fault before the token it names (syntax_fault.h).
void give_words(JSC::JSGlobalObject* global, Value reason, Value code) {
  auto& vm = global->vm();
  auto* error = reason && reason.isCell() ? JSC::jsDynamicCast<JSC::ErrorInstance*>(reason.asCell()) : nullptr;
  auto* source = code.isCell() ? JSC::jsDynamicCast<JSC::JSSourceCode*>(code.asCell()) : nullptr;
  if (!error || !source || error->errorType() != JSC::ErrorType::SyntaxError) return;
  JSC::ParserError found;
  JSC::checkModuleSyntax(global, source->sourceCode(), found);
  const auto moved = at_fault(found, source->sourceCode().view());
  if (found.isValid() && moved.message() != found.message())
    error->putDirect(vm, vm.propertyNames->message, JSC::jsString(vm, moved.message()),
                     static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
}

// Stands before the loader's own parseModule, which answers with a promise; it holds that one as a property of itself.
Encoded parse_module(JSC::JSGlobalObject* global, JSC::CallFrame* frame) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  Value engines = frame->jsCallee()->getDirect(vm, identifier(vm, "engines"));
  JSC::MarkedArgumentBuffer arguments;
  for (unsigned i = 0; i < frame->argumentCount(); i++) arguments.append(frame->uncheckedArgument(i));
  Value result = JSC::call(global, engines, JSC::getCallData(engines), frame->thisValue(), arguments);
  RETURN_IF_EXCEPTION(scope, {});
  auto* promise = result.isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(result.asCell()) : nullptr;
  if (promise && promise->status(vm) == JSC::JSPromise::Status::Rejected) {
    give_words(global, promise->result(vm), frame->argument(1));
    give_stack(global, promise->result(vm));
  }
  return JSC::JSValue::encode(result);
}

void watch_parsing(JSC::JSGlobalObject* global) {
  auto& vm = global->vm();
  auto* loader = global->moduleLoader();
  Value engines = loader->get(global, identifier(vm, "parseModule"));
  if (!engines.isCallable() || JSC::asObject(engines)->getDirect(vm, identifier(vm, "engines"))) return;
  auto* function =
      JSC::JSFunction::create(vm, global, 2, "parseModule"_s, parse_module, JSC::ImplementationVisibility::Private);
  function->putDirect(vm, identifier(vm, "engines"), engines);
  loader->putDirect(vm, identifier(vm, "parseModule"), function);
}

}  // namespace

JSC::Identifier resolve_module(JSC::JSGlobalObject* global, JSC::JSModuleLoader*, Value specifier, Value referrer,
                               Value) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (specifier.isSymbol()) return JSC::Identifier::fromUid(JSC::asSymbol(specifier)->privateName());
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(specifier);
  arguments.append(referrer.isString() ? referrer : JSC::jsUndefined());
  Value key = call_hook(global, Hook::ResolveModule, arguments);
  RETURN_IF_EXCEPTION(scope, {});
  RELEASE_AND_RETURN(scope, key.toPropertyKey(global));
}

JSInternalPromise* fetch_module(JSC::JSGlobalObject* global, JSC::JSModuleLoader*, Value key, Value parameters, Value) {
  auto& vm = global->vm();
  auto* promise = JSInternalPromise::create(vm, global->internalPromiseStructure());
  auto scope = DECLARE_THROW_SCOPE(vm);
  watch_parsing(global);
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(key);
  arguments.append(import_attributes(global, parameters));
  Value description = call_hook(global, Hook::LoadModule, arguments);
  RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
  if (!description.isObject()) {
    scope.release();
    promise->reject(global, JSC::createError(global, "the module loader returned no source"_s));
    return promise;
  }
  auto source = source_from(global, key.toWTFString(global), JSC::asObject(description));
  RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
  scope.release();
  promise->resolve(global, JSC::JSSourceCode::create(vm, WTFMove(source)));
  return promise;
}

JSInternalPromise* import_module(JSC::JSGlobalObject* global, JSC::JSModuleLoader*, JSC::JSString* specifier,
                                 Value parameters, const JSC::SourceOrigin& origin) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* promise = JSInternalPromise::create(vm, global->internalPromiseStructure());
  // A page's own imports go by its context's importer; whatever got here is a page's way into the library.
  if (VmState::of(vm).has_pages) {
    scope.release();
    promise->reject(global, JSC::createTypeError(global, "import() is not available here"_s));
    return promise;
  }
  Value referrer = JSC::jsString(vm, origin.url().string());
  auto key = resolve_module(global, nullptr, specifier, referrer, JSC::jsUndefined());
  RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));

  Value fetch_parameters = JSC::jsUndefined();
  if (parameters.isObject()) {
    auto attributes =
        JSC::retrieveImportAttributesFromDynamicImportOptions(global, parameters, {vm.propertyNames->type.impl()});
    RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
    auto type = JSC::retrieveTypeImportAttribute(global, attributes);
    RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
    if (type) fetch_parameters = JSC::JSScriptFetchParameters::create(vm, JSC::ScriptFetchParameters::create(*type));
  }
  auto* result = JSC::importModule(global, key, JSC::jsUndefined(), fetch_parameters, JSC::jsUndefined());
  RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
  return result;
}

JSC::JSObject* create_import_meta(JSC::JSGlobalObject* global, JSC::JSModuleLoader*, Value key, JSC::JSModuleRecord*,
                                  Value) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* meta = JSC::constructEmptyObject(vm, global->nullPrototypeObjectStructure());
  auto* pending = Realm::from(global)->synthetic_modules();
  Value evaluate = pending->get(global, key);
  RETURN_IF_EXCEPTION(scope, nullptr);
  if (evaluate.isCallable()) {
    pending->remove(global, key);
    meta->putDirect(vm, identifier(vm, "evaluate"), evaluate);
    return meta;
  }
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(meta);
  arguments.append(key);
  call_hook(global, Hook::InitImportMeta, arguments);
  RETURN_IF_EXCEPTION(scope, nullptr);
  return meta;
}

JSInternalPromise* import_by_key(Realm* realm, const WTF::String& key) {
  auto& vm = realm->vm();
  return JSC::importModule(realm, JSC::Identifier::fromString(vm, key), JSC::jsUndefined(), JSC::jsUndefined(),
                           JSC::jsUndefined());
}

namespace {

// The loader's registry entry of a key, or null. Its fields are the engine's own bookkeeping (ModuleLoader.js).
JSC::JSObject* registry_entry(Realm* realm, const WTF::String& key) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto* map = JSC::jsDynamicCast<JSC::JSMap*>(realm->moduleLoader()->get(realm, identifier(vm, "registry")));
  Value entry = map ? map->get(realm, JSC::jsString(vm, key)) : Value();
  scope.clearException();
  return entry && entry.isObject() ? JSC::asObject(entry) : nullptr;
}

// Links the graph of an entry (the loader does nothing when it is linked already) and tells whether it awaits at a top level.
bool links_as_async(Realm* realm, JSC::JSObject* entry) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* loader = realm->moduleLoader();
  Value link = loader->get(realm, identifier(vm, "link"));
  RETURN_IF_EXCEPTION(scope, false);
  if (!link.isCallable()) return false;
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(entry);
  arguments.append(JSC::jsUndefined());
  JSC::call(realm, link, JSC::getCallData(link), loader, arguments);
  RETURN_IF_EXCEPTION(scope, false);
  RELEASE_AND_RETURN(scope, entry->get(realm, identifier(vm, "isAsync")).toBoolean(realm));
}

JSC::Exception* async_refusal(Realm* realm) {
  auto* error =
      JSC::createError(realm, "require() cannot be used on an ESM graph with top-level await. Use import() instead."_s);
  put(realm, error, "code", make_string(realm->vm(), "ERR_REQUIRE_ASYNC_MODULE"));
  return JSC::Exception::create(realm->vm(), error);
}

}  // namespace

CallOutcome evaluate_sync(Realm* realm, const WTF::String& key) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto take_exception = [&]() -> CallOutcome {
    auto* exception = scope.exception();
    scope.clearException();
    return {JSC::jsUndefined(), exception};
  };

  auto id = JSC::Identifier::fromString(vm, key);
  JSInternalPromise* promise;
  {
    SeparateMicrotasks microtasks(realm);
    promise = JSC::loadModule(realm, id, JSC::jsUndefined(), JSC::jsUndefined());
    if (!scope.exception()) microtasks.run();
  }
  if (scope.exception()) return take_exception();

  if (promise->status(vm) == JSC::JSPromise::Status::Rejected) {
    promise->internalField(JSC::JSPromise::Field::Flags)
        .set(vm, promise,
             JSC::jsNumber(promise->internalField(JSC::JSPromise::Field::Flags).get().asUInt32() |
                           JSC::JSPromise::isHandledFlag));
    return {JSC::jsUndefined(), JSC::Exception::create(vm, promise->result(vm))};
  }
  auto* entry = registry_entry(realm, key);
  bool is_async = entry && links_as_async(realm, entry);
  if (scope.exception()) return take_exception();
  if (is_async) return {JSC::jsUndefined(), async_refusal(realm)};
  Value result = JSC::linkAndEvaluateModule(realm, id, JSC::jsUndefined());
  if (scope.exception()) return take_exception();
  return {result, nullptr};
}

CallOutcome namespace_of(Realm* realm, const WTF::String& key) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  if (auto* entry = registry_entry(realm, key)) {
    if (auto* module = JSC::jsDynamicCast<JSC::AbstractModuleRecord*>(entry->get(realm, identifier(vm, "module")))) {
      Value result = module->getModuleNamespace(realm);
      if (!scope.exception()) return {result, nullptr};
    }
  }
  auto* exception = scope.exception();
  scope.clearException();
  return {JSC::jsUndefined(), exception};
}

ModuleStatus module_status(Realm* realm, const WTF::String& key) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto* entry = registry_entry(realm, key);
  if (!entry) return ModuleStatus::Absent;
  Value evaluated = entry->get(realm, identifier(vm, "evaluated"));
  scope.clearException();
  return evaluated.isTrue() ? ModuleStatus::Evaluated : ModuleStatus::Linking;
}

}  // namespace rondo::engine
