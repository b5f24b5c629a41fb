// Datagrams of a simulated network: they may be lost, come twice, and overtake each other.
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/sim/sim_addresses.h"
#include "loop/sim/sim_network.h"
#include "loop/sim/sim_parts.h"

namespace rondo {
namespace {

constexpr std::size_t kLargestMessage = 65507;  // what an IPv4 packet has room for
constexpr std::size_t kBuffersOfInbox = 16;  // a receiver's queue, in stream buffers

enum SendFault : std::uint32_t { kNone, kLost, kDoubled, kOvertakes, kNoRoom, kSendFaults };

// The address that a message asks to be sent from (IP_PKTINFO), or none.
Address source_in(const msghdr& message) {
  for (const cmsghdr* header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message), const_cast<cmsghdr*>(header))) {
    if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
      in_pktinfo info;
      std::memcpy(&info, CMSG_DATA(header), sizeof info);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr = info.ipi_spec_dst;
      return {reinterpret_cast<const sockaddr*>(&address), sizeof address};
    }
    if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info;
      std::memcpy(&info, CMSG_DATA(header), sizeof info);
      sockaddr_in6 address{};
      address.sin6_family = AF_INET6;
      address.sin6_addr = info.ipi6_addr;
      return {reinterpret_cast<const sockaddr*>(&address), sizeof address};
    }
  }
  return {};
}

template <class Info>
void add_control(msghdr& message, std::size_t room, int level, int type, const Info& info) {
  if (room < CMSG_SPACE(sizeof info)) return;
  message.msg_controllen = CMSG_SPACE(sizeof info);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = level;
  header->cmsg_type = type;
  header->cmsg_len = CMSG_LEN(sizeof info);
  std::memcpy(CMSG_DATA(header), &info, sizeof info);
}

}  // namespace

void SimNetwork::bind_to_any(Object& object, const Address& target) {
  SimSocket& socket = *object.socket;
  if (socket.is_bound) return;
  socket.local = target.family() == AF_INET6 ? Address::any6(0) : Address::any4(0);
  socket.local.set_port(free_port(object, socket.local));
  socket.is_bound = true;
}

int SimNetwork::connect_datagrams(int fd, const Address& peer) {
  const auto object = socket_at(fd);
  if (!object) return -EBADF;
  if (peer.family() == AF_UNSPEC) {
    object->socket->remote = Address();
    return 0;
  }
  if (peer.family() != object->socket->family) return -EAFNOSUPPORT;
  object->socket->remote = is_any(peer) ? loopback_of(peer) : peer;
  bind_to_any(*object, peer);
  if (is_any(object->socket->local)) {
    const std::uint16_t port = object->socket->local.port();
    object->socket->local = object->socket->remote;
    object->socket->local.set_port(port);
  }
  return 0;
}

// A socket that is connected hears its peer alone, and is chosen before others.
std::shared_ptr<SimNetwork::Object> SimNetwork::receiver_of(const Address& target, const Address& sender) {
  std::shared_ptr<Object> best;
  int best_rank = 0;
  for (const auto& [fd, object] : world_.objects_) {
    if (object->kind != Object::Kind::Datagrams || !object->socket->is_bound) continue;
    const SimSocket& socket = *object->socket;
    if (socket.local.port() != target.port() || !covers(socket.local, socket.is_only_v6, target)) continue;
    const bool is_connected = socket.remote.family() != AF_UNSPEC;
    if (is_connected && (socket.remote.port() != sender.port() || !covers(socket.remote, false, sender))) continue;
    const int rank = is_connected ? 3 : is_any(socket.local) ? 1 : 2;
    if (rank > best_rank) best = object, best_rank = rank;
  }
  return best;
}

void SimNetwork::deliver(Object& receiver, SimSocket::Message message, bool overtakes) {
  SimSocket& socket = *receiver.socket;
  const std::size_t room = kBuffersOfInbox * world_.limits_.stream_bytes;
  if (socket.inbox_bytes > 0 && socket.inbox_bytes + message.data.size() > room) return;  // the queue is full: lost
  if (socket.family == AF_INET6 && message.from.family() == AF_INET) {
    message.from = mapped(message.from);
    message.to = mapped(message.to);
  }
  socket.inbox_bytes += message.data.size();
  const std::size_t place =
      overtakes ? world_.decider_.choose(Choice::Completion, static_cast<std::uint32_t>(socket.inbox.size()) + 1)
                : socket.inbox.size();
  socket.inbox.insert(socket.inbox.begin() + static_cast<std::ptrdiff_t>(place), std::move(message));
  world_.note(receiver);
}

long SimNetwork::send_message(int fd, const msghdr& message) {
  const auto object = socket_at(fd);
  if (!object || object->kind != Object::Kind::Datagrams) return object ? -EINVAL : -EBADF;
  SimSocket& socket = *object->socket;
  if (const int error = std::exchange(socket.error, 0)) return -error;
  Address target =
      message.msg_name ? Address(static_cast<const sockaddr*>(message.msg_name), message.msg_namelen) : socket.remote;
  if (!target.is_ip()) return target.family() == AF_UNSPEC ? -EDESTADDRREQ : -EAFNOSUPPORT;
  if (is_any(target)) target = loopback_of(target);
  const std::vector<iovec> parts(message.msg_iov, message.msg_iov + message.msg_iovlen);
  const std::size_t size = size_of(parts);
  if (size > kLargestMessage) return -EMSGSIZE;
  bind_to_any(*object, socket.family == AF_INET6 ? Address::any6(0) : Address::any4(0));
  const std::uint32_t fault = world_.decider_.choose(Choice::Fault, kSendFaults);
  if (fault != kNone) world_.faults_++;
  if (fault == kNoRoom) return -EAGAIN;

  Address from = source_in(message);
  if (from.family() == AF_UNSPEC) from = is_any(socket.local) ? unmapped(target) : unmapped(socket.local);
  from.set_port(socket.local.port());
  target = unmapped(target);
  if (const auto receiver = receiver_of(target, from)) {
    const SimSocket::Message sent{from, target, gather(parts, size)};
    for (int copies = fault == kLost ? 0 : fault == kDoubled ? 2 : 1; copies > 0; copies--)
      deliver(*receiver, sent, fault == kOvertakes);
  } else if (socket.remote.family() != AF_UNSPEC) {
    socket.error = ECONNREFUSED;  // as ICMP tells a connected socket
    world_.note(*object);
  }
  world_.unblock();
  return static_cast<long>(size);
}

long SimNetwork::receive_message(int fd, msghdr& message) {
  const auto object = socket_at(fd);
  if (!object || object->kind != Object::Kind::Datagrams) return object ? -EINVAL : -EBADF;
  SimSocket& socket = *object->socket;
  if (const int error = std::exchange(socket.error, 0)) return -error;
  if (socket.inbox.empty()) return -EAGAIN;
  const SimSocket::Message received = std::move(socket.inbox.front());
  socket.inbox.pop_front();
  socket.inbox_bytes -= received.data.size();
  const std::vector<iovec> parts(message.msg_iov, message.msg_iov + message.msg_iovlen);
  const std::size_t size = std::min(size_of(parts), received.data.size());
  scatter(parts, received.data.data(), size);
  message.msg_flags = size < received.data.size() ? MSG_TRUNC : 0;
  if (message.msg_name) {
    message.msg_namelen = std::min<socklen_t>(message.msg_namelen, received.from.size());
    std::memcpy(message.msg_name, received.from.data(), message.msg_namelen);
  }
  const std::size_t room = std::exchange(message.msg_controllen, 0);
  if (!socket.tells_destination) return static_cast<long>(size);
  if (received.to.family() == AF_INET6) {
    add_control(message, room, IPPROTO_IPV6, IPV6_PKTINFO,
                in6_pktinfo{.ipi6_addr = ip6(received.to), .ipi6_ifindex = 1});
  } else {
    add_control(message, room, IPPROTO_IP, IP_PKTINFO,
                in_pktinfo{.ipi_ifindex = 1, .ipi_spec_dst = ip4(received.to), .ipi_addr = ip4(received.to)});
  }
  return static_cast<long>(size);
}

}  // namespace rondo
