// The validating half of utf8_blocks.h: three look-ups on the nibbles of two neighbouring bytes find every error.
#include "text/utf8_blocks.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace rondo::utf8 {

namespace {

// A bit that all three tables leave set is that error.

constexpr uint8_t kTooShort = 1 << 0;      // lead not followed by a continuation
constexpr uint8_t kTooLong = 1 << 1;       // ASCII followed by a continuation
constexpr uint8_t kOverlong3 = 1 << 2;
constexpr uint8_t kTooLarge = 1 << 3;
constexpr uint8_t kSurrogate = 1 << 4;
constexpr uint8_t kOverlong2 = 1 << 5;
constexpr uint8_t kTooLarge1000 = 1 << 6;
constexpr uint8_t kOverlong4 = 1 << 6;
constexpr uint8_t kTwoContinuations = 1 << 7;
constexpr uint8_t kCarry = kTooShort | kTooLong | kTwoContinuations;  // says nothing about the low nibble

alignas(16) constexpr uint8_t kFirstHigh[16] = {kTooLong,
                                                kTooLong,
                                                kTooLong,
                                                kTooLong,
                                                kTooLong,
                                                kTooLong,
                                                kTooLong,
                                                kTooLong,
                                                kTwoContinuations,
                                                kTwoContinuations,
                                                kTwoContinuations,
                                                kTwoContinuations,
                                                kTooShort | kOverlong2,
                                                kTooShort,
                                                kTooShort | kOverlong3 | kSurrogate,
                                                kTooShort | kTooLarge | kTooLarge1000 | kOverlong4};
constexpr uint8_t kBig = kCarry | kTooLarge | kTooLarge1000;
alignas(16) constexpr uint8_t kFirstLow[16] = {kCarry | kOverlong3 | kOverlong2 | kOverlong4,
                                               kCarry | kOverlong2,
                                               kCarry,
                                               kCarry,
                                               kCarry | kTooLarge,
                                               kBig,
                                               kBig,
                                               kBig,
                                               kBig,
                                               kBig,
                                               kBig,
                                               kBig,
                                               kBig,
                                               kBig | kSurrogate,
                                               kBig,
                                               kBig};
constexpr uint8_t kAnyContinuation = kTooLong | kOverlong2 | kTwoContinuations;
alignas(16) constexpr uint8_t kSecondHigh[16] = {kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kAnyContinuation | kOverlong3 | kTooLarge1000 | kOverlong4,
                                                 kAnyContinuation | kOverlong3 | kTooLarge,
                                                 kAnyContinuation | kSurrogate | kTooLarge,
                                                 kAnyContinuation | kSurrogate | kTooLarge,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort,
                                                 kTooShort};

__attribute__((target("ssse3"))) inline __m128i table(const uint8_t (&entries)[16]) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(entries));
}

// Errors in `input`, which follows `before`.
__attribute__((target("ssse3"))) inline __m128i errors_in(__m128i input, __m128i before) {
  const __m128i nibble = _mm_set1_epi8(0x0f);
  __m128i one_back = _mm_alignr_epi8(input, before, 15);
  __m128i two_back = _mm_alignr_epi8(input, before, 14);
  __m128i three_back = _mm_alignr_epi8(input, before, 13);
  __m128i first_high = _mm_shuffle_epi8(table(kFirstHigh), _mm_and_si128(_mm_srli_epi16(one_back, 4), nibble));
  __m128i first_low = _mm_shuffle_epi8(table(kFirstLow), _mm_and_si128(one_back, nibble));
  __m128i second_high = _mm_shuffle_epi8(table(kSecondHigh), _mm_and_si128(_mm_srli_epi16(input, 4), nibble));
  __m128i special = _mm_and_si128(_mm_and_si128(first_high, first_low), second_high);
  // Third and fourth bytes must be continuations: there, and only there, "two continuations" is no error.
  __m128i third = _mm_subs_epu8(two_back, _mm_set1_epi8(0xe0 - 0x80));
  __m128i fourth = _mm_subs_epu8(three_back, _mm_set1_epi8(0xf0 - 0x80));
  __m128i expected = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(static_cast<char>(0x80)));
  return _mm_xor_si128(expected, special);
}

__attribute__((target("ssse3"))) bool validate(const uint8_t* bytes, size_t size) {
  __m128i before = _mm_setzero_si128(), errors = _mm_setzero_si128();
  size_t at = 0;
  for (; size - at >= 16; at += 16) {
    __m128i input = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    // Two ASCII blocks in a row have nothing between them to check.
    if (_mm_movemask_epi8(_mm_or_si128(input, before)) != 0) errors = _mm_or_si128(errors, errors_in(input, before));
    before = input;
  }
  // The rest, padded with zeros; they also show a sequence that the end cuts off.
  alignas(16) uint8_t tail[16] = {};
  for (size_t i = 0; at < size; i++, at++) tail[i] = bytes[at];
  errors = _mm_or_si128(errors, errors_in(_mm_load_si128(reinterpret_cast<const __m128i*>(tail)), before));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(errors, _mm_setzero_si128())) == 0xffff;
}

}  // namespace

bool can_use_blocks() {
  static const bool kCan = __builtin_cpu_supports("ssse3");
  return kCan;
}

bool validate_blocks(const uint8_t* bytes, size_t size) { return validate(bytes, size); }

}  // namespace rondo::utf8

#else

namespace rondo::utf8 {

bool can_use_blocks() { return false; }
bool validate_blocks(const uint8_t*, size_t) { return false; }

}  // namespace rondo::utf8

#endif
