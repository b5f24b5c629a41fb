// The list; see the header.
#include "loop/watch/inotify_events.h"

#include <sys/inotify.h>

#include <cstring>

namespace rondo {

void parse_inotify(std::span<const std::byte> bytes, std::vector<InotifyEvent>& events) {
  while (bytes.size() >= sizeof(inotify_event)) {
    inotify_event header;
    std::memcpy(&header, bytes.data(), sizeof header);
    bytes = bytes.subspan(sizeof header);
    if (header.len > bytes.size()) return;
    const char* name = reinterpret_cast<const char*>(bytes.data());
    events.push_back({header.wd, header.mask, header.cookie, std::string(name, strnlen(name, header.len))});
    bytes = bytes.subspan(header.len);
  }
}

}  // namespace rondo
