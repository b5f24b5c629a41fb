// Sockets in the mode the poller wants: non-blocking for readiness, blocking for the ring, which otherwise
// would report EAGAIN instead of waiting.
#include "loop/net/socket.h"

#include <fcntl.h>

#include <cerrno>

namespace rondo {

Result<UniqueFd> make_socket(Loop& loop, int family, int type) {
  const int fd = loop.poller().open_socket(family, type);
  if (fd < 0) return failure(-fd, "socket");
  return UniqueFd(fd);
}

void adopt_mode(Loop& loop, int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const bool wants = (loop.socket_flags() & SOCK_NONBLOCK) != 0;
  if (flags < 0 || ((flags & O_NONBLOCK) != 0) == wants) return;
  fcntl(fd, F_SETFL, wants ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

Result<void> expect_socket(Loop& loop, UniqueFd& descriptor) {
  if (loop.poller().is_socket(descriptor.get())) return {};
  if (descriptor.get() >= kFirstSimulatedFd || fcntl(descriptor.get(), F_GETFD) >= 0) return failure(ENOTSOCK, "open");
  descriptor.release();
  return failure(EBADF, "open");
}

int begin_connect(Loop& loop, int fd, const Address& address) {
  return -loop.poller().begin_connect(fd, address.data(), address.size());
}

Result<void> bind_recorded(int fd, const Address& address) {
  const long error =
      Recording::current()->result('b', [&] { return ::bind(fd, address.data(), address.size()) < 0 ? errno : 0; });
  return error ? failure(static_cast<int>(error), "bind") : Result<void>();
}

}  // namespace rondo
