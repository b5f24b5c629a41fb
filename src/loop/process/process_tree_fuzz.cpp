// Any bytes as the text of /proc/PID/stat: never out of bounds, never a negative pid.
#include "loop/process/process_tree.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parent = rondo::parent_in_stat({reinterpret_cast<const char*>(data), size});
  if (parent && *parent < 0) abort();
  return 0;
}
