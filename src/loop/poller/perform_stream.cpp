// Socket, pipe and terminal kinds as non-blocking system calls.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "loop/poller/perform.h"
#include "rondo/base/fatal.h"
#include "rondo/base/unique_fd.h"

namespace rondo {

Direction direction_of(const Operation& operation) {
  switch (operation.kind) {
    case OpKind::Accept:
    case OpKind::Recv:
    case OpKind::RecvMsg:
      return Direction::Read;
    case OpKind::Connect:
    case OpKind::Send:
    case OpKind::SendMsg:
      return Direction::Write;
    case OpKind::Read:
    case OpKind::ReadV:
      return operation.stream ? Direction::Read : Direction::None;
    case OpKind::Write:
    case OpKind::WriteV:
      return operation.stream ? Direction::Write : Direction::None;
    default:
      return Direction::None;
  }
}

namespace {

// The call was made at submission; writability says that it is over.
ssize_t finish_connect(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) return -1;
  errno = error;
  return error ? -1 : 0;
}

ssize_t call(const Operation& op, std::span<std::byte> scratch, int accept_flags) {
  const int flags = static_cast<int>(op.flags);
  switch (op.kind) {
    case OpKind::Accept:
      return accept4(op.fd, nullptr, nullptr, accept_flags);
    case OpKind::Connect:
      return finish_connect(op.fd);
    case OpKind::Recv:
      return op.data ? recv(op.fd, op.data, op.length, flags | MSG_DONTWAIT)
                     : recv(op.fd, scratch.data(), scratch.size(), flags | MSG_DONTWAIT);
    case OpKind::RecvMsg:
      return recvmsg(op.fd, static_cast<msghdr*>(op.data), flags | MSG_DONTWAIT);
    case OpKind::Send:
      return send(op.fd, op.data, op.length, flags | MSG_DONTWAIT | MSG_NOSIGNAL);
    case OpKind::SendMsg:
      return sendmsg(op.fd, static_cast<const msghdr*>(op.data), flags | MSG_DONTWAIT | MSG_NOSIGNAL);
    case OpKind::Read:
      return read(op.fd, op.data, op.length);
    case OpKind::ReadV:
      return readv(op.fd, static_cast<const iovec*>(op.data), static_cast<int>(op.length));
    case OpKind::Write:
      return write(op.fd, op.data, op.length);
    case OpKind::WriteV:
      return writev(op.fd, static_cast<const iovec*>(op.data), static_cast<int>(op.length));
    default:
      errno = EINVAL;
      return -1;
  }
}

}  // namespace

int perform_stream(const Operation& operation, std::span<std::byte> scratch, int accept_flags) {
  for (;;) {
    const ssize_t result = call(operation, scratch, accept_flags);
    if (result >= 0) return static_cast<int>(result);
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? -EAGAIN : -errno;
  }
}

OwnedMemory receive_buffer() {
  OwnedMemory memory(static_cast<std::byte*>(std::malloc(kReceiveBytes)));
  if (!memory) fatal("no memory to receive into", ENOMEM);
  return memory;
}

int socket_domain(int fd) {
  int domain = AF_UNSPEC;
  socklen_t size = sizeof domain;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0 ? -errno : domain;
}

bool may_stop_short_in(int domain) { return domain != AF_INET && domain != AF_INET6; }

bool may_stop_short(int fd) { return may_stop_short_in(socket_domain(fd)); }

bool is_always_ready(int fd) {
  const UniqueFd probe(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{};
  return probe && epoll_ctl(probe.get(), EPOLL_CTL_ADD, fd, &event) < 0 && errno == EPERM;
}

}  // namespace rondo
