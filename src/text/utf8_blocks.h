// UTF-8 and UTF-16 in blocks, for CPUs with byte shuffles. Used by utf8.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::utf8 {

// Encodes whole blocks of eight units that hold no surrogate while at least 32 bytes of room are left. Advances both
// positions; does nothing on a CPU that cannot.
void encode_blocks(const char16_t*& in, const char16_t* in_end, uint8_t*& out, const uint8_t* out_end);

bool can_use_blocks();

// Whether all of it is valid UTF-8. Only where can_use_blocks().
bool validate_blocks(const uint8_t* bytes, size_t size);

// Decodes valid UTF-8 into memory that has room for all of it. Stops before a character of four bytes, and some way before
// the end. Only where can_use_blocks().
void decode_blocks(const uint8_t*& in, const uint8_t* in_end, char16_t*& out);

}  // namespace rondo::utf8
