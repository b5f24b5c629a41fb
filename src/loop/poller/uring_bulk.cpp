// Bulk receiving on the ring (U4): a multishot poll request says when data has come, and calls receive it into one buffer. For large
// pieces that beats provided buffers, which are cold in the cache by the time they are read.
//
// The request is watching (kWatched) from the first wait for data to the operation's end. Like an edge of epoll it speaks up
// when something new has come, not while something old is there: so after a piece that may not have been all, the operation
// receives again (kReceiving) without being told. It cannot end before its request has.
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "loop/poller/poison.h"
#include "loop/poller/perform.h"
#include "loop/poller/uring_poller.h"

namespace rondo {

bool UringPoller::is_bulk(const Operation& operation) {
  return (operation.poller_flags_ & kBulk) && operation.kind == OpKind::Recv && operation.multishot && !operation.data;
}

// The operation is in in_flight_.
void UringPoller::watch(Operation& operation) {
  operation.poller_state_ = kPolling;
  if (operation.poller_flags_ & kWatched) return;
  io_uring_sqe* sqe = entry_of(operation);
  if (!sqe) return;
  io_uring_prep_poll_multishot(sqe, operation.fd, POLLIN | POLLPRI | POLLRDHUP);
  sqe->user_data = reinterpret_cast<std::uintptr_t>(&operation) | kPolled;
  operation.poller_flags_ |= kWatched;
  if (may_stop_short(operation.fd)) operation.poller_flags_ |= kStopsShort;
}

// `more`: the request goes on watching.
Operation* UringPoller::take_watch(Operation& operation, int events, bool more, Completion& completion) {
  if (!more) operation.poller_flags_ &= static_cast<std::uint8_t>(~kWatched);
  if (operation.poller_state_ == kEnding) {
    return more ? nullptr : hand_out(operation, operation.poller_result_, completion);
  }
  if (operation.cancelled_) return more ? nullptr : hand_out(operation, -ECANCELED, completion);
  if (!is_bulk(operation)) {  // the other way of receiving begins
    if (more) return nullptr;
    operation.unlink();
    start(operation);
    return nullptr;
  }
  if (events > 0 && (events & (POLLPRI | POLLRDHUP | POLLHUP | POLLERR))) operation.poller_flags_ |= kStopsShort;
  if (operation.poller_state_ == kReceiving) return nullptr;
  if (events < 0) return hand_out(operation, events, completion);
  return receive_now(operation, completion);
}

// Data valid until the next completion is handed out may lie in the one buffer.
Operation* UringPoller::receive_now(Operation& operation, Completion& completion) {
  if (!bulk_buffer_) bulk_buffer_ = receive_buffer();
  unpoison(bulk_buffer_.get(), kReceiveBytes);
  const int result = perform_stream(operation, {bulk_buffer_.get(), kReceiveBytes}, 0);
  operation.unlink();
  if (result == -EAGAIN) {
    in_flight_.push_back(operation);
    watch(operation);
    return nullptr;
  }
  if (result <= 0) return end_bulk(operation, result, completion);
  completion = {result, true, bulk_buffer_.get()};
  const bool is_large = result >= static_cast<int>(UringBuffers::kBufferBytes / 2);
  operation.poller_count_ = is_large ? kPatience : static_cast<std::uint8_t>(operation.poller_count_ - 1);
  if (operation.poller_count_ == 0) {
    leave_bulk(operation);
  } else if (result == static_cast<int>(kReceiveBytes) || (operation.poller_flags_ & kStopsShort)) {
    receive_again(operation);
  } else {
    in_flight_.push_back(operation);
    watch(operation);
  }
  return &operation;
}

OwnedMemory UringPoller::take_buffer(const std::byte* data) {
  return data == bulk_buffer_.get() ? std::move(bulk_buffer_) : OwnedMemory();
}

Operation* UringPoller::end_bulk(Operation& operation, int result, Completion& completion) {
  if (!(operation.poller_flags_ & kWatched)) return hand_out(operation, result, completion);
  operation.poller_state_ = kEnding;
  operation.poller_result_ = result;
  in_flight_.push_back(operation);
  ask_for_cancel(operation);
  return nullptr;
}

void UringPoller::receive_again(Operation& operation) {
  operation.poller_state_ = kReceiving;
  (row_length_++ < kLongestRow ? row_ : again_).push_back(operation);
}

void UringPoller::leave_bulk(Operation& operation) {
  operation.poller_flags_ &= static_cast<std::uint8_t>(~kBulk);
  if (!(operation.poller_flags_ & kWatched)) return start(operation);
  operation.poller_state_ = kPolling;
  in_flight_.push_back(operation);
  ask_for_cancel(operation);
}

}  // namespace rondo
