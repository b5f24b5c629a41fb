// Comparing addresses of a simulated network: any, loopback, IPv4 inside of IPv6. Ports are compared by who asks.
#pragma once

#include <netinet/in.h>

#include <cstring>

#include "rondo/address.h"

namespace rondo {

inline const in_addr& ip4(const Address& address) {
  return reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr;
}
inline const in6_addr& ip6(const Address& address) {
  return reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr;
}

inline bool is_any(const Address& address) {
  if (address.family() == AF_INET) return ip4(address).s_addr == htonl(INADDR_ANY);
  return address.family() == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&ip6(address));
}

inline Address loopback_of(const Address& address) {
  return address.family() == AF_INET6 ? Address::loopback6(address.port()) : Address::loopback4(address.port());
}

// ::ffff:a.b.c.d
inline Address mapped(const Address& v4) {
  sockaddr_in6 result{};
  result.sin6_family = AF_INET6;
  result.sin6_port = htons(v4.port());
  result.sin6_addr.s6_addr[10] = result.sin6_addr.s6_addr[11] = 0xff;
  std::memcpy(result.sin6_addr.s6_addr + 12, &ip4(v4), 4);
  return {reinterpret_cast<const sockaddr*>(&result), sizeof result};
}

// The IPv4 address inside of one, or the address itself.
inline Address unmapped(const Address& address) {
  if (address.family() != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&ip6(address))) return address;
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(address.port());
  std::memcpy(&result.sin_addr, ip6(address).s6_addr + 12, 4);
  return {reinterpret_cast<const sockaddr*>(&result), sizeof result};
}

// A socket that is bound to `local` gets datagrams and connections for `target`, but for the ports.
inline bool covers(const Address& local, bool is_only_v6, const Address& target) {
  const Address there = unmapped(target), here = unmapped(local);
  if (is_any(here)) return here.family() == there.family() || (here.family() == AF_INET6 && !is_only_v6);
  return here.host() == there.host();
}

}  // namespace rondo
