// Helpers for native functions; see native.h for the rules.
#include "engine/core/native.h"

#include "engine/core/buffer_class.h"
#include "engine/core/entry.h"

#include "rondo/base/result.h"

#include <cstring>

namespace rondo::engine {

WTF::String to_wtf(std::string_view utf8) {
  if (utf8.empty()) return WTF::emptyString();
  // Invalid UTF-8 becomes U+FFFD, as everywhere in Node.
  return WTF::String::fromUTF8ReplacingInvalidSequences(reinterpret_cast<const LChar*>(utf8.data()), utf8.size());
}

std::string to_utf8(const WTF::String& text) {
  // Fails for texts of more than 700 million characters, which no name or message of ours has.
  auto utf8 = text.tryGetUTF8(WTF::StrictConversionReplacingUnpairedSurrogatesWithFFFD);
  return utf8 ? std::string(utf8->data(), utf8->length()) : std::string();
}

std::string to_utf8(JSC::JSGlobalObject* realm, const WTF::String& text) {
  if (text.length() <= kMaxStringLength) return to_utf8(text);
  raise_too_long(realm);
  return {};
}

Value make_string(JSC::VM& vm, std::string_view utf8) { return JSC::jsString(vm, to_wtf(utf8)); }

WTF::String Call::wtf_string(unsigned index) const {
  Value v = at(index);
  return v.isString() ? JSC::asString(v)->value(realm_) : WTF::emptyString();
}

std::string Call::string(unsigned index) const { return to_utf8(realm_, wtf_string(index)); }

int32_t Call::int32(unsigned index, int32_t otherwise) const {
  Value v = at(index);
  return v.isInt32() ? v.asInt32() : v.isNumber() ? JSC::toInt32(v.asNumber()) : otherwise;
}

uint32_t Call::uint32(unsigned index, uint32_t otherwise) const {
  Value v = at(index);
  return v.isNumber() ? static_cast<uint32_t>(JSC::toInt32(v.asNumber())) : otherwise;
}

double Call::number(unsigned index, double otherwise) const {
  Value v = at(index);
  return v.isNumber() ? v.asNumber() : otherwise;
}

// The engine's own conversion wraps around.
static int64_t saturated(Value big) {
  const int64_t wrapped = JSC::JSBigInt::toBigInt64(big);
#if USE(BIGINT32)
  if (big.isBigInt32()) return wrapped;
#endif
  auto* cell = JSC::asHeapBigInt(big);
  const bool is_negative = cell->sign();
  if (cell->length() == 0 || (cell->length() == 1 && (wrapped < 0) == is_negative)) return wrapped;
  return is_negative ? INT64_MIN : INT64_MAX;
}

int64_t Call::int64(unsigned index, int64_t otherwise) const {
  Value v = at(index);
  if (v.isInt32()) return v.asInt32();
  if (v.isNumber()) {
    double d = v.asNumber();
    if (!(d >= -9.2233720368547758e18)) return d != d ? otherwise : INT64_MIN;
    return d >= 9.2233720368547758e18 ? INT64_MAX : static_cast<int64_t>(d);
  }
  return v.isBigInt() ? saturated(v) : otherwise;
}

std::span<uint8_t> bytes_of(Value value) {
  if (!value.isCell()) return {};
  if (auto* view = JSC::jsDynamicCast<JSC::JSArrayBufferView*>(value.asCell())) {
    if (view->isDetached() || view->isOutOfBounds()) return {};
    return {static_cast<uint8_t*>(view->vector()), view->byteLength()};
  }
  if (auto* buffer = JSC::jsDynamicCast<JSC::JSArrayBuffer*>(value.asCell())) {
    auto* impl = buffer->impl();
    return {static_cast<uint8_t*>(impl->data()), impl->byteLength()};
  }
  return {};
}

std::span<uint8_t> Call::bytes(unsigned index) const { return bytes_of(at(index)); }

Value Call::raise(Value error) const {
  auto scope = DECLARE_THROW_SCOPE(vm_);
  if (failed()) return {};  // what went wrong first is what went wrong
  JSC::throwException(realm_, scope, error);
  return {};
}

Value Call::type_error(std::string_view message) const { return raise(JSC::createTypeError(realm_, to_wtf(message))); }
Value Call::error(std::string_view message) const { return raise(JSC::createError(realm_, to_wtf(message))); }

Value Call::system_error(int error_number, std::string_view syscall, std::string_view path,
                         std::string_view dest) const {
  return raise(make_system_error(realm_, error_number, syscall, path, dest));
}

JSC::JSObject* make_system_error(JSC::JSGlobalObject* realm, int error_number, std::string_view syscall,
                                 std::string_view path, std::string_view dest) {
  auto& vm = realm->vm();
  const char* code = rondo::error_name(error_number);
  std::string message = std::string(code) + ": " + rondo::error_message(error_number) + ", " + std::string(syscall);
  const bool has_path = path.data() != nullptr, has_dest = dest.data() != nullptr;
  if (has_path) message += " '" + std::string(path) + "'";
  if (has_dest) message += " -> '" + std::string(dest) + "'";
  auto* error = JSC::createError(realm, to_wtf(message));
  put(realm, error, "errno", JSC::jsNumber(-error_number));
  put(realm, error, "code", make_string(vm, code));
  put(realm, error, "syscall", make_string(vm, syscall));
  if (has_path) put(realm, error, "path", make_string(vm, path));
  if (has_dest) put(realm, error, "dest", make_string(vm, dest));
  // Made in a completion, with no JavaScript below, an error would have no stack at all.
  if (!vm.topCallFrame) {
    error->putDirect(vm, vm.propertyNames->stack, make_string(vm, "Error: " + message),
                     static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  }
  return error;
}

JSC::JSArray* make_array(JSC::JSGlobalObject* realm, const JSC::ArgList& items) {
  return JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), items);
}

JSC::JSArray* make_array(JSC::JSGlobalObject* realm, std::span<const std::string> texts) {
  JSC::MarkedArgumentBuffer items;
  for (const auto& text : texts) items.append(make_string(realm->vm(), text));
  return make_array(realm, items);
}

std::vector<std::string> strings_in(JSC::JSGlobalObject* realm, Value value) {
  std::vector<std::string> texts;
  auto* list = value.isCell() ? JSC::jsDynamicCast<JSC::JSArray*>(value.asCell()) : nullptr;
  for (unsigned i = 0; list && i < list->length(); i++) {
    Value item = list->getIndex(realm, i);
    if (item.isString()) texts.push_back(to_utf8(realm, JSC::asString(item)->value(realm)));
  }
  return texts;
}

JSC::JSObject* make_object(JSC::JSGlobalObject* realm) { return JSC::constructEmptyObject(realm); }

void put(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::string_view name, Value value) {
  object->putDirect(realm->vm(), identifier(realm->vm(), name), value);
}

void put_functions(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const FunctionSpec> functions) {
  auto& vm = realm->vm();
  for (const auto& spec : functions) {
    // Private: in no stack, as Node's bindings.
    object->putDirectNativeFunction(vm, realm, identifier(vm, spec.name), spec.length, spec.function,
                                    JSC::ImplementationVisibility::Private, JSC::NoIntrinsic, 0);
  }
}

void put_numbers(JSC::JSGlobalObject* realm, JSC::JSObject* object, std::span<const NumberSpec> numbers) {
  for (const auto& number : numbers) put(realm, object, number.name, JSC::jsNumber(static_cast<double>(number.value)));
}

Value make_uint8_array(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes) {
  auto* structure = realm->typedArrayStructure(JSC::TypeUint8, false);
  auto* array = JSC::JSUint8Array::createUninitialized(realm, structure, bytes.size());
  if (array && !bytes.empty()) memcpy(array->typedVector(), bytes.data(), bytes.size());
  return array ? Value(array) : JSC::jsUndefined();
}

CallOutcome Call::invoke(Value function, Value self, const JSC::ArgList& arguments) const {
  return engine::call(realm_, function, self, arguments);
}

CallOutcome call(JSC::JSGlobalObject* realm, Value function, Value self, const JSC::ArgList& arguments) {
  // The end of the script may come while the function is looked up, which finds nothing then. It stays pending: no JavaScript runs any more.
  auto& vm = realm->vm();
  if (auto* pending = vm.exceptionForInspection(); pending && vm.isTerminationException(pending)) [[unlikely]]
    return {JSC::jsUndefined(), pending};
  auto data = JSC::getCallData(function);
  WTF::NakedPtr<JSC::Exception> exception;
  Value value = JSC::call(realm, function, data, self, arguments, exception);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {value, nullptr};
}

void mark_as_handled(JSC::VM& vm, JSC::JSPromise* promise) {
  auto& flags = promise->internalField(JSC::JSPromise::Field::Flags);
  flags.set(vm, promise, JSC::jsNumber(flags.get().asUInt32() | JSC::JSPromise::isHandledFlag));
}

}  // namespace rondo::engine
