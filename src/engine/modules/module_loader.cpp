// See module_loader.h. A module that is not JavaScript text (CommonJS, JSON, builtins) is loaded as a small generated module
// that fetches its values when it is *evaluated*, so that it takes its turn in the graph's evaluation order.
#include "engine/modules/module_loader.h"

#include "engine/core/coverage.h"
#include "engine/modules/module_record.h"
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
  auto* function = Realm::main(global)->hook(hook);
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
  auto code = module_source(text, key, bytes_of(bytecode));
  note_source(vm, *code.provider());
  return code;
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

// A function that stands before one of the loader's own, which it holds as a property of itself.
Value call_engines_own(JSC::JSGlobalObject* global, JSC::CallFrame* frame) {
  Value own = frame->jsCallee()->getDirect(global->vm(), identifier(global->vm(), "engines"));
  JSC::MarkedArgumentBuffer arguments;
  for (unsigned i = 0; i < frame->argumentCount(); i++) arguments.append(frame->uncheckedArgument(i));
  return JSC::call(global, own, JSC::getCallData(own), frame->thisValue(), arguments);
}

// Before parseModule(key, source), which answers with a promise.
Encoded parse_module(JSC::JSGlobalObject* global, JSC::CallFrame* frame) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  Value result = call_engines_own(global, frame);
  RETURN_IF_EXCEPTION(scope, {});
  auto* promise = result.isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(result.asCell()) : nullptr;
  if (promise && promise->status(vm) == JSC::JSPromise::Status::Rejected) {
    give_words(global, promise->result(vm), frame->argument(1));
    give_stack(global, promise->result(vm));
  }
  return JSC::JSValue::encode(result);
}

// Before moduleDeclarationInstantiation(record, fetcher) → whether the body awaits at its top level.
Encoded instantiate_declarations(JSC::JSGlobalObject* global, JSC::CallFrame* frame) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  Value is_async = call_engines_own(global, frame);
  RETURN_IF_EXCEPTION(scope, {});
  set_top_level_await(vm, frame->argument(0), is_async.isTrue());
  return JSC::JSValue::encode(is_async);
}

// In place of moduleEvaluation(entry, fetcher): the engine's own evaluates siblings one after the other, and a module that threw
// counts as evaluated.
Encoded evaluate_entry(JSC::JSGlobalObject* global, JSC::CallFrame* frame) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(frame->argument(0));
  return JSC::JSValue::encode(call_hook(global, Hook::EvaluateModule, arguments));
}

void replace_loader_function(JSC::JSGlobalObject* global, std::string_view name, JSC::NativeFunction function) {
  auto& vm = global->vm();
  auto* loader = global->moduleLoader();
  Value engines = loader->get(global, identifier(vm, name));
  if (!engines.isCallable()) return;
  auto* replacement = JSC::JSFunction::create(vm, global, 2, identifier(vm, name).string(), function,
                                              JSC::ImplementationVisibility::Private);
  replacement->putDirect(vm, identifier(vm, "engines"), engines);
  loader->putDirect(vm, identifier(vm, name), replacement);
}

}  // namespace

void prepare_module_loader(JSC::JSGlobalObject* global) {
  auto& vm = global->vm();
  Value parse = global->moduleLoader()->get(global, identifier(vm, "parseModule"));
  if (!parse.isCallable() || JSC::asObject(parse)->getDirect(vm, identifier(vm, "engines"))) return;
  replace_loader_function(global, "parseModule", parse_module);
  replace_loader_function(global, "moduleDeclarationInstantiation", instantiate_declarations);
  replace_loader_function(global, "moduleEvaluation", evaluate_entry);
}

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
  prepare_module_loader(global);
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

namespace {

// The attributes of import(x, { with }) as an object, or undefined: https://tc39.es/ecma262/#sec-evaluate-import-call
Value attributes_of(JSC::JSGlobalObject* global, Value options) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (options.isUndefined()) return options;
  if (!options.isObject())
    return JSC::throwTypeError(global, scope, "The second argument of import() must be an object"_s), Value();
  Value given = JSC::asObject(options)->get(global, identifier(vm, "with"));
  RETURN_IF_EXCEPTION(scope, {});
  if (given.isUndefined()) return given;
  if (!given.isObject()) return JSC::throwTypeError(global, scope, "The 'with' option must be an object"_s), Value();
  JSC::PropertyNameArray names(vm, JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
  JSC::asObject(given)->methodTable()->getOwnPropertyNames(JSC::asObject(given), global, names,
                                                           JSC::DontEnumPropertiesMode::Exclude);
  RETURN_IF_EXCEPTION(scope, {});
  auto* attributes = make_object(global);
  for (const auto& name : names) {
    Value value = JSC::asObject(given)->get(global, name);
    RETURN_IF_EXCEPTION(scope, {});
    if (!value.isString())
      return JSC::throwTypeError(global, scope, "Import attribute value must be a string"_s), Value();
    attributes->putDirectMayBeIndex(global, name, value);
  }
  return names.size() == 0 ? JSC::jsUndefined() : Value(attributes);
}

// The number of the type that the engine knows, when it is the only attribute; else undefined, and the hook judges.
Value known_type(JSC::JSGlobalObject* global, Value attributes) {
  auto& vm = global->vm();
  if (!attributes.isObject()) return JSC::jsUndefined();
  auto* object = JSC::asObject(attributes);
  JSC::PropertyNameArray names(vm, JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
  object->getOwnPropertyNames(object, global, names, JSC::DontEnumPropertiesMode::Exclude);
  if (names.size() != 1 || names[0] != vm.propertyNames->type) return JSC::jsUndefined();
  const auto text = object->get(global, names[0]).toWTFString(global);
  const auto kind = JSC::ScriptFetchParameters::parseType(text);
  return kind ? JSC::jsNumber(static_cast<int>(*kind)) : JSC::jsUndefined();
}

Value fetch_parameters(JSC::VM& vm, Value type) {
  if (!type.isInt32()) return JSC::jsUndefined();
  const auto kind = static_cast<JSC::ScriptFetchParameters::Type>(type.asInt32());
  return JSC::JSScriptFetchParameters::create(vm, JSC::ScriptFetchParameters::create(kind));
}

}  // namespace

JSInternalPromise* import_module(JSC::JSGlobalObject* global, JSC::JSModuleLoader*, JSC::JSString* specifier,
                                 Value options, const JSC::SourceOrigin& origin) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* promise = JSInternalPromise::create(vm, global->internalPromiseStructure());
  // A page's own imports go by its context's importer; whatever got here is a page's way into the library.
  if (VmState::of(vm).has_pages) {
    scope.release();
    promise->reject(global, JSC::createTypeError(global, "import() is not available here"_s));
    return promise;
  }
  Value attributes = attributes_of(global, options);
  RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
  Value type = known_type(global, attributes);
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(specifier);
  arguments.append(JSC::jsString(vm, origin.url().string()));
  arguments.append(type);
  arguments.append(attributes);
  Value imported = call_hook(global, Hook::ImportModule, arguments);
  RETURN_IF_EXCEPTION(scope, promise->rejectWithCaughtException(global, scope));
  scope.release();
  promise->resolve(global, imported);
  return promise;
}

JSC::JSObject* create_import_meta(JSC::JSGlobalObject* global, JSC::JSModuleLoader*, Value key, JSC::JSModuleRecord*,
                                  Value) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* meta = JSC::constructEmptyObject(vm, global->nullPrototypeObjectStructure());
  auto* pending = Realm::main(global)->synthetic_modules();
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

JSC::Exception* async_refusal(Realm* realm) {
  auto* error =
      JSC::createError(realm, "require() cannot be used on an ESM graph with top-level await. Use import() instead."_s);
  put(realm, error, "code", make_string(realm->vm(), "ERR_REQUIRE_ASYNC_MODULE"));
  return JSC::Exception::create(realm->vm(), error);
}

}  // namespace

CallOutcome load_module(Realm* realm, const WTF::String& key, Value type) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  JSInternalPromise* promise = nullptr;
  {
    SeparateMicrotasks microtasks(realm);
    if (!scope.exception()) {
      promise =
          JSC::loadModule(realm, JSC::Identifier::fromString(vm, key), fetch_parameters(vm, type), JSC::jsUndefined());
    }
    if (auto* exception = scope.exception()) {
      // The end of the script stays what it is: no JavaScript may run before it has reached its caller.
      if (!vm.isTerminationException(exception)) scope.clearException();
      return {JSC::jsUndefined(), exception};
    }
    microtasks.run();
  }
  switch (promise->status(vm)) {
    case JSC::JSPromise::Status::Pending:
      return {promise, nullptr};
    case JSC::JSPromise::Status::Fulfilled:
      return {JSC::jsUndefined(), nullptr};
    case JSC::JSPromise::Status::Rejected:
      mark_as_handled(vm, promise);
      return {JSC::jsUndefined(), JSC::Exception::create(vm, promise->result(vm))};
  }
  return {JSC::jsUndefined(), nullptr};
}

CallOutcome link_module(Realm* realm, Value entry) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto* loader = realm->moduleLoader();
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(entry);
  arguments.append(JSC::jsUndefined());
  Value link = loader->get(realm, identifier(vm, "link"));
  if (!scope.exception()) JSC::call(realm, link, JSC::getCallData(link), loader, arguments);
  auto* exception = scope.exception();
  scope.clearException();
  return {JSC::jsUndefined(), exception};
}

CallOutcome evaluate_sync(Realm* realm, const WTF::String& key) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto loaded = load_module(realm, key, JSC::jsUndefined());
  if (loaded.exception) return loaded;
  if (auto* entry = registry_entry(realm, key)) {
    auto linked = link_module(realm, entry);
    if (linked.exception) return linked;
    if (entry->get(realm, identifier(vm, "isAsync")).toBoolean(realm))
      return {JSC::jsUndefined(), async_refusal(realm)};
  }
  Value result = JSC::linkAndEvaluateModule(realm, JSC::Identifier::fromString(vm, key), JSC::jsUndefined());
  auto* exception = scope.exception();
  scope.clearException();
  return {exception ? JSC::jsUndefined() : result, exception};
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

Value module_entry(Realm* realm, const WTF::String& key) {
  auto* entry = registry_entry(realm, key);
  return entry ? Value(entry) : JSC::jsUndefined();
}

}  // namespace rondo::engine
