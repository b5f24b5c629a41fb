// System calls on sockets and pipes that handles make at once, as every poller but the simulation answers them.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "rondo/poller.h"

namespace rondo {

// In the mode the poller wants: non-blocking for readiness, blocking for the ring, which otherwise would report EAGAIN
// instead of waiting.
int Poller::open_socket(int family, int type) {
  const int fd = ::socket(family, type | socket_flags(), 0);
  return fd >= 0 ? fd : -errno;
}

int Poller::listen(int fd, int backlog) { return ::listen(fd, backlog) < 0 ? -errno : 0; }

int Poller::begin_connect(int fd, const sockaddr* address, socklen_t size) {
  const int flags = fcntl(fd, F_GETFL);
  const bool must_switch = (flags & O_NONBLOCK) == 0;
  if (must_switch) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  int result = 0;
  if (::connect(fd, address, size) < 0) result = errno == EINTR ? -EINPROGRESS : -errno;
  if (must_switch) fcntl(fd, F_SETFL, flags);
  return result;
}

int Poller::connect_result(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? -errno : -error;
}

long Poller::send_now(int fd, const iovec* pieces, std::size_t count) {
  constexpr int kFlags = MSG_DONTWAIT | MSG_NOSIGNAL;
  for (;;) {
    ssize_t sent;
    if (count == 1) {
      sent = ::send(fd, pieces->iov_base, pieces->iov_len, kFlags);
    } else {
      msghdr message{};
      message.msg_iov = const_cast<iovec*>(pieces);
      message.msg_iovlen = count;
      sent = ::sendmsg(fd, &message, kFlags);
    }
    if (sent >= 0) return sent;
    if (errno != EINTR) return -errno;
  }
}

bool Poller::is_socket(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

long Poller::send_message_now(int fd, const msghdr& message) {
  const ssize_t sent = ::sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}

long Poller::write_now(int fd, const iovec* pieces, std::size_t count) {
  const ssize_t written = ::writev(fd, pieces, static_cast<int>(count));
  return written < 0 ? -errno : written;
}

int Poller::shut_down(int fd, int how) { return ::shutdown(fd, how) < 0 ? -errno : 0; }

bool Poller::turn_away(int fd) {
  // A blocking listener (the ring's) must not block here.
  const int flags = fcntl(fd, F_GETFL);
  if ((flags & O_NONBLOCK) == 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  const int connection = accept4(fd, nullptr, nullptr, SOCK_CLOEXEC);
  if ((flags & O_NONBLOCK) == 0) fcntl(fd, F_SETFL, flags);
  if (connection < 0) return false;
  ::close(connection);
  return true;
}

}  // namespace rondo
