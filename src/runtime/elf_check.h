// Shared objects that the dynamic linker must not be given, found by reading the file: functions are bound when they are first called, and
// it ends the process then, or already in a constructor, if a name is missing; what a cut file lacks is a SIGBUS; a file for another
// processor is said not to be there.
#pragma once

#include <string>

namespace rondo::runtime {

// Why `file` must not be loaded, empty otherwise. A name that it needs and does not get is one of V8 or of Node's C++ interface, or of libuv
// or Node-API where this program has no such function.
std::string why_unloadable(const char* file);

}  // namespace rondo::runtime
