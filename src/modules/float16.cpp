// native('float16'): arrays of half-precision numbers (src/engine/core/float16_array.h), for lib/internal/language/float16.js.
#include "engine/core/float16_array.h"
#include "runtime/runtime.h"

#include <JavaScriptCore/JSArrayBufferViewInlines.h>

namespace rondo::modules {

using namespace engine;

namespace {

JSC::JSArrayBufferView* view_in(Value value) {
  return is_float16_array(value) ? JSC::jsCast<JSC::JSArrayBufferView*>(value.asCell()) : nullptr;
}

// create(prototype, realm's prototype, buffer, byteOffset, length | undefined) → the array
Value create(Call& call) {
  auto& vm = call.vm();
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* prototype = call.object(0);
  auto* home = call.object(1);
  auto* buffer = JSC::jsDynamicCast<JSC::JSArrayBuffer*>(call.at(2));
  if (!prototype || !home || !buffer) return call.type_error("Invalid argument");
  std::optional<size_t> length;
  if (call.at(4).isNumber()) length = static_cast<size_t>(call.at(4).asNumber());
  auto* array = make_float16_array(realm, float16_structure(home), buffer->impl(),
                                   static_cast<size_t>(call.at(3).asNumber()), length);
  RETURN_IF_EXCEPTION(scope, {});
  if (prototype != home) array->setPrototypeDirect(vm, prototype);
  return call.value(array);
}

Value is_array(Call& call) { return call.value(is_float16_array(call.at(0))); }

// In elements; undefined for anything else.
Value length(Call& call) {
  auto* view = view_in(call.at(0));
  return view ? call.value(static_cast<double>(float16_length(view))) : call.undefined();
}

// Whether its memory is gone, or has shrunk below it.
Value is_out_of_bounds(Call& call) {
  auto* view = view_in(call.at(0));
  return call.value(view && (view->isDetached() || view->isOutOfBounds()));
}

Value byte_offset(Call& call) {
  auto* view = view_in(call.at(0));
  const bool is_there = view && !view->isDetached() && !view->isOutOfBounds();
  return call.value(is_there ? static_cast<double>(view->byteOffset()) : 0);
}

Value buffer_of(Call& call) {
  auto* view = view_in(call.at(0));
  return view ? call.value(view->possiblySharedJSBuffer(call.realm())) : call.undefined();
}

constexpr FunctionSpec kFunctions[] = {
    {"create", native<create>, 5},          {"isFloat16Array", native<is_array>, 1},
    {"length", native<length>, 1},          {"isOutOfBounds", native<is_out_of_bounds>, 1},
    {"byteOffset", native<byte_offset>, 1}, {"buffer", native<buffer_of>, 1},
};

}  // namespace

void init_float16(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
