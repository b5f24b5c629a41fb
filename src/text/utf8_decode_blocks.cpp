// Valid UTF-8 to UTF-16, six or four characters a step. For 64 bytes a mask says where characters end; the next twelve bits of
// it choose a shuffle that brings the bytes of each character into one lane, and say how far to go. See utf8_blocks.h.
#include "text/utf8_blocks.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>

namespace rondo::utf8 {

namespace {

constexpr unsigned kWindow = 12;  // bits of the mask that one step looks at
constexpr unsigned kShortKinds = 64;  // six characters of one or two bytes, in lanes of 16 bits
constexpr unsigned kLongKinds = 81;  // four characters of one to three bytes, in lanes of 32 bits
constexpr uint8_t kNone = 255;  // a character of four bytes is among the first four

struct Step {
  uint8_t kind = kNone;  // the shuffle's number; the short ones come first
  uint8_t bytes = 0;
};

struct Shuffle {
  alignas(16) uint8_t lanes[16];
};

struct Tables {
  std::array<Step, 1 << kWindow> steps{};
  std::array<Shuffle, kShortKinds + kLongKinds> shuffles{};
};

// Number of the combination of the first `count` lengths, each from 1 to `longest`; -1 where one is longer or missing.
constexpr int combination(const unsigned (&lengths)[kWindow], unsigned count, unsigned longest) {
  int number = 0;
  for (unsigned i = count; i-- > 0;) {
    if (lengths[i] == 0 || lengths[i] > longest) return -1;
    number = number * static_cast<int>(longest) + static_cast<int>(lengths[i]) - 1;
  }
  return number;
}

// The last byte of a character becomes the lowest of its lane.
constexpr Shuffle gather(const unsigned (&lengths)[kWindow], unsigned count, unsigned lane_size) {
  Shuffle shuffle{};
  for (auto& lane : shuffle.lanes) lane = 0x80;
  unsigned at = 0;
  for (unsigned i = 0; i < count; i++) {
    at += lengths[i];
    for (unsigned k = 0; k < lengths[i]; k++) shuffle.lanes[i * lane_size + k] = static_cast<uint8_t>(at - 1 - k);
  }
  return shuffle;
}

constexpr Tables make_tables() {
  Tables tables;
  for (unsigned ends = 0; ends < 1 << kWindow; ends++) {
    unsigned lengths[kWindow] = {};
    unsigned found = 0, start = 0;
    for (unsigned i = 0; i < kWindow; i++) {
      if ((ends >> i & 1) == 0) continue;
      lengths[found++] = i + 1 - start;
      start = i + 1;
    }
    auto& step = tables.steps[ends];
    unsigned count = 6, lane_size = 2;
    int number = combination(lengths, count, 2);
    if (number < 0) {
      count = 4;
      lane_size = 4;
      number = combination(lengths, count, 3);
      if (number < 0) continue;
      number += static_cast<int>(kShortKinds);
    }
    step.kind = static_cast<uint8_t>(number);
    for (unsigned i = 0; i < count; i++) step.bytes = static_cast<uint8_t>(step.bytes + lengths[i]);
    tables.shuffles[static_cast<unsigned>(number)] = gather(lengths, count, lane_size);
  }
  return tables;
}

constexpr Tables kTables = make_tables();

// Bit i: a character ends with byte i. The last bit is never set: it would need the byte that follows.
__attribute__((target("ssse3"))) inline uint64_t ends_in(const uint8_t* block) {
  const __m128i limit = _mm_set1_epi8(-65);  // signed: continuation bytes are not above it
  uint64_t leads = 0;
  for (unsigned i = 0; i < 4; i++) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i);
    uint64_t part = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, limit)));
    leads |= part << (16 * i);
  }
  return leads >> 1;
}

__attribute__((target("ssse3"))) inline __m128i six_units(__m128i lanes) {
  __m128i low = _mm_and_si128(lanes, _mm_set1_epi16(0x7f));
  __m128i high = _mm_and_si128(lanes, _mm_set1_epi16(0x1f00));
  return _mm_or_si128(low, _mm_srli_epi16(high, 2));
}

__attribute__((target("ssse3"))) inline __m128i four_units(__m128i lanes) {
  __m128i low = _mm_and_si128(lanes, _mm_set1_epi32(0x7f));
  __m128i middle = _mm_srli_epi32(_mm_and_si128(lanes, _mm_set1_epi32(0x3f00)), 2);
  __m128i high = _mm_srli_epi32(_mm_and_si128(lanes, _mm_set1_epi32(0x0f0000)), 4);
  const __m128i lower_halves = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1);
  return _mm_shuffle_epi8(_mm_or_si128(_mm_or_si128(low, middle), high), lower_halves);
}

__attribute__((target("ssse3"))) void decode_with_shuffles(const uint8_t*& in, const uint8_t* in_end, char16_t*& out) {
  // The input left after a step gives nine units at least, so that a store of eight has room.
  while (in_end - in >= 80) {
    uint64_t ends = ends_in(in);
    unsigned at = 0;
    while (at <= 63 - kWindow) {
      const Step step = kTables.steps[ends & ((1 << kWindow) - 1)];
      if (step.kind == kNone) break;
      __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + at));
      __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(kTables.shuffles[step.kind].lanes));
      __m128i lanes = _mm_shuffle_epi8(bytes, order);
      if (step.kind < kShortKinds) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), six_units(lanes));
        out += 6;
      } else {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out), four_units(lanes));
        out += 4;
      }
      at += step.bytes;
      ends >>= step.bytes;
    }
    in += at;
    if (at <= 63 - kWindow) return;
  }
}

}  // namespace

void decode_blocks(const uint8_t*& in, const uint8_t* in_end, char16_t*& out) { decode_with_shuffles(in, in_end, out); }

}  // namespace rondo::utf8

#else

namespace rondo::utf8 {

void decode_blocks(const uint8_t*&, const uint8_t*, char16_t*&) {}

}  // namespace rondo::utf8

#endif
