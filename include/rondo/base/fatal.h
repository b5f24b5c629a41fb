// The end of the road: prints one line on standard error and aborts. For failures that leave nothing
// to run on, such as no descriptor for the loop itself. Not for anything a program can cause and handle.
#pragma once

namespace rondo {

[[noreturn]] void fatal(const char* what, int error_number);

}  // namespace rondo
