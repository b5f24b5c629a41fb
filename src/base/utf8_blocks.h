// UTF-16 to UTF-8 in blocks of eight units, for CPUs with byte shuffles. Used by utf8.cpp alone.
#pragma once

#include <cstdint>

namespace rondo::utf8 {

// Encodes whole blocks of eight units that hold no surrogate while at least 32 bytes of room are left. Advances both
// positions; does nothing on a CPU that cannot.
void encode_blocks(const char16_t*& in, const char16_t* in_end, uint8_t*& out, const uint8_t* out_end);

}  // namespace rondo::utf8
