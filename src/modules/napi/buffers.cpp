// The napi_* functions about bytes: ArrayBuffer, typed arrays, DataView and Node's Buffer.
//
// A small typed array keeps its bytes where the engine may later move them (when somebody asks for its `buffer`). An addon may keep
// the pointer it was given, so a function that asks for it makes the array's buffer first.
#include "modules/napi/env.h"
#include "modules/napi/external_memory.h"

#include "engine/clone/structured_clone.h"
#include "engine/core/buffer_class.h"

#include <JavaScriptCore/JSDataView.h>

using namespace rondo::modules::napi;
namespace engine = rondo::engine;

namespace {

JSC::JSArrayBuffer* array_buffer_of(napi_value value) { return JSC::jsDynamicCast<JSC::JSArrayBuffer*>(decode(value)); }
JSC::JSArrayBufferView* view_of(napi_value value) { return JSC::jsDynamicCast<JSC::JSArrayBufferView*>(decode(value)); }

JSC::JSArrayBuffer* object_of(napi_env env, RefPtr<JSC::ArrayBuffer>&& buffer) {
  const auto mode = buffer->sharingMode();
  return JSC::JSArrayBuffer::create(env->vm, env->realm->arrayBufferStructure(mode), std::move(buffer));
}
napi_value handle_of(napi_env env, RefPtr<JSC::ArrayBuffer>&& buffer) {
  return env->handle(object_of(env, std::move(buffer)));
}

// An addon's own memory as an ArrayBuffer. It cannot be given to another thread: the addon frees it on this one.
JSC::JSArrayBuffer* lend_object(napi_env env, void* data, size_t size, const Finalizer& finalizer) {
  auto* made = object_of(env, lend(env, data, size, finalizer));
  engine::set_clone_mode(env->realm, made, engine::CloneMode::kUntransferable);
  return made;
}

napi_status out_of_memory(napi_env env) {
  env->throw_later(JSC::createRangeError(env->realm, "Array buffer allocation failed"_s));
  return env->fail(napi_pending_exception);
}

void* stable_data(JSC::JSArrayBufferView* view) {
  view->possiblySharedBuffer();
  return view->vector();
}

}  // namespace

napi_status napi_is_arraybuffer(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = array_buffer_of(value) && !array_buffer_of(value)->isShared();
  return env->ok();
}

extern "C" NAPI_EXTERN napi_status node_api_is_sharedarraybuffer(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = array_buffer_of(value) && array_buffer_of(value)->isShared();
  return env->ok();
}

napi_status napi_create_arraybuffer(napi_env env, size_t size, void** data, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    auto buffer = JSC::ArrayBuffer::tryCreate(size, 1);
    if (!buffer) return out_of_memory(env);
    if (data) *data = buffer->data();
    *result = handle_of(env, std::move(buffer));
    return napi_ok;
  });
}

extern "C" NAPI_EXTERN napi_status node_api_create_sharedarraybuffer(napi_env env, size_t size, void** data,
                                                                     napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    auto buffer = JSC::ArrayBuffer::tryCreate(size, 1);
    if (!buffer) return out_of_memory(env);
    buffer->makeShared();
    if (data) *data = buffer->data();
    *result = handle_of(env, std::move(buffer));
    return napi_ok;
  });
}

napi_status napi_create_external_arraybuffer(napi_env env, void* data, size_t size, node_api_basic_finalize finalize,
                                             void* hint, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    *result = env->handle(lend_object(env, data, size, {finalize, data, hint}));
    return napi_ok;
  });
}

// Of Node's experimental interface. Its finalizer gets no environment.
extern "C" NAPI_EXTERN napi_status node_api_create_external_sharedarraybuffer(napi_env env, void* data, size_t size,
                                                                              node_api_noenv_finalize finalize,
                                                                              void* hint, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    JSC::ArrayBufferDestructorFunction release = WTF::createSharedTask<void(void*)>([data, finalize, hint](void*) {
      if (finalize) finalize(data, hint);
    });
    auto buffer = JSC::ArrayBuffer::createFromBytes(data, size, std::move(release));
    buffer->makeShared();
    *result = handle_of(env, std::move(buffer));
    return napi_ok;
  });
}

napi_status napi_get_arraybuffer_info(napi_env env, napi_value value, void** data, size_t* size) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  auto* buffer = array_buffer_of(value);
  if (!buffer) return env->fail(napi_invalid_arg);
  if (data) *data = buffer->impl()->data();
  if (size) *size = buffer->impl()->byteLength();
  return env->ok();
}

napi_status napi_detach_arraybuffer(napi_env env, napi_value value) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  if (!decode(value).isObject()) return env->fail(napi_object_expected);
  auto* buffer = array_buffer_of(value);
  if (!buffer) return env->fail(napi_arraybuffer_expected);
  if (buffer->isShared() || buffer->impl()->isLocked() || buffer->impl()->isWasmMemory())
    return env->fail(napi_detachable_arraybuffer_expected);
  JSC::ArrayBufferContents contents;
  buffer->impl()->transferTo(env->vm, contents);
  return env->ok();
}

napi_status napi_is_detached_arraybuffer(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  auto* buffer = array_buffer_of(value);
  *result = buffer && buffer->impl()->isDetached();
  return env->ok();
}

// Typed arrays

namespace {

struct Element {
  napi_typedarray_type type;
  JSC::TypedArrayType engine_type;
  size_t size;
  const char* name;
};
constexpr Element kElements[] = {
    {napi_int8_array, JSC::TypeInt8, 1, "Int8Array"},
    {napi_uint8_array, JSC::TypeUint8, 1, "Uint8Array"},
    {napi_uint8_clamped_array, JSC::TypeUint8Clamped, 1, "Uint8ClampedArray"},
    {napi_int16_array, JSC::TypeInt16, 2, "Int16Array"},
    {napi_uint16_array, JSC::TypeUint16, 2, "Uint16Array"},
    {napi_int32_array, JSC::TypeInt32, 4, "Int32Array"},
    {napi_uint32_array, JSC::TypeUint32, 4, "Uint32Array"},
    {napi_float32_array, JSC::TypeFloat32, 4, "Float32Array"},
    {napi_float64_array, JSC::TypeFloat64, 8, "Float64Array"},
    {napi_bigint64_array, JSC::TypeBigInt64, 8, "BigInt64Array"},
    {napi_biguint64_array, JSC::TypeBigUint64, 8, "BigUint64Array"},
};

napi_status throw_range(napi_env env, const char* code, const std::string& message) {
  napi_throw_range_error(env, code, message.c_str());
  return env->fail(napi_invalid_arg);
}

template <class Array>
JSC::JSObject* make_view(napi_env env, JSC::TypedArrayType type, JSC::ArrayBuffer* buffer, size_t offset,
                         size_t length) {
  return Array::create(env->realm, env->realm->typedArrayStructure(type, buffer->isResizableOrGrowableShared()),
                       RefPtr(buffer), offset, length);
}

JSC::JSObject* make_view(napi_env env, JSC::TypedArrayType type, JSC::ArrayBuffer* buffer, size_t offset,
                         size_t length) {
  switch (type) {
    case JSC::TypeInt8:
      return make_view<JSC::JSInt8Array>(env, type, buffer, offset, length);
    case JSC::TypeUint8:
      return make_view<JSC::JSUint8Array>(env, type, buffer, offset, length);
    case JSC::TypeUint8Clamped:
      return make_view<JSC::JSUint8ClampedArray>(env, type, buffer, offset, length);
    case JSC::TypeInt16:
      return make_view<JSC::JSInt16Array>(env, type, buffer, offset, length);
    case JSC::TypeUint16:
      return make_view<JSC::JSUint16Array>(env, type, buffer, offset, length);
    case JSC::TypeInt32:
      return make_view<JSC::JSInt32Array>(env, type, buffer, offset, length);
    case JSC::TypeUint32:
      return make_view<JSC::JSUint32Array>(env, type, buffer, offset, length);
    case JSC::TypeFloat32:
      return make_view<JSC::JSFloat32Array>(env, type, buffer, offset, length);
    case JSC::TypeFloat64:
      return make_view<JSC::JSFloat64Array>(env, type, buffer, offset, length);
    case JSC::TypeBigInt64:
      return make_view<JSC::JSBigInt64Array>(env, type, buffer, offset, length);
    default:
      return make_view<JSC::JSBigUint64Array>(env, type, buffer, offset, length);
  }
}

}  // namespace

napi_status napi_is_typedarray(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = view_of(value) && view_of(value)->type() != JSC::DataViewType;
  return env->ok();
}

napi_status napi_create_typedarray(napi_env env, napi_typedarray_type type, size_t length, napi_value arraybuffer,
                                   size_t offset, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, arraybuffer);
    NAPI_NEEDS(env, result);
    auto* buffer = array_buffer_of(arraybuffer);
    if (!buffer) return env->fail(napi_invalid_arg);
    const auto* element = std::ranges::find(kElements, type, &Element::type);
    if (element == std::end(kElements)) return env->fail(napi_invalid_arg);
    if (offset % element->size != 0) {
      return throw_range(env, "ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT",
                         fmt::format("start offset of {} should be a multiple of {}", element->name, element->size));
    }
    const size_t size = buffer->impl()->byteLength();
    if (offset > size || length > (size - offset) / element->size)
      return throw_range(env, "ERR_NAPI_INVALID_TYPEDARRAY_LENGTH", "Invalid typed array length");
    *result = env->handle(make_view(env, element->engine_type, buffer->impl(), offset, length));
    return napi_ok;
  });
}

napi_status napi_get_typedarray_info(napi_env env, napi_value value, napi_typedarray_type* type, size_t* length,
                                     void** data, napi_value* arraybuffer, size_t* offset) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  auto* view = view_of(value);
  if (!view || view->type() == JSC::DataViewType) return env->fail(napi_invalid_arg);
  if (type) {
    const auto* element = std::ranges::find(kElements, JSC::typedArrayType(view->type()), &Element::engine_type);
    if (element == std::end(kElements)) return env->fail(napi_invalid_arg);
    *type = element->type;
  }
  if (length) *length = view->length();
  if (data) *data = stable_data(view);
  if (arraybuffer) *arraybuffer = env->handle(view->possiblySharedJSBuffer(env->realm));
  if (offset) *offset = view->byteOffset();
  return env->ok();
}

// DataView

napi_status napi_create_dataview(napi_env env, size_t length, napi_value arraybuffer, size_t offset,
                                 napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, arraybuffer);
    NAPI_NEEDS(env, result);
    auto* buffer = array_buffer_of(arraybuffer);
    if (!buffer) return env->fail(napi_invalid_arg);
    const size_t size = buffer->impl()->byteLength();
    if (offset > size || length > size - offset) {
      napi_throw_range_error(
          env, "ERR_NAPI_INVALID_DATAVIEW_ARGS",
          "byte_offset + byte_length should be less than or equal to the size in bytes of the array passed in");
      return env->fail(napi_pending_exception);
    }
    auto* structure = env->realm->typedArrayStructure(JSC::TypeDataView, buffer->impl()->isResizableOrGrowableShared());
    *result = env->handle(JSC::JSDataView::create(env->realm, structure, RefPtr(buffer->impl()), offset, length));
    return napi_ok;
  });
}

napi_status napi_is_dataview(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = JSC::jsDynamicCast<JSC::JSDataView*>(decode(value)) != nullptr;
  return env->ok();
}

napi_status napi_get_dataview_info(napi_env env, napi_value value, size_t* size, void** data, napi_value* arraybuffer,
                                   size_t* offset) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  auto* view = JSC::jsDynamicCast<JSC::JSDataView*>(decode(value));
  if (!view) return env->fail(napi_invalid_arg);
  if (size) *size = view->byteLength();
  if (data) *data = view->vector();
  if (arraybuffer) *arraybuffer = env->handle(view->possiblySharedJSBuffer(env->realm));
  if (offset) *offset = view->byteOffset();
  return env->ok();
}

// Node's Buffer

namespace {

napi_status give_buffer(napi_env env, JSC::JSUint8Array* made, void** data, napi_value* result) {
  if (!made) return napi_pending_exception;
  if (data) *data = stable_data(made);
  *result = env->handle(made);
  return napi_ok;
}

// A Buffer on memory that belongs to `buffer`.
JSC::JSUint8Array* buffer_on(napi_env env, JSC::ArrayBuffer* buffer, size_t offset, size_t size) {
  auto* view = make_view<JSC::JSUint8Array>(env, JSC::TypeUint8, buffer, offset, size);
  return view ? engine::buffer_on(env->realm, JSC::jsCast<JSC::JSArrayBufferView*>(view), 0, size) : nullptr;
}

}  // namespace

napi_status napi_create_buffer(napi_env env, size_t size, void** data, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    return give_buffer(env, engine::make_buffer_zeroed(env->realm, size), data, result);
  });
}

napi_status napi_create_buffer_copy(napi_env env, size_t size, const void* bytes, void** data, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    return give_buffer(env, engine::make_buffer(env->realm, {static_cast<const uint8_t*>(bytes), size}), data, result);
  });
}

napi_status napi_create_external_buffer(napi_env env, size_t size, void* bytes, node_api_basic_finalize finalize,
                                        void* hint, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    auto* buffer = lend_object(env, bytes, size, {finalize, bytes, hint});
    env->handle(buffer);
    return give_buffer(env, buffer_on(env, buffer->impl(), 0, buffer->impl()->byteLength()), nullptr, result);
  });
}

napi_status node_api_create_buffer_from_arraybuffer(napi_env env, napi_value arraybuffer, size_t offset, size_t size,
                                                    napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, arraybuffer);
    NAPI_NEEDS(env, result);
    auto* buffer = array_buffer_of(arraybuffer);
    if (!buffer) return env->fail(napi_arraybuffer_expected);
    if (offset > buffer->impl()->byteLength() || size > buffer->impl()->byteLength() - offset)
      return throw_range(env, "ERR_OUT_OF_RANGE", "The byte offset + length is out of range");
    return give_buffer(env, buffer_on(env, buffer->impl(), offset, size), nullptr, result);
  });
}

napi_status napi_is_buffer(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = view_of(value) != nullptr;
  return env->ok();
}

napi_status napi_get_buffer_info(napi_env env, napi_value value, void** data, size_t* size) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  auto* view = view_of(value);
  if (!view) return env->fail(napi_invalid_arg);
  if (data) *data = stable_data(view);
  if (size) *size = view->byteLength();
  return env->ok();
}
