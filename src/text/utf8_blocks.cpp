#include "text/utf8_blocks.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>

namespace rondo::utf8 {

namespace {

// Four units become four 32-bit lanes of one, two or three bytes; the shuffle closes the gaps. Index: bit i says that
// unit i needs two bytes or more, bit 4 + i that it needs three.
struct Squeeze {
  alignas(16) uint8_t shuffle[16];
  uint8_t size;
};

constexpr std::array<Squeeze, 256> kSqueeze = [] {
  std::array<Squeeze, 256> table{};
  for (unsigned index = 0; index < 256; index++) {
    auto& entry = table[index];
    for (auto& lane : entry.shuffle) lane = 0x80;
    for (unsigned unit = 0; unit < 4; unit++) {
      unsigned bytes = 1 + (index >> unit & 1) + (index >> (4 + unit) & 1);
      for (unsigned i = 0; i < bytes; i++) entry.shuffle[entry.size++] = static_cast<uint8_t>(4 * unit + i);
    }
  }
  return table;
}();

// Eight units of one or two bytes in lanes of 16 bits. Index: bit i says that unit i needs two.
constexpr std::array<Squeeze, 256> kSqueezeShort = [] {
  std::array<Squeeze, 256> table{};
  for (unsigned index = 0; index < 256; index++) {
    auto& entry = table[index];
    for (auto& lane : entry.shuffle) lane = 0x80;
    for (unsigned unit = 0; unit < 8; unit++) {
      entry.shuffle[entry.size++] = static_cast<uint8_t>(2 * unit);
      if ((index >> unit & 1) != 0) entry.shuffle[entry.size++] = static_cast<uint8_t>(2 * unit + 1);
    }
  }
  return table;
}();

__attribute__((target("ssse3"))) inline __m128i choose(__m128i mask, __m128i yes, __m128i no) {
  return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

// Writes 16 bytes, of which the first `size` count; returns that size.
__attribute__((target("ssse3"))) inline unsigned encode_four(__m128i units, uint8_t* out) {
  const __m128i low = _mm_set1_epi32(0x3f);
  __m128i last = _mm_or_si128(_mm_and_si128(units, low), _mm_set1_epi32(0x80));
  __m128i upper = _mm_srli_epi32(units, 6);
  __m128i middle = _mm_or_si128(_mm_and_si128(upper, low), _mm_set1_epi32(0x80));
  __m128i two = _mm_or_si128(_mm_or_si128(upper, _mm_set1_epi32(0xc0)), _mm_slli_epi32(last, 8));
  __m128i three = _mm_or_si128(_mm_or_si128(_mm_srli_epi32(units, 12), _mm_set1_epi32(0xe0)),
                               _mm_or_si128(_mm_slli_epi32(middle, 8), _mm_slli_epi32(last, 16)));
  __m128i needs_two = _mm_cmpgt_epi32(units, _mm_set1_epi32(0x7f));
  __m128i needs_three = _mm_cmpgt_epi32(units, _mm_set1_epi32(0x7ff));
  __m128i bytes = choose(needs_three, three, choose(needs_two, two, units));
  unsigned index = static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(needs_two)) |
                                         _mm_movemask_ps(_mm_castsi128_ps(needs_three)) << 4);
  const auto& squeeze = kSqueeze[index];
  __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(squeeze.shuffle));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(bytes, order));
  return squeeze.size;
}

// The same for eight units below 0x800; `is_narrow` marks those below 0x80.
__attribute__((target("ssse3"))) inline unsigned encode_eight_short(__m128i units, __m128i is_narrow, uint8_t* out) {
  __m128i last = _mm_slli_epi16(_mm_and_si128(units, _mm_set1_epi16(0x3f)), 8);
  __m128i two = _mm_or_si128(_mm_or_si128(_mm_srli_epi16(units, 6), last), _mm_set1_epi16(static_cast<short>(0x80c0)));
  __m128i bytes = choose(is_narrow, units, two);
  unsigned index = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(is_narrow, is_narrow))) ^ 0xffff;
  const auto& squeeze = kSqueezeShort[index & 0xff];
  __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(squeeze.shuffle));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(bytes, order));
  return squeeze.size;
}

__attribute__((target("ssse3"))) void encode_with_shuffles(const char16_t*& in, const char16_t* in_end, uint8_t*& out,
                                                           const uint8_t* out_end) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i surrogate_bits = _mm_set1_epi16(static_cast<short>(0xf800));
  const __m128i surrogate = _mm_set1_epi16(static_cast<short>(0xd800));
  while (in_end - in >= 8 && out_end - out >= 32) {
    __m128i units = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
    const __m128i is_narrow = _mm_cmpeq_epi16(_mm_srli_epi16(units, 7), zero);
    if (_mm_movemask_epi8(is_narrow) == 0xffff) {
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(units, units));
      out += 8;
    } else if (_mm_movemask_epi8(_mm_cmpeq_epi16(_mm_srli_epi16(units, 11), zero)) == 0xffff) {
      out += encode_eight_short(units, is_narrow, out);
    } else {
      if (_mm_movemask_epi8(_mm_cmpeq_epi16(_mm_and_si128(units, surrogate_bits), surrogate)) != 0) return;
      out += encode_four(_mm_unpacklo_epi16(units, zero), out);
      out += encode_four(_mm_unpackhi_epi16(units, zero), out);
    }
    in += 8;
  }
}

}  // namespace

void encode_blocks(const char16_t*& in, const char16_t* in_end, uint8_t*& out, const uint8_t* out_end) {
  static const bool kHasShuffles = __builtin_cpu_supports("ssse3");
  if (kHasShuffles) encode_with_shuffles(in, in_end, out, out_end);
}

}  // namespace rondo::utf8

#else

namespace rondo::utf8 {

void encode_blocks(const char16_t*&, const char16_t*, uint8_t*&, const uint8_t*) {}

}  // namespace rondo::utf8

#endif
