// Making, binding and configuring datagram sockets; multicast groups.
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>

#include <cerrno>
#include <cstring>

#include "loop/net/socket.h"
#include "loop/net/udp_core.h"
#include "rondo/udp.h"

namespace rondo {
namespace {

bool has(UdpBind how, UdpBind flag) { return (static_cast<unsigned>(how) & static_cast<unsigned>(flag)) != 0; }

Result<int> family_of(int fd) { return get_option(fd, SOL_SOCKET, SO_DOMAIN); }

// connect(2) of datagram sockets: 0 or the error.
int connect_descriptor(int fd, const Address& peer) {
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]]
    return -sockets->connect_datagrams(fd, peer);
  return ::connect(fd, peer.data(), peer.size()) < 0 ? errno : 0;
}

// The number of the interface that has a numeric address, or that a scope names. 0: the kernel chooses.
Result<unsigned> interface_index(std::string_view text) {
  if (text.empty()) return 0u;
  const auto address = Address::ip(text, 0);
  if (!address) return std::unexpected(address.error());
  if (address->family() != AF_INET6) return failure(EINVAL, "setsockopt");
  return reinterpret_cast<const sockaddr_in6*>(address->data())->sin6_scope_id;
}

// IPv4 names an interface by one of its addresses.
Result<in_addr> interface_address(std::string_view text) {
  if (text.empty()) return in_addr{htonl(INADDR_ANY)};
  const auto address = Address::ip(text, 0);
  if (!address || address->family() != AF_INET) return failure(EINVAL, "setsockopt");
  return reinterpret_cast<const sockaddr_in*>(address->data())->sin_addr;
}

Result<void> change_group(int fd, std::string_view group, std::string_view interface, bool join) {
  const auto address = Address::ip(group, 0);
  if (!address) return failure(EINVAL, "setsockopt");
  if (address->family() == AF_INET) {
    const auto local = interface_address(interface);
    if (!local) return std::unexpected(local.error());
    ip_mreq request{reinterpret_cast<const sockaddr_in*>(address->data())->sin_addr, *local};
    return set_option(fd, IPPROTO_IP, join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, request);
  }
  const auto index = interface_index(interface);
  if (!index) return std::unexpected(index.error());
  ipv6_mreq request{reinterpret_cast<const sockaddr_in6*>(address->data())->sin6_addr, *index};
  return set_option(fd, IPPROTO_IPV6, join ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP, request);
}

Result<void> change_source(int fd, std::string_view source, std::string_view group, std::string_view interface,
                           bool join) {
  const auto from = Address::ip(source, 0);
  const auto to = Address::ip(group, 0);
  if (!from || !to || from->family() != to->family()) return failure(EINVAL, "setsockopt");
  if (to->family() == AF_INET) {
    const auto local = interface_address(interface);
    if (!local) return std::unexpected(local.error());
    ip_mreq_source request{};
    request.imr_multiaddr = reinterpret_cast<const sockaddr_in*>(to->data())->sin_addr;
    request.imr_interface = *local;
    request.imr_sourceaddr = reinterpret_cast<const sockaddr_in*>(from->data())->sin_addr;
    return set_option(fd, IPPROTO_IP, join ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP, request);
  }
  const auto index = interface_index(interface);
  if (!index) return std::unexpected(index.error());
  group_source_req request{};
  request.gsr_interface = *index;
  std::memcpy(&request.gsr_group, to->data(), to->size());
  std::memcpy(&request.gsr_source, from->data(), from->size());
  return set_option(fd, IPPROTO_IPV6, join ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP, request);
}

Result<void> set_by_family(int fd, int v4_name, int v6_name, int value) {
  const auto family = family_of(fd);
  if (!family) return std::unexpected(family.error());
  if (*family == AF_INET6) return set_option(fd, IPPROTO_IPV6, v6_name, value);
  return set_option(fd, IPPROTO_IP, v4_name, value);
}

}  // namespace

Result<void> Udp::ensure_socket(int family) {
  if (fd() >= 0) return {};
  auto socket = make_socket(loop(), family, SOCK_DGRAM);
  if (!socket) return std::unexpected(socket.error());
  core().open(socket->release());
  return {};
}

Result<void> Udp::open(UniqueFd socket) {
  if (is_closing() || !socket) return failure(EBADF, "open");
  if (fd() >= 0) return failure(EBUSY, "open");
  const auto type = get_option(socket.get(), SOL_SOCKET, SO_TYPE);
  if (!type) return failure(type.error().number, "open");
  if (*type == SOCK_STREAM) return failure(EINVAL, "open");
  adopt_mode(loop(), socket.get());
  core().open(socket.release());
  return {};
}

Result<void> Udp::bind(const Address& address, UdpBind how) {
  if (is_closing()) return failure(EBADF, "bind");
  if (has(how, UdpBind::Ipv6Only) && address.family() != AF_INET6) return failure(EINVAL, "bind");
  if (auto result = ensure_socket(address.family()); !result) return result;
  if (has(how, UdpBind::ReuseAddress)) {
    if (auto result = set_option(fd(), SOL_SOCKET, SO_REUSEADDR, 1); !result) return result;
  }
  if (has(how, UdpBind::ReusePort)) {
    if (auto result = set_option(fd(), SOL_SOCKET, SO_REUSEPORT, 1); !result) return result;
  }
  if (has(how, UdpBind::Ipv6Only)) {
    if (auto result = set_option(fd(), IPPROTO_IPV6, IPV6_V6ONLY, 1); !result) return result;
  }
  if (has(how, UdpBind::ReceiveErrors)) {
    if (auto result = set_by_family(fd(), IP_RECVERR, IPV6_RECVERR, 1); !result) return result;
  }
  const int error = bind_descriptor(fd(), address);
  return error ? failure(error, "bind") : Result<void>();
}

Result<void> Udp::connect(const Address& address) {
  if (is_closing()) return failure(EBADF, "connect");
  if (auto result = ensure_socket(address.family()); !result) return result;
  const int error = connect_descriptor(fd(), address);
  return error ? failure(error, "connect") : Result<void>();
}

Result<void> Udp::disconnect() {
  if (is_closing() || fd() < 0) return failure(EBADF, "connect");
  if (!Address::remote_of(fd())) return failure(ENOTCONN, "connect");
  const int error = connect_descriptor(fd(), Address());
  return error ? failure(error, "connect") : Result<void>();
}

// An IPv6 socket that takes IPv4 too tells of both by IPV6_PKTINFO.
Result<void> Udp::set_packet_info(bool on) {
  auto result = set_by_family(fd(), IP_PKTINFO, IPV6_RECVPKTINFO, static_cast<int>(on));
  if (result) core().wants_packet_info = on;
  return result;
}

Result<void> Udp::set_receive_offload(bool on) {
  auto result = set_option(fd(), SOL_UDP, UDP_GRO, static_cast<int>(on));
  if (result) core().has_receive_offload = on;
  return result;
}

Result<void> Udp::set_broadcast(bool on) { return set_option(fd(), SOL_SOCKET, SO_BROADCAST, static_cast<int>(on)); }

Result<void> Udp::set_ttl(int hops) {
  if (hops < 1 || hops > 255) return failure(EINVAL, "setsockopt");
  return set_by_family(fd(), IP_TTL, IPV6_UNICAST_HOPS, hops);
}

Result<void> Udp::set_multicast_ttl(int hops) {
  if (hops < 0 || hops > 255) return failure(EINVAL, "setsockopt");
  return set_by_family(fd(), IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS, hops);
}

Result<void> Udp::set_multicast_loopback(bool on) {
  return set_by_family(fd(), IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP, static_cast<int>(on));
}

Result<void> Udp::set_multicast_interface(std::string_view address) {
  const auto family = family_of(fd());
  if (!family) return std::unexpected(family.error());
  if (*family == AF_INET6) {
    const auto index = interface_index(address);
    if (!index) return std::unexpected(index.error());
    return set_option(fd(), IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(*index));
  }
  const auto local = interface_address(address);
  if (!local) return std::unexpected(local.error());
  return set_option(fd(), IPPROTO_IP, IP_MULTICAST_IF, *local);
}

Result<void> Udp::join_group(std::string_view group, std::string_view interface) {
  return change_group(fd(), group, interface, true);
}

Result<void> Udp::leave_group(std::string_view group, std::string_view interface) {
  return change_group(fd(), group, interface, false);
}

Result<void> Udp::join_source_group(std::string_view source, std::string_view group, std::string_view interface) {
  return change_source(fd(), source, group, interface, true);
}

Result<void> Udp::leave_source_group(std::string_view source, std::string_view group, std::string_view interface) {
  return change_source(fd(), source, group, interface, false);
}

}  // namespace rondo
