// The napi_* functions about objects and their properties, arrays, dates, promises and scripts.
#include "modules/napi/functions.h"

#include <JavaScriptCore/DateInstance.h>
#include <JavaScriptCore/ObjectConstructor.h>
#include <JavaScriptCore/PropertyNameArray.h>

using namespace rondo::modules::napi;
namespace engine = rondo::engine;

namespace {

// Common beginning of many functions here: an object (made from a primitive value if need be), then `act` with it.
template <class Act>
napi_status with_object(napi_env env, napi_value value, Act act) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    auto* object = object_of(env, value);
    return object ? act(object) : env->fail(napi_object_expected);
  });
}

napi_status set(napi_env env, JSC::JSObject* object, JSC::PropertyName name, Value value) {
  JSC::PutPropertySlot slot(object, false);
  object->methodTable()->put(object, env->realm, name, value, slot);
  return napi_ok;
}

JSC::Identifier name_of(napi_env env, const char* name) { return engine::identifier(env->vm, name); }

}  // namespace

napi_status napi_create_object(napi_env env, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  *result = env->handle(JSC::constructEmptyObject(env->realm));
  return env->ok();
}

napi_status napi_create_array(napi_env env, napi_value* result) {
  return napi_create_array_with_length(env, 0, result);
}

napi_status napi_create_array_with_length(napi_env env, size_t length, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  *result = env->handle(JSC::constructEmptyArray(env->realm, nullptr, static_cast<unsigned>(length)));
  return env->ok();
}

napi_status napi_get_prototype(napi_env env, napi_value object, napi_value* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, result);
    *result = env->handle(of->getPrototype(env->vm, env->realm));
    return napi_ok;
  });
}

extern "C" NAPI_EXTERN napi_status node_api_set_prototype(napi_env env, napi_value object, napi_value prototype) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, prototype);
    const bool is_set = of->setPrototype(env->vm, env->realm, decode(prototype));
    return is_set ? napi_ok : env->fail(napi_generic_failure);
  });
}

napi_status napi_set_property(napi_env env, napi_value object, napi_value key, napi_value value) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, key);
    NAPI_NEEDS(env, value);
    auto name = decode(key).toPropertyKey(env->realm);
    return env->vm.exceptionForInspection() ? napi_pending_exception : set(env, of, name, decode(value));
  });
}

napi_status napi_has_property(napi_env env, napi_value object, napi_value key, bool* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, result);
    NAPI_NEEDS(env, key);
    auto name = decode(key).toPropertyKey(env->realm);
    if (env->vm.exceptionForInspection()) return napi_pending_exception;
    *result = of->hasProperty(env->realm, name);
    return napi_ok;
  });
}

napi_status napi_get_property(napi_env env, napi_value object, napi_value key, napi_value* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, key);
    NAPI_NEEDS(env, result);
    auto name = decode(key).toPropertyKey(env->realm);
    if (env->vm.exceptionForInspection()) return napi_pending_exception;
    *result = env->handle(of->get(env->realm, name));
    return napi_ok;
  });
}

napi_status napi_delete_property(napi_env env, napi_value object, napi_value key, bool* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, key);
    auto name = decode(key).toPropertyKey(env->realm);
    if (env->vm.exceptionForInspection()) return napi_pending_exception;
    const bool is_gone = JSC::JSCell::deleteProperty(of, env->realm, name);
    if (result) *result = is_gone;
    return napi_ok;
  });
}

napi_status napi_has_own_property(napi_env env, napi_value object, napi_value key, bool* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, key);
    NAPI_NEEDS(env, result);
    if (!decode(key).isString() && !decode(key).isSymbol()) return env->fail(napi_name_expected);
    *result = of->hasOwnProperty(env->realm, decode(key).toPropertyKey(env->realm));
    return napi_ok;
  });
}

napi_status napi_set_named_property(napi_env env, napi_value object, const char* name, napi_value value) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, name);
    NAPI_NEEDS(env, value);
    return set(env, of, name_of(env, name), decode(value));
  });
}

napi_status napi_has_named_property(napi_env env, napi_value object, const char* name, bool* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, result);
    NAPI_NEEDS(env, name);
    *result = of->hasProperty(env->realm, name_of(env, name));
    return napi_ok;
  });
}

napi_status napi_get_named_property(napi_env env, napi_value object, const char* name, napi_value* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, name);
    NAPI_NEEDS(env, result);
    *result = env->handle(of->get(env->realm, name_of(env, name)));
    return napi_ok;
  });
}

napi_status napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, value);
    of->methodTable()->putByIndex(of, env->realm, index, decode(value), false);
    return napi_ok;
  });
}

napi_status napi_has_element(napi_env env, napi_value object, uint32_t index, bool* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, result);
    *result = of->hasProperty(env->realm, index);
    return napi_ok;
  });
}

napi_status napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, result);
    *result = env->handle(of->get(env->realm, index));
    return napi_ok;
  });
}

napi_status napi_delete_element(napi_env env, napi_value object, uint32_t index, bool* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    const bool is_gone = of->methodTable()->deletePropertyByIndex(of, env->realm, index);
    if (result) *result = is_gone;
    return napi_ok;
  });
}

// Names of properties

napi_status napi_get_property_names(napi_env env, napi_value object, napi_value* result) {
  return napi_get_all_property_names(env, object, napi_key_include_prototypes,
                                     static_cast<napi_key_filter>(napi_key_enumerable | napi_key_skip_symbols),
                                     napi_key_numbers_to_strings, result);
}

namespace {

bool passes(napi_env env, JSC::JSObject* object, const JSC::Identifier& name, napi_key_filter filter) {
  if (!(filter & (napi_key_writable | napi_key_enumerable | napi_key_configurable))) return true;
  JSC::PropertyDescriptor descriptor;
  if (!object->getOwnPropertyDescriptor(env->realm, name, descriptor)) return false;
  if ((filter & napi_key_writable) && !descriptor.isAccessorDescriptor() && !descriptor.writable()) return false;
  if ((filter & napi_key_enumerable) && !descriptor.enumerable()) return false;
  return !(filter & napi_key_configurable) || descriptor.configurable();
}

JSC::PropertyNameMode mode_of(napi_key_filter filter) {
  const bool no_strings = filter & napi_key_skip_strings, no_symbols = filter & napi_key_skip_symbols;
  if (no_strings) return JSC::PropertyNameMode::Symbols;
  return no_symbols ? JSC::PropertyNameMode::Strings : JSC::PropertyNameMode::StringsAndSymbols;
}

}  // namespace

napi_status napi_get_all_property_names(napi_env env, napi_value object, napi_key_collection_mode collection,
                                        napi_key_filter filter, napi_key_conversion conversion, napi_value* result) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    NAPI_NEEDS(env, result);
    auto& vm = env->vm;
    JSC::MarkedArgumentBuffer keys;
    WTF::HashSet<WTF::UniquedStringImpl*> seen;
    JSC::PropertyNameArray kept(vm, JSC::PropertyNameMode::StringsAndSymbols,
                                JSC::PrivateSymbolMode::Exclude);  // keeps names alive
    const bool is_empty = (filter & napi_key_skip_strings) && (filter & napi_key_skip_symbols);
    for (JSC::JSObject* at = is_empty ? nullptr : of; at;) {
      JSC::PropertyNameArray names(vm, mode_of(filter), JSC::PrivateSymbolMode::Exclude);
      at->methodTable()->getOwnPropertyNames(at, env->realm, names, JSC::DontEnumPropertiesMode::Include);
      if (vm.exceptionForInspection()) return napi_pending_exception;
      for (const auto& name : names) {
        if (!seen.add(name.impl()).isNewEntry) continue;  // shadowed
        kept.addUnchecked(name.impl());
        const bool is_wanted = passes(env, at, name, filter);
        if (vm.exceptionForInspection()) return napi_pending_exception;
        if (!is_wanted) continue;
        auto index = JSC::parseIndex(name);
        if (index && conversion == napi_key_keep_numbers)
          keys.append(JSC::jsNumber(*index));
        else
          keys.append(engine::Value(name.isSymbol()
                                        ? Value(JSC::Symbol::create(vm, static_cast<WTF::SymbolImpl&>(*name.impl())))
                                        : Value(JSC::jsString(vm, name.string()))));
      }
      if (collection == napi_key_own_only) break;
      Value next = at->getPrototype(vm, env->realm);
      if (vm.exceptionForInspection()) return napi_pending_exception;
      at = next.getObject();
    }
    *result = env->handle(engine::make_array(env->realm, keys));
    return napi_ok;
  });
}

// Defining

napi_status napi_define_properties(napi_env env, napi_value object, size_t count,
                                   const napi_property_descriptor* properties) {
  return may_run_js(env, [&] {
    if (count > 0) NAPI_NEEDS(env, properties);
    NAPI_NEEDS(env, object);
    auto* of = decode(object).getObject();
    if (!of) return env->fail(napi_object_expected);
    for (const auto& property : std::span(properties, count))
      if (auto status = define_property(env, of, property, nullptr); status != napi_ok) return status;
    return napi_ok;
  });
}

napi_status napi_object_freeze(napi_env env, napi_value object) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    JSC::objectConstructorFreeze(env->realm, of);
    return napi_ok;
  });
}

napi_status napi_object_seal(napi_env env, napi_value object) {
  return with_object(env, object, [&](JSC::JSObject* of) {
    JSC::objectConstructorSeal(env->realm, of);
    return napi_ok;
  });
}

extern "C" NAPI_EXTERN napi_status node_api_create_object_with_properties(napi_env env, napi_value prototype,
                                                                          napi_value* names, napi_value* values,
                                                                          size_t count, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    if (count > 0) {
      NAPI_NEEDS(env, names);
      NAPI_NEEDS(env, values);
    }
    Value parent = prototype ? decode(prototype) : JSC::jsNull();
    if (!parent.isObject() && !parent.isNull()) return env->fail(napi_object_expected);
    auto* made = parent.isObject() ? JSC::constructEmptyObject(env->realm, JSC::asObject(parent))
                                   : JSC::constructEmptyObject(env->vm, env->realm->nullPrototypeObjectStructure());
    for (size_t i = 0; i < count; i++) {
      Value name = decode(names[i]);
      if (!name.isString() && !name.isSymbol()) return env->fail(napi_name_expected);
      made->putDirectMayBeIndex(env->realm, name.toPropertyKey(env->realm), decode(values[i]));
    }
    *result = env->handle(made);
    return napi_ok;
  });
}

// Arrays, dates

napi_status napi_is_array(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = JSC::jsDynamicCast<JSC::JSArray*>(decode(value)) != nullptr;
  return env->ok();
}

napi_status napi_get_array_length(napi_env env, napi_value value, uint32_t* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(decode(value));
  if (!array) return env->fail(napi_array_expected);
  *result = array->length();
  return env->ok();
}

napi_status napi_create_date(napi_env env, double time, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    *result = env->handle(JSC::DateInstance::create(env->vm, env->realm->dateStructure(), WTF::timeClip(time)));
    return napi_ok;
  });
}

napi_status napi_is_date(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = JSC::jsDynamicCast<JSC::DateInstance*>(decode(value)) != nullptr;
  return env->ok();
}

napi_status napi_get_date_value(napi_env env, napi_value value, double* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, result);
    auto* date = JSC::jsDynamicCast<JSC::DateInstance*>(decode(value));
    if (!date) return env->fail(napi_date_expected);
    *result = date->internalNumber();
    return napi_ok;
  });
}

// Promises. A deferred is a root of its promise until it is settled.

struct napi_deferred__ {
  JSC::Strong<JSC::JSPromise> promise;
};

napi_status napi_create_promise(napi_env env, napi_deferred* deferred, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, deferred);
    NAPI_NEEDS(env, result);
    auto* promise = JSC::JSPromise::create(env->vm, env->realm->promiseStructure());
    *deferred = new napi_deferred__{{env->vm, promise}};
    *result = env->handle(promise);
    return napi_ok;
  });
}

namespace {

template <class Settle>
napi_status settle(napi_env env, napi_deferred deferred, napi_value value, Settle settle_with) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, deferred);
    std::unique_ptr<napi_deferred__> owned(deferred);
    settle_with(owned->promise.get(), decode(value));
    return napi_ok;
  });
}

}  // namespace

napi_status napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value value) {
  return settle(env, deferred, value, [&](JSC::JSPromise* promise, Value with) { promise->resolve(env->realm, with); });
}
napi_status napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value value) {
  return settle(env, deferred, value, [&](JSC::JSPromise* promise, Value with) { promise->reject(env->realm, with); });
}

napi_status napi_is_promise(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = JSC::jsDynamicCast<JSC::JSPromise*>(decode(value)) != nullptr;
  return env->ok();
}

napi_status napi_run_script(napi_env env, napi_value script, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, script);
    NAPI_NEEDS(env, result);
    if (!decode(script).isString()) return env->fail(napi_string_expected);
    auto source = JSC::makeSource(JSC::asString(decode(script))->value(env->realm), JSC::SourceOrigin(),
                                  JSC::SourceTaintedOrigin::Untainted);
    WTF::NakedPtr<JSC::Exception> thrown;
    Value value = JSC::evaluate(env->realm, source, JSC::JSValue(), thrown);
    if (thrown) {
      env->exception.set(env->vm, thrown.get());
      return napi_pending_exception;
    }
    *result = env->handle(value);
    return napi_ok;
  });
}
