// The form in which a structured clone leaves the process (rondo:mesh, its journal): one byte with the version, then the bytes of
// clone_writer.cpp, little-endian. Bytes that come from another process are not trusted: check_wire() walks all of them, without making
// anything, before clone_reader.cpp, which takes its bytes for granted, sees them.
//
//  W1  A version names one meaning of every CloneTag, of every field behind it and of the engine's numbers of typed arrays. A change of
//      any of them is a new version.
//  W2  Bytes that pass have every length inside of the message, every reference to an object that is complete enough to be referred to,
//      every view inside of its buffer, and at most kMostWireDepth objects in one another.
//  W3  Values that need memory beside the bytes (ports, shared and transferred memory, WebAssembly) and objects of lib/ (Blob, KeyObject …)
//      do not travel: the writer refuses them, the check too.
//
// Thread: the VM's.
#pragma once

#include "engine/clone/structured_clone.h"

#include <span>

namespace rondo::engine {

inline constexpr uint8_t kWireVersion = 1;
inline constexpr uint32_t kMostWireDepth = 1000;

struct WireCheck {
  const char* refused = nullptr;  // why, for people; null: the bytes may be read
  uint32_t depth = 0;
};
// `bytes` are those behind the version.
WireCheck check_wire(JSC::VM& vm, std::span<const uint8_t> bytes);

}  // namespace rondo::engine
