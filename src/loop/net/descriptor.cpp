// Asks the kernel what a descriptor is. No state.
#include "rondo/descriptor.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rondo/address.h"

namespace rondo {
namespace {

int socket_option(int fd, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, SOL_SOCKET, name, &value, &size) < 0 ? -1 : value;
}

HandleKind kind_of_socket(int fd) {
  const int family = socket_option(fd, SO_DOMAIN);
  const int type = socket_option(fd, SO_TYPE);
  const bool listens = socket_option(fd, SO_ACCEPTCONN) > 0;
  const bool is_ip = family == AF_INET || family == AF_INET6;
  if (type == SOCK_DGRAM && (is_ip || family == AF_UNIX)) return HandleKind::Udp;
  if (type != SOCK_STREAM) return HandleKind::None;
  if (is_ip) return listens ? HandleKind::TcpServer : HandleKind::Tcp;
  if (family == AF_UNIX) return listens ? HandleKind::PipeServer : HandleKind::Pipe;
  return HandleKind::None;
}

}  // namespace

HandleKind handle_kind_of(int fd) {
  struct stat status;
  if (fstat(fd, &status) < 0) return HandleKind::None;
  switch (status.st_mode & S_IFMT) {
    case S_IFSOCK:
      return kind_of_socket(fd);
    case S_IFIFO:
      return HandleKind::Pipe;
    case S_IFCHR:
      return isatty(fd) ? HandleKind::Tty : HandleKind::File;
    case S_IFREG:
    case S_IFBLK:
      return HandleKind::File;
    case S_IFDIR:
      return HandleKind::Directory;
    default:
      return HandleKind::None;
  }
}

}  // namespace rondo
