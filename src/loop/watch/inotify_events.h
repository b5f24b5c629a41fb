// The bytes an inotify descriptor gives, as a list. Apart from the kernel only the fuzzer calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rondo {

struct InotifyEvent {
  int watch;
  std::uint32_t mask;
  std::uint32_t cookie;
  std::string name;
};

// Appends; stops at the first event that does not fit.
void parse_inotify(std::span<const std::byte> bytes, std::vector<InotifyEvent>& events);

}  // namespace rondo
