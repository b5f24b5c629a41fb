// Addresses: parsing, printing, asking a socket for its own.
#include "rondo/address.h"

#include "loop/explore/virtual_network.h"
#include "loop/net/simulated_sockets.h"
#include "rondo/recording.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace rondo {
namespace {

constexpr std::size_t kPathOffset = offsetof(sockaddr_un, sun_path);

// A scope is an interface's name or its number.
bool parse_scope(std::string_view text, std::uint32_t& scope) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scope);
  if (error == std::errc() && end == text.data() + text.size()) return true;
  scope = if_nametoindex(std::string(text).c_str());
  return scope != 0;
}

}  // namespace

Address::Address() : size_(sizeof(sockaddr)) { std::memset(&storage_, 0, sizeof storage_); }

Address::Address(const sockaddr* address, socklen_t size) : Address() {
  size_ = std::min<socklen_t>(size, sizeof storage_);
  std::memcpy(&storage_, address, size_);
}

Result<Address> Address::ip(std::string_view host, std::uint16_t port) {
  Address result;
  const std::string text(host.substr(0, host.find('%')));
  if (text.size() == host.size() && inet_pton(AF_INET, text.c_str(), &result.storage_.v4.sin_addr) == 1) {
    result.storage_.v4.sin_family = AF_INET;
    result.size_ = sizeof(sockaddr_in);
  } else if (inet_pton(AF_INET6, text.c_str(), &result.storage_.v6.sin6_addr) == 1) {
    result.storage_.v6.sin6_family = AF_INET6;
    result.size_ = sizeof(sockaddr_in6);
    if (text.size() < host.size() && !parse_scope(host.substr(text.size() + 1), result.storage_.v6.sin6_scope_id)) {
      return failure(EINVAL, "inet_pton");
    }
  } else {
    return failure(EINVAL, "inet_pton");
  }
  result.set_port(port);
  return result;
}

Address Address::any4(std::uint16_t port) {
  Address result;
  result.storage_.v4.sin_family = AF_INET;
  result.size_ = sizeof(sockaddr_in);
  result.set_port(port);
  return result;
}

Address Address::any6(std::uint16_t port) {
  Address result;
  result.storage_.v6.sin6_family = AF_INET6;
  result.size_ = sizeof(sockaddr_in6);
  result.set_port(port);
  return result;
}

Address Address::loopback4(std::uint16_t port) {
  Address result = any4(port);
  result.storage_.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return result;
}

Address Address::loopback6(std::uint16_t port) {
  Address result = any6(port);
  result.storage_.v6.sin6_addr = in6addr_loopback;
  return result;
}

Result<Address> Address::unix_socket(std::string_view path) {
  Address result;
  sockaddr_un& local = result.storage_.local;
  if (path.empty()) return failure(EINVAL, "bind");
  const bool is_abstract = path.front() == '\0';
  if (!is_abstract && path.find('\0') != path.npos) return failure(EINVAL, "bind");  // the kernel would stop there
  if (path.size() + (is_abstract ? 0 : 1) > sizeof local.sun_path) return failure(EINVAL, "bind");  // as libuv
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, path.data(), path.size());
  result.size_ = static_cast<socklen_t>(kPathOffset + path.size() + (is_abstract ? 0 : 1));
  return result;
}

Result<Address> Address::local_of(int fd) {
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]]
    return sockets->local_of(fd);
  const auto ask = [fd]() -> Result<Address> {
    Address result;
    result.size_ = sizeof(Storage);
    if (getsockname(fd, &result.storage_.any, &result.size_) < 0) return last_failure("getsockname");
    return result;
  };
  if (Recording* recording = Recording::current()) [[unlikely]]
    return recording->address('a', ask);
  if (virtual_network::is_on()) [[unlikely]] {
    if (auto address = virtual_network::local_of(fd)) return *address;
  }
  return ask();
}

Result<Address> Address::remote_of(int fd) {
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]]
    return sockets->remote_of(fd);
  const auto ask = [fd]() -> Result<Address> {
    Address result;
    result.size_ = sizeof(Storage);
    if (getpeername(fd, &result.storage_.any, &result.size_) < 0) return last_failure("getpeername");
    return result;
  };
  if (Recording* recording = Recording::current()) [[unlikely]]
    return recording->address('p', ask);
  if (virtual_network::is_on()) [[unlikely]] {
    if (auto address = virtual_network::remote_of(fd)) return *address;
  }
  return ask();
}

std::uint16_t Address::port() const {
  if (family() == AF_INET) return ntohs(storage_.v4.sin_port);
  if (family() == AF_INET6) return ntohs(storage_.v6.sin6_port);
  return 0;
}

void Address::set_port(std::uint16_t port) {
  if (family() == AF_INET) storage_.v4.sin_port = htons(port);
  if (family() == AF_INET6) storage_.v6.sin6_port = htons(port);
}

std::string Address::host() const {
  char buffer[INET6_ADDRSTRLEN + IF_NAMESIZE + 1];
  if (family() == AF_INET) return inet_ntop(AF_INET, &storage_.v4.sin_addr, buffer, sizeof buffer) ? buffer : "";
  if (family() != AF_INET6 || !inet_ntop(AF_INET6, &storage_.v6.sin6_addr, buffer, sizeof buffer)) return "";
  std::string result = buffer;
  if (const std::uint32_t scope = storage_.v6.sin6_scope_id) {
    result += '%';
    result += if_indextoname(scope, buffer) ? std::string(buffer) : std::to_string(scope);
  }
  return result;
}

std::string Address::path() const {
  if (family() != AF_UNIX || size_ <= kPathOffset) return "";
  const std::size_t length = size_ - kPathOffset;
  const char* path = storage_.local.sun_path;
  return path[0] == '\0' ? std::string(path, length) : std::string(path, strnlen(path, length));
}

std::string Address::text() const {
  if (family() == AF_INET) return host() + ':' + std::to_string(port());
  if (family() == AF_INET6) return '[' + host() + "]:" + std::to_string(port());
  std::string result = path();
  if (!result.empty() && result[0] == '\0') result[0] = '@';
  return result;
}

bool operator==(const Address& a, const Address& b) {
  return a.size_ == b.size_ && std::memcmp(&a.storage_, &b.storage_, a.size_) == 0;
}

std::strong_ordering operator<=>(const Address& a, const Address& b) {
  if (const auto order = a.family() <=> b.family(); order != 0) return order;
  const int order = std::memcmp(&a.storage_, &b.storage_, std::min(a.size_, b.size_));
  return order != 0 ? order <=> 0 : a.size_ <=> b.size_;
}

std::size_t Address::hash() const {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(&storage_), size_});
}

}  // namespace rondo
