// See module_record.h.
#include "engine/modules/module_record.h"

#include "engine/core/context_realm.h"
#include "engine/core/entry.h"
#include "engine/core/source.h"
#include "engine/modules/module_loader.h"

#include <JavaScriptCore/AbstractModuleRecord.h>
#include <JavaScriptCore/JSLexicalEnvironment.h>
#include <JavaScriptCore/JSSourceCode.h>
#include <JavaScriptCore/SyntheticModuleRecord.h>

namespace rondo::engine {

namespace {

JSC::AbstractModuleRecord* record_of(Value value) {
  return value.isCell() ? JSC::jsDynamicCast<JSC::AbstractModuleRecord*>(value.asCell()) : nullptr;
}

}  // namespace

bool is_module_record(Value value) { return record_of(value) != nullptr; }

void set_top_level_await(JSC::VM& vm, Value record, bool has_it) {
  if (auto* own = record_of(record)) own->putDirect(vm, identifier(vm, "hasTopLevelAwait"), JSC::jsBoolean(has_it));
}

bool has_top_level_await(JSC::VM& vm, Value record) {
  auto* own = record_of(record);
  Value known = own ? own->getDirect(vm, identifier(vm, "hasTopLevelAwait")) : Value();
  return known && known.isTrue();
}

CallOutcome execute_module(JSC::JSGlobalObject* realm, Value record, Value sent, int mode) {
  auto* own = record_of(record);
  if (!own) return {JSC::jsUndefined(), nullptr};
  auto scope = DECLARE_CATCH_SCOPE(realm->vm());
  auto* context = JSC::jsDynamicCast<ContextRealm*>(own->globalObject());
  if (context) context->give_way();
  Value awaited = own->evaluate(own->globalObject(), sent, JSC::jsNumber(mode));
  auto* exception = scope.exception();
  scope.clearException();
  if (context) context->publish_declarations();
  return {awaited ? awaited : JSC::jsUndefined(), exception};
}

bool is_module_suspended(Value record) {
  auto* own = record_of(record);
  constexpr auto kExecuting = static_cast<int32_t>(JSC::AbstractModuleRecord::State::Executing);
  return own && own->internalField(JSC::AbstractModuleRecord::Field::State).get().asInt32() != kExecuting;
}

namespace {

// A property of the loader of the record's realm, called. Records of node:vm are in no registry, but are parsed and linked as the others.
CallOutcome call_loader(JSC::JSGlobalObject* realm, std::string_view name, const JSC::ArgList& arguments) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  prepare_module_loader(realm);
  auto* loader = realm->moduleLoader();
  Value function = loader->get(realm, identifier(vm, name));
  auto* exception = scope.exception();
  scope.clearException();
  return exception ? CallOutcome{JSC::jsUndefined(), exception} : call(realm, function, loader, arguments);
}

}  // namespace

CallOutcome parse_module(JSC::JSGlobalObject* realm, const ScriptSource& source, std::span<const uint8_t> bytecode) {
  auto& vm = realm->vm();
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsString(vm, source.origin));
  arguments.append(JSC::JSSourceCode::create(vm, module_source(source, bytecode)));
  auto outcome = call_loader(realm, "parseModule", arguments);
  auto* promise = outcome.value.isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(outcome.value.asCell()) : nullptr;
  if (outcome.exception || !promise) return outcome;
  if (promise->status(vm) != JSC::JSPromise::Status::Rejected) return {promise->result(vm), nullptr};
  mark_as_handled(vm, promise);
  return {JSC::jsUndefined(), JSC::Exception::create(vm, promise->result(vm))};
}

Value requests_of(JSC::JSGlobalObject* realm, Value record) {
  auto& vm = realm->vm();
  auto* own = record_of(record);
  JSC::MarkedArgumentBuffer requests;
  for (const auto& request : own->requestedModules()) {
    const bool is_json = request.m_attributes && request.m_attributes->type() == JSC::ScriptFetchParameters::JSON;
    JSC::MarkedArgumentBuffer pair;
    pair.append(JSC::jsString(vm, WTF::String(request.m_specifier.get())));
    pair.append(is_json ? make_string(vm, "json") : JSC::jsUndefined());
    requests.append(make_array(realm, pair));
  }
  return make_array(realm, requests);
}

void set_dependency(JSC::JSGlobalObject* realm, Value record, Value specifier, Value dependency) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto* own = record_of(record);
  Value map = own->getDirect(vm, identifier(vm, "dependenciesMap"));
  auto* entry = make_object(realm);  // the engine looks for `module` in it
  put(realm, entry, "module", dependency);
  if (map && map.isCell()) JSC::jsCast<JSC::JSMap*>(map.asCell())->set(realm, specifier, entry);
  scope.clearException();
}

CallOutcome link_record(Value record) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(record);
  arguments.append(JSC::jsUndefined());
  return call_loader(record_of(record)->globalObject(), "moduleDeclarationInstantiation", arguments);
}

CallOutcome namespace_of_record(Value record) {
  auto* own = record_of(record);
  auto scope = DECLARE_CATCH_SCOPE(own->globalObject()->vm());
  Value result = own->getModuleNamespace(own->globalObject());
  auto* exception = scope.exception();
  scope.clearException();
  return {exception ? JSC::jsUndefined() : result, exception};
}

Value make_synthetic_record(JSC::JSGlobalObject* realm, const WTF::String& key, const std::vector<WTF::String>& names) {
  auto& vm = realm->vm();
  WTF::Vector<JSC::Identifier, 4> identifiers;
  JSC::MarkedArgumentBuffer values;
  for (const auto& name : names) {
    identifiers.append(JSC::Identifier::fromString(vm, name));
    values.append(JSC::jsUndefined());
  }
  return JSC::SyntheticModuleRecord::tryCreateWithExportNamesAndValues(realm, JSC::Identifier::fromString(vm, key),
                                                                       identifiers, values);
}

bool set_synthetic_export(Value record, const WTF::String& name, Value value) {
  auto* own = record_of(record);
  auto* realm = own->globalObject();
  auto scope = DECLARE_CATCH_SCOPE(realm->vm());
  auto id = JSC::Identifier::fromString(realm->vm(), name);
  if (!own->tryGetExportEntry(id.impl())) return false;
  // Its class is not in the engine's headers; it derives from this one alone.
  auto* environment = reinterpret_cast<JSC::JSLexicalEnvironment*>(own->moduleEnvironmentMayBeNull());
  bool done = false;
  const bool throws_if_constant = false;
  const bool writes_constants = true;
  JSC::symbolTablePutTouchWatchpointSet(environment, realm, id, value, throws_if_constant, writes_constants, done);
  scope.clearException();
  return done;
}

}  // namespace rondo::engine
