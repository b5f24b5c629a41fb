// native('dgram'): the loop's datagram sockets for lib/internal/dgram. Results are 0 or a negative errno.
#include "engine/core/buffer_class.h"
#include "modules/support/permission_check.h"
#include "runtime/handle_object.h"

#include "rondo/udp.h"

#include <cerrno>
#include <memory>

#include <sys/socket.h>

namespace rondo::modules {

using namespace engine;
using runtime::Continuation;
using runtime::HandleObject;
using runtime::method;
using runtime::Runtime;

namespace {

constexpr runtime::Source kSocket{"dgram socket", "UDPWRAP"}, kMessage{"dgram message", "UDPWRAP"};
constexpr runtime::Source kSend{"dgram send", "UDPSENDWRAP"};

class UdpObject final : public HandleObject {
 public:
  explicit UdpObject(Runtime& runtime) : HandleObject(runtime, kSocket), udp(runtime.loop()) {}
  Handle& handle() override { return udp; }
  Udp udp;
};

int status_of(const Result<void>& result) { return result ? 0 : -result.error().number; }

Result<Address> address_at(const Call& call, unsigned host) {
  return Address::ip(call.string(host), static_cast<uint16_t>(call.int32(host + 1)));
}

JSC::JSObject* refusal_at(const Call& call, unsigned host) {
  return refused(Runtime::from(call.realm()), Scope::Net,
                 [&] { return call.string(host) + ":" + std::to_string(call.int32(host + 1)); });
}

const char* family_of(const Address& address) { return address.family() == AF_INET6 ? "IPv6" : "IPv4"; }

Value new_socket(Call& call) { return HandleObject::publish(std::make_unique<UdpObject>(Runtime::from(call.realm()))); }

// open(fd)
Value open_socket(Call& call, UdpObject& socket) {
  return call.value(status_of(socket.udp.open(UniqueFd(call.int32(0)))));
}

// bindTo(host, port, flags) → status, or an error where --permission forbids it; so do connect() and send(). flags are UdpBind's
Value bind_socket(Call& call, UdpObject& socket) {
  if (auto* refusal = refusal_at(call, 0)) return call.value(refusal);
  auto address = address_at(call, 0);
  if (!address) return call.value(-address.error().number);
  return call.value(status_of(socket.udp.bind(*address, static_cast<UdpBind>(call.int32(2) & 7))));
}

// connect(host, port)
Value connect_socket(Call& call, UdpObject& socket) {
  if (auto* refusal = refusal_at(call, 0)) return call.value(refusal);
  auto address = address_at(call, 0);
  return call.value(address ? status_of(socket.udp.connect(*address)) : -address.error().number);
}

Value disconnect_socket(Call& call, UdpObject& socket) { return call.value(status_of(socket.udp.disconnect())); }

// receiveStart(callback(status, bytes, address, family, port))
Value receive_start(Call& call, UdpObject& socket) {
  auto on_message = [then = socket.event(call.function(0), kMessage)](Result<Datagram> message) mutable {
    if (then.is_dead()) return;
    auto* realm = then.runtime().realm();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(message ? 0 : -message.error().number));
    if (message) {
      auto bytes = message->data;
      arguments.append(make_buffer(realm, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
      arguments.append(make_string(realm->vm(), message->from->host()));
      arguments.append(make_string(realm->vm(), family_of(*message->from)));
      arguments.append(JSC::jsNumber(message->from->port()));
    }
    then(arguments);
  };
  return call.value(status_of(socket.udp.receive_start(std::move(on_message))));
}

Value share(Call& call, UdpObject& socket) {
  socket.udp.set_shared();
  return call.undefined();
}

Value receive_stop(Call& call, UdpObject& socket) {
  socket.udp.receive_stop();
  return call.undefined();
}

// The pieces of one message, joined.
std::vector<uint8_t> joined(JSC::JSGlobalObject* realm, JSC::JSArray* list) {
  std::vector<uint8_t> all;
  for (unsigned i = 0; i < list->length(); i++) {
    auto piece = bytes_of(list->getIndex(realm, i));
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

// send(bytes or array of them, host or undefined, port, callback(status)) → size + 1 when it is sent, 0 when the callback
// follows, or a negative errno
Value send(Call& call, UdpObject& socket) {
  if (call.has(1)) {
    if (auto* refusal = refusal_at(call, 1)) return call.value(refusal);
  }
  std::vector<uint8_t> together;
  std::span<const uint8_t> bytes = call.bytes(0);
  if (auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0))) {
    together = joined(call.realm(), list);
    bytes = together;
  }
  const Bytes data(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  // Queued messages are copied: nothing of JavaScript's is lent.
  auto done = [then = Continuation(socket.runtime(), call.function(3), kSend)](Result<void> result) mutable {
    if (!then.is_dead()) then(status_of(result));
  };
  Result<Progress> progress = Progress::Done;
  if (call.has(1)) {
    auto address = address_at(call, 1);
    if (!address) return call.value(-address.error().number);
    progress = socket.udp.send(data, *address, std::move(done));
  } else {
    progress = socket.udp.send(data, std::move(done));
  }
  if (!progress) return call.value(-progress.error().number);
  return call.value(*progress == Progress::Done ? static_cast<double>(bytes.size() + 1) : 0.0);
}

// queued() → [bytes, messages]
Value queued(Call& call, UdpObject& socket) {
  JSC::MarkedArgumentBuffer counts;
  counts.append(JSC::jsNumber(static_cast<double>(socket.udp.queued_bytes())));
  counts.append(JSC::jsNumber(static_cast<double>(socket.udp.queued_messages())));
  return call.value(make_array(call.realm(), counts));
}

// bufferSize(isReceive, size or 0) → size or a negative errno
Value buffer_size(Call& call, UdpObject& socket) {
  auto& udp = socket.udp;
  const bool is_receive = call.boolean(0);
  if (int size = call.int32(1)) {
    auto set = is_receive ? udp.set_receive_buffer_size(size) : udp.set_send_buffer_size(size);
    if (!set) return call.value(-set.error().number);
  }
  auto size = is_receive ? udp.receive_buffer_size() : udp.send_buffer_size();
  return call.value(size ? *size : -size.error().number);
}

template <Result<void> (Udp::*kSet)(bool)>
Value set_flag(Call& call, UdpObject& socket) {
  return call.value(status_of((socket.udp.*kSet)(call.boolean(0))));
}

template <Result<void> (Udp::*kSet)(int)>
Value set_number(Call& call, UdpObject& socket) {
  return call.value(status_of((socket.udp.*kSet)(call.int32(0))));
}

Value set_multicast_interface(Call& call, UdpObject& socket) {
  return call.value(status_of(socket.udp.set_multicast_interface(call.string(0))));
}

// joinGroup(group, interface or undefined), leaveGroup
template <Result<void> (Udp::*kChange)(std::string_view, std::string_view)>
Value change_group(Call& call, UdpObject& socket) {
  return call.value(status_of((socket.udp.*kChange)(call.string(0), call.string(1))));
}

// joinSourceGroup(source, group, interface or undefined), leaveSourceGroup
template <Result<void> (Udp::*kChange)(std::string_view, std::string_view, std::string_view)>
Value change_source_group(Call& call, UdpObject& socket) {
  return call.value(status_of((socket.udp.*kChange)(call.string(0), call.string(1), call.string(2))));
}

// [host, port, family], or a negative errno
Value address_value(const Call& call, const Result<Address>& address) {
  if (!address) return call.value(-address.error().number);
  JSC::MarkedArgumentBuffer parts;
  parts.append(make_string(call.vm(), address->host()));
  parts.append(JSC::jsNumber(address->port()));
  parts.append(make_string(call.vm(), family_of(*address)));
  return call.value(make_array(call.realm(), parts));
}

Value local_address(Call& call, UdpObject& socket) { return address_value(call, socket.udp.local_address()); }

Value remote_address(Call& call, UdpObject& socket) { return address_value(call, socket.udp.remote_address()); }

Value descriptor(Call& call, UdpObject& socket) { return call.value(socket.udp.fd()); }

Value set_ref(Call& call, UdpObject& socket) {
  call.boolean(0) ? socket.udp.ref() : socket.udp.unref();
  return call.undefined();
}

Value has_ref(Call& call, UdpObject& socket) { return call.value(socket.udp.has_ref()); }

Value async_record(Call& call, UdpObject& socket) { return socket.async_record(); }

// close(callback or undefined)
Value close_socket(Call& call, UdpObject& socket) {
  if (!socket.udp.is_closing()) socket.close(call.function(0));
  return call.undefined();
}

constexpr FunctionSpec kMethods[] = {
    {"open", method<UdpObject, open_socket>, 1},
    {"bindTo", method<UdpObject, bind_socket>, 3},
    {"connect", method<UdpObject, connect_socket>, 2},
    {"disconnect", method<UdpObject, disconnect_socket>},
    {"receiveStart", method<UdpObject, receive_start>, 1},
    {"receiveStop", method<UdpObject, receive_stop>},
    {"share", method<UdpObject, share>},
    {"send", method<UdpObject, send>, 4},
    {"queued", method<UdpObject, queued>},
    {"bufferSize", method<UdpObject, buffer_size>, 2},
    {"setBroadcast", method<UdpObject, set_flag<&Udp::set_broadcast>>, 1},
    {"setMulticastLoopback", method<UdpObject, set_flag<&Udp::set_multicast_loopback>>, 1},
    {"setTtl", method<UdpObject, set_number<&Udp::set_ttl>>, 1},
    {"setMulticastTtl", method<UdpObject, set_number<&Udp::set_multicast_ttl>>, 1},
    {"setMulticastInterface", method<UdpObject, set_multicast_interface>, 1},
    {"joinGroup", method<UdpObject, change_group<&Udp::join_group>>, 2},
    {"leaveGroup", method<UdpObject, change_group<&Udp::leave_group>>, 2},
    {"joinSourceGroup", method<UdpObject, change_source_group<&Udp::join_source_group>>, 3},
    {"leaveSourceGroup", method<UdpObject, change_source_group<&Udp::leave_source_group>>, 3},
    {"localAddress", method<UdpObject, local_address>},
    {"remoteAddress", method<UdpObject, remote_address>},
    {"descriptor", method<UdpObject, descriptor>},
    {"setRef", method<UdpObject, set_ref>, 1},
    {"hasRef", method<UdpObject, has_ref>},
    {"asyncRecord", method<UdpObject, async_record>},
    {"close", method<UdpObject, close_socket>, 1},
};

constexpr FunctionSpec kFunctions[] = {{"newSocket", native<new_socket>}};

}  // namespace

void init_dgram(Runtime& runtime, JSC::JSObject* target) {
  static constexpr NumberSpec kBindFlags[] = {
      {"kReuseAddress", UdpBind::ReuseAddress}, {"kIpv6Only", UdpBind::Ipv6Only}, {"kReusePort", UdpBind::ReusePort}};
  put_functions(runtime.realm(), target, kFunctions);
  put(runtime.realm(), target, "closedSocket", runtime::make_closed<UdpObject>(runtime, kMethods));
  put_numbers(runtime.realm(), target, kBindFlags);
}

}  // namespace rondo::modules
