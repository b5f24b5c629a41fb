// Base64 and hexadecimal over plain memory, both alphabets. Decoding is Node's: lenient, skipping what is not of the
// alphabet and stopping at the first '='. The strict variant that atob needs is forgiving_base64_decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rondo::base64 {

enum class Alphabet : uint8_t { Standard, Url };

// Standard pads to a multiple of four; Url does not pad.
size_t encoded_size(size_t bytes, Alphabet alphabet);
void encode(std::span<const uint8_t> bytes, Alphabet alphabet, uint8_t* out);

// At most this many bytes come out of `characters` characters.
constexpr size_t decoded_size_limit(size_t characters) { return characters / 4 * 3 + characters % 4 * 3 / 4; }

// Both alphabets at once. Writes at most out.size() bytes; returns how many. Characters may be Latin-1 or UTF-16.
size_t decode(std::span<const uint8_t> characters, std::span<uint8_t> out);
size_t decode(std::span<const char16_t> characters, std::span<uint8_t> out);

// Of one alphabet, as many blocks of 16 characters as hold nothing else and have room (16 bytes for each block): the fast part of a strict
// decoder. Returns how many characters it took; three bytes came out of each four. None where the machine has no such instructions.
size_t decode_blocks(std::span<const uint8_t> characters, Alphabet alphabet, std::span<uint8_t> out);

// https://infra.spec.whatwg.org/#forgiving-base64-decode; `out` has decoded_size_limit(characters) bytes.
enum class Fault : uint8_t { None, InvalidCharacter, BadLength };
struct Forgiving {
  size_t size = 0;
  Fault fault = Fault::None;
};
Forgiving forgiving_decode(std::span<const uint8_t> characters, std::span<uint8_t> out);

}  // namespace rondo::base64

namespace rondo::hex {

void encode(std::span<const uint8_t> bytes, uint8_t* out);
// Pairs of digits until one is not a digit; the odd last digit is ignored. Returns bytes written.
size_t decode(std::span<const uint8_t> characters, std::span<uint8_t> out);
size_t decode(std::span<const char16_t> characters, std::span<uint8_t> out);

}  // namespace rondo::hex
