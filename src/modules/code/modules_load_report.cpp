#include "modules/code/modules_load_report.h"

#include <unistd.h>

#include <cerrno>

namespace rondo::modules {

namespace {

struct LoadReport {
  explicit LoadReport(runtime::Runtime& runtime) : fd(runtime.options().load_report) {}
  int fd;
};

}  // namespace

void report_load(runtime::Runtime& runtime, const std::string& path) {
  int& fd = runtime.local<LoadReport>().fd;
  if (fd < 0) return;
  const char* data = path.c_str();
  size_t size = path.size() + 1;  // with the zero byte
  while (size > 0) {
    ssize_t n = ::write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      fd = -1;  // the parent is gone
      return;
    }
    data += n;
    size -= static_cast<size_t>(n);
  }
}

}  // namespace rondo::modules
