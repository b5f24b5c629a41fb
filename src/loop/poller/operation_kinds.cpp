// The table of operation kinds, and those calls that take more than a line.
#include "loop/poller/operation_kinds.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "loop/fs/status.h"
#include "loop/poller/perform.h"
#include "loop/poller/uring_buffers.h"

namespace rondo {
namespace {

constexpr int kOpFtruncate = 55;  // IORING_OP_FTRUNCATE (Linux 6.9), newer than liburing 2.3's header
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

void prepare_recv(io_uring_sqe* entry, const Operation& op) {
  if (op.multishot)
    io_uring_prep_recv_multishot(entry, op.fd, nullptr, 0, static_cast<int>(op.flags));
  else
    io_uring_prep_recv(entry, op.fd, op.data, op.data ? op.length : UringBuffers::kBufferBytes,
                       static_cast<int>(op.flags));
  if (op.data) return;
  entry->flags |= IOSQE_BUFFER_SELECT;
  entry->buf_group = UringBuffers::kGroup;
}

// Short names, so that a row is a few lines. All take the operation as `op`.
int flags(const Operation& op) { return static_cast<int>(op.flags); }
std::uint64_t offset(const Operation& op) { return static_cast<std::uint64_t>(op.offset); }
bool is_placed(const Operation& op) { return op.offset >= 0; }
std::size_t size(const Operation& op) { return std::min(op.length, kMaxTransfer); }
const iovec* parts(const Operation& op) { return static_cast<const iovec*>(op.data); }
int count(const Operation& op) { return static_cast<int>(op.length); }
const char* path(const Operation& op) { return op.path ? op.path : ""; }
off_t extent(const Operation& op) { return static_cast<off_t>(op.length2); }
struct ::statx* status(const Operation& op) { return static_cast<struct ::statx*>(op.data); }
msghdr* message(const Operation& op) { return static_cast<msghdr*>(op.data); }

using Entry = io_uring_sqe;
using Op = const Operation;

// In the order of OpKind.
constexpr OperationKind kKinds[] = {
    // Nop
    {IORING_OP_NOP, false, [](Entry* e, Op&) { io_uring_prep_nop(e); }, [](Op&) -> ssize_t { return 0; }},
    // Poll
    {IORING_OP_POLL_ADD, false,
     [](Entry* e, Op& op) {
       if (op.multishot)
         io_uring_prep_poll_multishot(e, op.fd, op.flags);
       else
         io_uring_prep_poll_add(e, op.fd, op.flags);
     },
     nullptr},
    // Accept
    {IORING_OP_ACCEPT, false,
     [](Entry* e, Op& op) {
       if (op.multishot)
         io_uring_prep_multishot_accept(e, op.fd, nullptr, nullptr, SOCK_CLOEXEC);
       else
         io_uring_prep_accept(e, op.fd, nullptr, nullptr, SOCK_CLOEXEC);
     },
     nullptr},
    // Connect
    {IORING_OP_CONNECT, false,
     [](Entry* e, Op& op) { io_uring_prep_connect(e, op.fd, static_cast<const sockaddr*>(op.data), op.length); },
     nullptr},
    // Recv, RecvMsg, Send, SendMsg
    {IORING_OP_RECV, false, prepare_recv, nullptr},
    {IORING_OP_RECVMSG, false, [](Entry* e, Op& op) { io_uring_prep_recvmsg(e, op.fd, message(op), op.flags); },
     nullptr},
    {IORING_OP_SEND, false,
     [](Entry* e, Op& op) { io_uring_prep_send(e, op.fd, op.data, op.length, flags(op) | MSG_NOSIGNAL); }, nullptr},
    {IORING_OP_SENDMSG, false,
     [](Entry* e, Op& op) { io_uring_prep_sendmsg(e, op.fd, message(op), op.flags | MSG_NOSIGNAL); }, nullptr},
    // Read, ReadV, Write, WriteV
    {IORING_OP_READ, true, [](Entry* e, Op& op) { io_uring_prep_read(e, op.fd, op.data, op.length, offset(op)); },
     [](Op& op) {
       return is_placed(op) ? pread(op.fd, op.data, size(op), op.offset) : ::read(op.fd, op.data, size(op));
     }},
    {IORING_OP_READV, true, [](Entry* e, Op& op) { io_uring_prep_readv(e, op.fd, parts(op), op.length, offset(op)); },
     [](Op& op) {
       return is_placed(op) ? preadv(op.fd, parts(op), count(op), op.offset) : readv(op.fd, parts(op), count(op));
     }},
    {IORING_OP_WRITE, true, [](Entry* e, Op& op) { io_uring_prep_write(e, op.fd, op.data, op.length, offset(op)); },
     [](Op& op) {
       return is_placed(op) ? pwrite(op.fd, op.data, size(op), op.offset) : ::write(op.fd, op.data, size(op));
     }},
    {IORING_OP_WRITEV, true, [](Entry* e, Op& op) { io_uring_prep_writev(e, op.fd, parts(op), op.length, offset(op)); },
     [](Op& op) {
       return is_placed(op) ? pwritev(op.fd, parts(op), count(op), op.offset) : writev(op.fd, parts(op), count(op));
     }},
    // OpenAt
    {IORING_OP_OPENAT, true,
     [](Entry* e, Op& op) { io_uring_prep_openat(e, op.fd, op.path, flags(op) | O_CLOEXEC, op.mode); },
     [](Op& op) -> ssize_t { return openat(op.fd, op.path, flags(op) | O_CLOEXEC, op.mode); }},
    // Close: takes no time that a thread would be worth
    {IORING_OP_CLOSE, false, [](Entry* e, Op& op) { io_uring_prep_close(e, op.fd); },
     [](Op& op) -> ssize_t { return close(op.fd); }},
    // Statx
    {IORING_OP_STATX, true,
     [](Entry* e, Op& op) { io_uring_prep_statx(e, op.fd, path(op), flags(op), op.mode, status(op)); },
     [](Op& op) -> ssize_t { return status_at(op.fd, path(op), flags(op), op.mode, *status(op)); }},
    // Fsync
    {IORING_OP_FSYNC, true,
     [](Entry* e, Op& op) { io_uring_prep_fsync(e, op.fd, op.flags ? IORING_FSYNC_DATASYNC : 0); },
     [](Op& op) -> ssize_t { return op.flags ? fdatasync(op.fd) : fsync(op.fd); }},
    // Fallocate
    {IORING_OP_FALLOCATE, true,
     [](Entry* e, Op& op) { io_uring_prep_fallocate(e, op.fd, static_cast<int>(op.mode), op.offset, extent(op)); },
     [](Op& op) -> ssize_t { return fallocate(op.fd, static_cast<int>(op.mode), op.offset, extent(op)); }},
    // Ftruncate
    {kOpFtruncate, true, [](Entry* e, Op& op) { io_uring_prep_rw(kOpFtruncate, e, op.fd, nullptr, 0, offset(op)); },
     [](Op& op) -> ssize_t { return ftruncate(op.fd, op.offset); }},
    // UnlinkAt
    {IORING_OP_UNLINKAT, true, [](Entry* e, Op& op) { io_uring_prep_unlinkat(e, op.fd, op.path, flags(op)); },
     [](Op& op) -> ssize_t { return unlinkat(op.fd, op.path, flags(op)); }},
    // MkdirAt
    {IORING_OP_MKDIRAT, true, [](Entry* e, Op& op) { io_uring_prep_mkdirat(e, op.fd, op.path, op.mode); },
     [](Op& op) -> ssize_t { return mkdirat(op.fd, op.path, op.mode); }},
    // RenameAt
    {IORING_OP_RENAMEAT, true,
     [](Entry* e, Op& op) { io_uring_prep_renameat(e, op.fd, op.path, op.fd2, op.path2, op.flags); },
     [](Op& op) -> ssize_t { return renameat2(op.fd, op.path, op.fd2, op.path2, op.flags); }},
    // LinkAt
    {IORING_OP_LINKAT, true,
     [](Entry* e, Op& op) { io_uring_prep_linkat(e, op.fd, op.path, op.fd2, op.path2, flags(op)); },
     [](Op& op) -> ssize_t { return linkat(op.fd, op.path, op.fd2, op.path2, flags(op)); }},
    // SymlinkAt
    {IORING_OP_SYMLINKAT, true, [](Entry* e, Op& op) { io_uring_prep_symlinkat(e, op.path, op.fd2, op.path2); },
     [](Op& op) -> ssize_t { return symlinkat(op.path, op.fd2, op.path2); }},
    // ReadFile
    {IORING_OP_OPENAT, true, nullptr, read_file},
};
static_assert(sizeof kKinds / sizeof *kKinds == kOpKindCount);
static_assert(kKinds[static_cast<int>(OpKind::Read)].opcode == IORING_OP_READ);
static_assert(kKinds[static_cast<int>(OpKind::Close)].opcode == IORING_OP_CLOSE);
static_assert(kKinds[static_cast<int>(OpKind::LinkAt)].opcode == IORING_OP_LINKAT);

}  // namespace

const OperationKind& kind_of(const Operation& operation) { return kKinds[static_cast<std::size_t>(operation.kind)]; }

int perform_file(const Operation& operation) {
  const auto call = kind_of(operation).call;
  if (!call) return -EINVAL;
  for (;;) {
    const ssize_t result = call(operation);
    if (result >= 0) return static_cast<int>(result);
    // Linux has released the descriptor even when close says EINTR.
    if (errno == EINTR && operation.kind == OpKind::Close) return 0;
    if (errno != EINTR) return -errno;
  }
}

}  // namespace rondo
