// Views of raw memory, and the two ways to and from text. A view owns nothing. And memory of malloc(3) with one owner, for what may
// go on to a library that frees it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

namespace [[gnu::visibility("default")]] rondo {

using Bytes = std::span<const std::byte>;

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using OwnedMemory = std::unique_ptr<std::byte[], FreeMemory>;

inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }
inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace rondo
