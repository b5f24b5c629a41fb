// The listening half of native('net').
#include "modules/net/net_handles.h"

#include "modules/support/permission_check.h"

namespace rondo::modules::net {

using namespace engine;
using runtime::method;

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

// newServer(isPipe) → handle
Value new_server(Call& call) {
  auto kind = call.boolean(0) ? Kind::Pipe : Kind::Tcp;
  return HandleObject::publish(std::make_unique<ServerObject>(Runtime::from(call.realm()), kind));
}

// A path becomes a file; an abstract name, which begins with a zero, does not.
Value bind_to_path(Call& call, PipeServer& server) {
  const std::string path = call.string(0);
  auto& runtime = Runtime::from(call.realm());
  const bool is_file = !path.empty() && path[0] != '\0';
  if (auto* refusal = is_file ? refused(runtime, Scope::FileSystemWrite, path, LastLink::Keep) : nullptr)
    return call.raise(refusal);
  return call.value(status_of(server.bind(path)));
}

// bindTo(host or path, port, ipv6Only, reusePort)
Value bind_server(Call& call, ServerObject& server) {
  auto* refusal =
      refused(Runtime::from(call.realm()), Scope::Net, [&] { return server.pipe() ? call.string(0) : std::string(); });
  if (refusal) return call.raise(refusal);
  if (server.pipe()) return bind_to_path(call, *server.pipe());
  auto address = parse_address(call.string(0), call.int32(1));
  if (!address) return call.value(-address.error().number);
  auto how = TcpBind::Default;
  if (call.boolean(2)) how = how | TcpBind::Ipv6Only;
  if (call.boolean(3)) how = how | TcpBind::ReusePort;
  return call.value(status_of(server.tcp()->bind(*address, how)));
}

Value open_server(Call& call, ServerObject& server) {
  UniqueFd fd(call.int32(0));
  return call.value(status_of(server.tcp() ? server.tcp()->open(std::move(fd)) : server.pipe()->open(std::move(fd))));
}

// listen(backlog, callback(status, connection))
Value listen_server(Call& call, ServerObject& server) {
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::Net)) return call.raise(refusal);
  auto on_connection = [server = &server,
                        then = server.event(call.function(1), kConnection)](Result<UniqueFd> fd) mutable {
    if (then.is_dead()) return;
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(fd ? 0 : -fd.error().number));
    if (fd) arguments.append(server->accept(std::move(*fd), then.announce()));
    then(arguments);
  };
  return call.value(status_of(server.listener().listen(call.int32(0), std::move(on_connection))));
}

Value server_address(Call& call, ServerObject& server) {
  auto* realm = call.realm();
  return call.value(
      address_array(realm, server.tcp() ? server.tcp()->local_address() : server.pipe()->local_address()));
}

Value close_server(Call& call, ServerObject& server) {
  server.close(call.function(0));
  return call.value(0);
}

Value set_server_ref(Call& call, ServerObject& server) {
  call.boolean(0) ? server.listener().ref() : server.listener().unref();
  return call.undefined();
}

Value server_descriptor(Call& call, ServerObject& server) { return call.value(server.listener().fd()); }
// share(): another process uses the socket too.
Value share_server(Call& call, ServerObject& server) {
  server.listener().set_shared();
  return call.undefined();
}
Value server_has_ref(Call& call, ServerObject& server) { return call.value(server.listener().has_ref()); }

constexpr FunctionSpec kMethods[] = {{"bindTo", method<ServerObject, bind_server>, 4},
                                     {"open", method<ServerObject, open_server>, 1},
                                     {"listen", method<ServerObject, listen_server>, 2},
                                     {"address", method<ServerObject, server_address>},
                                     {"close", method<ServerObject, close_server>, 1},
                                     {"setRef", method<ServerObject, set_server_ref>, 1},
                                     {"descriptor", method<ServerObject, server_descriptor>},
                                     {"hasRef", method<ServerObject, server_has_ref>},
                                     {"share", method<ServerObject, share_server>}};

constexpr FunctionSpec kFunctions[] = {{"newServer", native<new_server>, 1}};

}  // namespace

void init_server(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  put(runtime.realm(), target, "closedServer", runtime::make_closed<ServerObject>(runtime, kMethods));
}

}  // namespace rondo::modules::net
