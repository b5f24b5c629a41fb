#include "text/utf8.h"

#include "text/utf8_blocks.h"

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rondo::utf8 {

namespace {

// Bytes at the start of `p` that are ASCII, looking at 16 at most when `n` allows, else one by one.
#if defined(__SSE2__)
unsigned high_bits(const uint8_t* p) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
#endif

bool is_continuation(uint8_t byte) { return (byte & 0xc0) == 0x80; }

// One sequence that starts with a byte >= 0x80. `size` is how many bytes it took: on failure, the length of the maximal
// invalid part; `truncated` says that the input ended inside a sequence that was valid so far.
struct Sequence {
  uint32_t code = 0;
  uint8_t size = 1;
  bool ok = false;
  bool truncated = false;
};

Sequence read_sequence(const uint8_t* p, size_t n) {
  uint8_t lead = p[0];
  unsigned need = 0;
  uint8_t low = 0x80, high = 0xbf;  // bounds of the second byte
  Sequence result;
  if (lead >= 0xc2 && lead <= 0xdf) {
    need = 1;
    result.code = lead & 0x1f;
  } else if ((lead & 0xf0) == 0xe0) {
    need = 2;
    result.code = lead & 0x0f;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    need = 3;
    result.code = lead & 0x07;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  } else {
    return result;
  }
  for (unsigned i = 1; i <= need; i++) {
    if (i >= n) {
      result.size = static_cast<uint8_t>(i);
      result.truncated = true;
      return result;
    }
    if (p[i] < low || p[i] > high) {
      result.size = static_cast<uint8_t>(i);
      return result;
    }
    result.code = result.code << 6 | (p[i] & 0x3f);
    low = 0x80;
    high = 0xbf;
  }
  result.size = static_cast<uint8_t>(need + 1);
  result.ok = true;
  return result;
}

char16_t* put_code_point(uint32_t code, char16_t* out) {
  if (code < 0x10000) {
    *out++ = static_cast<char16_t>(code);
    return out;
  }
  code -= 0x10000;
  *out++ = static_cast<char16_t>(0xd800 + (code >> 10));
  *out++ = static_cast<char16_t>(0xdc00 + (code & 0x3ff));
  return out;
}

bool is_surrogate(char16_t unit) { return (unit & 0xf800) == 0xd800; }
bool is_pair(char16_t first, char16_t second) { return (first & 0xfc00) == 0xd800 && (second & 0xfc00) == 0xdc00; }

uint8_t* put_wide(char16_t unit, uint8_t* out) {
  if (unit < 0x800) {
    *out++ = static_cast<uint8_t>(0xc0 | unit >> 6);
  } else {
    *out++ = static_cast<uint8_t>(0xe0 | unit >> 12);
    *out++ = static_cast<uint8_t>(0x80 | (unit >> 6 & 0x3f));
  }
  *out++ = static_cast<uint8_t>(0x80 | (unit & 0x3f));
  return out;
}

uint8_t* put_pair(char16_t first, char16_t second, uint8_t* out) {
  uint32_t code = 0x10000 + ((first & 0x3ffu) << 10 | (second & 0x3ffu));
  *out++ = static_cast<uint8_t>(0xf0 | code >> 18);
  *out++ = static_cast<uint8_t>(0x80 | (code >> 12 & 0x3f));
  *out++ = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3f));
  *out++ = static_cast<uint8_t>(0x80 | (code & 0x3f));
  return out;
}

}  // namespace

bool is_ascii(Bytes bytes) {
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
#if defined(__SSE2__)
  for (; end - p >= 64; p += 64) {
    const auto* v = reinterpret_cast<const __m128i*>(p);
    __m128i all = _mm_or_si128(_mm_or_si128(_mm_loadu_si128(v), _mm_loadu_si128(v + 1)),
                               _mm_or_si128(_mm_loadu_si128(v + 2), _mm_loadu_si128(v + 3)));
    if (_mm_movemask_epi8(all) != 0) return false;
  }
  for (; end - p >= 16; p += 16) {
    if (high_bits(p) != 0) return false;
  }
#endif
  uint8_t seen = 0;
  while (p < end) seen |= *p++;
  return seen < 0x80;
}

bool is_valid(Bytes bytes) {
  if (bytes.size() >= 32 && can_use_blocks()) return validate_blocks(bytes.data(), bytes.size());
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
  while (p < end) {
#if defined(__SSE2__)
    while (end - p >= 16) {
      unsigned mask = high_bits(p);
      if (mask != 0) {
        p += __builtin_ctz(mask);
        break;
      }
      p += 16;
    }
    if (p == end) break;
#endif
    if (*p < 0x80) {
      p++;
      continue;
    }
    Sequence sequence = read_sequence(p, static_cast<size_t>(end - p));
    if (!sequence.ok) return false;
    p += sequence.size;
  }
  return true;
}

namespace {

#if defined(__SSE2__)
size_t sum_of_lanes(__m128i lanes) {
  const __m128i halves = _mm_sad_epu8(lanes, _mm_setzero_si128());
  return static_cast<size_t>(_mm_cvtsi128_si64(halves) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves)));
}
#endif

}  // namespace

Shape measure(Bytes bytes) {
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
  size_t continuations = 0, long_leads = 0;
  uint8_t highest = 0;
#if defined(__SSE2__)
  const __m128i continuation_limit = _mm_set1_epi8(-64);  // signed: bytes 0x80..0xbf are below it
  const __m128i long_lead = _mm_set1_epi8(static_cast<char>(0xf0));
  __m128i top = _mm_setzero_si128();
  while (end - p >= 16) {
    // Lanes count up by at most 1 a step.
    __m128i followers = _mm_setzero_si128(), leads = _mm_setzero_si128();
    for (int steps = 0; steps < 255 && end - p >= 16; steps++, p += 16) {
      __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      top = _mm_max_epu8(top, v);
      if (_mm_movemask_epi8(v) == 0) continue;
      followers = _mm_sub_epi8(followers, _mm_cmplt_epi8(v, continuation_limit));
      leads = _mm_sub_epi8(leads, _mm_cmpeq_epi8(_mm_max_epu8(v, long_lead), v));
    }
    continuations += sum_of_lanes(followers);
    long_leads += sum_of_lanes(leads);
  }
  alignas(16) uint8_t lanes[16];
  _mm_store_si128(reinterpret_cast<__m128i*>(lanes), top);
  for (uint8_t lane : lanes) highest = lane > highest ? lane : highest;
#endif
  for (; p < end; p++) {
    if (*p > highest) highest = *p;
    continuations += is_continuation(*p);
    long_leads += *p >= 0xf0;
  }
  return {bytes.size() - continuations + long_leads, highest < 0x80, highest <= 0xc3};
}

constexpr size_t kBlocksPay = 128;

bool decode(Bytes bytes, std::span<char16_t> result) {
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
  char16_t* out = result.data();
  [[maybe_unused]] const char16_t* const limit = out + result.size();
  const bool in_blocks = bytes.size() >= kBlocksPay && can_use_blocks();
  if (in_blocks && !validate_blocks(bytes.data(), bytes.size())) return false;
  while (p < end) {
    if (in_blocks) decode_blocks(p, end, out);
#if defined(__SSE2__)
    // A run of ASCII: widen 16 at once. Only what precedes the first other byte counts; the rest is overwritten.
    while (end - p >= 16 && limit - out >= 16) {
      __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_unpacklo_epi8(v, _mm_setzero_si128()));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 8), _mm_unpackhi_epi8(v, _mm_setzero_si128()));
      unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(v));
      if (mask != 0) {
        int run = __builtin_ctz(mask);
        p += run;
        out += run;
        break;
      }
      p += 16;
      out += 16;
    }
#endif
    // Invalid input may have been measured too short; a sequence that decodes never writes more than was measured for it.
    while (p < end && *p < 0x80) *out++ = *p++;
    while (p < end && *p >= 0x80) {
      if (end - p >= 2 && *p >= 0xc2 && *p <= 0xdf && is_continuation(p[1])) {
        *out++ = static_cast<char16_t>((*p & 0x1f) << 6 | (p[1] & 0x3f));
        p += 2;
        continue;
      }
      if (end - p >= 3 && *p > 0xe0 && *p < 0xed && is_continuation(p[1]) && is_continuation(p[2])) {
        *out++ = static_cast<char16_t>((*p & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f));
        p += 3;
        continue;
      }
      Sequence sequence = read_sequence(p, static_cast<size_t>(end - p));
      if (!sequence.ok) return false;
      out = put_code_point(sequence.code, out);
      p += sequence.size;
    }
  }
  return true;
}

bool decode_latin1(Bytes bytes, std::span<uint8_t> result) {
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
  uint8_t* out = result.data();
#if defined(__SSE2__)
  const uint8_t* limit = out + result.size();
#endif
  while (p < end) {
#if defined(__SSE2__)
    while (end - p >= 16 && limit - out >= 16) {
      __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), v);
      unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(v));
      int run = mask == 0 ? 16 : __builtin_ctz(mask);
      p += run;
      out += run;
      if (mask != 0) break;
    }
    if (p == end) break;
#endif
    if (*p < 0x80) {
      *out++ = *p++;
      continue;
    }
    if (end - p < 2 || *p < 0xc2 || *p > 0xc3 || !is_continuation(p[1])) return false;
    *out++ = static_cast<uint8_t>((*p & 0x03) << 6 | (p[1] & 0x3f));
    p += 2;
  }
  return true;
}

size_t decode_lossy(Bytes bytes, char16_t* out, size_t* rest) {
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
  char16_t* start = out;
  if (rest != nullptr) *rest = 0;
  while (p < end) {
    if (*p < 0x80) {
      *out++ = *p++;
      continue;
    }
    Sequence sequence = read_sequence(p, static_cast<size_t>(end - p));
    if (sequence.ok) {
      out = put_code_point(sequence.code, out);
    } else if (sequence.truncated && rest != nullptr) {
      *rest = static_cast<size_t>(end - p);
      break;
    } else {
      *out++ = kReplacement;
    }
    p += sequence.size;
  }
  return static_cast<size_t>(out - start);
}

namespace {

// Units of `text` that are >= 0x80, those that are >= 0x800 once more, and whether there is any surrogate.
struct WideCount {
  size_t extra = 0;
  bool has_surrogates = false;
};

WideCount count_wide(Units text) {
  const char16_t* p = text.data();
  const char16_t* end = p + text.size();
  WideCount count;
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  const __m128i surrogate_bits = _mm_set1_epi16(static_cast<short>(0xf800));
  const __m128i surrogate = _mm_set1_epi16(static_cast<short>(0xd800));
  __m128i seen = zero;
  while (end - p >= 8) {
    // Lanes count down from 0 by up to 2 a step; 8000 steps cannot overflow 16 bits.
    ptrdiff_t steps = (end - p) / 8 < 8000 ? (end - p) / 8 : 8000;
    __m128i narrow = zero;
    for (ptrdiff_t i = 0; i < steps; i++, p += 8) {
      __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      narrow = _mm_add_epi16(narrow, _mm_cmpeq_epi16(_mm_srli_epi16(v, 7), zero));
      narrow = _mm_add_epi16(narrow, _mm_cmpeq_epi16(_mm_srli_epi16(v, 11), zero));
      seen = _mm_or_si128(seen, _mm_cmpeq_epi16(_mm_and_si128(v, surrogate_bits), surrogate));
    }
    alignas(16) int16_t lanes[8];
    _mm_store_si128(reinterpret_cast<__m128i*>(lanes), narrow);
    count.extra += static_cast<size_t>(steps) * 16;
    for (int16_t lane : lanes) count.extra -= static_cast<size_t>(-lane);
  }
  count.has_surrogates = _mm_movemask_epi8(seen) != 0;
#endif
  for (; p < end; p++) {
    count.extra += static_cast<size_t>(*p >= 0x80) + static_cast<size_t>(*p >= 0x800);
    count.has_surrogates |= is_surrogate(*p);
  }
  return count;
}

}  // namespace

size_t length(Units text) {
  auto [extra, has_surrogates] = count_wide(text);
  size_t bytes = text.size() + extra;
  if (!has_surrogates) return bytes;
  // Each half was counted as three bytes; a pair takes four.
  for (size_t i = 0; i + 1 < text.size(); i++) {
    if (is_pair(text[i], text[i + 1])) {
      bytes -= 2;
      i++;
    }
  }
  return bytes;
}

size_t length_of_latin1(Bytes text) {
  size_t bytes = text.size();
  for (uint8_t unit : text) bytes += unit >> 7;
  return bytes;
}

size_t encode(Units text, std::span<uint8_t> out, size_t* read) {
  const char16_t* p = text.data();
  const char16_t* end = p + text.size();
  uint8_t* o = out.data();
  uint8_t* limit = o + out.size();
  while (p < end) {
    // Stops before a surrogate; what follows takes it, and the blocks go on.
    if (end - p >= 8 && limit - o >= 32) encode_blocks(p, end, o, limit);
    if (p == end) break;
#if defined(__SSE2__)
    while (end - p >= 8 && limit - o >= 8) {
      __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      __m128i wide = _mm_cmpeq_epi16(_mm_srli_epi16(v, 7), _mm_setzero_si128());
      _mm_storel_epi64(reinterpret_cast<__m128i*>(o), _mm_packus_epi16(v, v));
      unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(wide)) ^ 0xffff;
      if (mask != 0) {
        int run = __builtin_ctz(mask) / 2;
        p += run;
        o += run;
        break;
      }
      p += 8;
      o += 8;
    }
    if (p == end) break;
#endif
    char16_t unit = *p;
    if (unit < 0x80) {
      if (o == limit) break;
      *o++ = static_cast<uint8_t>(unit);
      p++;
      continue;
    }
    ptrdiff_t room = limit - o;
    if (!is_surrogate(unit)) {
      if (room < (unit < 0x800 ? 2 : 3)) break;
      o = put_wide(unit, o);
      p++;
    } else if (end - p >= 2 && is_pair(p[0], p[1])) {
      if (room < 4) break;
      o = put_pair(p[0], p[1], o);
      p += 2;
    } else {
      if (room < 3) break;
      o = put_wide(kReplacement, o);
      p++;
    }
  }
  if (read != nullptr) *read = static_cast<size_t>(p - text.data());
  return static_cast<size_t>(o - out.data());
}

size_t encode_latin1(Bytes text, std::span<uint8_t> out, size_t* read) {
  const uint8_t* p = text.data();
  const uint8_t* end = p + text.size();
  uint8_t* o = out.data();
  uint8_t* limit = o + out.size();
  while (p < end && o < limit) {
#if defined(__SSE2__)
    while (end - p >= 16 && limit - o >= 16) {
      __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(v));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(o), v);
      int run = mask == 0 ? 16 : __builtin_ctz(mask);
      p += run;
      o += run;
      if (mask != 0) break;
    }
    if (p == end || o == limit) break;
#endif
    if (*p < 0x80) {
      *o++ = *p++;
    } else {
      if (limit - o < 2) break;
      *o++ = static_cast<uint8_t>(0xc0 | *p >> 6);
      *o++ = static_cast<uint8_t>(0x80 | (*p++ & 0x3f));
    }
  }
  if (read != nullptr) *read = static_cast<size_t>(p - text.data());
  return static_cast<size_t>(o - out.data());
}

}  // namespace rondo::utf8
