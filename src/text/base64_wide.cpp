// See base64_wide.h. The steps are those of base64.cpp's blocks, on two halves at a time.
#include "text/base64_wide.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace rondo::base64 {

namespace {

__attribute__((target("avx2"))) __m256i both(__m128i half) { return _mm256_broadcastsi128_si256(half); }

__attribute__((target("avx2"))) __m256i is(__m256i v, char character) {
  return _mm256_cmpeq_epi8(v, _mm256_set1_epi8(character));
}

template <Accepted accepted>
__attribute__((target("avx2"))) size_t decode_blocks(const uint8_t* in, size_t size, uint8_t* out, size_t room) {
  const __m256i low_class = both(
      _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a));
  const __m256i high_class = both(
      _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10));
  const __m256i roll = both(_mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i pack = both(_mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
  const __m256i close_up = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
  const __m256i nibble = _mm256_set1_epi8(0x2f);
  size_t done = 0;
  for (; size - done >= 32 && room >= 32; done += 32, out += 24, room -= 24) {
    __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + done));
    if constexpr (accepted == Accepted::Url) {
      if (_mm256_movemask_epi8(_mm256_or_si256(is(v, '+'), is(v, '/'))) != 0) break;
    }
    if constexpr (accepted != Accepted::Standard) {
      const __m256i dash = is(v, '-'), underscore = is(v, '_');
      v = _mm256_xor_si256(v, _mm256_and_si256(dash, _mm256_set1_epi8('-' ^ '+')));
      v = _mm256_xor_si256(v, _mm256_and_si256(underscore, _mm256_set1_epi8('_' ^ '/')));
    }
    const __m256i high = _mm256_and_si256(_mm256_srli_epi32(v, 4), nibble);
    const __m256i low = _mm256_and_si256(v, nibble);
    if (!_mm256_testz_si256(_mm256_shuffle_epi8(low_class, low), _mm256_shuffle_epi8(high_class, high))) break;
    v = _mm256_add_epi8(v, _mm256_shuffle_epi8(roll, _mm256_add_epi8(_mm256_cmpeq_epi8(v, nibble), high)));
    v = _mm256_maddubs_epi16(v, _mm256_set1_epi32(0x01400140));
    v = _mm256_madd_epi16(v, _mm256_set1_epi32(0x00011000));
    v = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(v, pack), close_up);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), v);
  }
  return done;
}

}  // namespace

bool has_wide_blocks() {
  static const bool kHas = __builtin_cpu_supports("avx2");
  return kHas;
}

__attribute__((target("avx2"))) size_t encode_wide(const uint8_t* in, size_t size, char plus, char slash,
                                                   uint8_t* out) {
  constexpr char kDigit = '0' - 52;
  const auto last = static_cast<char>(plus - 62), very_last = static_cast<char>(slash - 63);
  const __m256i spread = both(_mm_set_epi8(10, 11, 9, 10, 7, 8, 6, 7, 4, 5, 3, 4, 1, 2, 0, 1));
  const __m256i shift = both(_mm_setr_epi8('a' - 26, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit,
                                           kDigit, kDigit, last, very_last, 'A', 0, 0));
  size_t done = 0;
  for (; size - done >= 28; done += 24, out += 32) {
    const auto* from = reinterpret_cast<const __m128i*>(in + done);
    const auto* next = reinterpret_cast<const __m128i*>(in + done + 12);
    __m256i v = _mm256_shuffle_epi8(_mm256_loadu2_m128i(next, from), spread);
    const __m256i high =
        _mm256_mulhi_epu16(_mm256_and_si256(v, _mm256_set1_epi32(0x0fc0fc00)), _mm256_set1_epi32(0x04000040));
    const __m256i low =
        _mm256_mullo_epi16(_mm256_and_si256(v, _mm256_set1_epi32(0x003f03f0)), _mm256_set1_epi32(0x01000010));
    const __m256i six = _mm256_or_si256(high, low);
    __m256i range = _mm256_subs_epu8(six, _mm256_set1_epi8(51));
    range =
        _mm256_or_si256(range, _mm256_and_si256(_mm256_cmpgt_epi8(_mm256_set1_epi8(26), six), _mm256_set1_epi8(13)));
    v = _mm256_add_epi8(_mm256_shuffle_epi8(shift, range), six);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), v);
  }
  return done;
}

size_t decode_wide(const uint8_t* in, size_t size, Accepted accepted, uint8_t* out, size_t room) {
  switch (accepted) {
    case Accepted::Both:
      return decode_blocks<Accepted::Both>(in, size, out, room);
    case Accepted::Standard:
      return decode_blocks<Accepted::Standard>(in, size, out, room);
    case Accepted::Url:
      return decode_blocks<Accepted::Url>(in, size, out, room);
  }
  return 0;
}

}  // namespace rondo::base64
#endif
