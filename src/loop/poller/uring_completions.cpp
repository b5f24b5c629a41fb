// Completion entries read and turned into completions: retries that owners never see, provided buffers, whole-file chains.
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "loop/poller/poison.h"
#include "loop/poller/perform.h"
#include "loop/poller/uring_poller.h"

namespace rondo {

Operation* UringPoller::next(Completion& completion) {
  if (held_buffer_ >= 0) {
    poison(buffers_.data(held_buffer_), UringBuffers::kBufferBytes);
    buffers_.give_back(std::exchange(held_buffer_, -1));
  }
  poison(bulk_buffer_.get(), kReceiveBytes);
  completion.data = nullptr;
  if (!done_.is_empty()) {
    Operation& operation = done_.pop_front();
    return hand_out(operation, operation.poller_result_, completion);
  }
  while (!row_.is_empty()) {
    if (Operation* operation = receive_now(row_.pop_front(), completion)) return operation;
  }
  row_length_ = 0;
  while (io_uring_cq_ready(&ring_) > 0) {
    const io_uring_cqe entry = ring_.cq.cqes[*ring_.cq.khead & ring_.cq.ring_mask];
    io_uring_cq_advance(&ring_, 1);
    if (Operation* operation = take(entry, completion)) return operation;
  }
  while (!due_.is_empty()) {
    if (Operation* operation = receive_now(due_.pop_front(), completion)) return operation;
  }
  return nullptr;
}

// The last completion of an operation.
Operation* UringPoller::hand_out(Operation& operation, int result, Completion& completion) {
  operation.unlink();
  operation.poller_state_ = kDone;
  if (!cancels_.empty()) [[unlikely]]
    std::erase(cancels_, &operation);
  completion = {result, false, completion.data};
  return &operation;
}

// Null: nothing for the loop.
Operation* UringPoller::take(const io_uring_cqe& entry, Completion& completion) {
  if (entry.user_data == kIgnored) return nullptr;
  if (entry.user_data == kWoken) {
    if (!(entry.flags & IORING_CQE_F_MORE)) arm_wake();
    return nullptr;
  }
  const auto part = static_cast<Tag>(entry.user_data & kTagMask);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel carries the address as a number
  auto& operation = *reinterpret_cast<Operation*>(entry.user_data & ~std::uint64_t{kTagMask});
  if (operation.kind == OpKind::ReadFile) return take_read_file(operation, part, entry.res, completion);
  if (part != kPolled) return take_result(operation, entry.res, entry.flags, completion);
  if (operation.poller_flags_ & kWatched) {
    return take_watch(operation, entry.res, (entry.flags & IORING_CQE_F_MORE) != 0, completion);
  }

  // The descriptor has become ready, or the poll failed.
  if (operation.cancelled_) return hand_out(operation, -ECANCELED, completion);
  if (entry.res < 0) return hand_out(operation, entry.res, completion);
  if (operation.kind == OpKind::Connect) {
    return hand_out(operation, perform_stream(operation, {}, 0), completion);  // asks the socket how it went
  }
  operation.unlink();
  start(operation);
  return nullptr;
}

Operation* UringPoller::take_result(Operation& operation, int result, unsigned flags, Completion& completion) {
  const bool kernel_goes_on = (flags & IORING_CQE_F_MORE) != 0;
  if (flags & IORING_CQE_F_BUFFER) {
    held_buffer_ = static_cast<int>(flags >> IORING_CQE_BUFFER_SHIFT);
    completion.data = buffers_.data(held_buffer_);
    unpoison(completion.data, static_cast<std::size_t>(result));
    if (result == static_cast<int>(UringBuffers::kBufferBytes) && !(operation.poller_flags_ & kBulk)) {
      operation.poller_flags_ |= kBulk;
      operation.poller_count_ = kPatience;
      if (kernel_goes_on && !operation.cancelled_) ask_for_cancel(operation);
    }
  }
  if (result < 0 && !operation.cancelled_) {
    if (result == -ECANCELED && is_bulk(operation) && !kernel_goes_on) {  // as asked for: bulk receiving begins
      operation.unlink();
      start(operation);
      return nullptr;
    }
    if (result == -ENOBUFS && operation.kind == OpKind::Recv && !operation.data) {
      buffers_.grow();
      operation.unlink();
      start(operation);
      return nullptr;
    }
    if (result == -EINTR) {
      operation.unlink();
      start(operation);
      return nullptr;
    }
    if (result == -EAGAIN || (result == -EINPROGRESS && operation.kind == OpKind::Connect)) {
      const Direction direction = direction_of(operation);
      if (direction != Direction::None) {
        poll_then_retry(operation, direction == Direction::Read);
        return nullptr;
      }
    }
  }
  // Cancelled while it was about to be tried again.
  if (operation.cancelled_ && (result == -EINTR || result == -EAGAIN || result == -EINPROGRESS || result == -ENOBUFS)) {
    result = -ECANCELED;
  }
  completion.result = result;
  if (kernel_goes_on) {
    completion.more = true;
    return &operation;
  }
  // U5: a stream that has ended (0), errors and what is ready for ever are final; else the kernel has merely let go.
  const bool may_go_on = operation.multishot && !operation.cancelled_ &&
                         (operation.kind == OpKind::Recv ? result > 0 : result >= 0) &&
                         !(operation.kind == OpKind::Poll && is_always_ready(operation.fd));
  operation.unlink();
  if (may_go_on) {
    completion.more = true;
    start(operation);
    return &operation;
  }
  return hand_out(operation, result, completion);
}

// A descriptor in non-blocking mode answers EAGAIN at once: wait for readiness and start again.
void UringPoller::poll_then_retry(Operation& operation, bool is_read) {
  io_uring_sqe* sqe = entry_of(operation);
  if (!sqe) return;
  operation.poller_state_ = kPolling;
  io_uring_prep_poll_add(sqe, operation.fd, is_read ? POLLIN | POLLRDHUP : POLLOUT);
  sqe->user_data = reinterpret_cast<std::uintptr_t>(&operation) | kPolled;
}

// A chain is over when all three entries are back; a failed open cancels the other two.
Operation* UringPoller::take_read_file(Operation& operation, Tag part, int result, Completion& completion) {
  if (part == kOpened && result < 0) operation.flags = static_cast<std::uint32_t>(-result);
  if (part == kResult) operation.poller_result_ = result;
  if (--operation.poller_count_ > 0) return nullptr;
  free_slots_.push_back(operation.fd2);
  return hand_out(operation, operation.flags ? -static_cast<int>(operation.flags) : operation.poller_result_,
                  completion);
}

}  // namespace rondo
