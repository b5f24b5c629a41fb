// A crash inside a native addon says which addon: a line on standard error before the process dies of the signal as it would have.
//
// Thread: any. The handler reads a table that only grows.
#pragma once

#include <string>

namespace rondo::runtime {

// After an addon has been loaded: its code is known from now on. The handlers are installed with the first.
void watch_addon(void* library, const std::string& file);

}  // namespace rondo::runtime
