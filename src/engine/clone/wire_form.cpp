// See wire_form.h. Each function follows the one of the same name in clone_reader.cpp.
#include "engine/clone/wire_form.h"

#include "engine/core/vm_state.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace rondo::engine {

namespace {

static_assert(std::endian::native == std::endian::little, "the wire form is little-endian");
static_assert(static_cast<int>(CloneTag::WasmMemory) == 34 && JSC::TypeDataView == 12,
              "tags or typed arrays have other numbers: a new kWireVersion");

constexpr uint64_t kMostReserved = uint64_t{256} << 20;  // maxByteLength of a resizable buffer
constexpr uint32_t kMostDigits = 1 << 14;  // of a BigInt: the engine's limit
constexpr double kLastDate = 8.64e15;

// An object by the writer's number, as far as a reference or a view must know it.
struct Object {
  bool is_settled = false;
  bool is_buffer = false;
  bool is_resizable = false;
  uint64_t size = 0;
};

class WireChecker {
 public:
  WireChecker(std::span<const uint8_t> bytes, CloneMemory& memory)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), memory_(memory) {}

  WireCheck run() {
    if (value() && at_ != end_) fail("bytes behind the value");
    return {.refused = refused_, .depth = deepest_};
  }

 private:
  bool fail(const char* why) {
    if (!refused_) refused_ = why;
    return false;
  }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  template <typename Number>
  bool raw(Number& number) {
    if (left() < sizeof number) return fail("it ends too early");
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return true;
  }
  bool skip(uint64_t size) {
    if (size > left()) return fail("a length is larger than the message");
    at_ += size;
    return true;
  }
  bool characters(bool is_narrow) {
    uint32_t length;
    return raw(length) && skip(uint64_t{length} * (is_narrow ? 1 : 2));
  }
  bool text() {
    uint8_t is_narrow;
    return raw(is_narrow) && characters(is_narrow);
  }
  // How many things of at least `least` bytes each follow.
  bool count(uint32_t& number, size_t least) {
    if (!raw(number)) return false;
    return number <= left() / least || fail("a length is larger than the message");
  }
  void settled(Object object = {}) {
    object.is_settled = true;
    objects_.append(object);
  }

  bool value();
  bool tagged(CloneTag tag);
  bool object();
  bool shaped();
  bool array(bool is_dense);
  bool properties();
  bool entries(bool in_pairs);
  bool bigint();
  bool date();
  bool buffer(bool is_resizable);
  bool view(bool is_data_view);
  bool viewed_buffer(Object& found);
  bool error();
  bool reference(Object& found);

  const uint8_t* at_;
  const uint8_t* end_;
  CloneMemory& memory_;
  const char* refused_ = nullptr;
  uint32_t depth_ = 0, deepest_ = 0;
  WTF::Vector<Object, 16> objects_;
};

bool WireChecker::value() {
  uint8_t tag;
  if (!raw(tag)) return false;
  if (depth_ == kMostWireDepth) return fail("objects lie too deep in one another");
  depth_++;
  if (depth_ > deepest_) deepest_ = depth_;
  const bool is_good = tagged(static_cast<CloneTag>(tag));
  depth_--;
  return is_good;
}

bool WireChecker::tagged(CloneTag tag) {
  uint8_t flag;
  switch (tag) {
    case CloneTag::Undefined:
    case CloneTag::Null:
    case CloneTag::True:
    case CloneTag::False:
      return true;
    case CloneTag::Int32:
      return skip(sizeof(int32_t));
    case CloneTag::Double:
      return skip(sizeof(double));
    case CloneTag::BigInt:
      return bigint();
    case CloneTag::String8:
      return characters(true);
    case CloneTag::String16:
      return characters(false);
    case CloneTag::Reference: {
      Object found;
      return reference(found);
    }
    case CloneTag::Object:
      return object();
    case CloneTag::ShapedObject:
      return shaped();
    case CloneTag::DenseArray:
      return array(true);
    case CloneTag::SparseArray:
      return array(false);
    case CloneTag::Date:
      return date();
    case CloneTag::BooleanObject:
      settled();
      return raw(flag);
    case CloneTag::NumberObject:
      settled();
      return skip(sizeof(double));
    case CloneTag::StringObject:
      settled();
      return text();
    case CloneTag::BigIntObject:
      if (!raw(flag)) return false;
      if (static_cast<CloneTag>(flag) != CloneTag::BigInt) return fail("a BigInt object without its value");
      if (!bigint()) return false;
      settled();
      return true;
    case CloneTag::RegExp:
      settled();
      return text() && text();
    case CloneTag::Map:
      return entries(true);
    case CloneTag::Set:
      return entries(false);
    case CloneTag::ArrayBuffer:
      return buffer(false);
    case CloneTag::ResizableArrayBuffer:
      return buffer(true);
    case CloneTag::TypedArray:
      return view(false);
    case CloneTag::DataView:
      return view(true);
    case CloneTag::Error:
      return error();
    case CloneTag::Hole:
    case CloneTag::TransferredBuffer:
    case CloneTag::SharedBuffer:
    case CloneTag::Host:
    case CloneTag::TransferredHost:
    case CloneTag::Transferable:
    case CloneTag::WasmModule:
    case CloneTag::WasmMemory:
      return fail("it has a value that cannot leave its process");
  }
  return fail("it has a value of an unknown kind");
}

bool WireChecker::reference(Object& found) {
  uint32_t number;
  if (!raw(number)) return false;
  if (number >= objects_.size() || !objects_[number].is_settled)
    return fail("a reference to an object that is not there");
  found = objects_[number];
  return true;
}

bool WireChecker::properties() {
  uint32_t number;
  if (!count(number, 6)) return false;
  for (uint32_t i = 0; i < number; i++)
    if (!text() || !value()) return false;
  return true;
}

bool WireChecker::object() {
  settled();
  return properties();
}

bool WireChecker::shaped() {
  uint32_t size, number;
  if (!raw(size)) return false;
  if (size > left()) return fail("a length is larger than the message");
  const uint8_t* names_end = at_ + size;
  if (const auto* known = memory_.made({at_, size})) {  // names that have passed before
    number = static_cast<uint32_t>(known->offsets.size());
    at_ = names_end;
  } else {
    if (!count(number, 6)) return false;
    for (uint32_t i = 0; i < number; i++)
      if (!text()) return false;
    if (at_ != names_end) return fail("the names of an object have another length");
  }
  settled();
  for (uint32_t i = 0; i < number; i++) {
    if (at_ != end_ && static_cast<CloneTag>(*at_) == CloneTag::Hole)
      at_++;
    else if (!value())
      return false;
  }
  return true;
}

bool WireChecker::array(bool is_dense) {
  uint32_t length;
  settled();
  if (!is_dense) return raw(length) && properties();
  if (!count(length, 1)) return false;
  for (uint32_t i = 0; i < length; i++) {
    if (at_ != end_ && static_cast<CloneTag>(*at_) == CloneTag::Hole)
      at_++;
    else if (!value())
      return false;
  }
  return properties();
}

bool WireChecker::entries(bool in_pairs) {
  uint32_t number;
  settled();
  if (!count(number, 1)) return false;
  if (in_pairs && number % 2 != 0) return fail("a Map with a key and no value");
  for (uint32_t i = 0; i < number; i++)
    if (!value()) return false;
  return true;
}

// Normal ones only, as the engine makes them: the highest digit is not 0.
bool WireChecker::bigint() {
  uint8_t is_negative;
  uint32_t length;
  if (!raw(is_negative) || !raw(length)) return false;
  if (length == 0) return true;
  if (length > kMostDigits) return fail("a BigInt is too large");
  uint64_t highest;
  return skip(uint64_t{length - 1} * sizeof highest) && raw(highest) &&
         (highest != 0 || fail("a BigInt with a zero in front"));
}

bool WireChecker::date() {
  double time;
  settled();
  if (!raw(time)) return false;
  if (std::isnan(time)) return true;
  return (std::abs(time) <= kLastDate && std::trunc(time) == time) || fail("a Date out of range");
}

bool WireChecker::buffer(bool is_resizable) {
  Object made{.is_buffer = true, .is_resizable = is_resizable};
  uint64_t limit = 0;
  if (is_resizable && !raw(limit)) return false;
  if (!raw(made.size) || !skip(made.size)) return false;
  if (is_resizable && (limit < made.size || limit > kMostReserved)) return fail("a resizable ArrayBuffer is too large");
  settled(made);
  return true;
}

bool WireChecker::viewed_buffer(Object& found) {
  uint8_t tag;
  if (!raw(tag)) return false;
  switch (static_cast<CloneTag>(tag)) {
    case CloneTag::ArrayBuffer:
    case CloneTag::ResizableArrayBuffer:
      if (!buffer(static_cast<CloneTag>(tag) == CloneTag::ResizableArrayBuffer)) return false;
      found = objects_.last();
      return true;
    case CloneTag::Reference:
      if (!reference(found)) return false;
      return found.is_buffer || fail("a view on something that is no buffer");
    default:
      return fail("a view on something that is no buffer");
  }
}

bool WireChecker::view(bool is_data_view) {
  uint8_t type = JSC::TypeDataView, follows_length;
  uint64_t offset, length;
  if (!is_data_view && !raw(type)) return false;
  if (!is_data_view && !JSC::isTypedView(static_cast<JSC::TypedArrayType>(type)))
    return fail("a typed array of an unknown kind");
  if (!is_data_view && type > JSC::TypeDataView) return fail("a typed array of an unknown kind");
  if (!raw(follows_length) || !raw(offset) || !raw(length)) return false;
  const size_t number = objects_.size();
  objects_.append(Object());
  Object memory;
  if (!viewed_buffer(memory)) return false;
  const uint64_t element = is_data_view ? 1 : JSC::elementSize(static_cast<JSC::TypedArrayType>(type));
  if (offset % element != 0 || offset > memory.size) return fail("a view outside of its buffer");
  if (follows_length ? !memory.is_resizable : length > (memory.size - offset) / element)
    return fail("a view outside of its buffer");
  objects_[number].is_settled = true;
  return true;
}

bool WireChecker::error() {
  uint8_t has;
  if (!text() || !raw(has) || (has && !text())) return false;
  settled();
  return raw(has) && (!has || text()) && raw(has) && (!has || value());
}

}  // namespace

WireCheck check_wire(JSC::VM& vm, std::span<const uint8_t> bytes) {
  return WireChecker(bytes, VmState::of(vm).clone_memory).run();
}

}  // namespace rondo::engine
