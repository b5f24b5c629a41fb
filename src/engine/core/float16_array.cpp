// See float16_array.h. The rules of element access are those of https://tc39.es/ecma262/#sec-typedarray-exotic-objects.
#include "engine/core/float16_array.h"

#include <JavaScriptCore/BuiltinNames.h>
#include <JavaScriptCore/JSCInlines.h>
#include <JavaScriptCore/JSDataView.h>
#include <JavaScriptCore/PropertyNameArray.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace rondo::engine {

namespace {

using Value = JSC::JSValue;
namespace JSCastingHelpers = JSC::JSCastingHelpers;  // the name that the macro below says

// No field of its own: the cells are JSDataView's, with a table of methods of ours.
class Float16Array : public JSC::JSDataView {
 public:
  using Base = JSC::JSDataView;
  static constexpr unsigned StructureFlags = Base::StructureFlags | JSC::OverridesGetOwnPropertySlot |
                                             JSC::OverridesPut | JSC::OverridesGetOwnPropertyNames |
                                             JSC::InterceptsGetOwnPropertySlotByIndexEvenWhenLengthIsNotZero;
  DECLARE_INFO;

  static bool getOwnPropertySlot(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyName, JSC::PropertySlot&);
  static bool getOwnPropertySlotByIndex(JSC::JSObject*, JSC::JSGlobalObject*, unsigned, JSC::PropertySlot&);
  static bool put(JSC::JSCell*, JSC::JSGlobalObject*, JSC::PropertyName, Value, JSC::PutPropertySlot&);
  static bool putByIndex(JSC::JSCell*, JSC::JSGlobalObject*, unsigned, Value, bool);
  static bool deleteProperty(JSC::JSCell*, JSC::JSGlobalObject*, JSC::PropertyName, JSC::DeletePropertySlot&);
  static bool deletePropertyByIndex(JSC::JSCell*, JSC::JSGlobalObject*, unsigned);
  static bool defineOwnProperty(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyName, const JSC::PropertyDescriptor&,
                                bool);
  static void getOwnPropertyNames(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyNameArray&,
                                  JSC::DontEnumPropertiesMode);
};

const JSC::ClassInfo Float16Array::s_info = {"Float16Array"_s, &Base::s_info, nullptr, nullptr,
                                             CREATE_METHOD_TABLE(Float16Array)};

Float16Array* cast(JSC::JSCell* cell) { return static_cast<Float16Array*>(cell); }

// The element's address; null when there is none.
uint8_t* element(Float16Array* array, size_t index) {
  if (index >= float16_length(array)) return nullptr;
  return static_cast<uint8_t*>(array->vector()) + index * sizeof(uint16_t);
}

Value read(Float16Array* array, size_t index) {
  auto* at = element(array, index);
  if (!at) return {};
  uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof bits);
  return JSC::jsNumber(half_to_double(bits));
}

// Conversion may run a program's code, which may detach the memory: looked at after it.
bool write(Float16Array* array, JSC::JSGlobalObject* realm, size_t index, Value value) {
  auto scope = DECLARE_THROW_SCOPE(realm->vm());
  const double number = value.toNumber(realm);
  RETURN_IF_EXCEPTION(scope, false);
  const uint16_t bits = double_to_half(number);
  if (auto* at = element(array, index)) std::memcpy(at, &bits, sizeof bits);
  return true;
}

// A number as a property's name that is not an index: -0, 1.5, NaN. Such properties do not exist.
bool is_no_index(JSC::PropertyName name) { return JSC::isCanonicalNumericIndexString(name.uid()); }

bool refuse(JSC::JSGlobalObject* realm, bool should_throw) {
  auto scope = DECLARE_THROW_SCOPE(realm->vm());
  return JSC::typeError(realm, scope, should_throw, "Cannot redefine a property of a typed array"_s);
}

}  // namespace

bool Float16Array::getOwnPropertySlotByIndex(JSC::JSObject* object, JSC::JSGlobalObject*, unsigned index,
                                             JSC::PropertySlot& slot) {
  Value value = read(cast(object), index);
  if (!value) return false;
  slot.setValue(object, static_cast<unsigned>(JSC::PropertyAttribute::None), value);
  return true;
}

bool Float16Array::getOwnPropertySlot(JSC::JSObject* object, JSC::JSGlobalObject* realm, JSC::PropertyName name,
                                      JSC::PropertySlot& slot) {
  if (auto index = JSC::parseIndex(name)) return getOwnPropertySlotByIndex(object, realm, *index, slot);
  return !is_no_index(name) && Base::getOwnPropertySlot(object, realm, name, slot);
}

bool Float16Array::putByIndex(JSC::JSCell* cell, JSC::JSGlobalObject* realm, unsigned index, Value value, bool) {
  return write(cast(cell), realm, index, value);
}

bool Float16Array::put(JSC::JSCell* cell, JSC::JSGlobalObject* realm, JSC::PropertyName name, Value value,
                       JSC::PutPropertySlot& slot) {
  const auto index = JSC::parseIndex(name);
  if (!index && !is_no_index(name)) return Base::put(cell, realm, name, value, slot);
  if (slot.thisValue() == Value(cell)) return write(cast(cell), realm, index ? size_t{*index} : SIZE_MAX, value);
  // The receiver is another object, which has this one among its prototypes.
  if (!index || !element(cast(cell), *index)) return true;
  return JSC::JSObject::definePropertyOnReceiver(realm, name, value, slot);
}

bool Float16Array::deletePropertyByIndex(JSC::JSCell* cell, JSC::JSGlobalObject*, unsigned index) {
  return element(cast(cell), index) == nullptr;
}

bool Float16Array::deleteProperty(JSC::JSCell* cell, JSC::JSGlobalObject* realm, JSC::PropertyName name,
                                  JSC::DeletePropertySlot& slot) {
  if (auto index = JSC::parseIndex(name)) return deletePropertyByIndex(cell, realm, *index);
  return is_no_index(name) || Base::deleteProperty(cell, realm, name, slot);
}

bool Float16Array::defineOwnProperty(JSC::JSObject* object, JSC::JSGlobalObject* realm, JSC::PropertyName name,
                                     const JSC::PropertyDescriptor& wanted, bool should_throw) {
  const auto index = JSC::parseIndex(name);
  if (!index && !is_no_index(name)) return Base::defineOwnProperty(object, realm, name, wanted, should_throw);
  const bool is_plain = !wanted.isAccessorDescriptor() && (!wanted.configurablePresent() || wanted.configurable()) &&
                        (!wanted.enumerablePresent() || wanted.enumerable()) &&
                        (!wanted.writablePresent() || wanted.writable());
  if (!is_plain || !index || !element(cast(object), *index)) return refuse(realm, should_throw);
  return !wanted.value() || write(cast(object), realm, *index, wanted.value());
}

void Float16Array::getOwnPropertyNames(JSC::JSObject* object, JSC::JSGlobalObject* realm, JSC::PropertyNameArray& names,
                                       JSC::DontEnumPropertiesMode mode) {
  auto& vm = realm->vm();
  const size_t length = names.includeStringProperties() ? float16_length(cast(object)) : 0;
  for (size_t i = 0; i < length; i++) names.add(JSC::Identifier::from(vm, static_cast<uint64_t>(i)));
  Base::getOwnPropertyNames(object, realm, names, mode);
}

JSC::Structure* float16_structure(JSC::JSObject* prototype) {
  auto& vm = prototype->vm();
  // A name that programs do not see.
  const JSC::PropertyName name = vm.propertyNames->builtinNames().contextPrivateName();
  if (Value kept = prototype->getDirect(vm, name)) return JSC::jsCast<JSC::Structure*>(kept.asCell());
  auto* structure = JSC::Structure::create(vm, prototype->globalObject(), prototype,
                                           JSC::TypeInfo(JSC::DataViewType, Float16Array::StructureFlags),
                                           Float16Array::info(), JSC::NonArray);
  prototype->putDirect(vm, name, structure, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  return structure;
}

JSC::Structure* realm_float16_structure(JSC::JSGlobalObject* realm) {
  auto& vm = realm->vm();
  Value constructor = realm->get(realm, JSC::Identifier::fromString(vm, "Float16Array"_s));
  Value prototype =
      constructor.isObject() ? JSC::asObject(constructor)->get(realm, vm.propertyNames->prototype) : Value();
  return float16_structure(prototype && prototype.isObject() ? JSC::asObject(prototype) : realm->objectPrototype());
}

JSC::JSObject* make_float16_array(JSC::JSGlobalObject* realm, JSC::Structure* structure,
                                  RefPtr<JSC::ArrayBuffer>&& memory, size_t byte_offset, std::optional<size_t> length) {
  std::optional<size_t> bytes;
  if (length) bytes = *length * sizeof(uint16_t);
  return JSC::JSDataView::create(realm, structure, WTFMove(memory), byte_offset, bytes);
}

bool is_float16_array(Value value) {
  return value.isCell() && value.asCell()->type() == JSC::DataViewType &&
         value.asCell()->inherits(Float16Array::info());
}

size_t float16_length(JSC::JSArrayBufferView* view) {
  if (view->isDetached() || view->isOutOfBounds()) return 0;
  return view->byteLength() / sizeof(uint16_t);
}

double half_to_double(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction ? JSC::pureNaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

uint16_t double_to_half(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double size = std::fabs(value);
  if (size >= 65520) return sign | 0x7c00;  // half of the last step above the largest
  if (size < std::ldexp(1, -14)) return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(size, 24)));
  int exponent = 0;
  const double scaled = std::nearbyint(std::ldexp(std::frexp(size, &exponent), 11));  // 1024 to 2048
  // A fraction that rounds up to the next power carries into the exponent by itself.
  return static_cast<uint16_t>(sign + ((exponent + 13) << 10) + static_cast<int>(scaled));
}

}  // namespace rondo::engine
