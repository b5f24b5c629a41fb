// The part of native('net') behind net.BoundSocket: Unix sockets that have a name but neither listen nor connect yet.
#include "modules/net_handles.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace rondo::modules::net {

using namespace engine;

namespace {

// bindPath(path) → descriptor of a Unix socket that has this name, or a negative errno
Value bind_path(Call& call) {
  auto address = Address::unix_socket(call.string(0));
  if (!address) return call.value(-address.error().number);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::bind(socket.get(), address->data(), address->size()) < 0) return call.value(-errno);
  return call.value(socket.release());
}

// connectPath(fd, path) → 0 or a negative errno; between Unix sockets it is done at once or not at all
Value connect_path(Call& call) {
  auto address = Address::unix_socket(call.string(1));
  if (!address) return call.value(-address.error().number);
  return call.value(::connect(call.int32(0), address->data(), address->size()) < 0 ? -errno : 0);
}

constexpr FunctionSpec kFunctions[] = {{"bindPath", native<bind_path>, 1}, {"connectPath", native<connect_path>, 2}};

}  // namespace

const std::span<const FunctionSpec> kBoundFunctions = kFunctions;

}  // namespace rondo::modules::net
