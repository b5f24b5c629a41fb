// A socket address: IPv4, IPv6 or Unix, as a value. Parses and prints numeric addresses only; names are
// the business of dns.h. A value without a loop: any thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace [[gnu::visibility("default")]] rondo {

class Address {
 public:
  // No address: family() is AF_UNSPEC.
  Address();
  Address(const sockaddr* address, socklen_t size);

  // "127.0.0.1", "::1", "fe80::1%eth0". EINVAL when it is none of these.
  [[nodiscard]] static Result<Address> ip(std::string_view host, std::uint16_t port);
  static Address any4(std::uint16_t port);
  static Address any6(std::uint16_t port);
  static Address loopback4(std::uint16_t port);
  static Address loopback6(std::uint16_t port);
  // A path, or with a leading NUL byte a name in Linux's abstract namespace. ENAMETOOLONG over 107 bytes,
  // EINVAL when empty or when a path has a NUL byte inside.
  [[nodiscard]] static Result<Address> unix_socket(std::string_view path);

  // Of a socket: where it is bound, whom it is connected to.
  [[nodiscard]] static Result<Address> local_of(int fd);
  [[nodiscard]] static Result<Address> remote_of(int fd);

  int family() const { return storage_.any.sa_family; }
  bool is_ip() const { return family() == AF_INET || family() == AF_INET6; }
  std::uint16_t port() const;   // 0 for Unix addresses
  void set_port(std::uint16_t port);
  std::string host() const;     // the numeric address, with %scope where there is one; empty for Unix
  std::string path() const;     // Unix: the path or abstract name with its leading NUL; empty when unnamed
  std::string text() const;     // "127.0.0.1:80", "[::1]:80", "/run/x", "@abstract"

  const sockaddr* data() const { return &storage_.any; }
  socklen_t size() const { return size_; }
  // Equal by family, address, port and scope; ordered by family first, then byte by byte.
  friend bool operator==(const Address& a, const Address& b);
  friend std::strong_ordering operator<=>(const Address& a, const Address& b);
  std::size_t hash() const;

 private:
  union Storage {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
    sockaddr_un local;
  };
  Storage storage_;
  socklen_t size_;
};

}  // namespace rondo

template <>
struct std::hash<rondo::Address> {
  std::size_t operator()(const rondo::Address& address) const noexcept { return address.hash(); }
};
