// UniqueFd's one system call. Called wherever an owned descriptor dies.
#include "rondo/base/unique_fd.h"

#include <unistd.h>

namespace rondo {

void UniqueFd::reset(int fd) {
  // Linux releases the descriptor even when close reports EINTR: never retry.
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

}  // namespace rondo
