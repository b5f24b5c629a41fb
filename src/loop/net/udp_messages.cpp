// See the header.
#include "loop/net/udp_messages.h"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "loop/net/simulated_sockets.h"

namespace rondo {
namespace {

constexpr int kFlags = MSG_DONTWAIT | MSG_NOSIGNAL;
constexpr std::size_t kAtOnce = 64;  // messages in one call; also the kernel's UDP_MAX_SEGMENTS
constexpr std::size_t kMostBytes = 65507;

struct alignas(cmsghdr) Control {
  std::byte bytes[kControlBytes];
};

template <class Value>
void add_control(msghdr& message, Control& control, int level, int type, const Value& value) {
  message.msg_control = &control;
  message.msg_controllen = CMSG_SPACE(sizeof value);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = level;
  header->cmsg_type = type;
  header->cmsg_len = CMSG_LEN(sizeof value);
  std::memcpy(CMSG_DATA(header), &value, sizeof value);
}

void send_from(msghdr& message, Control& control, const Address& from) {
  if (from.family() == AF_INET) {
    in_pktinfo info{};
    info.ipi_spec_dst = reinterpret_cast<const sockaddr_in*>(from.data())->sin_addr;
    add_control(message, control, IPPROTO_IP, IP_PKTINFO, info);
  } else if (from.family() == AF_INET6) {
    in6_pktinfo info{};
    const auto* address = reinterpret_cast<const sockaddr_in6*>(from.data());
    info.ipi6_addr = address->sin6_addr;
    info.ipi6_ifindex = address->sin6_scope_id;
    add_control(message, control, IPPROTO_IPV6, IPV6_PKTINFO, info);
  }
}

void send_to(msghdr& message, const Address* to) {
  if (!to) return;
  message.msg_name = const_cast<sockaddr*>(to->data());
  message.msg_namelen = to->size();
}

// sendmmsg(2): how many, or -errno.
int send_all(int fd, mmsghdr* headers, std::size_t count) {
  SimulatedSockets* const sockets = simulated_sockets(fd);
  if (!sockets) [[likely]] {
    const int taken = sendmmsg(fd, headers, static_cast<unsigned>(count), kFlags);
    return taken < 0 ? -errno : taken;
  }
  for (std::size_t i = 0; i < count; i++) {
    const long sent = sockets->send_message(fd, headers[i].msg_hdr);
    if (sent < 0) return i > 0 ? static_cast<int>(i) : static_cast<int>(sent);
  }
  return static_cast<int>(count);
}

Result<std::size_t> send_one_by_one(int fd, Bytes data, std::uint16_t segment, const Address* to) {
  std::vector<OutgoingDatagram> messages;
  for (Bytes rest = data; !rest.empty(); rest = rest.subspan(messages.back().data.size()))
    messages.push_back({rest.first(std::min<std::size_t>(segment, rest.size())), to});
  const auto sent = send_messages(fd, messages);
  if (!sent) return sent;
  return std::min(*sent * segment, data.size());
}

}  // namespace

PacketInfo packet_info_in(const msghdr& message) {
  PacketInfo result;
  auto& mutable_message = const_cast<msghdr&>(message);
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&mutable_message, header)) {
    if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
      in_pktinfo info;
      std::memcpy(&info, CMSG_DATA(header), sizeof info);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr = info.ipi_addr;
      result.to = Address(reinterpret_cast<const sockaddr*>(&address), sizeof address);
      result.interface = static_cast<unsigned>(info.ipi_ifindex);
    } else if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info;
      std::memcpy(&info, CMSG_DATA(header), sizeof info);
      sockaddr_in6 address{};
      address.sin6_family = AF_INET6;
      address.sin6_addr = info.ipi6_addr;
      if (IN6_IS_ADDR_LINKLOCAL(&info.ipi6_addr)) address.sin6_scope_id = info.ipi6_ifindex;
      result.to = Address(reinterpret_cast<const sockaddr*>(&address), sizeof address);
      result.interface = info.ipi6_ifindex;
    } else if (header->cmsg_level == SOL_UDP && header->cmsg_type == UDP_GRO) {
      int size;
      std::memcpy(&size, CMSG_DATA(header), sizeof size);
      result.segment = static_cast<std::size_t>(std::max(size, 0));
    }
  }
  return result;
}

long send_datagram(int fd, Bytes data, const Address* to) {
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]] {
    iovec piece{const_cast<std::byte*>(data.data()), data.size()};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    send_to(message, to);
    return sockets->send_message(fd, message);
  }
  for (;;) {
    const ssize_t sent = to ? ::sendto(fd, data.data(), data.size(), kFlags, to->data(), to->size())
                            : ::send(fd, data.data(), data.size(), kFlags);
    if (sent >= 0) return sent;
    if (errno != EINTR) return -errno;
  }
}

Result<std::size_t> send_messages(int fd, std::span<const OutgoingDatagram> messages) {
  std::size_t sent = 0;
  while (sent < messages.size()) {
    std::array<mmsghdr, kAtOnce> headers{};
    std::array<iovec, kAtOnce> pieces;
    std::array<Control, kAtOnce> controls;
    const std::size_t count = std::min(headers.size(), messages.size() - sent);
    for (std::size_t i = 0; i < count; i++) {
      const OutgoingDatagram& message = messages[sent + i];
      pieces[i] = {const_cast<std::byte*>(message.data.data()), message.data.size()};
      msghdr& header = headers[i].msg_hdr;
      header.msg_iov = &pieces[i];
      header.msg_iovlen = 1;
      send_to(header, message.to);
      if (message.from) send_from(header, controls[i], *message.from);
    }
    const int taken = send_all(fd, headers.data(), count);
    if (taken == -EINTR) continue;
    if (taken < 0 && sent == 0 && !has_to_wait(taken)) return failure(-taken, "sendmmsg");
    if (taken <= 0) break;
    sent += static_cast<std::size_t>(taken);
    if (static_cast<std::size_t>(taken) < count) break;
  }
  return sent;
}

Result<std::size_t> send_segments(int fd, Bytes data, std::uint16_t segment, const Address* to) {
  if (simulated_sockets(fd)) return send_one_by_one(fd, data, segment, to);
  const std::size_t at_once = std::min<std::size_t>(kAtOnce, kMostBytes / segment) * segment;
  if (at_once == 0) return failure(EMSGSIZE, "sendmsg");
  std::size_t sent = 0;
  while (sent < data.size()) {
    const Bytes part = data.subspan(sent, std::min(at_once, data.size() - sent));
    if (part.size() <= segment) {  // nothing to cut
      const long taken = send_datagram(fd, part, to);
      if (taken < 0 && sent == 0 && !has_to_wait(taken)) return failure(static_cast<int>(-taken), "sendmsg");
      return taken < 0 ? sent : sent + part.size();
    }
    iovec piece{const_cast<std::byte*>(part.data()), part.size()};
    msghdr message{};
    Control control;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    send_to(message, to);
    add_control(message, control, SOL_UDP, UDP_SEGMENT, segment);
    if (::sendmsg(fd, &message, kFlags) >= 0) {
      sent += part.size();
      continue;
    }
    if (errno == EINTR) continue;
    // EIO: a card without checksums; EINVAL, ENOPROTOOPT: no such option, or no such socket.
    if (errno == EIO || errno == EINVAL || errno == ENOPROTOOPT || errno == EOPNOTSUPP) {
      const auto rest = send_one_by_one(fd, data.subspan(sent), segment, to);
      if (!rest && sent == 0) return rest;
      return sent + rest.value_or(0);
    }
    if (sent == 0 && !has_to_wait(-errno)) return last_failure("sendmsg");
    break;
  }
  return sent;
}

}  // namespace rondo
