// The memory that a stream's operations point to while they are in flight. Private to stream_read.cpp
// and stream_write.cpp.
#pragma once

#include <array>

#include "loop/net/stream_core.h"

namespace rondo {

struct StreamCore::QueuedWrite : ListNode {
  OnDone done;
  std::vector<iovec> pieces;
  std::size_t first = 0;  // pieces before it are written
  std::unique_ptr<std::byte[]> copy;
  int descriptor = -1;    // to be sent with the first byte

  bool is_written() const { return first == pieces.size(); }
};

struct StreamCore::Inbox {
  msghdr message{};
  iovec piece{};
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int) * kMaxDescriptors)];
  std::byte data[kReadBytes];
};

struct StreamCore::Outbox {
  msghdr message{};
  std::array<iovec, kGather> pieces;
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int))];
};

// Makes `message` carry one descriptor.
inline void put_descriptor(msghdr& message, std::byte* control, std::size_t size, int descriptor) {
  message.msg_control = control;
  message.msg_controllen = size;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  __builtin_memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
}

}  // namespace rondo
