// Datagrams as system calls: one, many, cut by the kernel; control messages of both directions. No state; Udp calls it.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <span>

#include "rondo/udp.h"

namespace rondo {

inline constexpr std::size_t kControlBytes = 128;  // packet info and segment size

struct PacketInfo {
  Address to;  // no address: not told
  unsigned interface = 0;
  std::size_t segment = 0;  // above zero: messages of this size were joined
};
PacketInfo packet_info_in(const msghdr& message);

// Bytes or -errno; never EINTR. `to` null: to the connected peer.
long send_datagram(int fd, Bytes data, const Address* to);
inline bool has_to_wait(long sent) { return sent == -EAGAIN || sent == -EWOULDBLOCK || sent == -ENOBUFS; }
// How many the kernel took. An error only if it took none.
Result<std::size_t> send_messages(int fd, std::span<const OutgoingDatagram> messages);
// How many bytes the kernel took.
Result<std::size_t> send_segments(int fd, Bytes data, std::uint16_t segment, const Address* to);

}  // namespace rondo
