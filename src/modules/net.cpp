// native('net'): TCP and Unix streams for lib/node/net.js. Arguments in, one call of the loop's stream, completion out; the rules of
// node:net live in JavaScript. Results are 0 or a negative errno; writes answer 1 when their callback will follow.
#include "modules/net_handles.h"

#include "engine/core/buffer_class.h"

#include "rondo/dns.h"
#include "rondo/tty.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <sys/socket.h>
#include <sys/stat.h>
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
  return JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), parts);
}

Result<Address> parse_address(const std::string& host, int port) {
  return Address::ip(host, static_cast<uint16_t>(port));
}

}  // namespace net

namespace {

using net::AnyStream;
using net::LaterCall;
using net::status_of;

struct Connection : AnyStream {
  using AnyStream::AnyStream;
  explicit Connection(std::unique_ptr<Tty> terminal) : AnyStream(net::Kind::Terminal) { own(terminal.release()); }
  Tty* terminal() const { return kind == net::Kind::Terminal ? static_cast<Tty*>(handle) : nullptr; }
};

net::Numbered<Connection>& connections() {
  static thread_local auto* all = new net::Numbered<Connection>;
  return *all;
}

constexpr int kBadHandle = -EBADF;

// newStream(isPipe, withDescriptors) → id
Encoded new_stream(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto kind = call.boolean(0) ? net::Kind::Pipe : net::Kind::Tcp;
  auto mode = call.boolean(1) ? PipeMode::Descriptors : PipeMode::Plain;
  return call.value(connections().add(std::make_unique<Connection>(Runtime::from(realm).loop(), kind, mode)));
}

// open(id, fd)
Encoded open_descriptor(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || stream->terminal()) return call.value(kBadHandle);
  UniqueFd fd(call.int32(1));
  return call.value(
      status_of(stream->tcp() ? stream->tcp()->open(std::move(fd)) : stream->pipe()->open(std::move(fd))));
}

// bind(id, host, port)
Encoded bind_stream(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || !stream->tcp()) return call.value(kBadHandle);
  auto address = net::parse_address(call.string(1), call.int32(2));
  return call.value(address ? status_of(stream->tcp()->bind(*address)) : -address.error().number);
}

// connect(id, host or path, port, callback(status))
Encoded connect_stream(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || stream->terminal()) return call.value(kBadHandle);
  auto done = [later = LaterCall(Runtime::from(realm), call.function(3))](Result<void> result) {
    later(status_of(result));
  };
  if (stream->pipe()) return call.value(status_of(stream->pipe()->connect(call.string(1), std::move(done))));
  auto address = net::parse_address(call.string(1), call.int32(2));
  if (!address) return call.value(-address.error().number);
  return call.value(status_of(stream->tcp()->connect(*address, std::move(done))));
}

// Large pieces live in memory of the C library, which hands it out again while it is warm; the engine gives its own back to the
// kernel, and every page then costs a fault (a fifth of the time of a stream of 64 KiB pieces).
constexpr size_t kLargePiece = 16 * 1024;
JSC::JSUint8Array* received(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes) {
  auto* memory = bytes.size() < kLargePiece ? nullptr : static_cast<uint8_t*>(std::malloc(bytes.size()));
  if (!memory) return make_buffer(realm, bytes);
  std::memcpy(memory, bytes.data(), bytes.size());
  return adopt_buffer(realm, memory, bytes.size());
}

// readStart(id, callback(status, buffer)): status is the size, 0 at the end, or a negative errno.
Encoded read_start(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream) return call.value(kBadHandle);
  auto& runtime = Runtime::from(realm);
  return call.value(
      status_of((*stream)->read_start([&runtime, later = LaterCall(runtime, call.function(1))](Result<Bytes> piece) {
        JSC::MarkedArgumentBuffer arguments;
        if (piece) {
          arguments.append(JSC::jsNumber(piece->size()));
          auto* bytes = reinterpret_cast<const uint8_t*>(piece->data());
          if (!piece->empty()) arguments.append(received(runtime.realm(), {bytes, piece->size()}));
        } else {
          arguments.append(JSC::jsNumber(-piece.error().number));
        }
        later(arguments);
      })));
}

Encoded read_stop(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* stream = connections().find(call.int32(0))) (*stream)->read_stop();
  return call.undefined();
}

int progress_of(const Result<Progress>& result) {
  if (!result) return -result.error().number;
  return *result == Progress::Queued ? 1 : 0;
}

// tryBytes(id, view) → how much the kernel takes now, or an errno. What it takes whole needs no request and no callback.
Encoded try_bytes(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream) return call.value(kBadHandle);
  auto bytes = call.bytes(1);
  auto taken = (*stream)->try_write({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  return call.value(taken ? static_cast<double>(*taken) : -taken.error().number);
}

// writeBytes(id, view, callback(status)): the view stays alive until the write is over.
Encoded write_bytes(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream) return call.value(kBadHandle);
  auto& runtime = Runtime::from(realm);
  auto bytes = call.bytes(1);
  JSC::Strong<JSC::Unknown> owner(call.vm(), call.at(1));
  auto done = [owner = std::move(owner), later = LaterCall(runtime, call.function(2))](Result<void> result) {
    later(status_of(result));
  };
  return call.value(
      progress_of((*stream)->write({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, std::move(done))));
}

// writeDescriptor(id, view, fd, callback(status)): a descriptor travels with the bytes.
Encoded write_descriptor(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || !stream->pipe()) return call.value(kBadHandle);
  auto bytes = call.bytes(1);
  JSC::Strong<JSC::Unknown> owner(call.vm(), call.at(1));
  auto done = [owner = std::move(owner), later = LaterCall(Runtime::from(realm), call.function(3))](
                  Result<void> result) { later(status_of(result)); };
  return call.value(progress_of(stream->pipe()->write_descriptor(
      {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, call.int32(2), std::move(done))));
}

// takeDescriptor(id) → the oldest one received, or -1; who gets it owns it.
Encoded take_descriptor(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  return call.value(stream && stream->pipe() ? stream->pipe()->take_descriptor().release() : -1);
}

// writeMany(id, [view…], callback(status))
Encoded write_many(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(1));
  if (!stream || !list) return call.value(kBadHandle);
  std::vector<iovec> pieces;
  for (unsigned i = 0; i < list->length(); i++) {
    auto bytes = bytes_of(list->getIndex(realm, i));
    pieces.push_back({bytes.data(), bytes.size()});
  }
  JSC::Strong<JSC::Unknown> owner(call.vm(), list);
  auto done = [owner = std::move(owner), later = LaterCall(Runtime::from(realm), call.function(2))](
                  Result<void> result) { later(status_of(result)); };
  return call.value(progress_of((*stream)->write(std::span<const iovec>(pieces), std::move(done))));
}

// writeText(id, string, isLatin1, callback(status))
Encoded write_text(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream) return call.value(kBadHandle);
  auto text = call.wtf_string(1);
  auto done = [later = LaterCall(Runtime::from(realm), call.function(3))](Result<void> result) {
    later(status_of(result));
  };
  if (text.is8Bit() && (call.boolean(2) || text.containsOnlyASCII())) {
    Bytes bytes(reinterpret_cast<const std::byte*>(text.characters8()), text.length());
    return call.value(progress_of((*stream)->write_copy(bytes, std::move(done))));
  }
  auto utf8 = to_utf8(text);
  return call.value(progress_of((*stream)->write_copy(as_bytes(utf8), std::move(done))));
}

Encoded shutdown_stream(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream) return call.value(kBadHandle);
  auto done = [later = LaterCall(Runtime::from(realm), call.function(1))](Result<void> result) {
    later(status_of(result));
  };
  return call.value(progress_of((*stream)->shutdown(std::move(done))));
}

// close(id, callback), reset(id, callback): the callback runs in the closing phase.
Encoded close_as(JSC::JSGlobalObject* realm, JSC::CallFrame* frame, bool with_reset) {
  Call call(realm, frame);
  int id = call.int32(0);
  auto* stream = connections().find(id);
  if (!stream) return call.value(kBadHandle);
  auto closed = [id, later = LaterCall(Runtime::from(realm), call.function(1))] {
    auto gone = connections().take(id);
    later(0);
  };
  if (with_reset && stream->tcp() && stream->tcp()->is_open())
    return call.value(status_of(stream->tcp()->reset(std::move(closed))));
  (*stream)->close(std::move(closed));
  return call.value(0);
}
Encoded close_stream(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) { return close_as(realm, frame, false); }
Encoded reset_stream(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) { return close_as(realm, frame, true); }

// setRef(id, on)
Encoded set_ref(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* stream = connections().find(call.int32(0))) call.boolean(1) ? (*stream)->ref() : (*stream)->unref();
  return call.undefined();
}

Encoded set_no_delay(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  return call.value(stream && stream->tcp() ? status_of(stream->tcp()->set_no_delay(call.boolean(1))) : 0);
}

// setKeepAlive(id, on, idle seconds, interval, count)
Encoded set_keep_alive(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || !stream->tcp()) return call.value(0);
  auto or_default = [&](unsigned index, unsigned usual) { return call.uint32(index) ? call.uint32(index) : usual; };
  return call.value(status_of(
      stream->tcp()->set_keep_alive(call.boolean(1), or_default(2, 60), or_default(3, 1), or_default(4, 10))));
}

// setTypeOfService(id, value) → status; typeOfService(id) → value or status. The field of either family.
int service_level(int fd) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) return IPPROTO_IP;
  return own.ss_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
}
Encoded set_type_of_service(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || !stream->tcp()) return call.value(kBadHandle);
  int fd = stream->tcp()->fd(), level = service_level(fd), value = call.int32(1);
  int name = level == IPPROTO_IPV6 ? IPV6_TCLASS : IP_TOS;
  return call.value(setsockopt(fd, level, name, &value, sizeof value) == 0 ? 0 : -errno);
}
Encoded type_of_service(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || !stream->tcp()) return call.value(kBadHandle);
  int fd = stream->tcp()->fd(), level = service_level(fd), value = 0;
  socklen_t size = sizeof value;
  int name = level == IPPROTO_IPV6 ? IPV6_TCLASS : IP_TOS;
  return call.value(getsockopt(fd, level, name, &value, &size) == 0 ? value : -errno);
}

// descriptor(id) → fd, or -1; hasRef(id)
Encoded descriptor(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  return call.value(stream ? (*stream)->fd() : -1);
}
Encoded has_ref(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  return call.value(stream && (*stream)->has_ref());
}

Encoded local_address(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || stream->terminal() || !(*stream)->is_open()) return call.undefined();
  return call.value(
      net::address_array(realm, stream->tcp() ? stream->tcp()->local_address() : stream->pipe()->local_address()));
}

Encoded remote_address(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || stream->terminal() || !(*stream)->is_open()) return call.undefined();
  return call.value(
      net::address_array(realm, stream->tcp() ? stream->tcp()->remote_address() : stream->pipe()->remote_address()));
}

// newTerminal(fd) → id, or -errno. The standard descriptors stay open when the handle closes: it gets a copy.
Encoded new_terminal(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& runtime = Runtime::from(realm);
  int fd = call.int32(0, -1);
  if (fd >= 0 && fd <= STDERR_FILENO) fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  auto terminal = std::make_unique<Tty>(runtime.loop());
  auto opened = terminal->open(UniqueFd(fd));
  if (!opened) return call.value(-opened.error().number);
  return call.value(connections().add(std::make_unique<Connection>(std::move(terminal))));
}

// setRawMode(id, on) → status. The process ends without running atexit functions, so it is told to put terminals back.
Encoded set_raw_mode(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream || !stream->terminal()) return call.value(kBadHandle);
  static bool restores = false;
  if (!std::exchange(restores, true)) Runtime::from(realm).at_exit([](int) { Tty::restore_all(); });
  return call.value(status_of(stream->terminal()->set_mode(call.boolean(1) ? TtyMode::Raw : TtyMode::Normal)));
}

// setBlocking(id, on): writes return when the kernel has taken everything.
Encoded set_blocking(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (auto* stream = connections().find(call.int32(0))) (*stream)->set_blocking_writes(call.boolean(1));
  return call.value(0);
}

// counts(id) → [bytes read, bytes written, bytes queued]
Encoded counts(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* stream = connections().find(call.int32(0));
  if (!stream) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  parts.append(JSC::jsNumber((*stream)->bytes_read()));
  parts.append(JSC::jsNumber((*stream)->bytes_written()));
  parts.append(JSC::jsNumber((*stream)->queued_bytes()));
  return call.value(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), parts));
}

// lookup(host, family, flags, callback(status, [[address, family]…]))
Encoded lookup(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& runtime = Runtime::from(realm);
  AddressLookup::Hints hints;
  hints.family = call.int32(1) == 4 ? AF_INET : call.int32(1) == 6 ? AF_INET6 : AF_UNSPEC;
  hints.flags = call.int32(2);
  auto* request = new AddressLookup;
  request->start(
      runtime.loop(), call.string(0), {}, hints,
      [&runtime, later = LaterCall(runtime, call.function(3))](AddressLookup& done) {
        std::unique_ptr<AddressLookup> owner(&done);
        auto* realm = runtime.realm();
        JSC::MarkedArgumentBuffer items;
        for (const auto& address : done.addresses()) {
          JSC::MarkedArgumentBuffer pair;
          pair.append(make_string(realm->vm(), address.host()));
          pair.append(JSC::jsNumber(address.family() == AF_INET6 ? 6 : 4));
          items.append(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), pair));
        }
        JSC::MarkedArgumentBuffer arguments;
        arguments.append(JSC::jsNumber(-done.error()));
        arguments.append(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), items));
        later(arguments);
      });
  return call.undefined();
}

// kindOf(fd) → 'tcp', 'pipe' (FIFO, Unix stream socket), 'udp', 'tty', 'file' or 'unknown'
Encoded kind_of(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  int fd = call.int32(0, -1);
  struct stat info;
  if (isatty(fd)) return call.text("tty");
  if (fstat(fd, &info) != 0) return call.text("unknown");
  if (S_ISREG(info.st_mode) || S_ISCHR(info.st_mode)) return call.text("file");
  if (S_ISFIFO(info.st_mode)) return call.text("pipe");
  if (!S_ISSOCK(info.st_mode)) return call.text("unknown");
  int family = AF_UNSPEC, type = 0;
  socklen_t size = sizeof family;
  getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size);
  getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
  bool is_ip = family == AF_INET || family == AF_INET6;
  if (type == SOCK_DGRAM) return call.text(is_ip ? "udp" : "unknown");
  if (type != SOCK_STREAM) return call.text("unknown");
  return call.text(is_ip ? "tcp" : family == AF_UNIX ? "pipe" : "unknown");
}

// isIP(text) → 0, 4 or 6
Encoded is_ip(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
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
Encoded parse_ip(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
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
  return call.value(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), parts));
}

constexpr FunctionSpec kFunctions[] = {{"newStream", new_stream, 1},
                                       {"isIP", is_ip, 1},
                                       {"kindOf", kind_of, 1},
                                       {"parseIP", parse_ip, 1},
                                       {"open", open_descriptor, 2},
                                       {"bind", bind_stream, 3},
                                       {"connect", connect_stream, 4},
                                       {"readStart", read_start, 2},
                                       {"readStop", read_stop, 1},
                                       {"tryBytes", try_bytes, 2},
                                       {"writeBytes", write_bytes, 3},
                                       {"writeMany", write_many, 3},
                                       {"writeText", write_text, 4},
                                       {"writeDescriptor", write_descriptor, 4},
                                       {"takeDescriptor", take_descriptor, 1},
                                       {"shutdown", shutdown_stream, 2},
                                       {"close", close_stream, 2},
                                       {"reset", reset_stream, 2},
                                       {"setRef", set_ref, 2},
                                       {"setNoDelay", set_no_delay, 2},
                                       {"setKeepAlive", set_keep_alive, 5},
                                       {"setTypeOfService", set_type_of_service, 2},
                                       {"typeOfService", type_of_service, 1},
                                       {"descriptor", descriptor, 1},
                                       {"hasRef", has_ref, 1},
                                       {"localAddress", local_address, 1},
                                       {"remoteAddress", remote_address, 1},
                                       {"counts", counts, 1},
                                       {"newTerminal", new_terminal, 1},
                                       {"setRawMode", set_raw_mode, 2},
                                       {"setBlocking", set_blocking, 2},
                                       {"lookup", lookup, 4}};

}  // namespace

void init_net(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  put_functions(runtime.realm(), target, net::kServerFunctions);
  put_functions(runtime.realm(), target, net::kBoundFunctions);
}

}  // namespace rondo::modules
