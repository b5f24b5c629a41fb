// The one place where descriptors are closed. Called wherever an owned descriptor dies.
#include "rondo/base/unique_fd.h"

#include <unistd.h>

namespace rondo {
namespace {

thread_local void (*simulated_close)(int fd) = nullptr;

}  // namespace

void set_simulated_close(void (*close)(int fd)) { simulated_close = close; }

void close_fd(int fd) {
  if (fd < kFirstSimulatedFd) [[likely]] {
    ::close(fd);  // Linux releases the descriptor even when close reports EINTR: never retry
  } else if (simulated_close) {
    simulated_close(fd);
  }
}

void UniqueFd::reset(int fd) {
  if (fd_ >= 0) close_fd(fd_);
  fd_ = fd;
}

}  // namespace rondo
