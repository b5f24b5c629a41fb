// Reading: the operation that stays armed, pieces to the user, what is held while no one wants it.
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/net/stream_boxes.h"

namespace rondo {

Result<void> StreamCore::start_reading(bool once) {
  if (!is_open() && !connecting_) return failure(ENOTCONN, "read");
  reading_ = once ? Reading::Once : Reading::Flowing;
  if (has_held()) {
    // Never from inside the call; the pending phase comes first in the next iteration.
    if (!std::exchange(delivery_deferred_, true)) {
      defer([](IoCore& core) { static_cast<StreamCore&>(core).deliver_held(); });
    }
  } else if (is_open() && !connecting_) {
    arm_read();
  }
  return {};
}

void StreamCore::stop_reading() {
  reading_ = Reading::Stopped;
  if (read_.is_in_flight()) loop_->cancel(read_);
}

void StreamCore::arm_read() {
  if (read_.is_in_flight()) return;  // if it is being cancelled, its last completion arms it again
  switch (transport_) {
    case Transport::Socket:
      read_.recv(fd_).repeatedly();
      break;
    case Transport::Messages:
      if (!inbox_) inbox_ = std::make_unique_for_overwrite<Inbox>();
      inbox_->piece = {inbox_->data, kReadBytes};
      inbox_->message = {};
      inbox_->message.msg_iov = &inbox_->piece;
      inbox_->message.msg_iovlen = 1;
      inbox_->message.msg_control = inbox_->control;
      inbox_->message.msg_controllen = sizeof inbox_->control;
      read_.recvmsg(fd_, &inbox_->message, MSG_CMSG_CLOEXEC);
      break;
    case Transport::File:
      if (!inbox_) inbox_ = std::make_unique_for_overwrite<Inbox>();
      read_.read(fd_, inbox_->data, kReadBytes).as_stream();
      break;
  }
  loop_->submit(read_);
}

void StreamCore::on_read_complete(Operation& operation, const Completion& completion) {
  StreamCore& core = *static_cast<StreamCore*>(operation.owner);
  Guard guard(core);
  core.take_read(completion);
}

void StreamCore::take_read(const Completion& completion) {
  if (transport_ == Transport::Messages && completion.result >= 0) take_descriptors();
  if (!usable()) return;
  const int result = completion.result;
  if (result > 0) {
    const std::byte* data = completion.data ? completion.data : inbox_->data;
    bytes_read += static_cast<std::uint64_t>(result);
    deliver(Bytes(data, static_cast<std::size_t>(result)));
    if (!usable()) return;
  } else if (result == 0 ||
             (result == -EIO && transport_ == Transport::File)) {  // EIO: the terminal's other side is gone
    deliver(Bytes());
    return;
  } else if (result != -ECANCELED && result != -ENOBUFS) {
    deliver(failure(-result, "read"));
    return;
  }
  if (!completion.more && reading_ != Reading::Stopped && end_ == kNoEnd) arm_read();
}

void StreamCore::take_descriptors() {
  for (cmsghdr* header = CMSG_FIRSTHDR(&inbox_->message); header; header = CMSG_NXTHDR(&inbox_->message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; i++) {
      int descriptor;
      std::memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
      UniqueFd held(descriptor);
      if (usable()) rare().received.push_back(std::move(held));  // else closed at once
    }
  }
}

// To the user if one waits, else to Rare::held.
void StreamCore::deliver(Result<Bytes> piece) {
  const bool is_wanted = reading_ == Reading::Flowing || reading_ == Reading::Once;
  if (is_wanted && !has_held()) [[likely]]
    return hand_over(piece);
  if (!piece || piece->empty()) {
    end_ = piece ? 0 : piece.error().number;
    return;
  }
  std::vector<std::byte>& held = rare().held;
  held.insert(held.end(), piece->begin(), piece->end());
  if (held.size() < kHoldBytes) return;
  if (read_.is_in_flight()) loop_->cancel(read_);
  if (!is_wanted) reading_ = Reading::Stopped;
}

// The end and errors stop reading.
void StreamCore::hand_over(Result<Bytes> piece) {
  if (!piece || piece->empty()) {
    if (!piece) can_write_ = false;  // as libuv: a broken connection takes nothing more
    read_over_ = true;
    reading_ = Reading::Stopped;
    stream().deactivate();
  } else if (reading_ == Reading::Once) {
    reading_ = Reading::Waiting;
    stream().deactivate();
  }
  stream().on_read_(std::move(piece));
}

// In the pending phase: what had come before anyone wanted it.
void StreamCore::deliver_held() {
  delivery_deferred_ = false;
  if (reading_ != Reading::Flowing && reading_ != Reading::Once) return;
  const bool is_flowing = reading_ == Reading::Flowing;
  while (usable() && has_held() && (reading_ == Reading::Flowing || reading_ == Reading::Once)) {
    if (!is_flowing && reading_ == Reading::Once && delivery_deferred_) break;  // asked again: next time
    if (auto piece = take_held()) {
      hand_over(*piece);
      if (!is_flowing) break;
    }
  }
  if (usable() && reading_ != Reading::Stopped && !has_held()) arm_read();
}

bool StreamCore::has_held_bytes() const { return rare_ && !rare_->held.empty(); }

std::optional<Result<Bytes>> StreamCore::take_held() {
  if (has_held_bytes()) {
    rare_->current.clear();
    rare_->current.swap(rare_->held);
    return Result<Bytes>(Bytes(rare_->current));
  }
  if (end_ == kNoEnd) return std::nullopt;
  const int error = std::exchange(end_, kNoEnd);
  return error == 0 ? Result<Bytes>(Bytes()) : Result<Bytes>(failure(error, "read"));
}

}  // namespace rondo
