// The listening half of native('net').
#include "modules/net/net_handles.h"

#include "modules/support/permission_check.h"

namespace rondo::modules::net {

using namespace engine;

namespace {

constexpr Source kConnection{"server connection", "TCPSERVERWRAP"};

class ServerObject final : public HandleObject {
 public:
  ServerObject(Runtime& runtime, Kind kind) : HandleObject(runtime, kind == Kind::Tcp ? kTcpServer : kPipeServer) {
    if (kind == Kind::Tcp)
      server_ = std::make_unique<TcpServer>(runtime.loop());
    else
      server_ = std::make_unique<PipeServer>(runtime.loop());
  }

  Handle& handle() override { return listener(); }
  Listener& listener() {
    return *std::visit([](auto& owned) -> Listener* { return owned.get(); }, server_);
  }
  TcpServer* tcp() const {
    auto* owned = std::get_if<std::unique_ptr<TcpServer>>(&server_);
    return owned ? owned->get() : nullptr;
  }
  PipeServer* pipe() const { return tcp() ? nullptr : std::get<std::unique_ptr<PipeServer>>(server_).get(); }

  // The connection as JavaScript gets it; it owns the descriptor.
  Value accept(UniqueFd fd, uint32_t cause) const {
    auto stream = std::make_unique<StreamObject>(*this, tcp() ? Kind::Tcp : Kind::Pipe);
    stream->caused_by(cause);
    (void)stream->open(std::move(fd));
    return publish(std::move(stream));
  }

 private:
  std::variant<std::unique_ptr<TcpServer>, std::unique_ptr<PipeServer>> server_;
};

ServerObject* server_at(const Call& call) { return native_of<ServerObject>(call.at(0)); }

// newServer(isPipe) → handle
Value new_server(Call& call) {
  auto kind = call.boolean(0) ? Kind::Pipe : Kind::Tcp;
  return HandleObject::publish(std::make_unique<ServerObject>(Runtime::from(call.realm()), kind));
}

// serverBind(handle, host or path, port, ipv6Only, reusePort)
Value bind_server(Call& call) {
  auto* server = server_at(call);
  if (!server) return call.value(-EBADF);
  auto* refusal =
      refused(Runtime::from(call.realm()), Scope::Net, [&] { return server->pipe() ? call.string(1) : std::string(); });
  if (refusal) return call.raise(refusal);
  if (server->pipe()) return call.value(status_of(server->pipe()->bind(call.string(1))));
  auto address = parse_address(call.string(1), call.int32(2));
  if (!address) return call.value(-address.error().number);
  auto how = TcpBind::Default;
  if (call.boolean(3)) how = how | TcpBind::Ipv6Only;
  if (call.boolean(4)) how = how | TcpBind::ReusePort;
  return call.value(status_of(server->tcp()->bind(*address, how)));
}

Value open_server(Call& call) {
  auto* server = server_at(call);
  if (!server) return call.value(-EBADF);
  UniqueFd fd(call.int32(1));
  return call.value(
      status_of(server->tcp() ? server->tcp()->open(std::move(fd)) : server->pipe()->open(std::move(fd))));
}

// serverListen(handle, backlog, callback(status, connection))
Value listen_server(Call& call) {
  auto* server = server_at(call);
  if (!server) return call.value(-EBADF);
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net)) return call.raise(refusal);
  auto on_connection = [server, then = server->event(call.function(2), kConnection)](Result<UniqueFd> fd) mutable {
    if (then.is_dead()) return;
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(fd ? 0 : -fd.error().number));
    if (fd) arguments.append(server->accept(std::move(*fd), then.announce()));
    then(arguments);
  };
  return call.value(status_of(server->listener().listen(call.int32(1), std::move(on_connection))));
}

Value server_address(Call& call) {
  auto* realm = call.realm();
  auto* server = server_at(call);
  if (!server) return call.undefined();
  return call.value(
      address_array(realm, server->tcp() ? server->tcp()->local_address() : server->pipe()->local_address()));
}

Value close_server(Call& call) {
  auto* server = server_at(call);
  if (!server) return call.value(-EBADF);
  server->close(call.function(1));
  return call.value(0);
}

Value set_server_ref(Call& call) {
  if (auto* server = server_at(call)) call.boolean(1) ? server->listener().ref() : server->listener().unref();
  return call.undefined();
}

Value server_descriptor(Call& call) {
  auto* server = server_at(call);
  return call.value(server ? server->listener().fd() : -1);
}
// serverShare(handle): another process uses the socket too.
Value share_server(Call& call) {
  if (auto* server = server_at(call)) server->listener().set_shared();
  return call.undefined();
}
Value server_has_ref(Call& call) {
  auto* server = server_at(call);
  return call.value(server && server->listener().has_ref());
}

constexpr FunctionSpec kFunctions[] = {
    {"newServer", native<new_server>, 1},         {"serverBind", native<bind_server>, 5},
    {"serverOpen", native<open_server>, 2},       {"serverListen", native<listen_server>, 3},
    {"serverAddress", native<server_address>, 1}, {"serverClose", native<close_server>, 2},
    {"serverSetRef", native<set_server_ref>, 2},  {"serverDescriptor", native<server_descriptor>, 1},
    {"serverHasRef", native<server_has_ref>, 1},  {"serverShare", native<share_server>, 1}};

}  // namespace

const std::span<const FunctionSpec> kServerFunctions = kFunctions;

}  // namespace rondo::modules::net
