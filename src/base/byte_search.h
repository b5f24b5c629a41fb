// Finding bytes and byte sequences, forwards and backwards, for Buffer's indexOf family. Offsets are as
// Buffer.prototype.indexOf documents them: negative counts from the end. Results are positions or -1.
#pragma once

#include <cstdint>
#include <span>

namespace rondo::search {

using Bytes = std::span<const uint8_t>;
enum class Direction : uint8_t { Forward, Backward };

int64_t find_byte(Bytes haystack, uint8_t byte, int64_t offset, Direction direction);
int64_t find(Bytes haystack, Bytes needle, int64_t offset, Direction direction);
// Only at even positions, for UTF-16; a trailing odd byte takes no part.
int64_t find_units(Bytes haystack, Bytes needle, int64_t offset, Direction direction);

}  // namespace rondo::search
