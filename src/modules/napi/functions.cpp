// The napi_* functions about functions and classes: making them, calling them, and reading a call's arguments.
#include "modules/napi/functions.h"

#include <JavaScriptCore/PropertyDescriptor.h>

using namespace rondo::modules::napi;
namespace engine = rondo::engine;

namespace rondo::modules::napi {

napi_status define_property(napi_env env, JSC::JSObject* object, const napi_property_descriptor& property,
                            AddonFunction* receiver_class) {
  auto& vm = env->vm;
  JSC::Identifier name;
  if (property.utf8name) {
    name = engine::identifier(vm, property.utf8name);
  } else {
    NAPI_NEEDS(env, property.name);
    Value given = decode(property.name);
    if (!given.isString() && !given.isSymbol()) return env->fail(napi_name_expected);
    name = given.toPropertyKey(env->realm);
  }
  const WTF::String label = name.isSymbol() ? WTF::String() : name.string();
  auto make = [&](napi_callback callback) { return AddonFunction::create(env, label, callback, property.data); };

  JSC::PropertyDescriptor descriptor;
  napi_status failure = napi_invalid_arg;
  if (property.getter || property.setter) {
    if (property.getter) descriptor.setGetter(make(property.getter));
    if (property.setter) descriptor.setSetter(make(property.setter));
  } else if (property.method) {
    auto* method = make(property.method);
    method->make_prototype();
    if (receiver_class) method->set_receiver_class(receiver_class);
    descriptor.setValue(method);
    failure = napi_generic_failure;
  } else {
    NAPI_NEEDS(env, property.value);
    descriptor.setValue(decode(property.value));
  }
  if (!descriptor.isAccessorDescriptor()) descriptor.setWritable(property.attributes & napi_writable);
  descriptor.setEnumerable(property.attributes & napi_enumerable);
  descriptor.setConfigurable((property.attributes & napi_configurable) != 0);
  const bool is_defined = object->methodTable()->defineOwnProperty(object, env->realm, name, descriptor, false);
  if (vm.exceptionForInspection()) return napi_pending_exception;
  return is_defined ? napi_ok : env->fail(failure);
}

}  // namespace rondo::modules::napi

napi_status napi_create_function(napi_env env, const char* name, size_t length, napi_callback callback, void* data,
                                 napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    NAPI_NEEDS(env, callback);
    if (name && length_of(name, length) == kNotLength) return env->fail(napi_invalid_arg);
    auto* function = AddonFunction::create(env, name ? text_of(name, length) : WTF::emptyString(), callback, data);
    function->make_prototype();
    *result = env->handle(function);
    return napi_ok;
  });
}

napi_status napi_define_class(napi_env env, const char* name, size_t length, napi_callback constructor, void* data,
                              size_t count, const napi_property_descriptor* properties, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    NAPI_NEEDS(env, constructor);
    if (count > 0) NAPI_NEEDS(env, properties);
    NAPI_NEEDS(env, name);
    if (length_of(name, length) == kNotLength) return env->fail(napi_invalid_arg);
    auto* made = AddonFunction::create(env, text_of(name, length), constructor, data);
    auto* prototype = made->make_prototype();
    for (const auto& property : std::span(properties, count)) {
      const bool is_static = property.attributes & napi_static;
      auto status = define_property(env, is_static ? static_cast<JSC::JSObject*>(made) : prototype, property,
                                    is_static ? nullptr : made);
      if (status != napi_ok) return status;
    }
    *result = env->handle(made);
    return napi_ok;
  });
}

napi_status napi_get_cb_info(napi_env env, napi_callback_info info, size_t* count, napi_value* arguments,
                             napi_value* self, void** data) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, info);
  if (arguments) {
    NAPI_NEEDS(env, count);
    // The frame keeps them: no handles are needed. One beyond the last reads as undefined.
    for (size_t i = 0; i < *count; i++)
      arguments[i] =
          reinterpret_cast<napi_value>(JSC::JSValue::encode(info->frame->argument(static_cast<unsigned>(i))));
  }
  if (count) *count = info->frame->argumentCount();
  if (self) *self = env->handle(info->self);
  if (data) *data = info->data;
  return env->ok();
}

napi_status napi_get_new_target(napi_env env, napi_callback_info info, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, info);
  NAPI_NEEDS(env, result);
  *result = env->handle(info->new_target);
  return env->ok();
}

namespace {

// The addon's array as the engine's arguments; false when one is missing.
bool fill(JSC::MarkedArgumentBuffer& arguments, size_t count, const napi_value* values) {
  for (size_t i = 0; i < count; i++) {
    if (!values[i]) return false;
    arguments.append(decode(values[i]));
  }
  return true;
}

}  // namespace

napi_status napi_call_function(napi_env env, napi_value self, napi_value function, size_t count,
                               const napi_value* values, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, function);
    if (count > 0) NAPI_NEEDS(env, values);
    auto call_data = JSC::getCallData(decode(function));
    if (call_data.type == JSC::CallData::Type::None) return env->fail(napi_invalid_arg);
    JSC::MarkedArgumentBuffer arguments;
    if (!fill(arguments, count, values)) return env->fail(napi_invalid_arg);
    Value returned =
        JSC::call(env->realm, decode(function), call_data, self ? decode(self) : JSC::jsUndefined(), arguments);
    if (env->vm.exceptionForInspection()) return napi_pending_exception;
    if (result) *result = env->handle(returned);
    return napi_ok;
  });
}

napi_status napi_new_instance(napi_env env, napi_value constructor, size_t count, const napi_value* values,
                              napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, constructor);
    if (count > 0) NAPI_NEEDS(env, values);
    NAPI_NEEDS(env, result);
    auto call_data = JSC::getConstructData(decode(constructor));
    if (call_data.type == JSC::CallData::Type::None) return env->fail(napi_invalid_arg);
    JSC::MarkedArgumentBuffer arguments;
    if (!fill(arguments, count, values)) return env->fail(napi_invalid_arg);
    auto* made = JSC::construct(env->realm, decode(constructor), call_data, arguments);
    if (env->vm.exceptionForInspection()) return napi_pending_exception;
    *result = env->handle(made);
    return napi_ok;
  });
}

napi_status napi_instanceof(napi_env env, napi_value value, napi_value constructor, bool* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, result);
    *result = false;
    NAPI_NEEDS(env, constructor);
    if (!object_of(env, constructor)) return env->fail(napi_object_expected);
    if (!decode(constructor).isCallable()) {
      auto* error = JSC::createTypeError(env->realm, "Constructor must be a function"_s);
      error->putDirect(env->vm, engine::identifier(env->vm, "code"),
                       engine::make_string(env->vm, "ERR_NAPI_CONS_FUNCTION"));
      env->throw_later(error);
      return env->fail(napi_function_expected);
    }
    *result = JSC::asObject(decode(constructor))->hasInstance(env->realm, decode(value));
    return napi_ok;
  });
}
