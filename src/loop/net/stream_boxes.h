// Parts of a stream that are made at first use: the memory that its operations point to while they are in flight, and
// members for connecting, shutting down and holding data. Private to stream.cpp, stream_read.cpp and stream_write.cpp.
#pragma once

#include <array>
#include <new>
#include <span>

#include "loop/net/stream_core.h"

namespace rondo {

// One allocation: the entry, behind it the array of its pieces, behind that the bytes if they were copied.
struct StreamCore::QueuedWrite : ListNode {
  static std::unique_ptr<QueuedWrite> create(std::size_t piece_count, std::size_t copied_bytes) {
    const std::size_t behind = piece_count * sizeof(iovec) + copied_bytes;
    return std::unique_ptr<QueuedWrite>(new (behind) QueuedWrite(piece_count));
  }
  static void* operator new(std::size_t size, std::size_t behind) { return ::operator new(size + behind); }
  static void operator delete(void* memory) { ::operator delete(memory); }

  std::byte* copied() { return reinterpret_cast<std::byte*>(pieces.data() + pieces.size()); }
  bool is_written() const { return first == pieces.size(); }

  OnDone done;
  std::span<iovec> pieces;
  std::size_t first = 0;  // pieces before it are written
  int descriptor = -1;    // to be sent with the first byte

 private:
  explicit QueuedWrite(std::size_t piece_count) : pieces(reinterpret_cast<iovec*>(this + 1), piece_count) {}
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

struct StreamCore::Rare {
  std::vector<std::byte> held;  // R2
  std::vector<std::byte> current;  // held data being looked at
  std::vector<UniqueFd> received;
  OnDone on_connected;
  OnDone on_shut_down;
  Error connect_error;
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
