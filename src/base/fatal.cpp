// Prints and aborts; see the header.
#include "rondo/base/fatal.h"

#include <cstdio>
#include <cstdlib>

#include "rondo/base/result.h"

namespace rondo {

void fatal(const char* what, int error_number) {
  std::fprintf(stderr, "rondo: %s: %s, %s\n", what, error_name(error_number), error_message(error_number));
  std::abort();
}

void misuse(const char* what) {
  std::fprintf(stderr, "rondo: misuse: %s\n", what);
  std::abort();
}

}  // namespace rondo
