// Sockets in the mode the poller wants: non-blocking for readiness, blocking for the ring, which otherwise
// would report EAGAIN instead of waiting.
#include "loop/net/socket.h"

#include <fcntl.h>

#include <cerrno>

namespace rondo {

Result<UniqueFd> make_socket(Loop& loop, int family, int type) {
  UniqueFd fd(::socket(family, type | loop.socket_flags(), 0));
  if (!fd) return last_failure("socket");
  return fd;
}

void adopt_mode(Loop& loop, int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const bool wants = (loop.socket_flags() & SOCK_NONBLOCK) != 0;
  if (flags < 0 || ((flags & O_NONBLOCK) != 0) == wants) return;
  fcntl(fd, F_SETFL, wants ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int begin_connect(int fd, const Address& address) {
  const int flags = fcntl(fd, F_GETFL);
  const bool must_switch = (flags & O_NONBLOCK) == 0;
  if (must_switch) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  int error = 0;
  if (::connect(fd, address.data(), address.size()) < 0) error = errno == EINTR ? EINPROGRESS : errno;
  if (must_switch) fcntl(fd, F_SETFL, flags);
  return error;
}

}  // namespace rondo
