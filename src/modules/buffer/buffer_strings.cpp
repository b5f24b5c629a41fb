#include "modules/buffer/buffer_strings.h"

#include "text/base64.h"
#include "text/utf8.h"

#include <algorithm>
#include <cstring>

namespace rondo::modules::buffer {

using namespace engine;

namespace {

std::span<const uint8_t> narrow(const WTF::StringView& text) {
  return {reinterpret_cast<const uint8_t*>(text.characters8()), text.length()};
}

std::span<const char16_t> wide(const WTF::StringView& text) { return {text.characters16(), text.length()}; }

size_t write_latin1(const WTF::StringView& text, std::span<uint8_t> out) {
  size_t count = std::min<size_t>(text.length(), out.size());
  if (count == 0) return 0;
  if (text.is8Bit()) {
    std::memcpy(out.data(), text.characters8(), count);
  } else {
    auto units = wide(text);
    for (size_t i = 0; i < count; i++) out[i] = static_cast<uint8_t>(units[i]);
  }
  return count;
}

size_t write_utf16le(const WTF::StringView& text, std::span<uint8_t> out) {
  size_t count = std::min<size_t>(text.length(), out.size() / 2);
  if (count == 0) return 0;
  if (text.is8Bit()) {
    auto units = narrow(text);
    for (size_t i = 0; i < count; i++) {
      out[2 * i] = units[i];
      out[2 * i + 1] = 0;
    }
  } else {
    std::memcpy(out.data(), text.characters16(), count * 2);
  }
  return count * 2;
}

// The bytes of `this` between two optional arguments, clamped.
std::span<uint8_t> slice_of(const Call& call) {
  auto bytes = bytes_of(call.self());
  double size = static_cast<double>(bytes.size());
  double start = std::clamp(call.number(0, 0), 0.0, size);
  double end = std::clamp(call.at(1).isUndefined() ? size : call.number(1, 0), 0.0, size);
  if (!(end > start)) return {};
  return bytes.subspan(static_cast<size_t>(start), static_cast<size_t>(end) - static_cast<size_t>(start));
}

bool is_view(Value value) { return value.isCell() && JSC::isTypedView(JSC::typedArrayType(value.asCell()->type())); }

Value not_a_buffer(JSC::JSGlobalObject* realm) {
  return raise_with_code(realm, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_TYPE"_s, "argument must be a buffer"_s);
}

Value utf8_slice(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  return call.value(string_from_utf8(realm, slice_of(call)));
}

Value latin1_slice(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  return call.value(string_from_latin1(realm, slice_of(call)));
}

// A Latin-1 string of `size` characters that `fill` writes.
template <typename Fill>
Value made_of(JSC::JSGlobalObject* realm, size_t size, Fill fill) {
  if (size > kMaxStringLength) return raise_too_long(realm);
  auto& vm = realm->vm();
  if (size == 0) return JSC::jsEmptyString(vm);
  LChar* characters;
  auto text = WTF::StringImpl::createUninitialized(static_cast<unsigned>(size), characters);
  fill(reinterpret_cast<uint8_t*>(characters));
  return JSC::jsString(vm, WTF::String(WTFMove(text)));
}

Value ascii_slice(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  auto bytes = slice_of(call);
  return made_of(realm, bytes.size(), [bytes](uint8_t* out) {
    for (size_t i = 0; i < bytes.size(); i++) out[i] = bytes[i] & 0x7f;
  });
}

Value hex_slice(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  auto bytes = slice_of(call);
  return made_of(realm, bytes.size() * 2, [bytes](uint8_t* out) { hex::encode(bytes, out); });
}

template <base64::Alphabet alphabet>
Value base64_slice(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  auto bytes = slice_of(call);
  return made_of(realm, base64::encoded_size(bytes.size(), alphabet),
                 [bytes](uint8_t* out) { base64::encode(bytes, alphabet, out); });
}

Value ucs2_slice(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  auto bytes = slice_of(call);
  size_t units = bytes.size() / 2;
  auto& vm = call.vm();
  if (units == 0) return call.value(Value(JSC::jsEmptyString(vm)));
  if (units > kMaxStringLength) return made_of(realm, units, [](uint8_t*) {});
  UChar* characters;
  auto text = WTF::StringImpl::createUninitialized(static_cast<unsigned>(units), characters);
  std::memcpy(characters, bytes.data(), units * 2);
  return call.value(Value(JSC::jsString(vm, WTF::String(WTFMove(text)))));
}

// this.xxxWrite(string, offset, length): bytes written.
template <Encoding encoding>
Value write_method(Call& call) {
  auto* realm = call.realm();
  if (!is_view(call.self())) return not_a_buffer(realm);
  if (!call.at(0).isString()) {
    return raise_with_code(realm, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_TYPE"_s, "argument must be a string"_s);
  }
  // A rope is flattened before the memory is looked at: flattening may collect garbage.
  const auto& text = JSC::asString(call.at(0))->value(realm);
  auto bytes = bytes_of(call.self());
  double size = static_cast<double>(bytes.size());
  double offset = call.number(1, 0);
  if (!(offset >= 0 && offset <= size)) {
    return raise_with_code(realm, JSC::ErrorType::RangeError, "ERR_BUFFER_OUT_OF_BOUNDS"_s,
                           "\"offset\" is outside of buffer bounds"_s);
  }
  double length = call.at(2).isUndefined() ? size - offset : call.number(2, 0);
  constexpr bool is_exact = encoding == Encoding::Utf8 || encoding == Encoding::Latin1 || encoding == Encoding::Ascii;
  if (length < 0 || (is_exact && length > size - offset)) {
    return raise_with_code(realm, JSC::ErrorType::RangeError, "ERR_BUFFER_OUT_OF_BOUNDS"_s,
                           "\"length\" is outside of buffer bounds"_s);
  }
  auto target = bytes.subspan(static_cast<size_t>(offset));
  if (length < static_cast<double>(target.size())) target = target.first(static_cast<size_t>(length));
  return call.value(static_cast<double>(write(text, encoding, target)));
}

Value from_string(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  if (!call.at(0).isString()) return call.undefined();
  const auto& text = JSC::asString(call.at(0))->value(realm);
  RETURN_IF_EXCEPTION(scope, {});
  auto encoding = static_cast<Encoding>(call.uint32(1));
  size_t limit = size_limit(text, encoding);
  auto* made = make_buffer_uninitialized(realm, limit);
  if (made == nullptr) return {};
  size_t written = write(text, encoding, {made->typedVector(), limit});
  if (written == limit) [[likely]]
    return call.value(Value(made));
  // Only base64 and hex fall short. A view would keep the excess alive, so copy.
  return call.value(Value(make_buffer(realm, {made->typedVector(), written})));
}

Value byte_length_utf8(Call& call) {
  auto* realm = call.realm();
  if (!call.at(0).isString()) return call.value(0);
  return call.value(static_cast<double>(size_limit(JSC::asString(call.at(0))->value(realm), Encoding::Utf8)));
}

}  // namespace

size_t size_limit(const WTF::StringView& text, Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8:
      return text.is8Bit() ? utf8::length_of_latin1(narrow(text)) : utf8::length(wide(text));
    case Encoding::Utf16le:
      return size_t{text.length()} * 2;
    case Encoding::Hex:
      return text.length() / 2;
    case Encoding::Base64:
    case Encoding::Base64url: {
      size_t characters = text.length();
      while (characters > 0 && text.length() - characters < 2 && text[static_cast<unsigned>(characters - 1)] == '=')
        characters--;
      return base64::decoded_size_limit(characters);
    }
    case Encoding::Latin1:
    case Encoding::Ascii:
      break;
  }
  return text.length();
}

size_t write(const WTF::StringView& text, Encoding encoding, std::span<uint8_t> out) {
  bool is_narrow = text.is8Bit();
  switch (encoding) {
    case Encoding::Utf8:
      return is_narrow ? utf8::encode_latin1(narrow(text), out) : utf8::encode(wide(text), out);
    case Encoding::Utf16le:
      return write_utf16le(text, out);
    case Encoding::Hex:
      return is_narrow ? hex::decode(narrow(text), out) : hex::decode(wide(text), out);
    case Encoding::Base64:
    case Encoding::Base64url:
      return is_narrow ? base64::decode(narrow(text), out) : base64::decode(wide(text), out);
    case Encoding::Latin1:
    case Encoding::Ascii:
      break;
  }
  return write_latin1(text, out);
}

std::vector<uint8_t> to_bytes(const WTF::StringView& text, Encoding encoding) {
  std::vector<uint8_t> bytes(size_limit(text, encoding));
  bytes.resize(write(text, encoding, bytes));
  return bytes;
}

std::span<const FunctionSpec> string_functions() {
  static constexpr FunctionSpec kFunctions[] = {
      {"utf8Slice", native<utf8_slice>, 2},
      {"latin1Slice", native<latin1_slice>, 2},
      {"asciiSlice", native<ascii_slice>, 2},
      {"hexSlice", native<hex_slice>, 2},
      {"ucs2Slice", native<ucs2_slice>, 2},
      {"base64Slice", native<base64_slice<base64::Alphabet::Standard>>, 2},
      {"base64urlSlice", native<base64_slice<base64::Alphabet::Url>>, 2},
      {"utf8Write", native<write_method<Encoding::Utf8>>, 3},
      {"latin1Write", native<write_method<Encoding::Latin1>>, 3},
      {"asciiWrite", native<write_method<Encoding::Ascii>>, 3},
      {"hexWrite", native<write_method<Encoding::Hex>>, 3},
      {"ucs2Write", native<write_method<Encoding::Utf16le>>, 3},
      {"base64Write", native<write_method<Encoding::Base64>>, 3},
      {"base64urlWrite", native<write_method<Encoding::Base64url>>, 3},
      {"fromString", native<from_string>, 2},
      {"byteLengthUtf8", native<byte_length_utf8>, 1},
  };
  return kFunctions;
}

}  // namespace rondo::modules::buffer
