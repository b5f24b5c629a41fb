// Blocks of base64 with 256-bit vectors, for processors that have them: the inner loops of base64.cpp, which goes on with shorter blocks where
// these stop.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::base64 {

enum class Accepted : uint8_t { Both, Standard, Url };

#if defined(__x86_64__)

bool has_wide_blocks();

// 24 bytes in, 32 characters out, as long as 28 bytes can be read. `plus` and `slash` are the alphabet's last two. Returns bytes consumed.
size_t encode_wide(const uint8_t* in, size_t size, char plus, char slash, uint8_t* out);

// 32 characters in, 24 bytes out (32 are stored), while all 32 are accepted. Returns characters consumed.
size_t decode_wide(const uint8_t* in, size_t size, Accepted accepted, uint8_t* out, size_t room);

#endif

}  // namespace rondo::base64
