// The reading half of structured_clone.h. Reads only what clone_writer.cpp wrote in this process, or what wire_form.cpp has checked.
#include "engine/clone/structured_clone.h"

#include "engine/core/float16_array.h"
#include "engine/core/native_object.h"
#include "engine/core/vm_state.h"

#include <JavaScriptCore/BigIntObject.h>
#include <JavaScriptCore/BooleanObject.h>
#include <JavaScriptCore/DateInstance.h>
#include <JavaScriptCore/JSDataView.h>
#include <JavaScriptCore/JSSetInlines.h>
#include <JavaScriptCore/NumberObject.h>
#include <JavaScriptCore/RegExpObject.h>
#include <JavaScriptCore/StringObject.h>
#include <JavaScriptCore/YarrFlags.h>

#include <cstring>

namespace rondo::engine {

namespace {

class CloneReader {
 public:
  // `bytes`: those of `in`, or some beside it.
  CloneReader(JSC::JSGlobalObject* realm, CloneHost& host, Serialized& in, const uint8_t* bytes)
      : realm_(realm), vm_(realm->vm()), memory_(VmState::of(vm_).clone_memory), host_(host), in_(in), bytes_(bytes) {}

  Value run();

 private:
  bool has_stack() const;
  static constexpr uint32_t kMostInside = 32;

  Value read();
  Value read_tagged(CloneTag tag);
  Value read_boxed(CloneTag tag);
  // Hosts are revived last first; one that refers to an earlier one finds nothing.
  Value transferred_host(uint32_t index) {
    size_t place = in_.transferables->hosts.size() - 1 - index;
    return place < hosts_.size() ? hosts_.at(static_cast<int>(place)) : JSC::jsUndefined();
  }
  Value read_object();
  Value read_shaped();
  Value read_known_shape(const CloneMemory::Shape& shape, std::span<const uint8_t> names);
  Value read_array(bool is_dense);
  JSC::JSArray* make_dense(uint32_t length);
  bool read_properties(JSC::JSObject* object);
  Value read_map();
  Value read_set();
  Value read_buffer(CloneTag tag);
  Value read_view(bool is_data_view);
  Value read_error();
  Value read_host();
  Value read_bigint();
  Value read_regexp();

  template <typename Number>
  Number raw() {
    Number number;
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  WTF::String text() {
    bool is_narrow = raw<uint8_t>();
    return characters(is_narrow, raw<uint32_t>());
  }
  WTF::String characters(bool is_narrow, uint32_t length) {
    if (is_narrow) {
      WTF::String string(reinterpret_cast<const LChar*>(at_), length);
      at_ += length;
      return string;
    }
    UChar* units;
    auto impl = WTF::StringImpl::createUninitialized(length, units);
    std::memcpy(units, at_, size_t{length} * 2);
    at_ += size_t{length} * 2;
    return WTF::String(WTFMove(impl));
  }
  Value narrow_string() {
    const uint32_t length = raw<uint32_t>();
    const auto* start = reinterpret_cast<const LChar*>(at_);
    at_ += length;
    return memory_.string(vm_, {start, length});
  }
  JSC::Identifier key() {
    bool is_narrow = raw<uint8_t>();
    uint32_t length = raw<uint32_t>();
    if (!is_narrow) return JSC::Identifier::fromString(vm_, characters(false, length));
    const auto* start = reinterpret_cast<const LChar*>(at_);
    at_ += length;
    return JSC::Identifier::fromString(vm_, start, static_cast<int>(length));
  }
  WTF::Vector<JSC::Identifier, 16> keys() {
    WTF::Vector<JSC::Identifier, 16> names;
    for (uint32_t left = raw<uint32_t>(); left > 0; left--) names.append(key());
    return names;
  }
  bool skip_hole() {
    if (static_cast<CloneTag>(*at_) != CloneTag::Hole) return false;
    at_++;
    return true;
  }
  template <typename Object>
  Object* remember(Object* object) {
    settle(reserve(), object);
    return object;
  }
  // A number given out before its object exists.
  size_t reserve() {
    places_.append(0);
    return places_.size() - 1;
  }
  void settle(size_t number, Value object) {
    places_[number] = objects_.size();
    objects_.append(object);
  }
  void forget() {
    objects_.clear();
    places_.clear();
  }
  bool threw() {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    return scope.exception() != nullptr;
  }

  JSC::JSGlobalObject* realm_;
  JSC::VM& vm_;
  CloneMemory& memory_;
  CloneHost& host_;
  Serialized& in_;
  const uint8_t* bytes_;
  const uint8_t* at_ = nullptr;
  JSC::MarkedArgumentBuffer objects_;
  WTF::Vector<uint32_t, 8> places_;  // the writer's number of an object → its index in objects_
  JSC::MarkedArgumentBuffer hosts_;  // revived transfers, last first
};

// The reader takes its bytes for granted and cannot stop in the middle, so it looks first whether this thread's stack has room for all.
bool CloneReader::has_stack() const {
#if __has_feature(address_sanitizer)
  constexpr size_t kBytesOfLevel = 8192;
#else
  constexpr size_t kBytesOfLevel = 768;  // a Map in a Map takes about half
#endif
  const auto* here = static_cast<const char*>(WTF::currentStackPointer());
  const auto* end = static_cast<const char*>(vm_.softStackLimit());
  return here > end && in_.depth < static_cast<size_t>(here - end) / kBytesOfLevel;
}

Value CloneReader::run() {
  if (!has_stack()) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    JSC::throwStackOverflowError(realm_, scope);
    return {};
  }
  for (size_t i = in_.transferables ? in_.transferables->hosts.size() : 0; i-- > 0;) {
    at_ = in_.transferables->hosts[i].data();
    forget();
    Value info = read();
    if (threw()) return {};
    Value data = read();
    if (threw()) return {};
    hosts_.append(host_.revive(info, data));
    if (threw()) return {};
  }
  forget();
  at_ = bytes_;
  return read();
}

Value CloneReader::read() {
  auto tag = static_cast<CloneTag>(*at_++);
  switch (tag) {
    case CloneTag::Undefined:
      return JSC::jsUndefined();
    case CloneTag::Null:
      return JSC::jsNull();
    case CloneTag::True:
      return JSC::jsBoolean(true);
    case CloneTag::False:
      return JSC::jsBoolean(false);
    case CloneTag::Int32:
      return JSC::jsNumber(raw<int32_t>());
    case CloneTag::Double:
      return JSC::jsDoubleNumber(JSC::purifyNaN(raw<double>()));
    case CloneTag::BigInt:
      return read_bigint();
    case CloneTag::String8:
      return narrow_string();
    case CloneTag::String16:
      return JSC::jsString(vm_, characters(false, raw<uint32_t>()));
    case CloneTag::Reference:
      return objects_.at(places_[raw<uint32_t>()]);
    case CloneTag::ShapedObject:
      return read_shaped();
    case CloneTag::Object:
      return read_object();
    case CloneTag::DenseArray:
      return read_array(true);
    case CloneTag::SparseArray:
      return read_array(false);
    default:
      return read_tagged(tag);
  }
}

Value CloneReader::read_tagged(CloneTag tag) {
  switch (tag) {
    case CloneTag::Date:
      return remember(JSC::DateInstance::create(vm_, realm_->dateStructure(), JSC::purifyNaN(raw<double>())));
    case CloneTag::RegExp:
      return read_regexp();
    case CloneTag::Map:
      return read_map();
    case CloneTag::Set:
      return read_set();
    case CloneTag::ArrayBuffer:
    case CloneTag::ResizableArrayBuffer:
    case CloneTag::TransferredBuffer:
    case CloneTag::SharedBuffer:
      return read_buffer(tag);
    case CloneTag::TypedArray:
      return read_view(false);
    case CloneTag::DataView:
      return read_view(true);
    case CloneTag::Error:
      return read_error();
    case CloneTag::Host:
      return read_host();
    case CloneTag::Transferable:
      return remember(make_held(realm_, std::move(in_.transferables->carried[raw<uint32_t>()])));
    case CloneTag::WasmModule:
    case CloneTag::WasmMemory: {
      auto* made = make_wasm(realm_, tag, raw<uint32_t>(), in_);
      return made ? remember(made) : Value();
    }
    case CloneTag::TransferredHost:
      return transferred_host(raw<uint32_t>());
    default:
      return read_boxed(tag);
  }
}

Value CloneReader::read_boxed(CloneTag tag) {
  switch (tag) {
    case CloneTag::BooleanObject: {
      auto* made = remember(JSC::BooleanObject::create(vm_, realm_->booleanObjectStructure()));
      made->setInternalValue(vm_, JSC::jsBoolean(raw<uint8_t>()));
      return made;
    }
    case CloneTag::NumberObject: {
      auto* made = remember(JSC::NumberObject::create(vm_, realm_->numberObjectStructure()));
      made->setInternalValue(vm_, JSC::jsNumber(JSC::purifyNaN(raw<double>())));
      return made;
    }
    case CloneTag::StringObject:
      return remember(JSC::StringObject::create(vm_, realm_->stringObjectStructure(), JSC::jsString(vm_, text())));
    case CloneTag::BigIntObject: {
      Value bigint = read();
      return remember(JSC::BigIntObject::create(vm_, realm_, bigint));
    }
    default:
      return JSC::jsUndefined();
  }
}

Value CloneReader::read_bigint() {
  bool is_negative = raw<uint8_t>();
  uint32_t length = raw<uint32_t>();
  if (length == 0) return JSC::JSBigInt::createZero(realm_);
  auto* made = JSC::JSBigInt::createWithLength(realm_, length);
  if (made == nullptr) return {};
  for (uint32_t i = 0; i < length; i++) made->setDigit(i, static_cast<JSC::JSBigInt::Digit>(raw<uint64_t>()));
  made->setSign(is_negative);
  return made;
}

Value CloneReader::read_regexp() {
  auto pattern = text();
  auto flags = JSC::Yarr::parseFlags(text());
  auto* regexp = JSC::RegExp::create(vm_, pattern, flags.value_or(WTF::OptionSet<JSC::Yarr::Flags>()));
  if (!regexp->isValid()) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    throwException(realm_, scope, regexp->errorToThrow(realm_));
    return {};
  }
  return remember(JSC::RegExpObject::create(vm_, realm_->regExpStructure(), regexp));
}

Value CloneReader::read_object() {
  auto* object = remember(JSC::constructEmptyObject(realm_));
  return read_properties(object) ? Value(object) : Value();
}

Value CloneReader::read_shaped() {
  const uint32_t size = raw<uint32_t>();
  const std::span<const uint8_t> names(at_, size);
  const bool is_main = realm_ == Realm::main(realm_);
  if (const auto* shape = is_main ? memory_.made(names) : nullptr) return read_known_shape(*shape, names);
  const auto keys = this->keys();
  // Room for all fields in the object itself, when they are not very many.
  const bool needs_room = keys.size() > JSC::JSFinalObject::defaultInlineCapacity && keys.size() <= kMostInside;
  JSC::JSObject* object =
      remember(needs_room ? JSC::constructEmptyObject(realm_, realm_->objectPrototype(), keys.size())
                          : JSC::constructEmptyObject(realm_));
  bool is_whole = true;
  for (const auto& name : keys) {
    if (skip_hole()) {
      is_whole = false;
      continue;
    }
    Value value = read();
    if (threw()) return {};
    object->putDirectMayBeIndex(realm_, name, value);
  }
  if (is_main && is_whole) memory_.note_made(realm_, object, names);
  return object;
}

// The object is made with all its fields, and they are filled in as their values come: one of them may refer to it. Those that have
// none after all are taken away in the end.
Value CloneReader::read_known_shape(const CloneMemory::Shape& shape, std::span<const uint8_t> names) {
  at_ += names.size();
  const WTF::Vector<JSC::PropertyOffset, 16> offsets(std::span(shape.offsets));
  JSC::JSObject* object = remember(JSC::constructEmptyObject(vm_, shape.structure.get()));
  for (const auto offset : offsets) object->putDirectOffset(vm_, offset, JSC::jsUndefined());
  WTF::Vector<unsigned> absent;
  for (unsigned i = 0; i < offsets.size(); i++) {
    if (skip_hole()) {
      absent.append(i);
      continue;
    }
    Value value = read();
    if (threw()) return {};
    object->putDirectOffset(vm_, offsets[i], value);
  }
  if (absent.isEmpty()) [[likely]]
    return object;
  const auto* end = std::exchange(at_, names.data());
  const auto keys = this->keys();
  for (const unsigned i : absent) object->deleteProperty(realm_, keys[i]);
  at_ = end;
  return object;
}

bool CloneReader::read_properties(JSC::JSObject* object) {
  uint32_t count = raw<uint32_t>();
  for (uint32_t i = 0; i < count; i++) {
    auto name = key();
    Value value = read();
    if (threw()) return false;
    object->putDirectMayBeIndex(realm_, name, value);
  }
  return true;
}

// An array with room for `length` elements, none of which is set. One of the engine's kinds holds any value: an array that begins with
// another kind is converted whenever an element does not fit.
JSC::JSArray* CloneReader::make_dense(uint32_t length) {
  constexpr uint32_t kMostInPlace = 1024;
  if (length == 0 || length > kMostInPlace) return JSC::constructEmptyArray(realm_, nullptr, length);
  auto* structure = realm_->arrayStructureForIndexingTypeDuringAllocation(JSC::ArrayWithContiguous);
  auto* made = JSC::JSArray::tryCreate(vm_, structure, length);
  return made ? made : JSC::constructEmptyArray(realm_, nullptr, length);
}

Value CloneReader::read_array(bool is_dense) {
  uint32_t length = raw<uint32_t>();
  auto* array = remember(make_dense(is_dense ? length : 0));
  if (threw()) return {};
  if (!is_dense) {
    array->setLength(realm_, length, false);
    if (threw()) return {};
    return read_properties(array) ? Value(array) : Value();
  }
  for (uint32_t i = 0; i < length; i++) {
    if (skip_hole()) continue;
    Value value = read();
    if (threw()) return {};
    array->putDirectIndex(realm_, i, value);
  }
  return read_properties(array) ? Value(array) : Value();
}

Value CloneReader::read_map() {
  auto* map = remember(JSC::JSMap::create(vm_, realm_->mapStructure()));
  uint32_t count = raw<uint32_t>();
  for (uint32_t i = 0; i < count; i += 2) {
    Value key = read();
    if (threw()) return {};
    Value value = read();
    if (threw()) return {};
    map->set(realm_, key, value);
  }
  return map;
}

Value CloneReader::read_set() {
  auto* set = remember(JSC::JSSet::create(vm_, realm_->setStructure()));
  uint32_t count = raw<uint32_t>();
  for (uint32_t i = 0; i < count; i++) {
    Value value = read();
    if (threw()) return {};
    set->add(realm_, value);
  }
  return set;
}

Value CloneReader::read_buffer(CloneTag tag) {
  RefPtr<JSC::ArrayBuffer> memory;
  if (tag == CloneTag::TransferredBuffer) {
    memory = JSC::ArrayBuffer::create(WTFMove(in_.transferables->transferred[raw<uint32_t>()]));
  } else if (tag == CloneTag::SharedBuffer) {
    JSC::ArrayBufferContents contents;
    in_.transferables->shared[raw<uint32_t>()].shareWith(contents);
    memory = JSC::ArrayBuffer::create(WTFMove(contents));
  } else {
    std::optional<size_t> limit;
    if (tag == CloneTag::ResizableArrayBuffer) limit = raw<uint64_t>();
    size_t size = raw<uint64_t>();
    memory = JSC::ArrayBuffer::tryCreate(size, 1, limit);
    if (memory == nullptr) {
      auto scope = DECLARE_THROW_SCOPE(vm_);
      throwException(realm_, scope, JSC::createRangeError(realm_, "Array buffer allocation failed"_s));
      return {};
    }
    if (size > 0) std::memcpy(memory->data(), at_, size);
    at_ += size;
  }
  auto mode = memory->sharingMode();
  return remember(JSC::JSArrayBuffer::create(vm_, realm_->arrayBufferStructure(mode), WTFMove(memory)));
}

Value CloneReader::read_view(bool is_data_view) {
  const uint8_t kind = is_data_view ? static_cast<uint8_t>(JSC::TypeDataView) : raw<uint8_t>();
  auto type = static_cast<JSC::TypedArrayType>(kind);
  bool follows_length = raw<uint8_t>();
  size_t offset = raw<uint64_t>();
  size_t length = raw<uint64_t>();
  // The writer numbered the view before its buffer: keep its place.
  size_t number = reserve();
  Value buffer = read();
  if (threw()) return {};
  RefPtr<JSC::ArrayBuffer> memory = JSC::jsCast<JSC::JSArrayBuffer*>(buffer)->impl();
  std::optional<size_t> wanted = follows_length ? std::nullopt : std::optional(length);
  if (kind == kFloat16Kind) {
    auto* made = make_float16_array(realm_, realm_float16_structure(realm_), WTFMove(memory), offset, wanted);
    if (threw()) return {};
    settle(number, made);
    return made;
  }
  auto* structure = realm_->typedArrayStructure(type, memory->isResizableOrGrowableShared());
  JSC::JSObject* made = nullptr;
  switch (type) {
#define RONDO_MAKE(name)                                                                     \
  case JSC::Type##name:                                                                      \
    made = JSC::JS##name##Array::create(realm_, structure, WTFMove(memory), offset, wanted); \
    break;
    FOR_EACH_TYPED_ARRAY_TYPE_EXCLUDING_DATA_VIEW(RONDO_MAKE)
#undef RONDO_MAKE
    default:
      made = JSC::JSDataView::create(realm_, structure, WTFMove(memory), offset, wanted);
      break;
  }
  if (threw()) return {};
  settle(number, made);
  return made;
}

JSC::ErrorType error_type_of(const WTF::String& name) {
  if (name == "EvalError"_s) return JSC::ErrorType::EvalError;
  if (name == "RangeError"_s) return JSC::ErrorType::RangeError;
  if (name == "ReferenceError"_s) return JSC::ErrorType::ReferenceError;
  if (name == "SyntaxError"_s) return JSC::ErrorType::SyntaxError;
  if (name == "TypeError"_s) return JSC::ErrorType::TypeError;
  if (name == "URIError"_s) return JSC::ErrorType::URIError;
  return JSC::ErrorType::Error;
}

Value CloneReader::read_error() {
  auto type = error_type_of(text());
  bool has_message = raw<uint8_t>();
  WTF::String message = has_message ? text() : WTF::String();
  auto* error = remember(JSC::jsCast<JSC::ErrorInstance*>(JSC::createError(realm_, type, message)));
  auto& names = *vm_.propertyNames;
  error->materializeErrorInfoIfNeeded(vm_);
  for (const auto& name : {names.line, names.column, names.sourceURL})
    static_cast<JSC::JSObject*>(error)->deleteProperty(realm_, name);
  if (!has_message) static_cast<JSC::JSObject*>(error)->deleteProperty(realm_, names.message);
  bool has_stack = raw<uint8_t>();
  Value stack = has_stack ? Value(JSC::jsString(vm_, text())) : JSC::jsUndefined();
  error->putDirect(vm_, names.stack, stack, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  if (raw<uint8_t>()) {
    Value cause = read();
    if (threw()) return {};
    error->putDirect(vm_, names.cause, cause, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  }
  return error;
}

Value CloneReader::read_host() {
  size_t number = reserve();
  Value info = read();
  if (threw()) return {};
  Value data = read();
  if (threw()) return {};
  Value made = host_.revive(info, data);
  if (threw()) return {};
  settle(number, made);
  return made;
}

}  // namespace

Serialized Serialized::copy() {
  Serialized made{.bytes = bytes, .transferables = {}, .depth = depth, .sender = sender};
  if (!transferables) return made;
  auto& mine = made.with_transferables();
  mine.hosts = transferables->hosts;
  mine.modules = transferables->modules;
  mine.memories = transferables->memories;
  for (auto& memory : transferables->shared) memory.shareWith(mine.shared.emplace_back());
  return made;
}

Value deserialize(JSC::JSGlobalObject* realm, CloneHost& host, Serialized& in) {
  return CloneReader(realm, host, in, in.bytes.data()).run();
}

Value deserialize_bytes(JSC::JSGlobalObject* realm, CloneHost& host, std::span<const uint8_t> bytes, uint32_t depth) {
  Serialized beside;
  beside.depth = depth;
  return CloneReader(realm, host, beside, bytes.data()).run();
}

}  // namespace rondo::engine
