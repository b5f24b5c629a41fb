// Any bytes as what an inotify descriptor gave: names stay inside them.
#include "loop/watch/inotify_events.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<rondo::InotifyEvent> events;
  rondo::parse_inotify({reinterpret_cast<const std::byte*>(data), size}, events);
  std::size_t total = 0;
  for (const rondo::InotifyEvent& event : events) total += event.name.size();
  return total <= size ? 0 : -1;
}
