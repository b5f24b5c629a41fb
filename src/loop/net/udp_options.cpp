// Making, binding and configuring datagram sockets; multicast groups.
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>

#include "loop/net/socket.h"
#include "loop/net/udp_core.h"
#include "rondo/udp.h"

namespace rondo {
namespace {

bool has(UdpBind how, UdpBind flag) { return (static_cast<unsigned>(how) & static_cast<unsigned>(flag)) != 0; }

Result<int> family_of(int fd) {
  int family = 0;
  socklen_t size = sizeof family;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0) return last_failure("getsockopt");
  return family;
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
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size) < 0) return last_failure("open");
  if (type == SOCK_STREAM) return failure(EINVAL, "open");
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
  if (::bind(fd(), address.data(), address.size()) < 0) return last_failure("bind");
  return {};
}

Result<void> Udp::connect(const Address& address) {
  if (is_closing()) return failure(EBADF, "connect");
  if (auto result = ensure_socket(address.family()); !result) return result;
  if (::connect(fd(), address.data(), address.size()) < 0) return last_failure("connect");
  return {};
}

Result<void> Udp::disconnect() {
  if (is_closing() || fd() < 0) return failure(EBADF, "connect");
  if (!Address::remote_of(fd())) return failure(ENOTCONN, "connect");
  const Address nobody;
  if (::connect(fd(), nobody.data(), nobody.size()) < 0) return last_failure("connect");
  return {};
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
