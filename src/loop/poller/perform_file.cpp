// File kinds as blocking system calls, each made once; EINTR is retried.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "loop/poller/perform.h"

namespace rondo {
namespace {

constexpr std::uint32_t kMaxTransfer = 0x7ffff000;  // what Linux moves at most in one call

ssize_t read_file(const Operation& op) {
  const int fd = openat(op.fd, op.path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  std::size_t total = 0;
  ssize_t got = 0;
  while (total < op.length) {
    got = read(fd, static_cast<std::byte*>(op.data) + total, op.length - total);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    total += static_cast<std::size_t>(got);
  }
  const int error = errno;
  close(fd);
  errno = error;
  return got < 0 ? -1 : static_cast<ssize_t>(total);
}

ssize_t transfer(const Operation& op) {
  const std::size_t length = std::min(op.length, kMaxTransfer);
  const auto* parts = static_cast<const iovec*>(op.data);
  const int count = static_cast<int>(op.length);
  const bool positioned = op.offset >= 0;
  switch (op.kind) {
    case OpKind::Read:
      return positioned ? pread(op.fd, op.data, length, op.offset) : read(op.fd, op.data, length);
    case OpKind::Write:
      return positioned ? pwrite(op.fd, op.data, length, op.offset) : write(op.fd, op.data, length);
    case OpKind::ReadV:
      return positioned ? preadv(op.fd, parts, count, op.offset) : readv(op.fd, parts, count);
    default:
      return positioned ? pwritev(op.fd, parts, count, op.offset) : writev(op.fd, parts, count);
  }
}

ssize_t call(const Operation& op) {
  const int flags = static_cast<int>(op.flags);
  switch (op.kind) {
    case OpKind::Nop:
      return 0;
    case OpKind::Read:
    case OpKind::ReadV:
    case OpKind::Write:
    case OpKind::WriteV:
      return transfer(op);
    case OpKind::OpenAt:
      return openat(op.fd, op.path, flags | O_CLOEXEC, op.mode);
    case OpKind::Close:
      return close(op.fd);
    case OpKind::Statx:
      return ::statx(op.fd, op.path ? op.path : "", flags, op.mode, static_cast<struct ::statx*>(op.data));
    case OpKind::Fsync:
      return flags ? fdatasync(op.fd) : fsync(op.fd);
    case OpKind::Fallocate:
      return fallocate(op.fd, static_cast<int>(op.mode), op.offset, static_cast<off_t>(op.length2));
    case OpKind::Ftruncate:
      return ftruncate(op.fd, op.offset);
    case OpKind::UnlinkAt:
      return unlinkat(op.fd, op.path, flags);
    case OpKind::MkdirAt:
      return mkdirat(op.fd, op.path, op.mode);
    case OpKind::RenameAt:
      return renameat2(op.fd, op.path, op.fd2, op.path2, op.flags);
    case OpKind::LinkAt:
      return linkat(op.fd, op.path, op.fd2, op.path2, flags);
    case OpKind::SymlinkAt:
      return symlinkat(op.path, op.fd2, op.path2);
    case OpKind::ReadFile:
      return read_file(op);
    default:
      errno = EINVAL;
      return -1;
  }
}

}  // namespace

int perform_file(const Operation& operation) {
  for (;;) {
    const ssize_t result = call(operation);
    if (result >= 0) return static_cast<int>(result);
    // Linux has released the descriptor even when close says EINTR.
    if (errno == EINTR && operation.kind == OpKind::Close) return 0;
    if (errno != EINTR) return -errno;
  }
}

}  // namespace rondo
