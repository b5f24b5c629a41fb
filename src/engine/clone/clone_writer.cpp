// The writing half of structured_clone.h.
#include "engine/clone/structured_clone.h"

#include "engine/core/float16_array.h"
#include "engine/core/native_object.h"
#include "engine/core/vm_state.h"
#include "engine/errors/object_text.h"
#include "engine/patches/heap_size.h"

#include <JavaScriptCore/BigIntObject.h>
#include <JavaScriptCore/BooleanObject.h>
#include <JavaScriptCore/DateInstance.h>
#include <JavaScriptCore/JSDataView.h>
#include <JavaScriptCore/JSMapIterator.h>
#include <JavaScriptCore/JSSetIterator.h>
#include <JavaScriptCore/JSSetInlines.h>
#include <JavaScriptCore/NumberObject.h>
#include <JavaScriptCore/PropertyNameArray.h>
#include <JavaScriptCore/RegExpObject.h>
#include <JavaScriptCore/StringObject.h>
#include <JavaScriptCore/VMInlines.h>
#include <JavaScriptCore/YarrFlags.h>
#include <wtf/HashMap.h>

#include <algorithm>
#include <cstring>

namespace rondo::engine {

namespace {

JSC::PropertyName mode_name(JSC::VM& vm) { return VmState::of(vm).clone_mode; }

// Structured clone sees it: neither a symbol nor hidden.
bool is_field(const JSC::PropertyTableEntry& entry) {
  return !entry.key()->isSymbol() && !(entry.attributes() & JSC::PropertyAttribute::DontEnum);
}

// No ordinary object, but one without internal slots. The engine names the classes of Intl's instances and of some iterators
// "Object", too; those have slots.
bool has_only_properties(JSC::JSObject* object) {
  if (object->isCallable()) return false;
  if (object == object->globalObject()->objectPrototype()) return true;
  static constexpr WTF::ASCIILiteral kNamespaces[] = {"Atomics"_s, "Intl"_s, "JSON"_s, "Math"_s, "Reflect"_s};
  return object->type() != JSC::ProxyObjectType &&
         std::ranges::find(kNamespaces, object->classInfo()->className) != std::end(kNamespaces);
}

// Objects numbered as they come. A few are looked through; for more there is a table.
class NumberedObjects {
 public:
  struct Added {
    uint32_t number;
    bool is_new;
  };
  Added add(JSC::JSCell* object) {
    if (table_.isEmpty()) {
      for (uint32_t i = 0; i < few_.size(); i++)
        if (few_[i] == object) return {i, false};
      if (few_.size() < kFew) {
        few_.append(object);
        return {static_cast<uint32_t>(few_.size() - 1), true};
      }
      for (uint32_t i = 0; i < few_.size(); i++) table_.add(few_[i], i);
    }
    auto added = table_.add(object, static_cast<uint32_t>(table_.size()));
    return {added.iterator->value, added.isNewEntry};
  }
  void clear() {
    few_.clear();
    table_.clear();
  }

 private:
  static constexpr size_t kFew = 8;
  WTF::Vector<JSC::JSCell*, kFew> few_;
  WTF::HashMap<JSC::JSCell*, uint32_t> table_;
};

class CloneWriter {
 public:
  CloneWriter(JSC::JSGlobalObject* realm, CloneHost& host, Serialized& out)
      : realm_(realm),
        vm_(realm->vm()),
        host_(host),
        out_(out),
        memory_(VmState::of(vm_).clone_memory),
        main_(std::exchange(memory_.scratch, {})),
        bytes_(&main_) {
    main_.clear();
  }
  ~CloneWriter() {
    if (main_.capacity() <= kMostScratch) memory_.scratch = std::move(main_);
  }

  bool run(Value value, Value transfer_list);
  bool write_alone(Value value) { return write(value); }
  std::span<const uint8_t> written() const { return {main_.data(), main_.size()}; }

 private:
  // Messages up to this size are written in memory that stays, and leave in memory of their own size.
  static constexpr size_t kMostScratch = size_t{1} << 16;

  bool read_transfer_list(Value list);
  bool add_transfer(JSC::JSObject* object);
  bool finish_transfers();

  bool write(Value value);
  bool write_object(JSC::JSObject* object);
  bool write_object_here(JSC::JSObject* object);
  bool write_known_class(JSC::JSObject* object, bool& known);
  bool write_boxed(JSC::JSObject* object, bool& known);
  bool write_transferable(std::unique_ptr<Transferable>& thing);
  bool write_host(JSC::JSObject* object, CloneMode mode);
  bool write_description(JSC::JSObject* object, bool is_transfer);
  bool write_plain(JSC::JSObject* object);
  bool write_array(JSC::JSArray* array);
  bool write_properties(JSC::JSObject* object, bool skip_indices);
  bool write_own_fields(JSC::JSObject* object);
  bool write_fields(JSC::JSObject* object);
  bool write_shaped(JSC::JSObject* object, const CloneMemory::Shape& shape);
  using Offsets = WTF::Vector<JSC::PropertyOffset, 16>;
  bool write_values(JSC::JSObject* object, JSC::Structure* structure, const Offsets& offsets);
  bool write_changed(JSC::JSObject* object, JSC::Structure* before, unsigned first);
  bool write_map(JSC::JSMap* map);
  bool write_set(JSC::JSSet* set);
  bool write_buffer(JSC::JSArrayBuffer* buffer);
  bool write_view(JSC::JSArrayBufferView* view);
  bool write_view_alone(JSC::JSArrayBufferView* view, bool is_data_view);
  bool write_error(JSC::ErrorInstance* error);
  void write_bigint(JSC::JSBigInt* value);

  bool fail(const WTF::String& message) {
    host_.throw_clone_error(message);
    return false;
  }
  bool uncloneable(Value value);
  WTF::String shown(JSC::JSObject* object);
  bool threw() {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    return scope.exception() != nullptr;
  }

  void tag(CloneTag tag) { bytes_->add_number(static_cast<uint8_t>(tag)); }
  template <typename Number>
  void raw(Number number) {
    bytes_->add_number(number);
  }
  void raw_bytes(const void* data, size_t size) { bytes_->add(data, size); }
  void text(const WTF::StringView& string);

  JSC::JSGlobalObject* realm_;
  JSC::VM& vm_;
  CloneHost& host_;
  Serialized& out_;
  CloneMemory& memory_;
  ByteSink main_;  // the value itself
  ByteSink* bytes_;  // what is written to: main_, or the stream of a transferred object
  NumberedObjects seen_;
  WTF::HashMap<JSC::JSCell*, uint32_t> buffers_;  // ArrayBuffers of the transfer list
  WTF::HashMap<JSC::JSCell*, uint32_t> hosts_;  // other transferables
  WTF::HashMap<JSC::JSCell*, uint32_t> shared_;
  JSC::MarkedArgumentBuffer keep_;  // everything in the tables, so that no address is reused
  JSC::MarkedArgumentBuffer transfers_;
  uint32_t depth_ = 0;
  JSC::MarkedArgumentBuffer host_transfers_;
};

bool CloneWriter::run(Value value, Value transfer_list) {
  if (!read_transfer_list(transfer_list)) return false;
  if (!write(value) || !finish_transfers()) return false;
  if (const size_t size = main_.size(); size <= kMostScratch)
    out_.bytes.assign(main_.data(), size);
  else
    out_.bytes.adopt(main_.release(), size);
  return true;
}

bool CloneWriter::read_transfer_list(Value list) {
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(list);
  if (array == nullptr) return true;
  for (unsigned i = 0; i < array->length(); i++) {
    Value item = array->getIndex(realm_, i);
    if (threw()) return false;
    if (!item.isObject()) return fail("Found invalid value in transferList."_s);
    if (!add_transfer(JSC::asObject(item))) return false;
  }
  // Grows while it is walked: what a transferred object brings along.
  for (unsigned i = 0; i < host_transfers_.size(); i++) {
    Value nested = host_.nested_transfers(JSC::asObject(host_transfers_.at(i)));
    if (threw()) return false;
    auto* more = JSC::jsDynamicCast<JSC::JSArray*>(nested);
    for (unsigned k = 0; more != nullptr && k < more->length(); k++) {
      Value item = more->getIndex(realm_, k);
      if (threw()) return false;
      if (item.isObject() && !add_transfer(JSC::asObject(item))) return false;
    }
  }
  return true;
}

bool CloneWriter::add_transfer(JSC::JSObject* object) {
  auto mode = clone_mode(realm_, object);
  if (auto* buffer = JSC::jsDynamicCast<JSC::JSArrayBuffer*>(object)) {
    auto* memory = buffer->impl();
    if (memory->isShared()) return fail("Found invalid value in transferList."_s);
    if ((mode & kUntransferable) || memory->isDetached() || memory->isWasmMemory() || memory->isLocked())
      return fail("Cannot transfer object of unsupported type."_s);
    if (!buffers_.add(buffer, static_cast<uint32_t>(transfers_.size())).isNewEntry) {
      return fail("Transfer list contains duplicate ArrayBuffer"_s);
    }
    transfers_.append(buffer);
    return true;
  }
  if (!(mode & kTransferable) || (mode & kUntransferable)) {
    return fail(mode & kUntransferable ? "Cannot transfer object of unsupported type."_s
                                       : "Found invalid value in transferList."_s);
  }
  if (!hosts_.add(object, static_cast<uint32_t>(host_transfers_.size())).isNewEntry) {
    return fail("Transfer list contains duplicate object"_s);
  }
  host_transfers_.append(object);
  return true;
}

bool CloneWriter::finish_transfers() {
  for (unsigned i = 0; i < host_transfers_.size(); i++) {
    ByteSink stream;
    bytes_ = &stream;
    seen_.clear();
    if (!write_description(JSC::asObject(host_transfers_.at(i)), true)) return false;
    out_.with_transferables().hosts.emplace_back().assign(stream.data(), stream.size());
    bytes_ = &main_;
  }
  for (unsigned i = 0; i < transfers_.size(); i++) {
    JSC::ArrayBufferContents contents;
    auto* buffer = JSC::jsCast<JSC::JSArrayBuffer*>(transfers_.at(i));
    const size_t size = buffer->impl()->byteLength();
    if (!buffer->impl()->transferTo(vm_, contents)) return fail("An ArrayBuffer could not be transferred."_s);
    memory_left(vm_.heap, size);
    out_.with_transferables().transferred.push_back(std::move(contents));
  }
  return true;
}

void CloneWriter::text(const WTF::StringView& string) {
  raw(static_cast<uint8_t>(string.is8Bit()));
  raw(static_cast<uint32_t>(string.length()));
  if (string.is8Bit())
    raw_bytes(string.characters8(), string.length());
  else
    raw_bytes(string.characters16(), size_t{string.length()} * 2);
}

// As V8's messages show an object; functions by their source.
WTF::String CloneWriter::shown(JSC::JSObject* object) {
  while (auto* proxy = JSC::jsDynamicCast<JSC::ProxyObject*>(object)) {
    if (proxy->isRevoked()) return "null"_s;
    object = proxy->target();
  }
  if (object->isCallable()) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    auto source = Value(object).toWTFString(realm_);
    if (scope.exception()) {
      scope.clearException();
      return "function"_s;
    }
    // A long one is shown by its ends.
    constexpr unsigned kLongest = 128, kBegin = 111, kEnd = 2;
    if (source.length() <= kLongest) return source;
    return WTF::makeString(source.left(kBegin), "...<omitted>..."_s, source.right(kEnd));
  }
  return object_text(realm_, object);
}

bool CloneWriter::uncloneable(Value value) {
  const auto name = value.isSymbol() ? WTF::makeString("Symbol("_s, JSC::asSymbol(value)->description(), ')')
                                     : shown(JSC::asObject(value));
  return fail(WTF::makeString(name, " could not be cloned."_s));
}

bool CloneWriter::write(Value value) {
  if (value.isInt32()) {
    tag(CloneTag::Int32);
    raw(value.asInt32());
  } else if (value.isString()) {
    const auto& string = JSC::asString(value)->value(realm_);
    if (threw()) return false;
    tag(string.is8Bit() ? CloneTag::String8 : CloneTag::String16);
    raw(static_cast<uint32_t>(string.length()));
    if (string.is8Bit())
      raw_bytes(string.characters8(), string.length());
    else
      raw_bytes(string.characters16(), size_t{string.length()} * 2);
  } else if (value.isObject()) {
    return write_object(JSC::asObject(value));
  } else if (value.isDouble()) {
    tag(CloneTag::Double);
    raw(value.asDouble());
  } else if (value.isUndefined()) {
    tag(CloneTag::Undefined);
  } else if (value.isNull()) {
    tag(CloneTag::Null);
  } else if (value.isBoolean()) {
    tag(value.asBoolean() ? CloneTag::True : CloneTag::False);
  } else if (value.isBigInt()) {
    out_.is_simple = false;
    tag(CloneTag::BigInt);
    write_bigint(value.asHeapBigInt());
  } else {
    return uncloneable(value);
  }
  return true;
}

void CloneWriter::write_bigint(JSC::JSBigInt* value) {
  raw(static_cast<uint8_t>(value->sign()));
  raw(static_cast<uint32_t>(value->length()));
  for (unsigned i = 0; i < value->length(); i++) raw(static_cast<uint64_t>(value->digit(i)));
}

bool CloneWriter::write_object(JSC::JSObject* object) {
  if (!vm_.isSafeToRecurseSoft()) {
    auto scope = DECLARE_THROW_SCOPE(vm_);
    JSC::throwStackOverflowError(realm_, scope);
    return false;
  }
  out_.depth = std::max(out_.depth, ++depth_);
  const bool is_written = write_object_here(object);
  depth_--;
  return is_written;
}

bool CloneWriter::write_object_here(JSC::JSObject* object) {
  if (auto found = hosts_.find(object); found != hosts_.end()) {
    out_.is_simple = false;
    tag(CloneTag::TransferredHost);
    raw(found->value);
    return true;
  }
  if (const auto [number, is_new] = seen_.add(object); !is_new) {
    tag(CloneTag::Reference);
    raw(number);
    return true;
  }
  keep_.append(object);
  if (const auto* shape = memory_.written(object->structure())) return write_shaped(object, *shape);
  if (auto mode = clone_mode(realm_, object); mode != kPlain && mode != kUntransferable)
    return write_host(object, mode);
  if (object->type() == JSC::FinalObjectType) return write_plain(object);
  if (object->type() == JSC::ArrayType || object->type() == JSC::DerivedArrayType) {
    return write_array(JSC::jsCast<JSC::JSArray*>(object));
  }
  out_.is_simple = false;
  bool known = false;
  if (!write_known_class(object, known)) return false;
  if (known) return true;
  return has_only_properties(object) ? write_plain(object) : uncloneable(object);
}

bool CloneWriter::write_known_class(JSC::JSObject* object, bool& known) {
  known = true;
  switch (object->type()) {
    case JSC::JSMapType:
      return write_map(JSC::jsCast<JSC::JSMap*>(object));
    case JSC::JSSetType:
      return write_set(JSC::jsCast<JSC::JSSet*>(object));
    case JSC::ArrayBufferType:
      return write_buffer(JSC::jsCast<JSC::JSArrayBuffer*>(object));
    case JSC::ErrorInstanceType:
      return write_error(JSC::jsCast<JSC::ErrorInstance*>(object));
    case JSC::JSDateType:
      tag(CloneTag::Date);
      raw(JSC::jsCast<JSC::DateInstance*>(object)->internalNumber());
      return true;
    case JSC::RegExpObjectType: {
      auto* regexp = JSC::jsCast<JSC::RegExpObject*>(object)->regExp();
      tag(CloneTag::RegExp);
      text(regexp->pattern());
      text(WTF::StringView::fromLatin1(JSC::Yarr::flagsString(regexp->flags()).data()));
      return true;
    }
    default:
      break;
  }
  if (auto* view = JSC::jsDynamicCast<JSC::JSArrayBufferView*>(object)) return write_view(view);
  if (auto* thing = held_in<std::unique_ptr<Transferable>>(object); thing && *thing) return write_transferable(*thing);
  uint32_t number;
  if (CloneTag wasm; add_wasm(object, out_, wasm, number)) {
    tag(wasm);
    raw(number);
    return true;
  }
  return write_boxed(object, known);
}

bool CloneWriter::write_boxed(JSC::JSObject* object, bool& known) {
  known = true;
  if (auto* boolean = JSC::jsDynamicCast<JSC::BooleanObject*>(object)) {
    tag(CloneTag::BooleanObject);
    raw(static_cast<uint8_t>(boolean->internalValue().asBoolean()));
  } else if (auto* number = JSC::jsDynamicCast<JSC::NumberObject*>(object)) {
    tag(CloneTag::NumberObject);
    raw(number->internalValue().asNumber());
  } else if (auto* string = JSC::jsDynamicCast<JSC::StringObject*>(object)) {
    tag(CloneTag::StringObject);
    text(JSC::asString(string->internalValue())->value(realm_));
  } else if (auto* bigint = JSC::jsDynamicCast<JSC::BigIntObject*>(object)) {
    tag(CloneTag::BigIntObject);
    return write(bigint->internalValue());
  } else {
    known = false;
  }
  return true;
}

bool CloneWriter::write_transferable(std::unique_ptr<Transferable>& thing) {
  tag(CloneTag::Transferable);
  auto& carried = out_.with_transferables().carried;
  raw(static_cast<uint32_t>(carried.size()));
  carried.push_back(std::move(thing));
  return true;
}

bool CloneWriter::write_host(JSC::JSObject* object, CloneMode mode) {
  out_.is_simple = false;
  if (mode == kOrdinary) {
    tag(CloneTag::Object);
    return write_properties(object, false);
  }
  if (mode & kUncloneable) return fail("Cannot clone object of unsupported type."_s);
  if (!(mode & kCloneable)) {
    return fail(mode & kTransferable
                    ? "Object that needs transfer was found in message but not listed in transferList"_s
                    : "Cannot clone object of unsupported type."_s);
  }
  tag(CloneTag::Host);
  return write_description(object, false);
}

bool CloneWriter::write_description(JSC::JSObject* object, bool is_transfer) {
  auto description = host_.describe(object, is_transfer);
  if (threw()) return false;
  keep_.append(description.data);
  return write(description.info) && write(description.data);
}

bool CloneWriter::write_plain(JSC::JSObject* object) {
  auto* structure = object->structure();
  if (structure->canPerformFastPropertyEnumeration() && !structure->isDictionary() &&
      !JSC::hasIndexedProperties(object->indexingType()))
    return write_fields(object);
  tag(CloneTag::Object);
  return write_properties(object, false);
}

// An ordinary object's names in one piece, then its values.
bool CloneWriter::write_fields(JSC::JSObject* object) {
  auto* structure = object->structure();
  Offsets offsets;
  tag(CloneTag::ShapedObject);
  raw(uint32_t{0});  // size of the names
  const size_t begin = bytes_->size();
  raw(uint32_t{0});  // how many
  structure->forEachProperty(vm_, [&](const JSC::PropertyTableEntry& entry) {
    if (!is_field(entry)) return true;
    text(WTF::StringView(static_cast<WTF::StringImpl*>(entry.key())));
    offsets.append(entry.offset());
    return true;
  });
  const size_t size = bytes_->size() - begin;
  bytes_->replace_number(begin - sizeof(uint32_t), static_cast<uint32_t>(size));
  bytes_->replace_number(begin, static_cast<uint32_t>(offsets.size()));
  memory_.note_written(realm_, object, {bytes_->data() + begin, size});
  return write_values(object, structure, offsets);
}

bool CloneWriter::write_shaped(JSC::JSObject* object, const CloneMemory::Shape& shape) {
  tag(CloneTag::ShapedObject);
  raw(static_cast<uint32_t>(shape.names.size()));
  raw_bytes(shape.names.data(), shape.names.size());
  return write_values(object, object->structure(), Offsets(std::span(shape.offsets)));
}

// A getter deeper down may give the object another shape: from there on its fields are asked for by name.
bool CloneWriter::write_values(JSC::JSObject* object, JSC::Structure* structure, const Offsets& offsets) {
  for (unsigned i = 0; i < offsets.size(); i++) {
    if (object->structure() != structure) return write_changed(object, structure, i);
    if (!write(object->getDirect(offsets[i]))) return false;
  }
  return true;
}

bool CloneWriter::write_changed(JSC::JSObject* object, JSC::Structure* before, unsigned first) {
  WTF::Vector<JSC::Identifier, 16> names;
  before->forEachProperty(vm_, [&](const JSC::PropertyTableEntry& entry) {
    if (is_field(entry)) names.append(JSC::Identifier::fromUid(vm_, entry.key()));
    return true;
  });
  for (unsigned i = first; i < names.size(); i++) {
    const bool has = object->hasOwnProperty(realm_, names[i]);
    if (threw()) return false;
    if (!has) {
      tag(CloneTag::Hole);
      continue;
    }
    Value value = object->get(realm_, names[i]);
    if (threw()) return false;
    keep_.append(value);
    if (!write(value)) return false;
  }
  return true;
}

// Own enumerable data properties of an ordinary object, without asking for each by name. Values are taken up front; a
// getter deeper down cannot change what was already taken.
bool CloneWriter::write_own_fields(JSC::JSObject* object) {
  WTF::Vector<WTF::UniquedStringImpl*, 16> names;
  JSC::MarkedArgumentBuffer values;
  object->structure()->forEachProperty(vm_, [&](const JSC::PropertyTableEntry& entry) {
    if (!is_field(entry)) return true;
    names.append(entry.key());
    values.append(object->getDirect(entry.offset()));
    return true;
  });
  raw(static_cast<uint32_t>(names.size()));
  for (unsigned i = 0; i < names.size(); i++) {
    text(WTF::StringView(static_cast<WTF::StringImpl*>(names[i])));
    if (!write(values.at(i))) return false;
  }
  return true;
}

bool CloneWriter::write_properties(JSC::JSObject* object, bool skip_indices) {
  auto* structure = object->structure();
  if (skip_indices && structure->maxOffset() == JSC::invalidOffset) {
    raw(uint32_t{0});
    return true;
  }
  bool is_simple = structure->canPerformFastPropertyEnumeration() &&
                   (skip_indices || !JSC::hasIndexedProperties(object->indexingType()));
  if (is_simple) return write_own_fields(object);

  JSC::PropertyNameArray names(vm_, JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
  if (skip_indices)
    object->getOwnNonIndexPropertyNames(realm_, names, JSC::DontEnumPropertiesMode::Exclude);
  else
    object->methodTable()->getOwnPropertyNames(object, realm_, names, JSC::DontEnumPropertiesMode::Exclude);
  if (threw()) return false;
  size_t count_at = bytes_->size();
  uint32_t count = 0;
  raw(count);
  for (const auto& name : names) {
    // Only what is still the object's own: a getter may have removed it.
    bool has = object->hasOwnProperty(realm_, name);
    if (threw()) return false;
    if (!has) continue;
    Value value = object->get(realm_, name);
    if (threw()) return false;
    keep_.append(value);
    text(WTF::StringView(name.string()));
    if (!write(value)) return false;
    count++;
  }
  bytes_->replace_number(count_at, count);
  return true;
}

bool CloneWriter::write_array(JSC::JSArray* array) {
  unsigned length = array->length();
  bool is_dense = true;
  for (unsigned i = 0; i < length && is_dense; i++) is_dense = array->canGetIndexQuickly(i);
  if (!is_dense) {
    tag(CloneTag::SparseArray);
    raw(static_cast<uint32_t>(length));
    return write_properties(array, false);
  }
  tag(CloneTag::DenseArray);
  raw(static_cast<uint32_t>(length));
  for (unsigned i = 0; i < length; i++) {
    // Writing an element may run a getter that shortens the array.
    if (!array->canGetIndexQuickly(i)) {
      tag(CloneTag::Hole);
    } else if (!write(array->getIndexQuickly(i))) {
      return false;
    }
  }
  return write_properties(array, true);
}

bool CloneWriter::write_map(JSC::JSMap* map) {
  JSC::MarkedArgumentBuffer entries;
  auto* iterator = JSC::JSMapIterator::create(vm_, realm_->mapIteratorStructure(), map, JSC::IterationKind::Entries);
  Value key, value;
  while (iterator->nextKeyValue(realm_, key, value)) {
    entries.append(key);
    entries.append(value);
  }
  tag(CloneTag::Map);
  raw(static_cast<uint32_t>(entries.size()));
  for (unsigned i = 0; i < entries.size(); i++) {
    if (!write(entries.at(i))) return false;
  }
  return true;
}

bool CloneWriter::write_set(JSC::JSSet* set) {
  JSC::MarkedArgumentBuffer entries;
  auto* iterator = JSC::JSSetIterator::create(vm_, realm_->setIteratorStructure(), set, JSC::IterationKind::Keys);
  Value value;
  while (iterator->next(realm_, value)) entries.append(value);
  tag(CloneTag::Set);
  raw(static_cast<uint32_t>(entries.size()));
  for (unsigned i = 0; i < entries.size(); i++) {
    if (!write(entries.at(i))) return false;
  }
  return true;
}

bool CloneWriter::write_buffer(JSC::JSArrayBuffer* buffer) {
  if (auto found = buffers_.find(buffer); found != buffers_.end()) {
    tag(CloneTag::TransferredBuffer);
    raw(found->value);
    return true;
  }
  auto* memory = buffer->impl();
  if (memory->isShared()) {
    auto& shared = out_.with_transferables().shared;
    auto added = shared_.add(buffer, static_cast<uint32_t>(shared.size()));
    if (added.isNewEntry) {
      JSC::ArrayBufferContents contents;
      memory->shareWith(contents);
      shared.push_back(std::move(contents));
    }
    tag(CloneTag::SharedBuffer);
    raw(added.iterator->value);
    return true;
  }
  if (memory->isDetached()) return fail("An ArrayBuffer is detached and could not be cloned."_s);
  tag(memory->isResizableNonShared() ? CloneTag::ResizableArrayBuffer : CloneTag::ArrayBuffer);
  if (memory->isResizableNonShared()) raw(static_cast<uint64_t>(memory->maxByteLength().value_or(0)));
  raw(static_cast<uint64_t>(memory->byteLength()));
  raw_bytes(memory->data(), memory->byteLength());
  return true;
}

// Of typed arrays: the engine's number, or kFloat16Kind.
uint8_t kind_of(JSC::JSArrayBufferView* view) {
  return is_float16_array(view) ? kFloat16Kind : static_cast<uint8_t>(JSC::typedArrayType(view->type()));
}

size_t length_of(JSC::JSArrayBufferView* view, bool is_data_view) {
  if (is_data_view) return view->byteLength();
  return is_float16_array(view) ? float16_length(view) : view->length();
}

bool CloneWriter::write_view(JSC::JSArrayBufferView* view) {
  if (view->isDetached()) return fail("An ArrayBuffer is detached and could not be cloned."_s);
  if (view->isOutOfBounds()) return uncloneable(view);
  bool is_data_view = view->type() == JSC::DataViewType && !is_float16_array(view);
  if (host_.leaves_process()) return write_view_alone(view, is_data_view);
  tag(is_data_view ? CloneTag::DataView : CloneTag::TypedArray);
  if (!is_data_view) raw(kind_of(view));
  raw(static_cast<uint8_t>(view->isAutoLength()));
  raw(static_cast<uint64_t>(view->byteOffset()));
  raw(static_cast<uint64_t>(length_of(view, is_data_view)));
  auto* buffer = view->possiblySharedJSBuffer(realm_);
  if (threw()) return false;
  return write_object(buffer);
}

// With a buffer of its own bytes.
bool CloneWriter::write_view_alone(JSC::JSArrayBufferView* view, bool is_data_view) {
  auto memory = JSC::ArrayBuffer::tryCreate(view->byteLength(), 1);
  if (memory == nullptr) return fail("Array buffer allocation failed"_s);
  if (view->byteLength() > 0) std::memcpy(memory->data(), view->vector(), view->byteLength());
  tag(is_data_view ? CloneTag::DataView : CloneTag::TypedArray);
  if (!is_data_view) raw(kind_of(view));
  raw(uint8_t{0});  // of a fixed length
  raw(uint64_t{0});  // where it begins
  raw(static_cast<uint64_t>(length_of(view, is_data_view)));
  auto* buffer = JSC::JSArrayBuffer::create(vm_, realm_->arrayBufferStructure(memory->sharingMode()), WTFMove(memory));
  return write_object(buffer);
}

bool CloneWriter::write_error(JSC::ErrorInstance* error) {
  auto& names = *vm_.propertyNames;
  Value name = error->get(realm_, names.name);
  if (threw()) return false;
  const WTF::String name_text = name.toWTFString(realm_);
  if (threw()) return false;
  auto own = [&](const JSC::Identifier& key) {
    JSC::PropertySlot slot(error, JSC::PropertySlot::InternalMethodType::GetOwnProperty);
    bool has = error->methodTable()->getOwnPropertySlot(error, realm_, key, slot);
    if (has && slot.isAccessor() && key == names.message)
      slot.getValue(realm_, key);  // not cloned; read for the stack, as in Node
    return has && !slot.isAccessor() ? slot.getValue(realm_, key) : Value();
  };
  Value message = own(names.message);
  if (threw()) return false;
  Value stack = error->get(realm_, names.stack);
  if (threw()) return false;
  Value cause = own(names.cause);
  if (threw()) return false;
  tag(CloneTag::Error);
  text(name_text);
  raw(static_cast<uint8_t>(bool(message)));
  if (message) {
    auto message_text = message.toWTFString(realm_);
    if (threw()) return false;
    text(message_text);
  }
  raw(static_cast<uint8_t>(stack.isString()));
  if (stack.isString()) text(JSC::asString(stack)->value(realm_));
  raw(static_cast<uint8_t>(bool(cause)));
  return !cause || write(cause);
}

}  // namespace

CloneMode clone_mode(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  auto& vm = realm->vm();
  auto name = mode_name(vm);
  // The object's own mode, or that of its class: some classes mark their prototype instead of every instance. What a program
  // forbids is forbidden of that object alone.
  constexpr int32_t kOfClass = kCloneable | kTransferable | kRefused;
  for (Value holder = object; holder.isObject(); holder = JSC::asObject(holder)->getPrototypeDirect()) {
    Value value = JSC::asObject(holder)->getDirect(vm, name);
    if (value && value.isInt32()) return static_cast<CloneMode>(value.asInt32() & (holder == object ? ~0 : kOfClass));
  }
  return kPlain;
}

void set_clone_mode(JSC::JSGlobalObject* realm, JSC::JSObject* object, CloneMode mode) {
  auto& vm = realm->vm();
  object->putDirect(vm, mode_name(vm), JSC::jsNumber(static_cast<int32_t>(mode)),
                    static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
}

bool serialize(JSC::JSGlobalObject* realm, CloneHost& host, Value value, Value transfer_list, Serialized& out) {
  return CloneWriter(realm, host, out).run(value, transfer_list);
}

bool serialize_bytes(JSC::JSGlobalObject* realm, CloneHost& host, Value value, Serialized& out,
                     const std::function<void(std::span<const uint8_t>)>& take) {
  CloneWriter writer(realm, host, out);
  if (!writer.write_alone(value)) return false;
  take(writer.written());
  return true;
}

}  // namespace rondo::engine
