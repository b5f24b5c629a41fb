// TCP: connections and servers, IPv4 and IPv6. Rules of reading, writing and closing are Stream's and
// Listener's, those of owner and thread handle.h's.
//
//   rondo::TcpServer server(loop);
//   server.bind(rondo::Address::any6(8080));
//   server.listen(511, [&](rondo::Result<rondo::UniqueFd> connection) { ... client->open(std::move(*connection)); });
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rondo/address.h"
#include "rondo/base/clock.h"
#include "rondo/base/unique_fd.h"
#include "rondo/listener.h"
#include "rondo/stream.h"

namespace [[gnu::visibility("default")]] rondo {

class ConnectAwait;
class Connector;

struct ConnectOptions {
  Duration timeout = Duration::zero();                          // of all attempts together; zero: the kernel's own
  Duration attempt_delay = std::chrono::milliseconds(250);      // before the next address is tried as well
};

class Tcp final : public Stream {
 public:
  explicit Tcp(Loop& loop) : Stream(loop, HandleKind::Tcp) {}
  ~Tcp() override;

  // Takes a connected socket, such as Listener hands out. EBUSY when there is one already.
  [[nodiscard]] Result<void> open(UniqueFd socket);

  // Where connect() shall come from. Creates the socket.
  [[nodiscard]] Result<void> bind(const Address& address);
  // `done` is called once: from the pending phase for what fails at once, else from poll. Writes and
  // read_start made meanwhile wait for the connection. An error returned here means `done` is not called.
  [[nodiscard]] Result<void> connect(const Address& address, Function<OnDone> done);
  // Happy eyeballs (RFC 8305): tries the addresses in their order, each `attempt_delay` after the last or as
  // soon as one fails; the first connection wins. The error is the last attempt's, or ETIMEDOUT.
  [[nodiscard]] Result<void> connect(std::span<const Address> addresses, const ConnectOptions& options,
                                     Function<OnDone> done);

  // These two may be set before there is a socket: the one that connect() or bind() makes has them.
  [[nodiscard]] Result<void> set_no_delay(bool on);
  // Probes after `idle` seconds without traffic, each `interval` seconds apart, `count` of them.
  [[nodiscard]] Result<void> set_keep_alive(bool on, unsigned idle = 60, unsigned interval = 1, unsigned count = 10);
  [[nodiscard]] Result<Address> local_address() const;
  [[nodiscard]] Result<Address> remote_address() const;

  // Closes with RST: the peer sees ECONNRESET, nothing lingers in TIME_WAIT, queued data is dropped.
  [[nodiscard]] Result<void> reset(Function<void()> on_closed = {});

  // For coroutines; include rondo/coroutine.h.
  ConnectAwait connect(const Address& address);
  ConnectAwait connect(const Address& address, const CancelToken& token);
  ConnectAwait connect(const std::vector<Address>& addresses, const ConnectOptions& options, const CancelToken& token);

 private:
  friend class Connector;
  struct KeepAlive {
    unsigned idle, interval, count;
  };
  void begin_close() override;
  void drop_connector();
  [[nodiscard]] Result<void> create_socket(int family);
  void apply_options(int fd) const;

  Connector* connector_ = nullptr;
  bool no_delay_ = false;                  // wanted before there was a socket, as the next
  std::optional<KeepAlive> keep_alive_;
};

enum class TcpBind : std::uint8_t {
  Default = 0,      // address reuse on (SO_REUSEADDR), IPv6 sockets take IPv4 too
  Ipv6Only = 1,
  ReusePort = 2,    // several sockets share the port, the kernel spreads connections
};
constexpr TcpBind operator|(TcpBind a, TcpBind b) {
  return static_cast<TcpBind>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

class TcpServer final : public Listener {
 public:
  explicit TcpServer(Loop& loop) : Listener(loop, HandleKind::TcpServer) {}

  // EADDRINUSE and its like are returned here, or by listen().
  [[nodiscard]] Result<void> bind(const Address& address, TcpBind how = TcpBind::Default);
  [[nodiscard]] Result<Address> local_address() const;
};

}  // namespace rondo
