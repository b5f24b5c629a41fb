// Undefined names of a shared object, read from its file before it is loaded: functions are bound when they are first called, and the
// dynamic linker ends the process then, or already in a constructor, if a name is missing.
#pragma once

#include <string>

namespace rondo::runtime {

// A name that the file needs and does not get: of V8 or of Node's C++ interface, or of libuv or Node-API where this program has no such
// function. Empty for none, and for a file that is no shared object of this machine.
std::string missing_symbol(const char* file);

}  // namespace rondo::runtime
