// The files of lib/ (and embedded npm packages) that ride in the binary; the table is generated at build time.
#pragma once

#include <span>
#include <string_view>

namespace rondo::runtime {

// Around every library file: the function expression that Builtins calls with what the names say. One line before the file's
// first, which stacks leave out again (engine/source.h).
inline constexpr std::string_view kWrapperHead = "(function (exports,require,module,native) {\n";
inline constexpr std::string_view kWrapperTail = "\n})";

struct EmbeddedSource {
  std::string_view id;  // "fs", "internal/errors/coded", "bootstrap/10_ticks"
  std::string_view source;  // UTF-8; wrapped, except page/*
  bool is_ascii;  // can be used where it lies
  std::string_view bytecode;  // empty when none was baked
};

// Sorted by id.
std::span<const EmbeddedSource> embedded_sources();

}  // namespace rondo::runtime
