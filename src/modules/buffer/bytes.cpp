// native('bytes'): Uint8Array to and from base64 and hexadecimal text, for lib/internal/language/bytes.js, which checks arguments and
// throws. (Buffer's own ways are buffer_strings.cpp's: more forgiving, and without a report of what was read.)
#include "text/base64.h"
#include "engine/core/native.h"
#include "runtime/runtime.h"

#include <array>
#include <memory>

namespace rondo::modules {

using namespace engine;

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr uint8_t kNoDigit = 0xFF;

using Digits = std::array<uint8_t, 256>;

constexpr Digits digits_of(std::string_view alphabet) {
  Digits digits{};
  digits.fill(kNoDigit);
  for (size_t i = 0; i < alphabet.size(); i++) digits[static_cast<uint8_t>(alphabet[i])] = static_cast<uint8_t>(i);
  return digits;
}

constexpr Digits kDigits = digits_of(kAlphabet), kUrlDigits = digits_of(kUrlAlphabet);
constexpr Digits kHexValues = [] {
  auto digits = digits_of(kHexDigits);
  for (char letter = 'A'; letter <= 'F'; letter++)
    digits[static_cast<uint8_t>(letter)] = static_cast<uint8_t>(letter - 'A' + 10);
  return digits;
}();

enum class LastChunk : uint8_t { Loose, Strict, StopBeforePartial };

struct Decoded {
  bool is_valid = true;
  size_t read = 0;  // characters
  size_t written = 0;  // bytes
};

// https://tc39.es/ecma262/#sec-frombase64, into as many bytes as `out` has. `Character` is what the string is made of.
template <typename Character>
class Base64Reader {
 public:
  Base64Reader(std::span<const Character> text, base64::Alphabet alphabet, LastChunk mode, std::span<uint8_t> out)
      : text_(text),
        alphabet_(alphabet),
        digits_(alphabet == base64::Alphabet::Url ? kUrlDigits : kDigits),
        mode_(mode),
        out_(out) {}

  Decoded run() {
    if (out_.empty()) return result_;
    for (;;) {
      read_whole_chunks();
      if (result_.written == out_.size()) return result_;
      skip_space();
      if (at_ == text_.size()) return finish();
      Character character = text_[at_++];
      if (character == '=') return finish_padded();
      uint8_t digit = digit_of(character);
      if (digit == kNoDigit) return failed();
      size_t room = out_.size() - result_.written;
      if ((room == 1 && count_ == 2) || (room == 2 && count_ == 3)) return result_;
      bits_ = bits_ << 6 | digit;
      if (++count_ == 4) write_chunk();
    }
  }

 private:
  uint8_t digit_of(Character character) const { return character < 256 ? digits_[character] : kNoDigit; }

  void skip_space() {
    auto is_space = [](Character c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; };
    while (at_ < text_.size() && is_space(text_[at_])) at_++;
  }

  void read_whole_chunks() {
    if constexpr (sizeof(Character) == 1) {
      if (count_ == 0 && at_ < text_.size()) read_blocks();
    }
    while (count_ == 0 && at_ + 4 <= text_.size() && result_.written + 3 <= out_.size()) {
      uint8_t a = digit_of(text_[at_]), b = digit_of(text_[at_ + 1]), c = digit_of(text_[at_ + 2]),
              d = digit_of(text_[at_ + 3]);
      if ((a | b | c | d) >= 64) return;
      bits_ = static_cast<uint32_t>(a) << 18 | b << 12 | c << 6 | d;
      at_ += 4;
      write_chunk();
    }
  }

  void read_blocks() {
    const size_t done = base64::decode_blocks(text_.subspan(at_), alphabet_, out_.subspan(result_.written));
    if (done == 0) return;
    at_ += done;
    result_.written += done / 4 * 3;
    result_.read = at_;
  }

  void write_chunk() {
    for (int shift : {16, 8, 0}) out_[result_.written++] = static_cast<uint8_t>(bits_ >> shift);
    bits_ = 0;
    count_ = 0;
    result_.read = at_;
  }

  // Two or three digits; strictly, the bits left over are zero.
  Decoded write_partial() {
    unsigned spare = count_ == 2 ? 4 : 2;
    if (mode_ == LastChunk::Strict && (bits_ & ((1U << spare) - 1))) return failed();
    uint32_t value = bits_ >> spare;
    if (count_ == 3) out_[result_.written++] = static_cast<uint8_t>(value >> 8);
    out_[result_.written++] = static_cast<uint8_t>(value);
    result_.read = text_.size();
    return result_;
  }

  Decoded finish() {
    if (count_ == 0) {
      result_.read = text_.size();
      return result_;
    }
    if (mode_ == LastChunk::StopBeforePartial) return result_;
    if (mode_ == LastChunk::Strict || count_ == 1) return failed();
    return write_partial();
  }

  Decoded finish_padded() {
    if (count_ < 2) return failed();
    skip_space();
    if (count_ == 2) {
      if (at_ == text_.size()) return mode_ == LastChunk::StopBeforePartial ? result_ : failed();
      if (text_[at_] == '=') {
        at_++;
        skip_space();
      }
    }
    return at_ < text_.size() ? failed() : write_partial();
  }

  Decoded failed() {
    result_.is_valid = false;
    return result_;
  }

  std::span<const Character> text_;
  base64::Alphabet alphabet_;
  const Digits& digits_;
  LastChunk mode_;
  std::span<uint8_t> out_;
  Decoded result_;
  size_t at_ = 0;
  uint32_t bits_ = 0;
  unsigned count_ = 0;
};

template <typename Character>
Decoded read_hex(std::span<const Character> text, std::span<uint8_t> out) {
  Decoded result;
  if (text.size() % 2) {
    result.is_valid = false;
    return result;
  }
  while (result.read < text.size() && result.written < out.size()) {
    auto value = [&](size_t at) { return text[at] < 256 ? kHexValues[text[at]] : kNoDigit; };
    uint8_t high = value(result.read), low = value(result.read + 1);
    if ((high | low) == kNoDigit) {
      result.is_valid = false;
      return result;
    }
    out[result.written++] = static_cast<uint8_t>(high << 4 | low);
    result.read += 2;
  }
  return result;
}

// Decodes into `target`, a Uint8Array; or, when it is a Uint8Array constructor, into a new array of its realm.
// Answers with [is valid, characters read, bytes written or the new array].
template <typename Decode>
Value decode_into(const Call& call, unsigned target, size_t limit, Decode decode) {
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto* object = call.object(target);
  auto* array = JSC::jsDynamicCast<JSC::JSUint8Array*>(object);
  std::unique_ptr<uint8_t[]> made;
  if (!array) made = std::make_unique_for_overwrite<uint8_t[]>(limit);
  auto out = array ? std::span<uint8_t>(array->typedVector(), array->length()) : std::span<uint8_t>(made.get(), limit);
  Decoded decoded = decode(out);
  Value last = JSC::jsNumber(decoded.written);
  if (!array) {
    auto* realm = object->globalObject();
    auto* structure = realm->typedArrayStructure(JSC::TypeUint8, false);
    auto* result = JSC::JSUint8Array::createUninitialized(realm, structure, decoded.written);
    RETURN_IF_EXCEPTION(scope, {});
    std::copy_n(made.get(), decoded.written, result->typedVector());
    last = result;
  }
  JSC::MarkedArgumentBuffer values;
  values.append(JSC::jsBoolean(decoded.is_valid));
  values.append(JSC::jsNumber(decoded.read));
  values.append(last);
  RELEASE_AND_RETURN(
      scope, call.value(JSC::constructArray(call.realm(), static_cast<JSC::ArrayAllocationProfile*>(nullptr), values)));
}

// decodeBase64(text, isForUrl, mode, target)
Value decode_base64(Call& call) {
  auto text = call.wtf_string(0);
  auto alphabet = call.boolean(1) ? base64::Alphabet::Url : base64::Alphabet::Standard;
  auto mode = static_cast<LastChunk>(call.uint32(2));
  return decode_into(call, 3, text.length() / 4 * 3 + 3, [&](std::span<uint8_t> out) {
    if (text.is8Bit()) return Base64Reader<LChar>({text.characters8(), text.length()}, alphabet, mode, out).run();
    return Base64Reader<UChar>({text.characters16(), text.length()}, alphabet, mode, out).run();
  });
}

// decodeHex(text, target)
Value decode_hex(Call& call) {
  auto text = call.wtf_string(0);
  return decode_into(call, 1, text.length() / 2, [&](std::span<uint8_t> out) {
    if (text.is8Bit()) return read_hex<LChar>({text.characters8(), text.length()}, out);
    return read_hex<UChar>({text.characters16(), text.length()}, out);
  });
}

Value text_of(const Call& call, size_t length, auto write) {
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  LChar* out;
  auto text = length <= WTF::String::MaxLength ? WTF::StringImpl::tryCreateUninitialized(length, out) : nullptr;
  if (!text) {
    JSC::throwOutOfMemoryError(call.realm(), scope);
    return {};
  }
  write(out);
  return call.value(JSC::jsString(call.vm(), WTF::String(WTFMove(text))));
}

// encodeBase64(bytes, isForUrl, omitsPadding)
Value encode_base64(Call& call) {
  auto bytes = call.bytes(0);
  bool is_for_url = call.boolean(1);
  size_t rest = bytes.size() % 3, whole = bytes.size() - rest;
  size_t padding = rest == 0 || call.boolean(2) ? 0 : 3 - rest;
  return text_of(call, whole / 3 * 4 + (rest ? rest + 1 : 0) + padding, [&](LChar* out) {
    base64::encode(bytes.first(whole), is_for_url ? base64::Alphabet::Url : base64::Alphabet::Standard, out);
    out += whole / 3 * 4;
    if (rest) {
      const auto alphabet = is_for_url ? kUrlAlphabet : kAlphabet;
      const uint32_t bits = bytes[whole] << 16 | (rest == 2 ? bytes[whole + 1] << 8 : 0);
      for (size_t i = 0; i <= rest; i++) *out++ = alphabet[bits >> (18 - 6 * i) & 63];
    }
    for (size_t i = 0; i < padding; i++) *out++ = '=';
  });
}

// encodeHex(bytes)
Value encode_hex(Call& call) {
  auto bytes = call.bytes(0);
  return text_of(call, bytes.size() * 2, [&](LChar* out) {
    for (uint8_t byte : bytes) {
      *out++ = kHexDigits[byte >> 4];
      *out++ = kHexDigits[byte & 15];
    }
  });
}

// lengthOf(value): undefined when it is no Uint8Array, -1 when its buffer is gone or too short for it.
Value length_of(Call& call) {
  auto* array = JSC::jsDynamicCast<JSC::JSUint8Array*>(call.at(0));
  if (!array) return call.undefined();
  if (array->isDetached() || array->isOutOfBounds()) return call.value(-1);
  return call.value(static_cast<double>(array->length()));
}

constexpr FunctionSpec kFunctions[] = {{"decodeBase64", native<decode_base64>, 4},
                                       {"decodeHex", native<decode_hex>, 2},
                                       {"encodeBase64", native<encode_base64>, 3},
                                       {"encodeHex", native<encode_hex>, 1},
                                       {"lengthOf", native<length_of>, 1}};

}  // namespace

void init_bytes(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
