// native('net'): TCP and Unix streams for lib/internal/net. Arguments in, one call of the loop's stream, completion out; the rules of
// node:net live in JavaScript. Results are 0 or a negative errno; writes answer 1 when their callback will follow.
#include "modules/net/net_handles.h"

#include "engine/core/buffer_class.h"
#include "engine/core/pinned_bytes.h"
#include "modules/support/permission_check.h"
#include "observe/trace.h"
#include "observe/trace_log.h"

#include "rondo/descriptor.h"
#include "rondo/dns.h"
#include "rondo/system.h"
#include "rondo/tty.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace net {

Value address_array(JSC::JSGlobalObject* realm, const Result<Address>& address) {
  if (!address) return JSC::jsUndefined();
  auto& vm = realm->vm();
  JSC::MarkedArgumentBuffer parts;
  if (address->is_ip()) {
    parts.append(make_string(vm, address->host()));
    parts.append(JSC::jsNumber(address->port()));
    parts.append(make_string(vm, address->family() == AF_INET6 ? "IPv6" : "IPv4"));
  } else {
    parts.append(make_string(vm, address->path()));
  }
  return make_array(realm, parts);
}

Result<Address> parse_address(const std::string& host, int port) {
  return Address::ip(host, static_cast<uint16_t>(port));
}

}  // namespace net

namespace {

using net::status_of;
using net::StreamObject;
using runtime::Continuation;
using runtime::method;
using runtime::Source;

constexpr Source kConnectTcp{"net.connect", "TCPCONNECTWRAP"}, kConnectPipe{"net.connect", "PIPECONNECTWRAP"};
constexpr Source kWrite{"socket.write", "WRITEWRAP"}, kShutdown{"socket.end", "SHUTDOWNWRAP"};
constexpr Source kLookup{"dns.lookup", "GETADDRINFOREQWRAP"};
constexpr Source kData{"socket data", "TCPWRAP"};

constexpr int kBadHandle = -EBADF;

Continuation operation(const Call& call, unsigned callback, const Source& source) {
  return Continuation(Runtime::from(call.realm()), call.function(callback), source);
}

// Callback for librondo at the end of an operation.
auto done_with(Continuation then) {
  return [then = std::move(then)](Result<void> result) mutable { then(status_of(result)); };
}
// The same for one that the kernel reads from memory of JavaScript's.
template <class Pinned>
auto done_with(Continuation then, Pinned pinned) {
  return [then = std::move(then), pinned = std::move(pinned)](Result<void> result) mutable {
    auto last = std::move(then);
    pinned = Pinned();
    last(status_of(result));
  };
}

Bytes as_bytes_of(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}

// newStream(isPipe, withDescriptors) → handle
Value new_stream(Call& call) {
  auto kind = call.boolean(0) ? net::Kind::Pipe : net::Kind::Tcp;
  auto mode = call.boolean(1) ? PipeMode::Descriptors : PipeMode::Plain;
  return net::HandleObject::publish(std::make_unique<StreamObject>(Runtime::from(call.realm()), kind, mode));
}

// open(fd)
Value open_descriptor(Call& call, StreamObject& stream) {
  if (stream.terminal()) return call.value(kBadHandle);
  return call.value(status_of(stream.open(UniqueFd(call.int32(0)))));
}

// Where --permission forbids to use the network: the error.
JSC::JSObject* refusal_of_address(const Call& call, bool is_path) {
  return refused(Runtime::from(call.realm()), Scope::Net,
                 [&] { return is_path ? call.string(0) : call.string(0) + ":" + std::to_string(call.int32(1)); });
}

// bindTo(host, port) → status, or an error where --permission forbids it; so do connect() and lookup()
Value bind_stream(Call& call, StreamObject& stream) {
  if (!stream.tcp()) return call.value(kBadHandle);
  if (auto* refusal = refusal_of_address(call, false)) return call.value(refusal);
  auto address = net::parse_address(call.string(0), call.int32(1));
  return call.value(address ? status_of(stream.tcp()->bind(*address)) : -address.error().number);
}

// The arguments of the event that tells of a connect, as Node's: an abstract name begins with a zero byte.
std::string connect_details(const Call& call, bool is_pipe) {
  const auto to = call.string(0);
  if (!is_pipe) return fmt::format(R"({{"ip":{},"port":{}}})", observe::json_string(to), call.int32(1));
  const bool is_abstract = !to.empty() && to[0] == 0;
  return fmt::format(R"({{"path_type":"{}","pipe_path":{}}})", is_abstract ? "abstract socket" : "file",
                     observe::json_string(is_abstract ? to.substr(1) : to));
}

// As done_with, with the events of node.net.native around.
auto traced_connect(const Call& call, bool is_pipe, Continuation then) {
  using observe::TraceCategory;
  const uint64_t id = reinterpret_cast<uintptr_t>(native_of<StreamObject>(call.self()));  // which connects once
  auto& log = observe::TraceLog::get();
  const auto details = connect_details(call, is_pipe);
  log.add(TraceCategory::Net,
          {.phase = 'b', .category = {}, .name = "connect", .at = steady_now(), .id = id, .args = details});
  return [&log, id, then = std::move(then)](Result<void> result) mutable {
    const auto status = fmt::format(R"({{"status":{}}})", status_of(result));
    log.add(TraceCategory::Net,
            {.phase = 'e', .category = {}, .name = "connect", .at = steady_now(), .id = id, .args = status});
    then(status_of(result));
  };
}

// connect(host or path, port, callback(status))
Value connect_stream(Call& call, StreamObject& stream) {
  if (stream.terminal()) return call.value(kBadHandle);
  if (auto* refusal = refusal_of_address(call, stream.pipe())) return call.value(refusal);
  const bool is_traced = observe::TraceLog::get().wants(observe::TraceCategory::Net);
  if (auto* pipe = stream.pipe()) {
    auto then = operation(call, 2, kConnectPipe);
    return call.value(status_of(is_traced ? pipe->connect(call.string(0), traced_connect(call, true, std::move(then)))
                                          : pipe->connect(call.string(0), done_with(std::move(then)))));
  }
  auto address = net::parse_address(call.string(0), call.int32(1));
  if (!address) return call.value(-address.error().number);
  auto then = operation(call, 2, kConnectTcp);
  return call.value(status_of(is_traced ? stream.tcp()->connect(*address, traced_connect(call, false, std::move(then)))
                                        : stream.tcp()->connect(*address, done_with(std::move(then)))));
}

// A large piece becomes a Buffer where it lies, if the stream can spare the memory, less what was not filled. Otherwise it is copied
// to memory of the C library, which hands it out again while it is warm; the engine gives its own back to the kernel, and every page
// then costs a fault (a fifth of the time of a stream of 64 KiB pieces). Chunks of the loop have 256 KiB.
constexpr size_t kLargePiece = 16 * 1024, kNearlyFull = 240 * 1024;
JSC::JSUint8Array* received(JSC::JSGlobalObject* realm, Stream& stream, Bytes piece) {
  const size_t size = piece.size();
  if (size < kLargePiece) return make_buffer(realm, {reinterpret_cast<const uint8_t*>(piece.data()), size});
  void* memory = stream.take_memory(piece).release();
  if (!memory) {
    memory = std::malloc(size);
    if (!memory) return make_buffer(realm, {reinterpret_cast<const uint8_t*>(piece.data()), size});
    std::memcpy(memory, piece.data(), size);
  } else if (size < kNearlyFull) {
    if (void* smaller = std::realloc(memory, size)) memory = smaller;
  }
  return adopt_buffer(realm, static_cast<uint8_t*>(memory), size);
}

// readStart(callback(status, buffer)): status is the size, 0 at the end, or a negative errno.
Value read_start(Call& call, StreamObject& stream) {
  auto on_piece = [from = &stream.stream(), then = stream.event(call.function(0), kData)](Result<Bytes> piece) mutable {
    if (then.is_dead()) return;
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(piece ? static_cast<double>(piece->size()) : -piece.error().number));
    if (piece && !piece->empty()) arguments.append(received(then.runtime().realm(), *from, *piece));
    then(arguments);
  };
  return call.value(status_of(stream.stream().read_start(std::move(on_piece))));
}

Value read_stop(Call& call, StreamObject& stream) {
  stream.stream().read_stop();
  return call.undefined();
}

int progress_of(const Result<Progress>& result) {
  if (!result) return -result.error().number;
  return *result == Progress::Queued ? 1 : 0;
}

// tryBytes(view) → how much the kernel takes now, or an errno. A view that the kernel takes whole needs no request and no callback.
Value try_bytes(Call& call, StreamObject& stream) {
  auto taken = stream.stream().try_write(as_bytes_of(call.bytes(0)));
  return call.value(taken ? static_cast<double>(*taken) : -taken.error().number);
}

// writeBytes(view, callback(status)): the view's memory stays where it is until the write is over.
Value write_bytes(Call& call, StreamObject& stream) {
  PinnedBytes pinned(call.at(0));
  auto bytes = as_bytes_of(pinned.bytes());
  return call.value(
      progress_of(stream.stream().write(bytes, done_with(operation(call, 1, kWrite), std::move(pinned)))));
}

// writeDescriptor(view, fd, callback(status)): a descriptor travels with the bytes.
Value write_descriptor(Call& call, StreamObject& stream) {
  if (!stream.pipe()) return call.value(kBadHandle);
  PinnedBytes pinned(call.at(0));
  auto bytes = as_bytes_of(pinned.bytes());
  return call.value(progress_of(
      stream.pipe()->write_descriptor(bytes, call.int32(1), done_with(operation(call, 2, kWrite), std::move(pinned)))));
}

// takeDescriptor() → the oldest one received, or -1; who gets it owns it.
Value take_descriptor(Call& call, StreamObject& stream) {
  return call.value(stream.pipe() ? stream.pipe()->take_descriptor().release() : -1);
}

// writeMany([view…], callback(status))
Value write_many(Call& call, StreamObject& stream) {
  auto* realm = call.realm();
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  if (!list) return call.value(kBadHandle);
  std::vector<PinnedBytes> pinned;
  std::vector<iovec> pieces;
  for (unsigned i = 0; i < list->length(); i++) {
    auto bytes = pinned.emplace_back(list->getIndex(realm, i)).bytes();
    pieces.push_back({bytes.data(), bytes.size()});
  }
  return call.value(progress_of(
      stream.stream().write(std::span<const iovec>(pieces), done_with(operation(call, 1, kWrite), std::move(pinned)))));
}

// writeText(string, isLatin1, callback(status))
Value write_text(Call& call, StreamObject& stream) {
  auto text = call.wtf_string(0);
  auto done = done_with(operation(call, 2, kWrite));
  if (text.is8Bit() && (call.boolean(1) || text.containsOnlyASCII())) {
    Bytes bytes(reinterpret_cast<const std::byte*>(text.characters8()), text.length());
    return call.value(progress_of(stream.stream().write_copy(bytes, std::move(done))));
  }
  auto utf8 = to_utf8(call.realm(), text);
  if (call.failed()) return {};
  return call.value(progress_of(stream.stream().write_copy(as_bytes(utf8), std::move(done))));
}

Value shutdown_stream(Call& call, StreamObject& stream) {
  return call.value(progress_of(stream.stream().shutdown(done_with(operation(call, 0, kShutdown)))));
}

// close(callback): the callback runs in the closing phase.
Value close_stream(Call& call, StreamObject& stream) {
  stream.close(call.function(0));
  return call.value(0);
}

// reset(callback): as close, with RST.
Value reset_stream(Call& call, StreamObject& stream) {
  if (!stream.tcp() || !stream.tcp()->is_open()) return close_stream(call, stream);
  return call.value(status_of(stream.tcp()->reset(stream.closer(call.function(0)))));
}

// asyncRecord() → what async hooks know it by, or undefined
Value async_record(Call& call, StreamObject& stream) { return call.value(stream.async_record()); }

// setRef(on)
Value set_ref(Call& call, StreamObject& stream) {
  call.boolean(0) ? stream.stream().ref() : stream.stream().unref();
  return call.undefined();
}

Value set_no_delay(Call& call, StreamObject& stream) {
  return call.value(stream.tcp() ? status_of(stream.tcp()->set_no_delay(call.boolean(0))) : 0);
}

// setKeepAlive(on, idle seconds, interval, count)
Value set_keep_alive(Call& call, StreamObject& stream) {
  if (!stream.tcp()) return call.value(0);
  auto or_default = [&](unsigned index, unsigned usual) { return call.uint32(index) ? call.uint32(index) : usual; };
  return call.value(
      status_of(stream.tcp()->set_keep_alive(call.boolean(0), or_default(1, 60), or_default(2, 1), or_default(3, 10))));
}

// setTypeOfService(value) → status; typeOfService() → value or status
Value set_type_of_service_of(Call& call, StreamObject& stream) {
  if (!stream.tcp()) return call.value(kBadHandle);
  return call.value(status_of(set_type_of_service(stream.tcp()->fd(), call.int32(0))));
}
Value type_of_service_of(Call& call, StreamObject& stream) {
  if (!stream.tcp()) return call.value(kBadHandle);
  auto value = type_of_service(stream.tcp()->fd());
  return call.value(value ? *value : -value.error().number);
}

// descriptor() → fd, or -1; hasRef()
Value descriptor(Call& call, StreamObject& stream) { return call.value(stream.stream().fd()); }
Value has_ref(Call& call, StreamObject& stream) { return call.value(stream.stream().has_ref()); }

Value local_address(Call& call, StreamObject& stream) {
  auto* realm = call.realm();
  if (stream.terminal() || !stream.stream().is_open()) return call.undefined();
  return call.value(
      net::address_array(realm, stream.tcp() ? stream.tcp()->local_address() : stream.pipe()->local_address()));
}

Value remote_address(Call& call, StreamObject& stream) {
  auto* realm = call.realm();
  if (stream.terminal() || !stream.stream().is_open()) return call.undefined();
  return call.value(
      net::address_array(realm, stream.tcp() ? stream.tcp()->remote_address() : stream.pipe()->remote_address()));
}

// newTerminal(fd) → handle, or -errno. The standard descriptors stay open when the handle closes: it gets a copy.
Value new_terminal(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  int fd = call.int32(0, -1);
  if (fd >= 0 && fd <= STDERR_FILENO) fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  auto terminal = std::make_unique<Tty>(runtime.loop());
  auto opened = terminal->open(UniqueFd(fd));
  if (!opened) return call.value(-opened.error().number);
  return net::HandleObject::publish(std::make_unique<StreamObject>(runtime, std::move(terminal)));
}

// setRawMode(on) → status
Value set_raw_mode(Call& call, StreamObject& stream) {
  if (!stream.terminal()) return call.value(kBadHandle);
  return call.value(status_of(stream.terminal()->set_mode(call.boolean(0) ? TtyMode::Raw : TtyMode::Normal)));
}

// setBlocking(on): writes return when the kernel has taken everything.
Value set_blocking(Call& call, StreamObject& stream) {
  stream.stream().set_blocking_writes(call.boolean(0));
  return call.value(0);
}

// counts() → [bytes read, bytes written, bytes queued]
Value counts(Call& call, StreamObject& stream) {
  auto* realm = call.realm();
  JSC::MarkedArgumentBuffer parts;
  parts.append(JSC::jsNumber(stream.stream().bytes_read()));
  parts.append(JSC::jsNumber(stream.stream().bytes_written()));
  parts.append(JSC::jsNumber(stream.stream().queued_bytes()));
  return call.value(make_array(realm, parts));
}

// A look-up under way: it frees itself.
struct LookupRequest final : runtime::Request {
  explicit LookupRequest(Runtime& runtime) { begin(runtime); }
  void cancel() override { lookup.cancel(); }
  AddressLookup lookup;
};

// lookup(host, family, flags, callback(status, [[address, family]…]))
Value lookup(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  if (auto* refusal = refused(runtime, Scope::Net, [&] { return call.string(0); })) return call.value(refusal);
  AddressLookup::Hints hints;
  hints.family = call.int32(1) == 4 ? AF_INET : call.int32(1) == 6 ? AF_INET6 : AF_UNSPEC;
  hints.flags = call.int32(2);
  auto* request = new LookupRequest(runtime);
  auto on_found = [request, then = operation(call, 3, kLookup)](AddressLookup& done) mutable {
    std::unique_ptr<LookupRequest> owner(request);
    if (then.is_dead()) return;
    auto* realm = then.runtime().realm();
    JSC::MarkedArgumentBuffer items;
    for (const auto& address : done.addresses()) {
      JSC::MarkedArgumentBuffer pair;
      pair.append(make_string(realm->vm(), address.host()));
      pair.append(JSC::jsNumber(address.family() == AF_INET6 ? 6 : 4));
      items.append(make_array(realm, pair));
    }
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(-done.error()));
    arguments.append(make_array(realm, items));
    then(arguments);
  };
  request->lookup.start(runtime.loop(), call.string(0), {}, hints, std::move(on_found));
  return call.undefined();
}

// kindOf(fd) → 'tcp', 'pipe' (FIFO, Unix stream socket), 'udp', 'tty', 'file' or 'unknown'
Value kind_of(Call& call) {
  switch (handle_kind_of(call.int32(0, -1))) {
    case HandleKind::Tty:
      return call.text("tty");
    case HandleKind::File:
      return call.text("file");
    case HandleKind::Pipe:
    case HandleKind::PipeServer:
      return call.text("pipe");
    case HandleKind::Tcp:
    case HandleKind::TcpServer:
      return call.text("tcp");
    case HandleKind::Udp:
      return call.text("udp");
    default:
      return call.text("unknown");
  }
}

// isIP(text) → 0, 4 or 6
Value is_ip(Call& call) {
  auto text = call.string(0);
  // A zone is part of the text whether or not this machine has the interface.
  auto zone = text.find('%');
  if (zone != std::string::npos) {
    auto is_plain = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == ':';
    };
    if (zone + 1 == text.size() || !std::all_of(text.begin() + zone + 1, text.end(), is_plain)) return call.value(0);
    text.resize(zone);
  }
  auto address = net::parse_address(text, 0);
  if (!address || (zone != std::string::npos && address->family() != AF_INET6)) return call.value(0);
  return call.value(address->family() == AF_INET6 ? 6 : 4);
}

// parseIP(text) → [the address as usually written, its bytes in hexadecimal] or undefined
Value parse_ip(Call& call) {
  auto* realm = call.realm();
  auto address = net::parse_address(call.string(0), 0);
  if (!address) return call.undefined();
  const auto* any = address->data();
  const uint8_t* bytes = any->sa_family == AF_INET6
                             ? reinterpret_cast<const sockaddr_in6*>(any)->sin6_addr.s6_addr
                             : reinterpret_cast<const uint8_t*>(&reinterpret_cast<const sockaddr_in*>(any)->sin_addr);
  std::string hex;
  for (int i = 0; i < (any->sa_family == AF_INET6 ? 16 : 4); i++) hex += fmt::format("{:02x}", bytes[i]);
  JSC::MarkedArgumentBuffer parts;
  parts.append(make_string(call.vm(), address->host()));
  parts.append(make_string(call.vm(), hex));
  return call.value(make_array(realm, parts));
}

constexpr FunctionSpec kStreamMethods[] = {{"open", method<StreamObject, open_descriptor>, 1},
                                           {"bindTo", method<StreamObject, bind_stream>, 2},
                                           {"connect", method<StreamObject, connect_stream>, 3},
                                           {"readStart", method<StreamObject, read_start>, 1},
                                           {"readStop", method<StreamObject, read_stop>},
                                           {"tryBytes", method<StreamObject, try_bytes>, 1},
                                           {"writeBytes", method<StreamObject, write_bytes>, 2},
                                           {"writeMany", method<StreamObject, write_many>, 2},
                                           {"writeText", method<StreamObject, write_text>, 3},
                                           {"writeDescriptor", method<StreamObject, write_descriptor>, 3},
                                           {"takeDescriptor", method<StreamObject, take_descriptor>},
                                           {"shutdown", method<StreamObject, shutdown_stream>, 1},
                                           {"close", method<StreamObject, close_stream>, 1},
                                           {"reset", method<StreamObject, reset_stream>, 1},
                                           {"asyncRecord", method<StreamObject, async_record>},
                                           {"setRef", method<StreamObject, set_ref>, 1},
                                           {"setNoDelay", method<StreamObject, set_no_delay>, 1},
                                           {"setKeepAlive", method<StreamObject, set_keep_alive>, 4},
                                           {"setTypeOfService", method<StreamObject, set_type_of_service_of>, 1},
                                           {"typeOfService", method<StreamObject, type_of_service_of>},
                                           {"descriptor", method<StreamObject, descriptor>},
                                           {"hasRef", method<StreamObject, has_ref>},
                                           {"localAddress", method<StreamObject, local_address>},
                                           {"remoteAddress", method<StreamObject, remote_address>},
                                           {"counts", method<StreamObject, counts>},
                                           {"setRawMode", method<StreamObject, set_raw_mode>, 1},
                                           {"setBlocking", method<StreamObject, set_blocking>, 1}};

constexpr FunctionSpec kFunctions[] = {{"newStream", native<new_stream>, 1},     {"isIP", native<is_ip>, 1},
                                       {"kindOf", native<kind_of>, 1},           {"parseIP", native<parse_ip>, 1},
                                       {"newTerminal", native<new_terminal>, 1}, {"lookup", native<lookup>, 4}};

}  // namespace

void init_net(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  std::vector<FunctionSpec> methods(std::begin(kStreamMethods), std::end(kStreamMethods));
  for (auto more : {net::kHttpStreamMethods, net::kServeStreamMethods})
    methods.insert(methods.end(), more.begin(), more.end());
  put(runtime.realm(), target, "closedStream", runtime::make_closed<StreamObject>(runtime, methods));
  net::init_server(runtime, target);
  put_functions(runtime.realm(), target, net::kBoundFunctions);
}

}  // namespace rondo::modules
