// The listening half of native('net').
#include "modules/net_handles.h"

namespace rondo::modules::net {

using namespace engine;

namespace {

Numbered<AnyServer>& servers() {
  static thread_local auto* all = new Numbered<AnyServer>;
  return *all;
}

Encoded new_server(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto kind = call.boolean(0) ? Kind::Pipe : Kind::Tcp;
  return call.value(servers().add(std::make_unique<AnyServer>(Runtime::from(realm).loop(), kind)));
}

// serverBind(id, host or path, port, ipv6Only, reusePort)
Encoded bind_server(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* server = servers().find(call.int32(0));
  if (!server) return call.value(-EBADF);
  if (server->pipe()) return call.value(status_of(server->pipe()->bind(call.string(1))));
  auto address = parse_address(call.string(1), call.int32(2));
  if (!address) return call.value(-address.error().number);
  auto how = TcpBind::Default;
  if (call.boolean(3)) how = how | TcpBind::Ipv6Only;
  if (call.boolean(4)) how = how | TcpBind::ReusePort;
  return call.value(status_of(server->tcp()->bind(*address, how)));
}

Encoded open_server(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* server = servers().find(call.int32(0));
  if (!server) return call.value(-EBADF);
  UniqueFd fd(call.int32(1));
  return call.value(
      status_of(server->tcp() ? server->tcp()->open(std::move(fd)) : server->pipe()->open(std::move(fd))));
}

// serverListen(id, backlog, callback(status, fd)): who gets a descriptor owns it.
Encoded listen_server(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* server = servers().find(call.int32(0));
  if (!server) return call.value(-EBADF);
  auto on_connection = [later = LaterCall(Runtime::from(realm), call.function(2))](Result<UniqueFd> connection) {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(connection ? 0 : -connection.error().number));
    if (connection) arguments.append(JSC::jsNumber(connection->release()));
    later(arguments);
  };
  return call.value(status_of((*server)->listen(call.int32(1), std::move(on_connection))));
}

Encoded server_address(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* server = servers().find(call.int32(0));
  if (!server) return call.undefined();
  return call.value(
      address_array(realm, server->tcp() ? server->tcp()->local_address() : server->pipe()->local_address()));
}

Encoded close_server(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  int id = call.int32(0);
  auto* server = servers().find(id);
  if (!server) return call.value(-EBADF);
  (*server)->close([id, later = LaterCall(Runtime::from(realm), call.function(1))] {
    auto gone = servers().take(id);
    later(0);
  });
  return call.value(0);
}

Encoded set_server_ref(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* server = servers().find(call.int32(0))) call.boolean(1) ? (*server)->ref() : (*server)->unref();
  return call.undefined();
}

Encoded server_descriptor(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* server = servers().find(call.int32(0));
  return call.value(server ? (*server)->fd() : -1);
}
// serverShare(id): another process uses the socket too.
Encoded share_server(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* server = servers().find(call.int32(0))) (*server)->set_shared();
  return call.undefined();
}
Encoded server_has_ref(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* server = servers().find(call.int32(0));
  return call.value(server && (*server)->has_ref());
}

constexpr FunctionSpec kFunctions[] = {{"newServer", new_server, 1},         {"serverBind", bind_server, 5},
                                       {"serverOpen", open_server, 2},       {"serverListen", listen_server, 3},
                                       {"serverAddress", server_address, 1}, {"serverClose", close_server, 2},
                                       {"serverSetRef", set_server_ref, 2},  {"serverDescriptor", server_descriptor, 1},
                                       {"serverHasRef", server_has_ref, 1},  {"serverShare", share_server, 1}};

}  // namespace

const std::span<const FunctionSpec> kServerFunctions = kFunctions;

}  // namespace rondo::modules::net
