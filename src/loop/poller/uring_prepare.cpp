// Operations written as submission entries: one place that knows which field goes where. No decisions are made here.
#include <fcntl.h>
#include <sys/socket.h>

#include "loop/poller/uring_poller.h"

namespace rondo {
namespace {

constexpr unsigned kOpFtruncate = 55;  // IORING_OP_FTRUNCATE (Linux 6.9), newer than liburing 2.3's header

int opcode_of(OpKind kind) {
  switch (kind) {
    case OpKind::Nop:
      return IORING_OP_NOP;
    case OpKind::Poll:
      return IORING_OP_POLL_ADD;
    case OpKind::Accept:
      return IORING_OP_ACCEPT;
    case OpKind::Connect:
      return IORING_OP_CONNECT;
    case OpKind::Recv:
      return IORING_OP_RECV;
    case OpKind::RecvMsg:
      return IORING_OP_RECVMSG;
    case OpKind::Send:
      return IORING_OP_SEND;
    case OpKind::SendMsg:
      return IORING_OP_SENDMSG;
    case OpKind::Read:
      return IORING_OP_READ;
    case OpKind::ReadV:
      return IORING_OP_READV;
    case OpKind::Write:
      return IORING_OP_WRITE;
    case OpKind::WriteV:
      return IORING_OP_WRITEV;
    case OpKind::OpenAt:
      return IORING_OP_OPENAT;
    case OpKind::Close:
      return IORING_OP_CLOSE;
    case OpKind::Statx:
      return IORING_OP_STATX;
    case OpKind::Fsync:
      return IORING_OP_FSYNC;
    case OpKind::Fallocate:
      return IORING_OP_FALLOCATE;
    case OpKind::Ftruncate:
      return kOpFtruncate;
    case OpKind::UnlinkAt:
      return IORING_OP_UNLINKAT;
    case OpKind::MkdirAt:
      return IORING_OP_MKDIRAT;
    case OpKind::RenameAt:
      return IORING_OP_RENAMEAT;
    case OpKind::LinkAt:
      return IORING_OP_LINKAT;
    case OpKind::SymlinkAt:
      return IORING_OP_SYMLINKAT;
    case OpKind::ReadFile:
      return IORING_OP_OPENAT;
  }
  return IORING_OP_LAST;
}

bool is_file_kind(const Operation& operation) {
  switch (operation.kind) {
    case OpKind::Read:
    case OpKind::ReadV:
    case OpKind::Write:
    case OpKind::WriteV:
      return !operation.stream;
    case OpKind::Nop:
    case OpKind::Poll:
    case OpKind::Accept:
    case OpKind::Connect:
    case OpKind::Recv:
    case OpKind::RecvMsg:
    case OpKind::Send:
    case OpKind::SendMsg:
    case OpKind::Close:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool UringPoller::is_for_pool(const Operation& operation) const {
  if (!supported_[static_cast<std::size_t>(opcode_of(operation.kind))]) return true;
  return files_on_pool_ && is_file_kind(operation);
}

void UringPoller::prepare(io_uring_sqe& entry, Operation& op) {
  io_uring_sqe* sqe = &entry;
  const int flags = static_cast<int>(op.flags);
  const auto offset = static_cast<std::uint64_t>(op.offset);
  const auto* parts = static_cast<const iovec*>(op.data);
  switch (op.kind) {
    case OpKind::Nop:
      io_uring_prep_nop(sqe);
      break;
    case OpKind::Poll:
      if (op.multishot)
        io_uring_prep_poll_multishot(sqe, op.fd, op.flags);
      else
        io_uring_prep_poll_add(sqe, op.fd, op.flags);
      break;
    case OpKind::Accept:
      if (op.multishot)
        io_uring_prep_multishot_accept(sqe, op.fd, nullptr, nullptr, SOCK_CLOEXEC);
      else
        io_uring_prep_accept(sqe, op.fd, nullptr, nullptr, SOCK_CLOEXEC);
      break;
    case OpKind::Connect:
      io_uring_prep_connect(sqe, op.fd, static_cast<const sockaddr*>(op.data), op.length);
      break;
    case OpKind::Recv:
      if (op.multishot)
        io_uring_prep_recv_multishot(sqe, op.fd, nullptr, 0, flags);
      else
        io_uring_prep_recv(sqe, op.fd, op.data, op.data ? op.length : UringBuffers::kBufferBytes, flags);
      if (!op.data) {
        sqe->flags |= IOSQE_BUFFER_SELECT;
        sqe->buf_group = UringBuffers::kGroup;
      }
      break;
    case OpKind::RecvMsg:
      io_uring_prep_recvmsg(sqe, op.fd, static_cast<msghdr*>(op.data), op.flags);
      break;
    case OpKind::Send:
      io_uring_prep_send(sqe, op.fd, op.data, op.length, flags | MSG_NOSIGNAL);
      break;
    case OpKind::SendMsg:
      io_uring_prep_sendmsg(sqe, op.fd, static_cast<const msghdr*>(op.data), op.flags | MSG_NOSIGNAL);
      break;
    case OpKind::Read:
      io_uring_prep_read(sqe, op.fd, op.data, op.length, offset);
      break;
    case OpKind::ReadV:
      io_uring_prep_readv(sqe, op.fd, parts, op.length, offset);
      break;
    case OpKind::Write:
      io_uring_prep_write(sqe, op.fd, op.data, op.length, offset);
      break;
    case OpKind::WriteV:
      io_uring_prep_writev(sqe, op.fd, parts, op.length, offset);
      break;
    case OpKind::OpenAt:
      io_uring_prep_openat(sqe, op.fd, op.path, flags | O_CLOEXEC, op.mode);
      break;
    case OpKind::Close:
      io_uring_prep_close(sqe, op.fd);
      break;
    case OpKind::Statx:
      io_uring_prep_statx(sqe, op.fd, op.path ? op.path : "", flags, op.mode, static_cast<struct statx*>(op.data));
      break;
    case OpKind::Fsync:
      io_uring_prep_fsync(sqe, op.fd, flags ? IORING_FSYNC_DATASYNC : 0);
      break;
    case OpKind::Fallocate:
      io_uring_prep_fallocate(sqe, op.fd, static_cast<int>(op.mode), op.offset, static_cast<off_t>(op.length2));
      break;
    case OpKind::Ftruncate:
      io_uring_prep_rw(kOpFtruncate, sqe, op.fd, nullptr, 0, offset);
      break;
    case OpKind::UnlinkAt:
      io_uring_prep_unlinkat(sqe, op.fd, op.path, flags);
      break;
    case OpKind::MkdirAt:
      io_uring_prep_mkdirat(sqe, op.fd, op.path, op.mode);
      break;
    case OpKind::RenameAt:
      io_uring_prep_renameat(sqe, op.fd, op.path, op.fd2, op.path2, op.flags);
      break;
    case OpKind::LinkAt:
      io_uring_prep_linkat(sqe, op.fd, op.path, op.fd2, op.path2, flags);
      break;
    case OpKind::SymlinkAt:
      io_uring_prep_symlinkat(sqe, op.path, op.fd2, op.path2);
      break;
    case OpKind::ReadFile:
      break;  // three entries: start_read_file
  }
  sqe->user_data = reinterpret_cast<std::uintptr_t>(&op) | kResult;
}

}  // namespace rondo
