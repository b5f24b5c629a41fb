// Binding, finding who listens, names of both ends, options. Datagrams are in sim_datagrams.cpp.
#include "loop/sim/sim_network.h"

#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/sim/sim_addresses.h"

namespace rondo {
namespace {

constexpr std::uint16_t kFirstPort = 49152;

bool is_socket(const SimNetwork::Object& object) {
  return object.kind != SimNetwork::Object::Kind::File && !object.is_pipe;
}

}  // namespace

std::shared_ptr<SimNetwork::Object> SimNetwork::socket_at(int fd) const {
  const auto object = world_.object(fd);
  if (!object || !is_socket(*object)) return nullptr;
  if (!object->socket) object->socket = std::make_shared<SimSocket>();  // made by the test: of no family yet
  return object;
}

int SimNetwork::open(int family, int type) {
  auto object = std::make_shared<Object>();
  object->socket = std::make_shared<SimSocket>();
  object->socket->family = family;
  if ((type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) == SOCK_DGRAM) object->kind = Object::Kind::Datagrams;
  return world_.add(std::move(object));
}

// N2. Streams and datagrams have ports of their own.
bool SimNetwork::is_taken(const Object& socket, const Address& address) const {
  const bool is_datagrams = socket.kind == Object::Kind::Datagrams;
  return std::any_of(world_.objects_.begin(), world_.objects_.end(), [&](const auto& entry) {
    const Object& other = *entry.second;
    if (&other == &socket || !other.socket || !other.socket->is_bound) return false;
    if ((other.kind == Object::Kind::Datagrams) != is_datagrams) return false;
    const SimSocket& taken = *other.socket;
    if (taken.local.port() != address.port()) return false;
    if (taken.shares_port && socket.socket->shares_port) return false;
    return covers(taken.local, taken.is_only_v6, address) || covers(address, socket.socket->is_only_v6, taken.local);
  });
}

std::uint16_t SimNetwork::free_port(const Object& socket, Address address) {
  for (int tries = 0; tries < 65536 - kFirstPort; tries++) {
    if (next_port_ < kFirstPort) next_port_ = kFirstPort;
    address.set_port(next_port_++);
    if (!is_taken(socket, address)) return address.port();
  }
  return 0;
}

int SimNetwork::bind(int fd, const Address& address) {
  const auto object = socket_at(fd);
  if (!object) return world_.object(fd) ? -ENOTSOCK : -EBADF;
  SimSocket& socket = *object->socket;
  if (socket.is_bound || !object->address.empty()) return -EINVAL;
  if (address.family() == AF_UNIX) {
    const std::string name = address.path();
    const bool is_taken = std::any_of(world_.objects_.begin(), world_.objects_.end(), [&](const auto& entry) {
      return entry.second->kind != Object::Kind::File && entry.second->address == name;
    });
    if (is_taken) return -EADDRINUSE;
    object->address = name;
    socket.family = AF_UNIX;
    socket.local = address;
    return 0;
  }
  if (!address.is_ip() || address.family() != socket.family) return -EINVAL;
  Address local = address;
  if (local.port() == 0) local.set_port(free_port(*object, local));
  if (local.port() == 0 || is_taken(*object, local)) return -EADDRINUSE;
  socket.local = local;
  socket.is_bound = true;
  return 0;
}

int SimNetwork::listen(const std::shared_ptr<Object>& object) {
  if (object->kind == Object::Kind::Listener) return 0;
  if (object->kind == Object::Kind::File || object->is_pipe) return -EBADF;
  if (object->kind == Object::Kind::Datagrams) return -EOPNOTSUPP;
  if (object->is_connected || !object->connecting_to.empty()) return -EINVAL;
  const bool has_name = !object->address.empty() || (object->socket && object->socket->is_bound);
  if (!has_name) return -EBADF;
  object->kind = Object::Kind::Listener;
  return 0;
}

int SimNetwork::begin_connect(const std::shared_ptr<Object>& stream, const Address& target) {
  if (stream->kind != Object::Kind::Stream || stream->is_pipe) return -EISCONN;
  if (!stream->socket) stream->socket = std::make_shared<SimSocket>();
  SimSocket& socket = *stream->socket;
  if (!target.is_ip()) return -EAFNOSUPPORT;
  if (target.port() == 0) return -ECONNREFUSED;
  socket.remote = is_any(target) ? loopback_of(target) : target;
  stream->connecting_to = '\x01' + target.text();
  return -EINPROGRESS;
}

// The more exact address wins; who shares a port shares its connections.
std::shared_ptr<SimNetwork::Object> SimNetwork::listener_for(const Object& stream, int& fault) {
  const Address& target = stream.socket->remote;
  if (world_.decider_.choose(Choice::Fault, 6) == 1) {
    world_.faults_++;
    fault = -ETIMEDOUT;
    return nullptr;
  }
  std::vector<std::shared_ptr<Object>> exact, general;
  for (const auto& [fd, object] : world_.objects_) {
    if (object->kind != Object::Kind::Listener || !object->socket || !object->socket->is_bound) continue;
    const SimSocket& socket = *object->socket;
    if (socket.local.port() != target.port() || !covers(socket.local, socket.is_only_v6, target)) continue;
    (is_any(socket.local) ? general : exact).push_back(object);
  }
  const auto& found = exact.empty() ? general : exact;
  if (found.empty()) return nullptr;
  const auto count = static_cast<std::uint32_t>(found.size());
  return found[count == 1 ? 0 : world_.decider_.choose(Choice::Completion, count)];
}

void SimNetwork::name_connection(Object& client, Object& accepted, const Object& listener) {
  SimSocket& socket = *client.socket;
  if (!socket.is_bound) {
    socket.local = socket.remote;
    socket.local.set_port(free_port(client, socket.remote));
  } else if (is_any(socket.local)) {
    const std::uint16_t port = socket.local.port();
    socket.local = socket.remote;
    socket.local.set_port(port);
  }
  accepted.socket = std::make_shared<SimSocket>();
  accepted.socket->family = listener.socket->family;
  const bool is_mapped = listener.socket->family == AF_INET6 && socket.remote.family() == AF_INET;
  accepted.socket->local = is_mapped ? mapped(socket.remote) : socket.remote;
  accepted.socket->remote = is_mapped ? mapped(socket.local) : socket.local;
}

Result<Address> SimNetwork::local_of(int fd) {
  const auto object = socket_at(fd);
  if (!object) return failure(world_.object(fd) ? ENOTSOCK : EBADF, "getsockname");
  const SimSocket& socket = *object->socket;
  if (socket.local.family() != AF_UNSPEC) return socket.local;
  if (!object->address.empty()) return Address::unix_socket(object->address);
  return socket.family == AF_INET6 ? Address::any6(0) : Address::any4(0);
}

Result<Address> SimNetwork::remote_of(int fd) {
  const auto object = socket_at(fd);
  if (!object) return failure(world_.object(fd) ? ENOTSOCK : EBADF, "getpeername");
  const bool is_connected = object->kind == Object::Kind::Datagrams || object->is_connected;
  if (!is_connected || object->socket->remote.family() == AF_UNSPEC) return failure(ENOTCONN, "getpeername");
  return object->socket->remote;
}

int SimNetwork::set_option(int fd, int level, int name, const void* value, socklen_t size) {
  const auto object = socket_at(fd);
  if (!object) return world_.object(fd) ? -ENOTSOCK : -EBADF;
  SimSocket& socket = *object->socket;
  int number = 0;
  if (size >= sizeof number) std::memcpy(&number, value, sizeof number);
  if (level == SOL_SOCKET && name == SO_REUSEPORT) socket.shares_port = number != 0;
  if (level == IPPROTO_IPV6 && name == IPV6_V6ONLY) socket.is_only_v6 = number != 0;
  if (level == IPPROTO_IP && name == IP_PKTINFO) socket.tells_destination = number != 0;
  if (level == IPPROTO_IPV6 && name == IPV6_RECVPKTINFO) socket.tells_destination = number != 0;
  if (level == SOL_SOCKET && name == SO_LINGER && size >= sizeof(linger)) {
    linger how;
    std::memcpy(&how, value, sizeof how);
    socket.resets = how.l_onoff != 0 && how.l_linger == 0;
  }
  return 0;
}

int SimNetwork::option(int fd, int level, int name) {
  const auto object = socket_at(fd);
  if (!object) return world_.object(fd) ? -ENOTSOCK : -EBADF;
  if (level != SOL_SOCKET) return -ENOPROTOOPT;
  switch (name) {
    case SO_TYPE:
      return object->kind == Object::Kind::Datagrams ? SOCK_DGRAM : SOCK_STREAM;
    case SO_DOMAIN:
      return object->socket->family;
    case SO_RCVBUF:
    case SO_SNDBUF:
      return static_cast<int>(world_.limits_.stream_bytes);
    default:
      return -ENOPROTOOPT;
  }
}

}  // namespace rondo
