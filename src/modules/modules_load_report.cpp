#include "modules/modules_load_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace rondo::modules {

namespace {

int report_fd = -1;

}  // namespace

void report_loads_to(int fd) {
  if (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0) report_fd = fd;
}

void report_load(const std::string& path) {
  if (report_fd < 0) return;
  const char* data = path.c_str();
  size_t size = path.size() + 1;  // with the zero byte
  while (size > 0) {
    ssize_t n = ::write(report_fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      report_fd = -1;  // the parent is gone
      return;
    }
    data += n;
    size -= static_cast<size_t>(n);
  }
}

}  // namespace rondo::modules
