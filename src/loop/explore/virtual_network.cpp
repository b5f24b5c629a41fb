// See the header. Names: NUL "rondo-explore/PID/l8080" of a listener on port 8080, "…/c40001" of a client with that port.
#include "loop/explore/virtual_network.h"

#include <fcntl.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "rondo/base/unique_fd.h"

namespace rondo::virtual_network {
namespace {

constexpr std::uint16_t kFirstPort = 40'000;

struct Ends {
  Address local, remote;  // of the client; a listener has no remote one
};

struct Network {
  std::mutex mutex;
  std::map<std::string, Ends> by_name;
  std::uint16_t last_port = kFirstPort;
  std::string prefix;
  bool has_outside = false;
};

std::atomic<Network*> network{nullptr};

std::string listener_name(std::uint16_t port) { return "l" + std::to_string(port); }

Address unix_address(const std::string& name) {
  return *Address::unix_socket(std::string(1, '\0') + network.load()->prefix + name);
}

bool is_any(const Address& address) { return address.host() == "0.0.0.0" || address.host() == "::"; }

bool is_loopback(const Address& address) {
  const std::string host = address.host();
  return is_any(address) || host.starts_with("127.") || host == "::1" || host.starts_with("::ffff:127.");
}

// 0 where the kernel lets a socket be bound to the address: it is one of this machine's.
int bind_error(const Address& address) {
  Address any_port = address;
  any_port.set_port(0);
  const UniqueFd probe(::socket(address.data()->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return probe && ::bind(probe.get(), any_port.data(), any_port.size()) == 0 ? 0 : errno;
}

bool is_own(const Address& address) { return is_loopback(address) || bind_error(address) == 0; }

// The name behind the prefix, of a socket of ours.
std::optional<std::string> name_of(const sockaddr_un& address, socklen_t size) {
  const std::string& prefix = network.load()->prefix;
  const std::size_t length = size - offsetof(sockaddr_un, sun_path);
  if (address.sun_family != AF_UNIX || size <= offsetof(sockaddr_un, sun_path) || length <= prefix.size() + 1)
    return std::nullopt;
  const std::string whole(address.sun_path + 1, length - 1);
  if (!whole.starts_with(prefix)) return std::nullopt;
  return whole.substr(prefix.size());
}

std::optional<std::string> own_name(int fd) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) < 0) return std::nullopt;
  return name_of(address, size);
}

std::optional<std::string> peer_name(int fd) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) < 0) return std::nullopt;
  return name_of(address, size);
}

std::optional<Ends> find(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  Network& all = *network.load();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_name.find(*name);
  return found == all.by_name.end() ? std::nullopt : std::optional(found->second);
}

// The address by which a server of this kind sees a client of that one.
Address as_seen(const Address& address, const Address& listener) {
  if (listener.family() != AF_INET6 || address.family() == AF_INET6) return address;
  auto mapped = Address::ip("::ffff:" + address.host(), address.port());
  return mapped ? *mapped : address;
}

// Would the kernel lead a connection to `wanted` to a listener that was bound to `bound`?
bool leads_to(const Address& wanted, const Address& bound) {
  if (bound.host() == "::") return true;  // serves both families
  if (wanted.family() != bound.family()) return false;
  return is_any(bound) || is_any(wanted) || bound.host() == wanted.host();
}

int connect_outside(int fd, const sockaddr* address, socklen_t size) {
  network.load()->has_outside = true;
  const int real = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (real < 0) return -errno;
  dup3(real, fd, O_CLOEXEC);
  close(real);
  return ::connect(fd, address, size) < 0 ? (errno == EINTR ? -EINPROGRESS : -errno) : 0;
}

}  // namespace

void start() {
  if (network.load()) return;
  network.store(new Network);
  take_names_of_process();
}

void take_names_of_process() { network.load()->prefix = "rondo-explore/" + std::to_string(getpid()) + "/"; }

bool is_on() { return network.load(std::memory_order_relaxed) != nullptr; }

int open_socket(int type) {
  const int fd = ::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return fd < 0 ? -errno : fd;
}

bool is_virtual(int fd) {
  if (!is_on()) return false;
  int domain = 0;
  socklen_t size = sizeof domain;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

int bind(int fd, const sockaddr* given, socklen_t size) {
  Network& all = *network.load();
  Address address(given, size);
  if (!is_loopback(address)) {
    if (const int error = bind_error(address)) return -error;
  }
  const std::lock_guard lock(all.mutex);
  const bool chooses = address.port() == 0;
  for (;;) {
    if (chooses) address.set_port(++all.last_port);
    const std::string name = listener_name(address.port());
    const Address place = unix_address(name);
    if (::bind(fd, place.data(), place.size()) < 0) {
      if (chooses && errno == EADDRINUSE) continue;
      return -errno;
    }
    all.by_name[name] = {address, Address()};
    return 0;
  }
}

int connect(int fd, const sockaddr* given, socklen_t size) {
  if (given->sa_family == AF_UNIX) return ::connect(fd, given, size) < 0 ? -errno : 0;
  Network& all = *network.load();
  const Address wanted(given, size);
  if (!is_own(wanted)) return connect_outside(fd, given, size);
  const auto listener = find(listener_name(wanted.port()));
  if (!listener || !leads_to(wanted, listener->local)) return -ECONNREFUSED;
  if (!own_name(fd)) {
    const std::lock_guard lock(all.mutex);
    Address local = wanted;
    if (is_any(local)) local = wanted.family() == AF_INET ? Address::loopback4(0) : Address::loopback6(0);
    Address remote = local;
    remote.set_port(wanted.port());
    std::string name;
    do {
      local.set_port(++all.last_port);
      name = "c" + std::to_string(local.port());
      const Address place = unix_address(name);
      if (::bind(fd, place.data(), place.size()) == 0) break;
      if (errno != EADDRINUSE) return -errno;
    } while (true);
    all.by_name[name] = {local, remote};
  }
  const Address place = unix_address(listener_name(wanted.port()));
  if (::connect(fd, place.data(), place.size()) == 0) return 0;
  return errno == EAGAIN ? -ECONNREFUSED : -errno;  // its backlog is full
}

std::optional<Address> local_of(int fd) {
  const auto mine = own_name(fd);
  if (!mine) return std::nullopt;
  const auto own = find(mine);
  if (!own) return std::nullopt;
  if (mine->front() == 'c') return own->local;
  const auto client = find(peer_name(fd));
  return client ? as_seen(client->remote, own->local) : own->local;
}

std::optional<Address> remote_of(int fd) {
  const auto mine = own_name(fd);
  if (!mine) return std::nullopt;
  const auto own = find(mine);
  if (!own) return std::nullopt;
  if (mine->front() == 'c') return peer_name(fd) ? std::optional(own->remote) : std::nullopt;
  const auto client = find(peer_name(fd));
  return client ? std::optional(as_seen(client->local, own->local)) : std::nullopt;
}

bool has_outside() { return is_on() && network.load()->has_outside; }

}  // namespace rondo::virtual_network
