// The descriptors that a worker's program opened by number (fs.open): nobody else knows of them, so they are closed with its runtime,
// unless its owner asked for the contrary (trackUnmanagedFds). The main thread's stay open: the process ends with it.
#pragma once

#include "runtime/worker_thread.h"

#include <unistd.h>

#include <set>

namespace rondo::runtime {

class OpenFiles {
 public:
  explicit OpenFiles(Runtime& runtime)
      : tracks_(runtime.options().worker && runtime.options().worker->tracks_files()) {}
  ~OpenFiles() {
    for (int fd : fds_) ::close(fd);
  }

  void opened(int fd) {
    if (tracks_) fds_.insert(fd);
  }
  // It is closed, or belongs to somebody else from now on.
  void gone(int fd) {
    if (tracks_) fds_.erase(fd);
  }

 private:
  bool tracks_;
  std::set<int> fds_;
};

}  // namespace rondo::runtime
