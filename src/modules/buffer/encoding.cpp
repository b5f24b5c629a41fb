// native('encoding'): the work of TextEncoder and TextDecoder for lib/internal/encoding/encoding.js. UTF-8 and UTF-16 by src/text/utf8,
// the Encoding Standard's legacy encodings by encoding_legacy. A decoder answers undefined
// when fatal decoding meets invalid data.
#include "text/utf8.h"
#include "engine/core/buffer_class.h"
#include "modules/buffer/encoding_legacy.h"
#include "runtime/native_class.h"

#include <cstring>
#include <vector>

namespace rondo::modules {

using namespace engine;

namespace {

enum Flag : uint32_t { Fatal = 1, IgnoreBom = 2, Stream = 4 };

// State of a decoder between chunks, in a Uint8Array of lib/internal/encoding/encoding.js.
struct Pending {
  uint8_t count;
  uint8_t bytes[4];
  uint8_t started;  // past the place where a byte order mark may stand
};

struct EncodingState {
  uint32_t* encode_into_results = nullptr;  // inside the array that lib/internal/encoding/encoding.js reads
};

Value encode(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto text = call.wtf_string(0);
  RETURN_IF_EXCEPTION(scope, {});
  std::span<const uint8_t> narrow;
  std::span<const char16_t> wide;
  if (text.is8Bit())
    narrow = {reinterpret_cast<const uint8_t*>(text.characters8()), text.length()};
  else
    wide = {text.characters16(), text.length()};
  size_t size = text.is8Bit() ? utf8::length_of_latin1(narrow) : utf8::length(wide);
  auto* made = JSC::JSUint8Array::createUninitialized(realm, realm->typedArrayStructure(JSC::TypeUint8, false), size);
  RETURN_IF_EXCEPTION(scope, {});
  std::span<uint8_t> out(made->typedVector(), size);
  if (text.is8Bit())
    utf8::encode_latin1(narrow, out);
  else
    utf8::encode(wide, out);
  return call.value(Value(made));
}

// encodeInto(text, view): false when the second is no Uint8Array; counts go to encodeIntoResults.
Value encode_into(Call& call) {
  auto* target = JSC::jsDynamicCast<JSC::JSUint8Array*>(call.at(1));
  if (target == nullptr) return call.value(false);
  auto text = call.wtf_string(0);
  auto out = call.bytes(1);
  size_t read = 0, written = 0;
  if (text.is8Bit()) {
    written = utf8::encode_latin1({reinterpret_cast<const uint8_t*>(text.characters8()), text.length()}, out, &read);
  } else {
    written = utf8::encode({text.characters16(), text.length()}, out, &read);
  }
  auto* results = runtime::Runtime::from(call.realm()).local<EncodingState>().encode_into_results;
  results[0] = static_cast<uint32_t>(read);
  results[1] = static_cast<uint32_t>(written);
  return call.value(true);
}

// How many bytes at the end of `bytes` begin a sequence that later bytes could complete.
size_t unfinished(std::span<const uint8_t> bytes) {
  size_t look = std::min<size_t>(bytes.size(), 3);
  std::vector<char16_t> scratch(look);
  for (size_t back = look; back >= 1; back--) {
    auto tail = bytes.last(back);
    if ((tail[0] & 0xc0) != 0xc0) continue;
    size_t rest = 0;
    utf8::decode_lossy(tail, scratch.data(), &rest);
    return rest;
  }
  return 0;
}

// The bytes a decoder has to look at now: what was left over, then the new ones.
class Input {
 public:
  Input(const Call& call, Pending* pending) : bytes_(call.bytes(0)) {
    if (pending == nullptr || pending->count == 0) return;
    joined_.assign(pending->bytes, pending->bytes + pending->count);
    joined_.insert(joined_.end(), bytes_.begin(), bytes_.end());
    bytes_ = joined_;
    pending->count = 0;
  }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
  std::vector<uint8_t> joined_;
};

void keep(Pending* pending, std::span<const uint8_t> rest) {
  pending->count = static_cast<uint8_t>(rest.size());
  if (!rest.empty()) std::memcpy(pending->bytes, rest.data(), rest.size());
}

Pending* pending_at(const Call& call, unsigned index) {
  auto bytes = call.bytes(index);
  return bytes.size() >= sizeof(Pending) ? reinterpret_cast<Pending*>(bytes.data()) : nullptr;
}

// decodeUtf8(input, flags, pending or undefined)
Value decode_utf8(Call& call) {
  auto* realm = call.realm();
  uint32_t flags = call.uint32(1);
  auto* pending = pending_at(call, 2);
  Input input(call, pending);
  auto bytes = input.bytes();
  if ((flags & Stream) && pending != nullptr) {
    size_t rest = unfinished(bytes);
    keep(pending, bytes.last(rest));
    bytes = bytes.first(bytes.size() - rest);
  }
  bool at_start = pending == nullptr || !pending->started;
  if (pending != nullptr && !bytes.empty()) pending->started = 1;
  if ((flags & Fatal) && !utf8::is_valid(bytes)) return call.undefined();
  if (at_start && !(flags & IgnoreBom) && bytes.size() >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb &&
      bytes[2] == 0xbf) {
    bytes = bytes.subspan(3);
  }
  return call.value(string_from_utf8(realm, bytes));
}

// Replaces lone surrogates; false when there are some and decoding is fatal.
bool repair_surrogates(std::span<char16_t> units, bool fatal) {
  for (size_t i = 0; i < units.size(); i++) {
    if ((units[i] & 0xf800) != 0xd800) continue;
    if ((units[i] & 0xfc00) == 0xd800 && i + 1 < units.size() && (units[i + 1] & 0xfc00) == 0xdc00) {
      i++;
      continue;
    }
    if (fatal) return false;
    units[i] = utf8::kReplacement;
  }
  return true;
}

// decodeUtf16(input, flags, pending, bigEndian)
Value decode_utf16(Call& call) {
  uint32_t flags = call.uint32(1);
  auto* pending = pending_at(call, 2);
  bool big_endian = call.boolean(3);
  if (pending == nullptr) return call.undefined();
  Input input(call, pending);
  auto bytes = input.bytes();
  std::vector<char16_t> units(bytes.size() / 2);
  for (size_t i = 0; i < units.size(); i++) {
    uint8_t first = bytes[2 * i], second = bytes[2 * i + 1];
    units[i] = static_cast<char16_t>(big_endian ? first << 8 | second : second << 8 | first);
  }
  size_t rest = bytes.size() % 2;
  if ((flags & Stream) && !units.empty() && (units.back() & 0xfc00) == 0xd800) {
    units.pop_back();
    rest += 2;
  }
  if (flags & Stream) {
    keep(pending, bytes.last(rest));
  } else if (rest > 0) {
    if (flags & Fatal) return call.undefined();
    // Half a character at the end is one error, with or without the lead surrogate before it.
    if (!units.empty() && (units.back() & 0xfc00) == 0xd800) units.pop_back();
    units.push_back(utf8::kReplacement);
  }
  if (!repair_surrogates(units, flags & Fatal)) return call.undefined();
  std::span<const char16_t> text = units;
  if (!pending->started && !text.empty()) {
    pending->started = 1;
    if (!(flags & IgnoreBom) && text[0] == 0xfeff) text = text.subspan(1);
  }
  return call.value(Value(JSC::jsString(call.vm(), WTF::String(text.data(), static_cast<unsigned>(text.size())))));
}

Value decode_user_defined(Call& call) {
  auto bytes = call.bytes(0);
  std::vector<char16_t> units(bytes.size());
  for (size_t i = 0; i < bytes.size(); i++)
    units[i] = static_cast<char16_t>(bytes[i] < 0x80 ? bytes[i] : 0xf780 + bytes[i] - 0x80);
  return call.value(Value(JSC::jsString(call.vm(), WTF::String(units.data(), static_cast<unsigned>(units.size())))));
}

struct Converter {
  std::unique_ptr<LegacyDecoder> decoder;
};

// decode(input, is more to come?)
Value decode(Call& call, Converter& converter) {
  std::u16string out;
  if (!converter.decoder->decode(call.bytes(0), !call.boolean(1), out)) return call.undefined();
  return call.value(Value(JSC::jsString(call.vm(), WTF::String(out.data(), static_cast<unsigned>(out.size())))));
}

constexpr FunctionSpec kMethods[] = {{"decode", runtime::method<Converter, decode>, 2}};

// openConverter(encoding, flags): a converter, or undefined when there is none.
Value open_converter(Call& call) {
  auto decoder = LegacyDecoder::open(call.string(0), call.uint32(1) & Fatal);
  if (!decoder) return call.undefined();
  return runtime::make_instance(runtime::Runtime::from(call.realm()), Converter{std::move(decoder)}, kMethods);
}

Value is_any_array_buffer(Call& call) { return call.value(call.at(0).inherits<JSC::JSArrayBuffer>()); }

constexpr FunctionSpec kFunctions[] = {
    {"encode", native<encode>, 1},
    {"encodeInto", native<encode_into>, 2},
    {"decodeUtf8", native<decode_utf8>, 3},
    {"decodeUtf16", native<decode_utf16>, 4},
    {"decodeUserDefined", native<decode_user_defined>, 1},
    {"openConverter", native<open_converter>, 2},
    {"isAnyArrayBuffer", native<is_any_array_buffer>, 1},
};

}  // namespace

void init_encoding(runtime::Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  static constexpr NumberSpec kFlags[] = {{"kFatal", Fatal}, {"kIgnoreBom", IgnoreBom}, {"kStream", Stream}};
  put_functions(realm, target, kFunctions);
  put_numbers(realm, target, kFlags);
  auto memory = JSC::ArrayBuffer::create(2, sizeof(uint32_t));
  runtime.local<EncodingState>().encode_into_results = static_cast<uint32_t*>(memory->data());
  auto* results =
      JSC::JSUint32Array::create(realm, realm->typedArrayStructure(JSC::TypeUint32, false), WTFMove(memory), 0, 2);
  put(realm, target, "encodeIntoResults", results);
}

}  // namespace rondo::modules
