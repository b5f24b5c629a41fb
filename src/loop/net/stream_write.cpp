// Writing: straight to the kernel while nothing is queued (or, with batched writes, with the loop's next wait), then in order
// from the queue; half close when the queue is empty; connections whose writes wait.
#include <fcntl.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/net/stream_boxes.h"

namespace rondo {
namespace {

constexpr std::size_t kBlockingWrite = 4096;  // PIPE_BUF: what a writable blocking pipe takes without blocking
constexpr std::size_t kBatchedWrite = 4096;  // longer ones are worth a system call, and not to be copied

std::size_t total(std::span<const iovec> pieces) {
  std::size_t sum = 0;
  for (const iovec& piece : pieces) sum += piece.iov_len;
  return sum;
}

// After these the kernel takes nothing more; others are about the one write.
bool is_final(int error) {
  return error == EPIPE || error == ECONNRESET || error == ENOTCONN || error == ETIMEDOUT || error == EIO;
}

bool is_writable_now(int fd) {
  pollfd query{fd, POLLOUT, 0};
  return ::poll(&query, 1, 0) > 0;
}

}  // namespace

// Why nothing can be written any more, or 0.
int StreamCore::write_refusal() const {
  if (!is_open() && !connecting_) return EBADF;
  if (!has_write_side_) return EBADF;  // epoll would wait for ever until one can write there
  if (write_error_) [[unlikely]]
    return write_error_;
  return shutting_down_ ? EPIPE : 0;
}

// One attempt; 0 when the kernel takes nothing now.
Result<std::size_t> StreamCore::try_write(const iovec* pieces, std::size_t count, int descriptor) {
  if (const int error = write_refusal()) return failure(error, "write");
  if (connecting_ || !queue_.is_empty()) return 0;
  count = std::min<std::size_t>(count, 1024);  // IOV_MAX
  ssize_t written;
  if (transport_ != Transport::File && descriptor < 0) {
    written = loop_->poller().send_now(fd_, pieces, count);
  } else {
    do {
      written = write_now(pieces, count, descriptor);
    } while (written == -EINTR);
  }
  if (written >= 0) {
    bytes_written += static_cast<std::uint64_t>(written);
    return static_cast<std::size_t>(written);
  }
  if (written == -EAGAIN || written == -EWOULDBLOCK) return 0;
  if (is_final(static_cast<int>(-written))) can_write_ = false;
  // The kernel tells of a reset once; asked again, it only says that the pipe is broken.
  if (written == -ECONNRESET) write_error_ = ECONNRESET;
  return failure(static_cast<int>(-written), "write");
}

// To what is no socket, or with a descriptor along. Bytes or -errno.
ssize_t StreamCore::write_now(const iovec* pieces, std::size_t count, int descriptor) {
  if (transport_ != Transport::File) {
    msghdr message{};
    alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int))]{};
    message.msg_iov = const_cast<iovec*>(pieces);
    message.msg_iovlen = count;
    put_descriptor(message, control, sizeof control, descriptor);
    return loop_->poller().send_message_now(fd_, message);
  }
  if (!blocks_) return loop_->poller().write_now(fd_, pieces, count);
  if (!is_writable_now(fd_)) return 0;
  while (count > 1 && pieces->iov_len == 0) pieces++, count--;
  const ssize_t written = ::write(fd_, pieces->iov_base, std::min(pieces->iov_len, kBlockingWrite));
  return written < 0 ? -errno : written;
}

Result<Progress> StreamCore::write(std::span<const iovec> pieces, OnDone& done, bool copy, int descriptor) {
  if (blocking_writes && queue_.is_empty() && !connecting_ && descriptor < 0) [[unlikely]] {
    const auto written = write_blocking(pieces);
    if (!written) return std::unexpected(written.error());
    return Progress::Done;
  }
  const std::size_t size = total(pieces);
  std::size_t written = 0;
  // Before anything is sent: half a write cannot be taken back.
  if (size > queue_limit - std::min(queue_limit, queued_bytes)) [[unlikely]]
    return failure(ENOBUFS, "write");
  if (batched_writes && size <= kBatchedWrite && loop_->poller().shares_calls()) {
    if (const int error = write_refusal()) return failure(error, "write");
  } else {
    const auto taken = try_write(pieces.data(), pieces.size(), descriptor);
    if (!taken) return std::unexpected(taken.error());
    written = *taken;
  }
  if (written == size && queue_.is_empty() && !connecting_) return Progress::Done;
  enqueue(pieces, written, std::move(done), copy, written > 0 ? -1 : descriptor);
  return Progress::Queued;
}

Result<std::size_t> StreamCore::write_blocking(std::span<const iovec> pieces) {
  std::size_t sum = 0;
  for (iovec piece : pieces) {
    while (piece.iov_len > 0) {
      const auto written = try_write(&piece, 1);
      if (!written) return written;
      if (*written == 0) {
        pollfd query{fd_, POLLOUT, 0};
        if (::poll(&query, 1, -1) < 0 && errno != EINTR) return last_failure("write");
        continue;
      }
      sum += *written;
      piece.iov_base = static_cast<std::byte*>(piece.iov_base) + *written;
      piece.iov_len -= *written;
    }
  }
  return sum;
}

// Without its first `skip` bytes.
void StreamCore::enqueue(std::span<const iovec> pieces, std::size_t skip, OnDone done, bool copy, int descriptor) {
  while (!pieces.empty() && pieces.front().iov_len <= skip) {
    skip -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  const std::size_t size = total(pieces) - skip;
  copy = copy && size > 0;
  auto entry = QueuedWrite::create(copy ? 1 : pieces.size(), copy ? size : 0);
  entry->done = std::move(done);
  entry->descriptor = descriptor;
  if (copy) entry->pieces[0] = {entry->copied(), size};
  std::byte* end = entry->copied();
  std::size_t index = 0;
  for (iovec piece : pieces) {
    const iovec rest{static_cast<std::byte*>(piece.iov_base) + skip, piece.iov_len - skip};
    skip = 0;
    if (copy) {
      end = std::copy_n(static_cast<const std::byte*>(rest.iov_base), rest.iov_len, end);
    } else {
      entry->pieces[index++] = rest;
    }
  }
  queued_bytes += size;
  queue_.push_back(*entry.release());
  if (!connecting_ && !taking_) arm_write();
}

// Gathers from the head of the queue. A descriptor travels with the first piece of its own write, alone.
void StreamCore::arm_write() {
  if (is_writing() || queue_.is_empty()) return;
  Operation& write = write_operation().then(on_write_complete, this);
  if (const iovec* piece = lone_piece()) {
    write.send(fd_, piece->iov_base, static_cast<std::uint32_t>(piece->iov_len), MSG_NOSIGNAL);
    return loop_->submit(write);
  }
  if (!outbox_) outbox_ = std::make_unique_for_overwrite<Outbox>();
  outbox_->message = {};
  std::size_t count = 0;
  for (ListNode* node = &queue_.front(); node != queue_.end_node() && count < kGather; node = node->next) {
    const auto& entry = static_cast<QueuedWrite&>(*node);
    if (entry.descriptor >= 0 && count > 0) break;
    for (std::size_t i = entry.first; i < entry.pieces.size() && count < kGather; i++) {
      outbox_->pieces[count++] = entry.pieces[i];
    }
    if (entry.descriptor >= 0) {
      put_descriptor(outbox_->message, outbox_->control, sizeof outbox_->control, entry.descriptor);
      break;
    }
  }
  if (transport_ == Transport::File) {
    write.writev(fd_, outbox_->pieces.data(), static_cast<std::uint32_t>(count)).as_stream();
  } else {
    outbox_->message.msg_iov = outbox_->pieces.data();
    outbox_->message.msg_iovlen = count;
    write.sendmsg(fd_, &outbox_->message, MSG_NOSIGNAL);
  }
  loop_->submit(write);
}

// The queued bytes, if they are one piece for a plain socket: it needs no message.
const iovec* StreamCore::lone_piece() const {
  const QueuedWrite& head = queue_.front();
  const bool is_alone = head.next == queue_.end_node() && head.first + 1 == head.pieces.size();
  if (!is_alone || transport_ == Transport::File || head.descriptor >= 0) return nullptr;
  const iovec& piece = head.pieces[head.first];
  return piece.iov_len <= UINT32_MAX ? &piece : nullptr;
}

void StreamCore::on_write_complete(Operation& operation, const Completion& completion) {
  StreamCore& core = *static_cast<StreamCore*>(operation.owner);
  Guard guard(core);
  if (!core.usable()) return core.drop_writes();
  if (completion.result < 0) {
    core.write_error_ = -completion.result;
    return core.fail_writes(Error{core.write_error_, "write"});
  }
  core.take_written(static_cast<std::size_t>(completion.result));
  if (!core.usable()) return;
  if (core.queue_.is_empty()) return core.after_drain();
  core.arm_write();
}

// Functions of finished writes run here; each may write more, which only appends (the head is not yet
// trimmed, so nothing may be sent from it), or end everything.
void StreamCore::take_written(std::size_t count) {
  taking_ = true;
  bytes_written += count;
  queued_bytes -= count;
  if (!queue_.is_empty() && count > 0) queue_.front().descriptor = -1;
  while (usable() && !queue_.is_empty()) {
    QueuedWrite& entry = queue_.front();
    while (!entry.is_written() && entry.pieces[entry.first].iov_len <= count)
      count -= entry.pieces[entry.first++].iov_len;
    if (!entry.is_written()) {
      iovec& piece = entry.pieces[entry.first];
      piece.iov_base = static_cast<std::byte*>(piece.iov_base) + count;
      piece.iov_len -= count;
      break;
    }
    entry.unlink();
    const std::unique_ptr<QueuedWrite> finished(&entry);
    call_done(std::move(finished->done), {});
  }
  taking_ = false;
}

void StreamCore::fail_writes(Error error) {
  List<QueuedWrite> failed;
  failed.take(queue_);
  queued_bytes = 0;
  while (!failed.is_empty()) {
    const std::unique_ptr<QueuedWrite> entry(&failed.pop_front());
    if (usable()) call_done(std::move(entry->done), std::unexpected(error));
  }
  if (usable() && has_on_shut_down()) call_done(take_on_shut_down(), std::unexpected(error));
}

Result<std::size_t> StreamCore::try_send_file(int file, std::int64_t offset, std::size_t size) {
  if (const int error = write_refusal()) return failure(error, "sendfile");
  if (transport_ == Transport::File) return failure(EOPNOTSUPP, "sendfile");
  if (!loop_->poller().has_kernel_descriptors()) return failure(ENOSYS, "sendfile");
  if (connecting_ || !queue_.is_empty()) return 0;
  // Sockets of the ring are in blocking mode, and sendfile(2) has no flag for one call. The ring works on this socket only when this
  // thread enters it (DEFER_TASKRUN), so it never sees the other mode.
  const int flags = fcntl(fd_, F_GETFL);
  const bool blocks = flags >= 0 && (flags & O_NONBLOCK) == 0;
  if (blocks) fcntl(fd_, F_SETFL, flags | O_NONBLOCK);
  off_t position = offset;
  const ssize_t sent = ::sendfile(fd_, file, &position, std::min<std::size_t>(size, 0x7ffff000));
  const int error = errno;
  if (blocks) fcntl(fd_, F_SETFL, flags);
  if (sent < 0) {
    if (error == EAGAIN || error == EINTR) return 0;
    if (is_final(error)) can_write_ = false;
    return failure(error, "sendfile");
  }
  bytes_written += static_cast<std::uint64_t>(sent);
  return static_cast<std::size_t>(sent);
}

void StreamCore::call_done(OnDone done, Result<void> result) {
  if (done) done(result);
}

void StreamCore::after_drain() {
  if (shutting_down_ && has_on_shut_down()) {
    Result<void> result;
    if (const int error = finish_sending()) result = failure(error, "shutdown");
    call_done(take_on_shut_down(), result);
  }
  if (usable() && queue_.is_empty()) stream().on_drain_();
}

// Returns the error, or 0. Pipes and terminals have no half.
int StreamCore::finish_sending() {
  return transport_ == Transport::File ? 0 : -loop_->poller().shut_down(fd_, SHUT_WR);
}

Result<Progress> StreamCore::shutdown(OnDone done) {
  if (!is_open() && !connecting_) return failure(ENOTCONN, "shutdown");
  if (std::exchange(shutting_down_, true)) return failure(ENOTCONN, "shutdown");
  if (!queue_.is_empty() || connecting_) {
    rare().on_shut_down = done ? std::move(done) : OnDone([](Result<void>) {});
    return Progress::Queued;
  }
  if (const int error = finish_sending()) return failure(error, "shutdown");
  return Progress::Done;
}

}  // namespace rondo
