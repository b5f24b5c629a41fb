// The Node whose behaviour this is: process.version, and the answer to --version of a binary called `node`.
#pragma once

namespace rondo::runtime {

inline constexpr const char* kNodeVersion = "26.7.0";

}  // namespace rondo::runtime
