// Tcp and Pipe handles on simulated sockets: an echo server and its clients, with short transfers, full buffers, resets, refusals and
// too few descriptors, closed and destroyed at any moment; one run for each of ten thousand seeds. S153
//
//  RT1 what a client receives is a prefix of what it sent; without faults and early ends, all of it
//  RT2 a function of a queued write or connect is called once at most, and exactly once unless its handle was closed
//  RT3 nothing is called after close() or destruction, but the function of close(), once
//  RT4 at the end nothing is left: no descriptor, no handle, no operation; and the loop was never stuck
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "loop/sim/seeds.h"
#include "rondo/address.h"
#include "rondo/pipe.h"
#include "rondo/sim.h"
#include "rondo/tcp.h"
#include "rondo/timer.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

Result<void> connect(Tcp& tcp, Function<Stream::OnDone> done) {
  return tcp.connect(*Address::unix_socket("echo"), std::move(done));
}
Result<void> connect(Pipe& pipe, Function<Stream::OnDone> done) { return pipe.connect("echo", std::move(done)); }

template <class Handle, class Server>
class EchoWorld {
 public:
  EchoWorld(std::uint64_t seed, std::uint32_t faults)
      : decider_(seed, faults),
        world_(decider_,
               SimLimits{.descriptors = 3 + random(20), .stream_bytes = 1 + random(3000), .backlog = 1 + random(4)}),
        loop_(world_.options()),
        server_(loop_),
        is_faultless_(faults == 0) {}

  std::string run() {
    if (!server_.open(UniqueFd(world_.listen("echo")))) return "no listener";
    if (!server_.listen(8, [this](Result<UniqueFd> connection) { accept(std::move(connection)); })) return "no server";
    const std::uint32_t count = 1 + random(8);
    for (std::uint32_t i = 0; i < count; i++) start_client();
    if (std::string wrong = testing::run_to_the_end(loop_, world_, decider_, breach_); !wrong.empty()) return wrong;
    return verdict();
  }
  bool has_echoed_all() const { return complete_ == clients_.size(); }

 private:
  struct Peer {  // the server's side of a connection
    explicit Peer(Loop& loop) : tcp(loop) {}
    Handle tcp;
    bool is_closed = false;
  };
  struct Client {
    explicit Client(Loop& loop) : tcp(std::make_unique<Handle>(loop)), patience(loop), chaos(loop) {}
    std::unique_ptr<Handle> tcp;
    Timer patience, chaos;
    std::string message, received;
    std::size_t queued = 0, finished = 0;  // functions given and called
    bool is_gone = false;  // closed or destroyed
    int closes = 0;
    bool wants_close_call = false;
  };

  std::uint32_t random(std::uint32_t count) { return decider_.random(count); }
  void breach(const char* what) {
    if (breach_.empty()) breach_ = what;
  }

  void accept(Result<UniqueFd> connection) {
    if (!connection) return;
    peers_.push_back(std::make_unique<Peer>(loop_));
    Peer& peer = *peers_.back();
    if (!peer.tcp.open(std::move(*connection))) return breach("a connection cannot be opened");
    (void)peer.tcp.read_start([this, &peer](Result<Bytes> piece) {
      if (peer.is_closed) return breach("the server's connection was called after its close");
      if (piece && !piece->empty()) {
        if (!peer.tcp.write_copy(*piece)) close(peer);
      } else if (!piece || !peer.tcp.shutdown([this, &peer](Result<void>) { close(peer); }) ||
                 peer.tcp.queued_bytes() == 0) {
        close(peer);
      }
    });
  }
  void close(Peer& peer) {
    if (peer.is_closed) return;
    peer.is_closed = true;
    peer.tcp.close();
  }

  void start_client() {
    clients_.push_back(std::make_unique<Client>(loop_));
    Client& client = *clients_.back();
    open_clients_++;
    for (std::uint32_t size = random(6000); client.message.size() < size;)
      client.message += static_cast<char>('a' + client.message.size() % 26);
    client.patience.start(Duration(1'000'000'000), [this, &client] { end(client); });
    const auto connected = connect(*client.tcp, [this, &client](Result<void> result) {
      if (client.is_gone) return breach("a connect was told after the close");
      client.finished++;
      if (!result) return end(client);
      listen_to(client);
    });
    if (!connected) return end(client);  // no descriptor
    client.queued++;
    say(client);
    if (!is_faultless_ && random(3) == 0)
      client.chaos.start(Duration(random(400'000)), [this, &client] { end(client); });
  }

  // Writes the message in pieces, some before the connection exists.
  void say(Client& client) {
    for (std::size_t at = 0; at < client.message.size() && !client.is_gone;) {
      const std::size_t size = std::min<std::size_t>(1 + random(2000), client.message.size() - at);
      const Bytes piece = as_bytes(std::string_view(client.message).substr(at, size));
      auto done = [this, &client](Result<void> result) {
        if (client.is_gone) return breach("a write was told after the close");
        client.finished++;
        if (!result) end(client);
      };
      const auto progress = random(2) ? client.tcp->write(piece, done) : client.tcp->write_copy(piece, done);
      if (!progress) return end(client);
      if (*progress == Progress::Queued) client.queued++;
      at += size;
    }
    if (client.message.empty() || random(4) == 0) (void)client.tcp->shutdown();
  }

  void listen_to(Client& client) {
    (void)client.tcp->read_start([this, &client](Result<Bytes> piece) {
      if (client.is_gone) return breach("a client was called after its close");
      if (!piece || piece->empty()) return end(client);
      client.received.append(reinterpret_cast<const char*>(piece->data()), piece->size());
      if (client.message.compare(0, client.received.size(), client.received) != 0) breach("an echo differs");
      if (client.received.size() == client.message.size()) end(client);
    });
  }

  void end(Client& client) {
    if (client.is_gone) return;
    client.is_gone = true;
    client.patience.stop();
    client.chaos.stop();
    if (client.received == client.message) complete_++;
    if (!client.message.empty() && client.received == client.message && client.queued != client.finished)
      breach("a function was not called");
    if (client.finished > client.queued) breach("a function was called twice");
    if (random(2)) {
      client.wants_close_call = true;
      client.tcp->close([&client] { client.closes++; });
    } else {
      client.tcp.reset();
    }
    if (--open_clients_ == 0) server_.close();
  }

  std::string verdict() {
    for (const auto& client : clients_) {
      if (client->closes != (client->wants_close_call ? 1 : 0)) breach("a close was told never or twice");
    }
    return breach_.empty() ? testing::what_is_left(loop_, world_) : breach_;
  }

  SeededDecider decider_;
  SimWorld world_;
  Loop loop_;
  Server server_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::size_t open_clients_ = 0, complete_ = 0;
  bool is_faultless_;
  std::string breach_;
};

template <class Handle, class Server>
void run_echoes(std::uint64_t usual) {
  const testing::Seeds seeds(usual);
  std::size_t complete = 0;
  testing::run_seeds(seeds, [&](std::uint64_t seed) {
    EchoWorld<Handle, Server> echo(seed, seed % 4 == 0 ? 0 : 24);
    const std::string breach = echo.run();
    if (echo.has_echoed_all()) complete++;
    return breach;
  });
  if (!seeds.is_one && !::testing::Test::HasFailure()) {
    EXPECT_GT(complete, seeds.count / 20);  // the happy way is among them
  }
}

TEST(RandomTcp, S153_every_seed_keeps_the_promises_of_streams) { run_echoes<Tcp, TcpServer>(10'000); }
TEST(RandomUnixSocket, S153_every_seed_keeps_the_promises_of_streams) { run_echoes<Pipe, PipeServer>(2'000); }

}  // namespace
}  // namespace rondo
