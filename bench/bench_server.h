// The echo and HTTP modes of loop_bench, as users of the library write servers: TcpServer, Tcp, read_start, write_copy, batched
// writes, and reading that pauses while the peer does not take what it asked for. The HTTP mode looks for the end of the request
// and nothing else: a floor. The echo server stands here as coroutines, too.
#pragma once

#include <cstdlib>
#include <utility>

#include "bench_support.h"
#include "rondo/coroutine.h"
#include "rondo/loop.h"
#include "rondo/tcp.h"

namespace rondo_bench {

inline constexpr char kHello[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: Sun, 15 Nov 2026 00:00:00 GMT\r\n"
    "Connection: keep-alive\r\nContent-Length: 13\r\n\r\nHello, World!";

inline constexpr std::size_t kPauseBytes = 64 * 1024;

class Connection {
 public:
  Connection(rondo::Loop& loop, rondo::UniqueFd socket, bool is_http) : stream_(loop), is_http_(is_http) {
    if (!stream_.open(std::move(socket))) die("open");
    (void)stream_.set_no_delay(true);
    stream_.set_batched_writes(true);
    read();
  }

 private:
  void read() {
    (void)stream_.read_start([this](rondo::Result<rondo::Bytes> piece) {
      if (!piece || piece->empty()) return leave();
      if (!answer(*piece)) return leave();
      if (stream_.queued_bytes() > kPauseBytes) pause();
    });
  }

  void pause() {
    stream_.read_stop();
    stream_.on_drain([this] {
      stream_.on_drain({});
      read();
    });
  }

  bool answer(rondo::Bytes piece) {
    if (!is_http_) return stream_.write_copy(piece).has_value();
    const rondo::Bytes hello(reinterpret_cast<const std::byte*>(kHello), sizeof kHello - 1);
    for (int count = count_requests(reinterpret_cast<const char*>(piece.data()), piece.size()); count > 0; count--) {
      if (!stream_.write(hello)) return false;
    }
    return true;
  }

  void leave() {
    stream_.close([this] { delete this; });
  }

  // Ends of requests (CRLF CRLF) in the stream; state_ carries over between pieces.
  int count_requests(const char* bytes, std::size_t size) {
    int found = 0;
    for (const char* end = bytes + size; bytes < end; bytes++) {
      if (state_ == 0) {
        bytes = static_cast<const char*>(std::memchr(bytes, '\r', static_cast<std::size_t>(end - bytes)));
        if (!bytes) return found;
        state_ = 1;
      } else if (*bytes == ((state_ & 1) ? '\n' : '\r')) {
        if (++state_ == 4) found++, state_ = 0;
      } else {
        state_ = *bytes == '\r' ? 1 : 0;
      }
    }
    return found;
  }

  rondo::Tcp stream_;
  bool is_http_;
  int state_ = 0;
};

inline void serve(bool is_http) {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::loopback4(0))) die("bind");
  const auto listening = server.listen(1024, [&](rondo::Result<rondo::UniqueFd> connection) {
    if (connection) new Connection(loop, std::move(*connection), is_http);
  });
  if (!listening) die("listen");
  announce(server.local_address()->port());
  loop.run();
}

inline rondo::Coroutine<> echo_client(rondo::Loop& loop, rondo::UniqueFd socket) {
  rondo::Tcp stream(loop);
  if (!stream.open(std::move(socket))) die("open");
  (void)stream.set_no_delay(true);
  stream.set_batched_writes(true);
  for (;;) {
    const rondo::Result<rondo::Bytes> piece = co_await stream.read();
    if (!piece || piece->empty()) co_return;
    if (!co_await stream.write_all(*piece)) co_return;
  }
}

inline rondo::Coroutine<> accept_clients(rondo::Loop& loop, rondo::TcpServer& server) {
  for (;;) {
    rondo::Result<rondo::UniqueFd> connection = co_await server.accept();
    if (connection) rondo::spawn(echo_client(loop, std::move(*connection)));
  }
}

inline void serve_by_coroutines() {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::loopback4(0)) || !server.listen(1024)) die("listen");
  announce(server.local_address()->port());
  rondo::spawn(accept_clients(loop, server));
  loop.run();
}

}  // namespace rondo_bench
