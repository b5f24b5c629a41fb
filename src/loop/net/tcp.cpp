// TCP connections to one address, TCP servers, and their options. Several addresses: connector.cpp.
#include "rondo/tcp.h"

#include <netinet/tcp.h>

#include <cerrno>
#include <utility>

#include "loop/explore/virtual_network.h"
#include "loop/net/connector.h"
#include "loop/net/listener_core.h"
#include "loop/net/socket.h"
#include "loop/net/stream_core.h"

namespace rondo {
namespace {

Result<void> bind_socket(int fd, const Address& address) {
  if (Recording::current()) [[unlikely]]
    return bind_recorded(fd, address);
  if (virtual_network::is_virtual(fd)) [[unlikely]] {
    const int error = -virtual_network::bind(fd, address.data(), address.size());
    return error ? failure(error, "bind") : Result<void>();
  }
  const int error = bind_descriptor(fd, address);
  return error ? failure(error, "bind") : Result<void>();
}

}  // namespace

Tcp::~Tcp() { drop_connector(); }

Result<void> Tcp::open(UniqueFd socket) {
  if (is_closing() || !socket) return failure(EBADF, "open");
  if (core().is_open()) return failure(EBUSY, "open");
  if (auto result = expect_socket(loop(), socket); !result) return result;
  core().open(socket.release(), StreamCore::Transport::Socket);
  apply_options(fd());
  return {};
}

Result<void> Tcp::create_socket(int family) {
  if (core().is_open()) return {};
  auto socket = make_socket(loop(), family, SOCK_STREAM);
  if (!socket) return std::unexpected(socket.error());
  apply_options(socket->get());
  core().open(socket->release(), StreamCore::Transport::Socket);
  return {};
}

Result<void> Tcp::bind(const Address& address) {
  if (is_closing()) return failure(EBADF, "bind");
  if (auto result = create_socket(address.family()); !result) return result;
  if (auto result = set_option(fd(), SOL_SOCKET, SO_REUSEADDR, 1); !result) return result;
  return bind_socket(fd(), address);
}

Result<void> Tcp::connect(const Address& address, Function<OnDone> done) {
  if (is_closing()) return failure(EBADF, "connect");
  if (core().is_connecting()) return failure(EALREADY, "connect");
  if (core().is_connected())
    return failure(EISCONN, "connect");  // the kernel would call the first repetition a success
  if (auto result = create_socket(address.family()); !result) return result;
  int error = begin_connect(loop(), fd(), address);
  // The first call after a refused connection only takes note of it.
  if (error == ECONNABORTED) error = begin_connect(loop(), fd(), address);
  if (error == EISCONN || error == EALREADY) return failure(error, "connect");
  if (error == 0 || error == EINPROGRESS) {
    core().open_connecting(fd(), std::move(done));
  } else {
    core().fail_connect(Error{error, "connect"}, std::move(done));
  }
  return {};
}

Result<void> Tcp::connect(std::span<const Address> addresses, const ConnectOptions& options, Function<OnDone> done) {
  if (is_closing()) return failure(EBADF, "connect");
  if (core().is_connecting()) return failure(EALREADY, "connect");
  if (core().is_open()) return failure(EISCONN, "connect");
  if (addresses.empty()) return failure(EINVAL, "connect");
  core().expect_connection(std::move(done));
  connector_ = new Connector(*this, addresses, options);
  connector_->start();
  return {};
}

void Tcp::drop_connector() {
  if (Connector* connector = std::exchange(connector_, nullptr)) connector->abandon();
}

void Tcp::begin_close() {
  drop_connector();
  Stream::begin_close();
}

Result<void> Tcp::set_no_delay(bool on) {
  if (is_closing()) return failure(EBADF, "setsockopt");
  if (fd() >= 0) return set_option(fd(), IPPROTO_TCP, TCP_NODELAY, static_cast<int>(on));
  no_delay_ = on;
  return {};
}

Result<void> Tcp::set_keep_alive(bool on, unsigned idle, unsigned interval, unsigned count) {
  if (is_closing()) return failure(EBADF, "setsockopt");
  if (fd() < 0) {
    if (on && (idle == 0 || interval == 0 || count == 0)) return failure(EINVAL, "setsockopt");
    keep_alive_.reset();
    if (on) keep_alive_ = {idle, interval, count};
    return {};
  }
  auto result = set_option(fd(), SOL_SOCKET, SO_KEEPALIVE, static_cast<int>(on));
  if (!on || !result) return result;
  if (idle == 0) return failure(EINVAL, "setsockopt");
  if (result = set_option(fd(), IPPROTO_TCP, TCP_KEEPIDLE, idle); !result) return result;
  if (result = set_option(fd(), IPPROTO_TCP, TCP_KEEPINTVL, interval); !result) return result;
  return set_option(fd(), IPPROTO_TCP, TCP_KEEPCNT, count);
}

void Tcp::apply_options(int fd) const {
  if (no_delay_) (void)set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (!keep_alive_) return;
  (void)set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, keep_alive_->idle);
  (void)set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, keep_alive_->interval);
  (void)set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, keep_alive_->count);
  (void)set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
}

Result<Address> Tcp::local_address() const { return Address::local_of(fd()); }

Result<Address> Tcp::remote_address() const { return Address::remote_of(fd()); }

Result<void> Tcp::reset(Function<void()> on_closed) {
  if (is_closing()) return failure(EBADF, "close");
  const auto result =
      fd() < 0 ? Result<void>() : set_option(fd(), SOL_SOCKET, SO_LINGER, linger{.l_onoff = 1, .l_linger = 0});
  close(std::move(on_closed));
  return result;
}

Result<void> TcpServer::bind(const Address& address, TcpBind how) {
  if (is_closing()) return failure(EBADF, "bind");
  if (fd() >= 0) return failure(EINVAL, "bind");
  auto socket = make_socket(loop(), address.family(), SOCK_STREAM);
  if (!socket) return std::unexpected(socket.error());
  const int fd = socket->get();
  const auto has = [how](TcpBind flag) { return (static_cast<unsigned>(how) & static_cast<unsigned>(flag)) != 0; };
  if (auto result = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1); !result) return result;
  if (has(TcpBind::ReusePort)) {
    if (auto result = set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1); !result) return result;
  }
  if (address.family() == AF_INET6 && !virtual_network::is_on()) {
    if (auto result = set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, static_cast<int>(has(TcpBind::Ipv6Only))); !result) {
      return result;
    }
  }
  if (auto result = bind_socket(fd, address); !result) return result;
  core().open(socket->release());
  return {};
}

Result<Address> TcpServer::local_address() const { return Address::local_of(fd()); }

}  // namespace rondo
