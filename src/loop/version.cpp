// The version as text, compiled into the library.
#include "rondo/version.h"

#define RONDO_TEXT(number) #number
#define RONDO_DOTTED(major, minor, patch) RONDO_TEXT(major) "." RONDO_TEXT(minor) "." RONDO_TEXT(patch)

namespace rondo {

const char* version() { return RONDO_DOTTED(RONDO_VERSION_MAJOR, RONDO_VERSION_MINOR, RONDO_VERSION_PATCH); }

}  // namespace rondo
