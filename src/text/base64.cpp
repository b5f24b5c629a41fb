#include "text/base64.h"

#include "text/base64_wide.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define RONDO_BASE64_SSSE3 1
#endif

namespace rondo::base64 {

namespace {

constexpr char kStandard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrl[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr uint8_t kInvalid = 0x80;
constexpr uint8_t kPadding = 0x81;
constexpr uint8_t kSpace = 0x82;  // ASCII whitespace: skipped even by the strict decoder

// Character → six bits, or one of the marks above.
constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> table{};
  table.fill(kInvalid);
  for (uint8_t i = 0; i < 64; i++) {
    table[static_cast<uint8_t>(kStandard[i])] = i;
    table[static_cast<uint8_t>(kUrl[i])] = i;
  }
  table['='] = kPadding;
  for (char c : {' ', '\t', '\n', '\f', '\r'}) table[static_cast<uint8_t>(c)] = kSpace;
  return table;
}();

uint8_t value_of(uint8_t character) { return kValues[character]; }
uint8_t value_of(char16_t character) { return character < 256 ? kValues[character] : kInvalid; }

#if RONDO_BASE64_SSSE3

bool has_ssse3() {
  static const bool kHas = __builtin_cpu_supports("ssse3");
  return kHas;
}

// 12 bytes in, 16 characters out, as long as 16 bytes can be read. Returns bytes consumed.
__attribute__((target("ssse3"))) size_t encode_blocks(const uint8_t* in, size_t size, Alphabet alphabet, uint8_t* out) {
  const __m128i spread = _mm_set_epi8(10, 11, 9, 10, 7, 8, 6, 7, 4, 5, 3, 4, 1, 2, 0, 1);
  const char plus = alphabet == Alphabet::Url ? '-' - 62 : '+' - 62;
  const char slash = alphabet == Alphabet::Url ? '_' - 63 : '/' - 63;
  constexpr char kDigit = '0' - 52;
  // Offsets from six-bit value to character, by range: a-z, 0-9 (ten times), the two specials, A-Z.
  const __m128i shift = _mm_setr_epi8('a' - 26, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit,
                                      kDigit, plus, slash, 'A', 0, 0);
  size_t done = 0;
  if (has_wide_blocks()) {
    done = encode_wide(in, size, static_cast<char>(plus + 62), static_cast<char>(slash + 63), out);
    out += done / 3 * 4;
  }
  for (; size - done >= 16; done += 12, out += 16) {
    __m128i v = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + done)), spread);
    __m128i high = _mm_mulhi_epu16(_mm_and_si128(v, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
    __m128i low = _mm_mullo_epi16(_mm_and_si128(v, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
    __m128i six = _mm_or_si128(high, low);
    __m128i range = _mm_subs_epu8(six, _mm_set1_epi8(51));
    range = _mm_or_si128(range, _mm_and_si128(_mm_cmpgt_epi8(_mm_set1_epi8(26), six), _mm_set1_epi8(13)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_add_epi8(_mm_shuffle_epi8(shift, range), six));
  }
  return done;
}

// 16 characters in, 12 bytes out (16 are stored), while all 16 are accepted. Returns characters consumed.
template <Accepted accepted>
__attribute__((target("ssse3"))) size_t decode_blocks(const uint8_t* in, size_t size, uint8_t* out, size_t room) {
  const __m128i low_class =
      _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a);
  const __m128i high_class =
      _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10);
  const __m128i roll = _mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m128i nibble = _mm_set1_epi8(0x2f);
  const __m128i pack = _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
  size_t done = 0;
  if (size >= 64 && has_wide_blocks()) {
    done = decode_wide(in, size, accepted, out, room);
    out += done / 4 * 3;
    room -= done / 4 * 3;
  }
  for (; size - done >= 16 && room >= 16; done += 16, out += 12, room -= 12) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + done));
    if constexpr (accepted == Accepted::Url) {
      const __m128i foreign =
          _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('+')), _mm_cmpeq_epi8(v, _mm_set1_epi8('/')));
      if (_mm_movemask_epi8(foreign) != 0) break;
    }
    if constexpr (accepted != Accepted::Standard) {
      // The URL alphabet's '-' and '_' become '+' and '/'.
      __m128i dash = _mm_cmpeq_epi8(v, _mm_set1_epi8('-')), underscore = _mm_cmpeq_epi8(v, _mm_set1_epi8('_'));
      v = _mm_xor_si128(v, _mm_and_si128(dash, _mm_set1_epi8('-' ^ '+')));
      v = _mm_xor_si128(v, _mm_and_si128(underscore, _mm_set1_epi8('_' ^ '/')));
    }
    __m128i high = _mm_and_si128(_mm_srli_epi32(v, 4), nibble);
    __m128i low = _mm_and_si128(v, nibble);
    __m128i bad = _mm_and_si128(_mm_shuffle_epi8(low_class, low), _mm_shuffle_epi8(high_class, high));
    if (_mm_movemask_epi8(_mm_cmpgt_epi8(bad, _mm_setzero_si128())) != 0) break;
    __m128i is_slash = _mm_cmpeq_epi8(v, nibble);
    v = _mm_add_epi8(v, _mm_shuffle_epi8(roll, _mm_add_epi8(is_slash, high)));
    v = _mm_maddubs_epi16(v, _mm_set1_epi32(0x01400140));
    v = _mm_madd_epi16(v, _mm_set1_epi32(0x00011000));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(v, pack));
  }
  return done;
}

#endif

// Collects six-bit values and gives out bytes as they fill up.
class Collector {
 public:
  explicit Collector(std::span<uint8_t> out) : out_(out) {}

  bool full() const { return size_ == out_.size(); }
  void add(uint8_t six) {
    bits_ = bits_ << 6 | six;
    count_ += 6;
    if (count_ < 8 || full()) return;
    count_ -= 8;
    out_[size_++] = static_cast<uint8_t>(bits_ >> count_);
  }
  size_t size() const { return size_; }
  void skip(size_t bytes) { size_ += bytes; }
  bool aligned() const { return count_ == 0; }

 private:
  std::span<uint8_t> out_;
  uint32_t bits_ = 0;
  unsigned count_ = 0;
  size_t size_ = 0;
};

template <typename Character>
size_t decode_any(std::span<const Character> characters, std::span<uint8_t> out) {
  Collector collector(out);
  size_t i = 0;
  while (i < characters.size() && !collector.full()) {
#if RONDO_BASE64_SSSE3
    if constexpr (sizeof(Character) == 1) {
      if (collector.aligned() && characters.size() - i >= 16 && has_ssse3()) {
        auto room = out.subspan(collector.size());
        size_t done =
            decode_blocks<Accepted::Both>(characters.data() + i, characters.size() - i, room.data(), room.size());
        collector.skip(done / 4 * 3);
        i += done;
        if (i == characters.size()) break;
      }
    }
#endif
    // Up to the next chance for whole blocks.
    for (unsigned step = 0; step < 16 && i < characters.size() && !collector.full(); step++) {
      uint8_t value = value_of(characters[i++]);
      if (value == kPadding) return collector.size();
      if (value < 64) collector.add(value);
    }
  }
  return collector.size();
}

}  // namespace

size_t encoded_size(size_t bytes, Alphabet alphabet) {
  size_t whole = bytes / 3 * 4, rest = bytes % 3;
  if (rest == 0) return whole;
  return whole + (alphabet == Alphabet::Standard ? 4 : rest + 1);
}

void encode(std::span<const uint8_t> bytes, Alphabet alphabet, uint8_t* out) {
  const char* table = alphabet == Alphabet::Standard ? kStandard : kUrl;
  size_t i = 0;
#if RONDO_BASE64_SSSE3
  if (bytes.size() >= 16 && has_ssse3()) {
    i = encode_blocks(bytes.data(), bytes.size(), alphabet, out);
    out += i / 3 * 4;
  }
#endif
  for (; bytes.size() - i >= 3; i += 3) {
    uint32_t three = static_cast<uint32_t>(bytes[i]) << 16 | static_cast<uint32_t>(bytes[i + 1]) << 8 | bytes[i + 2];
    *out++ = static_cast<uint8_t>(table[three >> 18]);
    *out++ = static_cast<uint8_t>(table[three >> 12 & 63]);
    *out++ = static_cast<uint8_t>(table[three >> 6 & 63]);
    *out++ = static_cast<uint8_t>(table[three & 63]);
  }
  size_t rest = bytes.size() - i;
  if (rest == 0) return;
  uint32_t last = static_cast<uint32_t>(bytes[i]) << 16;
  if (rest == 2) last |= static_cast<uint32_t>(bytes[i + 1]) << 8;
  *out++ = static_cast<uint8_t>(table[last >> 18]);
  *out++ = static_cast<uint8_t>(table[last >> 12 & 63]);
  if (rest == 2) *out++ = static_cast<uint8_t>(table[last >> 6 & 63]);
  if (alphabet == Alphabet::Url) return;
  if (rest == 1) *out++ = '=';
  *out++ = '=';
}

size_t decode(std::span<const uint8_t> characters, std::span<uint8_t> out) { return decode_any(characters, out); }
size_t decode(std::span<const char16_t> characters, std::span<uint8_t> out) { return decode_any(characters, out); }

size_t decode_blocks(std::span<const uint8_t> characters, Alphabet alphabet, std::span<uint8_t> out) {
#if RONDO_BASE64_SSSE3
  if (!has_ssse3()) return 0;
  return alphabet == Alphabet::Url
             ? decode_blocks<Accepted::Url>(characters.data(), characters.size(), out.data(), out.size())
             : decode_blocks<Accepted::Standard>(characters.data(), characters.size(), out.data(), out.size());
#else
  return 0;
#endif
}

Forgiving forgiving_decode(std::span<const uint8_t> characters, std::span<uint8_t> out) {
  Collector collector(out);
  size_t values = 0, padding = 0;
  for (uint8_t character : characters) {
    uint8_t value = character == '-' || character == '_' ? kInvalid : value_of(character);
    if (value == kSpace) continue;
    if (value == kInvalid || (padding > 0 && value != kPadding)) return {0, Fault::InvalidCharacter};
    if (value == kPadding) {
      padding++;
      continue;
    }
    values++;
    collector.add(value);
  }
  if (padding > 0 && (padding > 2 || (values + padding) % 4 != 0)) return {0, Fault::InvalidCharacter};
  if (values % 4 == 1) return {0, Fault::BadLength};
  return {collector.size(), Fault::None};
}

}  // namespace rondo::base64

namespace rondo::hex {

namespace {

constexpr std::array<uint8_t, 256> kDigits = [] {
  std::array<uint8_t, 256> table{};
  table.fill(0xff);
  for (uint8_t i = 0; i < 10; i++) table['0' + i] = i;
  for (uint8_t i = 0; i < 6; i++) table['a' + i] = table['A' + i] = static_cast<uint8_t>(10 + i);
  return table;
}();

constexpr std::array<uint16_t, 256> kPairs = [] {
  std::array<uint16_t, 256> table{};
  constexpr char kText[] = "0123456789abcdef";
  for (unsigned i = 0; i < 256; i++) {
    table[i] = static_cast<uint16_t>(static_cast<uint8_t>(kText[i >> 4]) | static_cast<uint8_t>(kText[i & 15]) << 8);
  }
  return table;
}();

// A wide character counts as its low byte, as in Node.
template <typename Character>
size_t decode_any(std::span<const Character> characters, std::span<uint8_t> out) {
  size_t pairs = characters.size() / 2;
  if (pairs > out.size()) pairs = out.size();
  for (size_t i = 0; i < pairs; i++) {
    uint8_t high = kDigits[static_cast<uint8_t>(characters[2 * i])];
    uint8_t low = kDigits[static_cast<uint8_t>(characters[2 * i + 1])];
    if ((high | low) & 0xf0) return i;
    out[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return pairs;
}

}  // namespace

void encode(std::span<const uint8_t> bytes, uint8_t* out) {
  for (uint8_t byte : bytes) {
    std::memcpy(out, &kPairs[byte], 2);
    out += 2;
  }
}

size_t decode(std::span<const uint8_t> characters, std::span<uint8_t> out) { return decode_any(characters, out); }
size_t decode(std::span<const char16_t> characters, std::span<uint8_t> out) { return decode_any(characters, out); }

}  // namespace rondo::hex
