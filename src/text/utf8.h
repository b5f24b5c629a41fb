// UTF-8, UTF-16 and Latin-1: validation, lengths and conversions over plain memory. Knows nothing of JavaScript strings;
// the buffer, encoding and url modules sit on it. Vector instructions where the CPU has them, plain loops elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::utf8 {

using Bytes = std::span<const uint8_t>;
using Units = std::span<const char16_t>;

inline constexpr char16_t kReplacement = 0xfffd;

bool is_ascii(Bytes bytes);
bool is_valid(Bytes bytes);

// The result's size, if the bytes are valid: its length in UTF-16 units, and whether Latin-1 can hold it.
struct Shape {
  size_t units = 0;
  bool ascii = true;
  bool latin1 = true;
};
Shape measure(Bytes bytes);

// Strict decoding into exactly measure().units units. False at the first invalid sequence (output then undefined).
bool decode(Bytes bytes, std::span<char16_t> out);
// The same for input that measure() found to be Latin-1.
bool decode_latin1(Bytes bytes, std::span<uint8_t> out);

// Lossy decoding as the Encoding Standard wants it: one U+FFFD for each maximal invalid part. `out` has room for
// bytes.size() units; returns how many were written. An incomplete sequence at the end is one U+FFFD, unless `rest` is
// given: then it is left undecoded and its size goes there.
size_t decode_lossy(Bytes bytes, char16_t* out, size_t* rest = nullptr);

// Bytes that the text takes in UTF-8; a lone surrogate counts as U+FFFD.
size_t length(Units text);
size_t length_of_latin1(Bytes text);

// Encodes whole code points while they fit. Returns bytes written; `read` gets the units consumed.
size_t encode(Units text, std::span<uint8_t> out, size_t* read = nullptr);
size_t encode_latin1(Bytes text, std::span<uint8_t> out, size_t* read = nullptr);

}  // namespace rondo::utf8
