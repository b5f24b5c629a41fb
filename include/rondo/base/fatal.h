// The end of the road: prints one line on standard error and aborts. For failures that leave nothing
// to run on, such as no descriptor for the loop itself, and for mistakes of the program. Not for anything a program can cause and handle.
#pragma once

namespace [[gnu::visibility("default")]] rondo {

[[noreturn]] void fatal(const char* what, int error_number);

// The program has broken a rule, and going on would break memory: says which, and aborts.
[[noreturn]] void misuse(const char* what);

}  // namespace rondo
