// An echo server with callbacks: echo_server [port]. Each message costs one receive and one send; when a
// client reads slowly, reading from it pauses until its queue has drained.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "rondo/rondo.h"

namespace {

constexpr std::size_t kHighWater = 1 << 20;

// Owns itself: made for a connection, deleted when the connection has closed.
class Client {
 public:
  static void serve(rondo::Loop& loop, rondo::UniqueFd connection) {
    auto* client = new Client(loop);
    if (!client->stream_.open(std::move(connection)) || !client->stream_.set_no_delay(true)) return client->leave();
    client->stream_.on_drain([client] { client->read(); });
    client->read();
  }

 private:
  explicit Client(rondo::Loop& loop) : stream_(loop) {}

  void read() {
    if (stream_.is_reading()) return;
    const auto started = stream_.read_start([this](rondo::Result<rondo::Bytes> piece) {
      if (!piece || piece->empty()) return leave();
      if (!stream_.write_copy(*piece)) return leave();
      if (stream_.queued_bytes() > kHighWater) stream_.read_stop();
    });
    if (!started) leave();
  }

  void leave() {
    stream_.close([this] { delete this; });
  }

  rondo::Tcp stream_;
};

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  auto result = server.bind(rondo::Address::loopback4(port));
  if (result) {
    result = server.listen(511, [&](rondo::Result<rondo::UniqueFd> connection) {
      if (connection) Client::serve(loop, std::move(*connection));
    });
  }
  if (!result) {
    std::fprintf(stderr, "%s: %s\n", result.error().syscall, result.error().message());
    return 1;
  }
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  loop.run();
}
