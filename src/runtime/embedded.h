// The files of lib/ (and embedded npm packages) that ride in the binary; the table is generated at build time.
#pragma once

#include <span>
#include <string_view>

namespace rondo::runtime {

struct EmbeddedSource {
  std::string_view id;        // "fs", "internal/errors", "bootstrap/10_ticks"
  std::string_view source;    // UTF-8
  std::string_view bytecode;  // empty when none was baked
};

// Sorted by id.
std::span<const EmbeddedSource> embedded_sources();

}  // namespace rondo::runtime
