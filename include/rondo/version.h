// The library's version, for the preprocessor and as text. The build reads it here. Before 1.0 a new minor number may change the
// interface, a new patch number does not.
#pragma once

#define RONDO_VERSION_MAJOR 0
#define RONDO_VERSION_MINOR 2
#define RONDO_VERSION_PATCH 0
// For comparisons; 0.2.0 is 200.
#define RONDO_VERSION_NUMBER (RONDO_VERSION_MAJOR * 10000 + RONDO_VERSION_MINOR * 100 + RONDO_VERSION_PATCH)

namespace [[gnu::visibility("default")]] rondo {

// Of the library that was linked, as "0.2.0".
const char* version();

}  // namespace rondo
