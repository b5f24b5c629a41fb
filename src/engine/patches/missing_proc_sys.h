// Starting the engine on a machine that gives little: see missing_proc_sys.cpp.
#pragma once

#include <cstddef>

namespace rondo::engine {

// The most address space the engine should set aside for one purpose where it is limited (ulimit -v); 0: as much as it likes.
std::size_t reservation_limit();

}  // namespace rondo::engine
