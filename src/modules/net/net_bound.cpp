// The part of native('net') behind net.BoundSocket: Unix sockets that have a name but neither listen nor connect yet.
#include "modules/net/net_handles.h"

#include "modules/support/permission_check.h"

#include "rondo/system.h"

namespace rondo::modules::net {

using namespace engine;

namespace {

// bindPath(path) → descriptor of a Unix socket that has this name, or a negative errno
Value bind_path(Call& call) {
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net, [&] { return call.string(0); }))
    return call.raise(refusal);
  auto bound = bind_unix_socket(call.string(0));
  return call.value(bound ? bound->release() : -bound.error().number);
}

// connectPath(fd, path) → 0 or a negative errno; between Unix sockets it is done at once or not at all
Value connect_path(Call& call) {
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net, [&] { return call.string(1); }))
    return call.raise(refusal);
  return call.value(status_of(connect_unix_socket(call.int32(0), call.string(1))));
}

constexpr FunctionSpec kFunctions[] = {{"bindPath", native<bind_path>, 1}, {"connectPath", native<connect_path>, 2}};

}  // namespace

const std::span<const FunctionSpec> kBoundFunctions = kFunctions;

}  // namespace rondo::modules::net
