// The part of native('buffer') that turns strings into bytes and back, in every encoding Buffer knows.
// Shared by buffer.cpp only.
#pragma once

#include "engine/core/buffer_class.h"

#include <vector>

namespace rondo::modules::buffer {

// The ids of lib/internal/buffer/encodings.js, in the same order.
enum class Encoding : uint8_t { Utf8, Utf16le, Latin1, Ascii, Base64, Hex, Base64url };

// Bytes that `text` can take at most (exactly, but for base64 and hex).
size_t size_limit(const WTF::StringView& text, Encoding encoding);
// Writes whole characters while they fit; returns bytes written.
size_t write(const WTF::StringView& text, Encoding encoding, std::span<uint8_t> out);
// The bytes of a string, for patterns and needles.
std::vector<uint8_t> to_bytes(const WTF::StringView& text, Encoding encoding);

// The xxxSlice and xxxWrite methods of Buffer.prototype, and fromString(text, id), byteLengthUtf8(text).
std::span<const engine::FunctionSpec> string_functions();

}  // namespace rondo::modules::buffer
