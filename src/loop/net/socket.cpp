// Sockets in the mode the poller wants: non-blocking for readiness, blocking for the ring, which otherwise
// would report EAGAIN instead of waiting.
#include "loop/net/socket.h"

#include <fcntl.h>

#include <cerrno>

namespace rondo {
namespace {

thread_local SimulatedSockets* (*find_sockets)(int fd) = nullptr;

}  // namespace

void set_simulated_sockets(SimulatedSockets* (*find)(int fd)) { find_sockets = find; }

SimulatedSockets* find_simulated_sockets(int fd) { return find_sockets ? find_sockets(fd) : nullptr; }

Result<int> get_option(int fd, int level, int name) {
  int value = 0;
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]] {
    value = sockets->option(fd, level, name);
    return value < 0 ? Result<int>(failure(-value, "getsockopt")) : value;
  }
  socklen_t size = sizeof value;
  if (getsockopt(fd, level, name, &value, &size) < 0) return last_failure("getsockopt");
  return value;
}

int bind_descriptor(int fd, const Address& address) {
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]]
    return -sockets->bind(fd, address);
  return ::bind(fd, address.data(), address.size()) < 0 ? errno : 0;
}

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
