// native('buffer'): allocation, copying, comparing, filling and searching of bytes, for lib/internal/buffer/* and
// lib/internal/encoding/base64.js, which check the arguments first. Strings are in buffer_strings.cpp.
#include "text/base64.h"
#include "base/byte_search.h"
#include "text/utf8.h"
#include "modules/buffer/buffer_strings.h"
#include "runtime/runtime.h"

#include <algorithm>
#include <cstring>

namespace rondo::modules {

using namespace engine;
using buffer::Encoding;

namespace {

struct BufferState {
  bool zero_fill = false;  // --zero-fill-buffers
};

// A non-negative number as a size; anything else is 0.
size_t size_at(const Call& call, unsigned index) {
  double number = call.number(index);
  return number > 0 ? static_cast<size_t>(number) : 0;
}

JSC::JSArrayBufferView* view_at(const Call& call, unsigned index) {
  return JSC::jsDynamicCast<JSC::JSArrayBufferView*>(call.at(index));
}

Value set_prototype(Call& call) {
  auto* realm = call.realm();
  if (auto* prototype = call.object(0)) set_buffer_prototype(realm, prototype);
  return call.undefined();
}

Value alloc(Call& call) {
  auto* realm = call.realm();
  return call.value(Value(make_buffer_zeroed(realm, size_at(call, 0))));
}

Value alloc_unsafe(Call& call) {
  auto* realm = call.realm();
  if (runtime::Runtime::from(call.realm()).local<BufferState>().zero_fill) return alloc(call);
  return call.value(Value(make_buffer_uninitialized(realm, size_at(call, 0))));
}

Value copy_of(Call& call) {
  auto* realm = call.realm();
  return call.value(Value(make_buffer(realm, call.bytes(0))));
}

// view(buffer, start, length): shares memory.
Value view(Call& call) {
  auto* realm = call.realm();
  auto* source = view_at(call, 0);
  if (source == nullptr) return call.type_error("argument must be a buffer");
  size_t total = source->byteLength();
  size_t start = std::min(size_at(call, 1), total);
  return call.value(Value(buffer_on(realm, source, start, std::min(size_at(call, 2), total - start))));
}

// concat(list, length or undefined): a Buffer, or the index of the first element that is not a Uint8Array.
Value concat(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  if (list == nullptr) return call.value(0);
  unsigned count = list->length();
  JSC::MarkedArgumentBuffer parts;
  size_t total = 0;
  for (unsigned i = 0; i < count; i++) {
    Value part = list->getIndex(realm, i);
    RETURN_IF_EXCEPTION(scope, {});
    auto* bytes = JSC::jsDynamicCast<JSC::JSUint8Array*>(part);
    if (bytes == nullptr) return call.value(static_cast<int32_t>(i));
    total += bytes->byteLength();
    parts.append(part);
  }
  size_t size = call.at(1).isUndefined() ? total : size_at(call, 1);
  auto* made = make_buffer_uninitialized(realm, size);
  if (made == nullptr) return {};
  uint8_t* out = made->typedVector();
  size_t room = size;
  for (unsigned i = 0; i < parts.size() && room > 0; i++) {
    auto bytes = bytes_of(parts.at(i));
    size_t taken = std::min(bytes.size(), room);
    if (taken > 0) std::memcpy(out, bytes.data(), taken);
    out += taken;
    room -= taken;
  }
  if (room > 0) std::memset(out, 0, room);
  return call.value(Value(made));
}

// copy(source, target, targetStart, sourceStart, count): bytes copied; the ranges may overlap.
Value copy(Call& call) {
  auto source = call.bytes(0), target = call.bytes(1);
  size_t target_start = size_at(call, 2), source_start = size_at(call, 3);
  if (target_start >= target.size() || source_start >= source.size()) return call.value(0);
  size_t count = std::min({size_at(call, 4), source.size() - source_start, target.size() - target_start});
  std::memmove(target.data() + target_start, source.data() + source_start, count);
  return call.value(static_cast<double>(count));
}

int32_t order(std::span<const uint8_t> left, std::span<const uint8_t> right) {
  size_t common = std::min(left.size(), right.size());
  int result = common == 0 ? 0 : std::memcmp(left.data(), right.data(), common);
  if (result != 0) return result < 0 ? -1 : 1;
  return left.size() == right.size() ? 0 : left.size() < right.size() ? -1 : 1;
}

Value compare(Call& call) { return call.value(order(call.bytes(0), call.bytes(1))); }

std::span<uint8_t> range(std::span<uint8_t> bytes, size_t start, size_t end) {
  end = std::min(end, bytes.size());
  return start >= end ? std::span<uint8_t>() : bytes.subspan(start, end - start);
}

// compareRange(left, right, leftStart, leftEnd, rightStart, rightEnd)
Value compare_range(Call& call) {
  return call.value(order(range(call.bytes(0), size_at(call, 2), size_at(call, 3)),
                          range(call.bytes(1), size_at(call, 4), size_at(call, 5))));
}

// Repeats `pattern` over `target`: copied once, then doubled from what is already there.
void fill_with(std::span<uint8_t> target, std::span<const uint8_t> pattern) {
  if (pattern.size() == 1) {
    std::memset(target.data(), pattern[0], target.size());
    return;
  }
  size_t done = std::min(pattern.size(), target.size());
  std::memmove(target.data(), pattern.data(), done);
  while (done < target.size()) {
    size_t next = std::min(done, target.size() - done);
    std::memcpy(target.data() + done, target.data(), next);
    done += next;
  }
}

// fill(buffer, value, start, end, encoding): -1 when the value has no bytes, -2 when the range lies outside.
Value fill(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  Value value = call.at(1);
  uint8_t byte = 0;
  if (!value.isString() && view_at(call, 1) == nullptr) {
    byte = static_cast<uint8_t>(value.toInt32(realm));
    RETURN_IF_EXCEPTION(scope, {});
  }
  std::vector<uint8_t> pattern;
  if (value.isString())
    pattern = buffer::to_bytes(JSC::asString(value)->value(realm), static_cast<Encoding>(call.uint32(4)));
  auto bytes = call.bytes(0);
  size_t start = size_at(call, 2), end = size_at(call, 3);
  if (start > end || end > bytes.size()) return call.value(-2);
  auto target = bytes.subspan(start, end - start);
  if (value.isString()) {
    if (pattern.empty()) return call.value(-1);
    fill_with(target, pattern);
  } else if (view_at(call, 1) != nullptr) {
    auto source = call.bytes(1);
    if (source.empty()) return call.value(-1);
    fill_with(target, source);
  } else if (!target.empty()) {
    std::memset(target.data(), byte, target.size());
  }
  return call.value(0);
}

search::Direction direction_at(const Call& call, unsigned index) {
  return call.boolean(index) ? search::Direction::Forward : search::Direction::Backward;
}

// indexOfByte(buffer, byte, offset, forward)
Value index_of_byte(Call& call) {
  auto at = search::find_byte(call.bytes(0), static_cast<uint8_t>(call.int32(1)), call.int64(2), direction_at(call, 3));
  return call.value(static_cast<double>(at));
}

double find(const Call& call, std::span<const uint8_t> needle, Encoding encoding) {
  auto direction = direction_at(call, 4);
  auto at = encoding == Encoding::Utf16le ? search::find_units(call.bytes(0), needle, call.int64(2), direction)
                                          : search::find(call.bytes(0), needle, call.int64(2), direction);
  return static_cast<double>(at);
}

// indexOfString(buffer, text, offset, encoding, forward)
Value index_of_string(Call& call) {
  auto* realm = call.realm();
  auto encoding = static_cast<Encoding>(call.uint32(3));
  if (!call.at(1).isString()) return call.value(-1);
  const auto& text = JSC::asString(call.at(1))->value(realm);
  if (text.is8Bit() && encoding != Encoding::Utf16le && encoding < Encoding::Base64 && text.containsOnlyASCII()) {
    return call.value(find(call, {reinterpret_cast<const uint8_t*>(text.characters8()), text.length()}, encoding));
  }
  return call.value(find(call, buffer::to_bytes(text, encoding), encoding));
}

// indexOfBytes(buffer, view, offset, encoding, forward)
Value index_of_bytes(Call& call) {
  return call.value(find(call, call.bytes(1), static_cast<Encoding>(call.uint32(3))));
}

template <typename Unit, Unit (*reverse)(Unit)>
void swap_units(std::span<uint8_t> bytes) {
  for (size_t i = 0; i + sizeof(Unit) <= bytes.size(); i += sizeof(Unit)) {
    Unit unit;
    std::memcpy(&unit, bytes.data() + i, sizeof(Unit));
    unit = reverse(unit);
    std::memcpy(bytes.data() + i, &unit, sizeof(Unit));
  }
}

uint16_t reverse16(uint16_t unit) { return __builtin_bswap16(unit); }
uint32_t reverse32(uint32_t unit) { return __builtin_bswap32(unit); }
uint64_t reverse64(uint64_t unit) { return __builtin_bswap64(unit); }

// swap(buffer, width)
Value swap(Call& call) {
  switch (call.int32(1)) {
    case 2:
      swap_units<uint16_t, reverse16>(call.bytes(0));
      break;
    case 4:
      swap_units<uint32_t, reverse32>(call.bytes(0));
      break;
    case 8:
      swap_units<uint64_t, reverse64>(call.bytes(0));
      break;
    default:
      break;
  }
  return call.undefined();
}

Value is_utf8(Call& call) { return call.value(utf8::is_valid(call.bytes(0))); }

Value is_ascii(Call& call) { return call.value(utf8::is_ascii(call.bytes(0))); }

Value is_any_array_buffer(Call& call) { return call.value(call.at(0).inherits<JSC::JSArrayBuffer>()); }

// btoa(text): undefined when a character does not fit into a byte.
Value btoa(Call& call) {
  auto* realm = call.realm();
  auto bytes = std::vector<uint8_t>();
  const auto& text = call.at(0).isString() ? JSC::asString(call.at(0))->value(realm) : WTF::emptyString();
  if (!text.is8Bit()) {
    for (unsigned i = 0; i < text.length(); i++) {
      if (text[i] > 0xff) return call.undefined();
    }
  }
  bytes = buffer::to_bytes(text, Encoding::Latin1);
  std::vector<uint8_t> out(base64::encoded_size(bytes.size(), base64::Alphabet::Standard));
  base64::encode(bytes, base64::Alphabet::Standard, out.data());
  return call.value(string_from_latin1(realm, out));
}

// atob(text): a string, or 1 for an invalid character, 2 for an impossible length.
Value atob(Call& call) {
  auto* realm = call.realm();
  const auto& text = call.at(0).isString() ? JSC::asString(call.at(0))->value(realm) : WTF::emptyString();
  if (!text.is8Bit()) {
    for (unsigned i = 0; i < text.length(); i++) {
      if (text[i] > 0xff) return call.value(1);
    }
  }
  auto characters = buffer::to_bytes(text, Encoding::Latin1);
  std::vector<uint8_t> out(base64::decoded_size_limit(characters.size()));
  auto result = base64::forgiving_decode(characters, out);
  if (result.fault != base64::Fault::None) return call.value(result.fault == base64::Fault::BadLength ? 2 : 1);
  return call.value(string_from_latin1(realm, std::span<const uint8_t>(out).first(result.size)));
}

constexpr FunctionSpec kFunctions[] = {
    {"setPrototype", native<set_prototype>, 1},
    {"alloc", native<alloc>, 1},
    {"allocUnsafe", native<alloc_unsafe>, 1},
    {"copyOf", native<copy_of>, 1},
    {"view", native<view>, 3},
    {"concat", native<concat>, 2},
    {"copy", native<copy>, 5},
    {"compare", native<compare>, 2},
    {"compareRange", native<compare_range>, 6},
    {"fill", native<fill>, 5},
    {"indexOfByte", native<index_of_byte>, 4},
    {"indexOfString", native<index_of_string>, 5},
    {"indexOfBytes", native<index_of_bytes>, 5},
    {"swap", native<swap>, 2},
    {"isUtf8", native<is_utf8>, 1},
    {"isAscii", native<is_ascii>, 1},
    {"isAnyArrayBuffer", native<is_any_array_buffer>, 1},
    {"atob", native<atob>, 1},
    {"btoa", native<btoa>, 1},
};

}  // namespace

void init_buffer(runtime::Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  put_functions(realm, target, buffer::string_functions());
  static constexpr NumberSpec kEncodings[] = {{"kUtf8", Encoding::Utf8},          {"kUtf16le", Encoding::Utf16le},
                                              {"kLatin1", Encoding::Latin1},      {"kAscii", Encoding::Ascii},
                                              {"kBase64", Encoding::Base64},      {"kHex", Encoding::Hex},
                                              {"kBase64url", Encoding::Base64url}};
  put_numbers(realm, target, kEncodings);
  put(realm, target, "kStringMaxLength", JSC::jsNumber(static_cast<double>(kMaxStringLength)));
  for (const auto& option : runtime.options().exec_argv) {
    if (option == "--zero-fill-buffers") runtime.local<BufferState>().zero_fill = true;
  }
}

}  // namespace rondo::modules
