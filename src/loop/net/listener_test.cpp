// Servers under stress, over every poller: no descriptors left, ten thousand connections, an idle server's rest.
#include "rondo/listener.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <ctime>

#include "loop/net/few_descriptors.h"
#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class ListenerTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(ListenerTest);
class BacklogTest : public NetTest {};
RONDO_ON_EVERY_POLLER(BacklogTest);

double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

TEST_P(ListenerTest, without_descriptors_it_neither_spins_nor_dies) {
  testing::FewDescriptors shortage(200);
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  int errors = 0, connections = 0;
  ASSERT_TRUE(server.listen(64, [&](Result<UniqueFd> connection) { (connection ? connections : errors)++; }));
  const Address address = *server.local_address();
  UniqueFd victim(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  shortage.fill();
  ASSERT_EQ(connect(victim.get(), address.data(), address.size()), 0);
  run_until([&] { return server.turned_away() == 1; });
  char byte;
  EXPECT_EQ(recv(victim.get(), &byte, 1, 0), 0) << "turned away, not left hanging";
  const double before = cpu_seconds();
  Timer pause(loop);
  bool has_paused = false;
  pause.start(200ms, [&] { has_paused = true; });
  run_until([&] { return has_paused; });
  EXPECT_LT(cpu_seconds() - before, 0.1);
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(server.turned_away(), 1u);
  shortage.end();
  UniqueFd lucky(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(connect(lucky.get(), address.data(), address.size()), 0);
  run_until([&] { return connections == 1; });
}

TEST_P(BacklogTest, stop_leaves_connections_in_the_backlog) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  server->stop();
  Tcp client(loop);
  bool is_connected = false;
  ASSERT_TRUE(client.connect(server_address, [&](Result<void> result) { is_connected = bool(result); }));
  run_until([&] { return is_connected; });
  for (int i = 0; i < 10; i++) loop.run(RunMode::NoWait);
  EXPECT_TRUE(accepted.empty());
  server->start();
  run_until([&] { return accepted.size() == 1; });
}

TEST_P(ListenerTest, stopping_in_the_callback_loses_no_connection) {
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  std::vector<UniqueFd> accepted;
  ASSERT_TRUE(server.listen(64, [&](Result<UniqueFd> connection) {
    ASSERT_TRUE(connection);
    accepted.push_back(std::move(*connection));
    server.stop();
    if (accepted.size() % 3 == 0) return server.start();  // also at once
    loop.defer([&] { server.start(); });
  }));
  loop.run(RunMode::NoWait);
  const Address address = *server.local_address();
  std::vector<UniqueFd> clients;
  for (int i = 0; i < 30; i++) {
    clients.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(connect(clients.back().get(), address.data(), address.size()), 0);
  }
  run_until([&] { return accepted.size() == clients.size(); });
  for (const UniqueFd& client : clients) {
    char byte;
    EXPECT_EQ(recv(client.get(), &byte, 1, MSG_DONTWAIT), -1);
    EXPECT_EQ(errno, EAGAIN) << "neither closed nor reset";
  }
}

TEST_P(ListenerTest, binding) {
  TcpServer first(loop), second(loop), third(loop), fourth(loop);
  ASSERT_TRUE(first.bind(Address::loopback4(0), TcpBind::ReusePort));
  const Address address = *first.local_address();
  ASSERT_TRUE(first.listen(8, [](Result<UniqueFd>) {}));
  EXPECT_EQ(second.bind(address).error().number, EADDRINUSE);
  ASSERT_TRUE(third.bind(address, TcpBind::ReusePort));
  EXPECT_TRUE(third.listen(8, [](Result<UniqueFd>) {}));
  EXPECT_EQ(fourth.listen(8, [](Result<UniqueFd>) {}).error().number, EBADF);
  Address elsewhere = *Address::ip("192.0.2.1", 0);
  EXPECT_EQ(fourth.bind(elsewhere).error().number, EADDRNOTAVAIL);
}

TEST_P(ListenerTest, one_socket_takes_both_families) {
  TcpServer server(loop);
  if (!testing::can_send(Address::loopback6(9)) || !server.bind(Address::any6(0))) GTEST_SKIP() << "no IPv6 here";
  std::vector<std::string> peers;
  ASSERT_TRUE(server.listen(
      8, [&](Result<UniqueFd> connection) { peers.push_back(Address::remote_of(connection->get())->host()); }));
  const std::uint16_t port = server.local_address()->port();
  Tcp v4(loop), v6(loop);
  ASSERT_TRUE(v4.connect(Address::loopback4(port), [](Result<void>) {}));
  run_until([&] { return peers.size() == 1; });
  EXPECT_EQ(peers[0], "::ffff:127.0.0.1");
  ASSERT_TRUE(v6.connect(Address::loopback6(port), [](Result<void>) {}));
  run_until([&] { return peers.size() == 2; });
  EXPECT_EQ(peers[1], "::1");
}

// io_uring's requests hold their sockets: they must not outlive the loop.
TEST_P(ListenerTest, a_loop_that_goes_lets_go_of_its_port) {
  std::uint16_t port = 0;
  for (int round = 0; round < 20; round++) {
    Loop own(LoopOptions{.poller = GetParam()});
    TcpServer server(own);
    ASSERT_TRUE(server.bind(Address::loopback4(port)));
    ASSERT_TRUE(server.listen(8, [](Result<UniqueFd>) {})) << "round " << round;
    port = server.local_address()->port();
    own.run(RunMode::NoWait);
  }
}

TEST_P(ListenerTest, S10_S45_S63_an_idle_server_rests_in_poll) {
  class Watch : public Observer {
   public:
    void wait_begin(Nanoseconds) override { begun = steady_now(), waits++; }
    void wait_end(std::size_t) override { inside += steady_now() - begun; }
    Nanoseconds begun = 0, inside = 0;
    int waits = 0;
  } watch;
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  Timer end(loop);
  bool over = false;
  end.start(300ms, [&] { over = true; });
  loop.add_observer(watch);
  const double cpu = cpu_seconds();
  const Nanoseconds start = steady_now();
  while (!over) loop.run(RunMode::Once);
  const Nanoseconds wall = steady_now() - start;
  loop.remove_observer(watch);
  EXPECT_LT(cpu_seconds() - cpu, 0.03);
  EXPECT_GT(static_cast<double>(watch.inside), 0.5 * static_cast<double>(wall));
  EXPECT_LE(watch.waits, 5);
}

// S32: thousands of connections, one thread, no pool.
TEST_P(ListenerTest, S32_ten_thousand_connections_held_and_echoed) {
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t count = std::min<std::size_t>(10'000, (limit.rlim_max - 200) / 2);
  std::vector<std::unique_ptr<Tcp>> accepted;
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  ASSERT_TRUE(server.listen(4096, [&](Result<UniqueFd> connection) {
    ASSERT_TRUE(connection);
    accepted.push_back(std::make_unique<Tcp>(loop));
    Tcp& stream = *accepted.back();
    ASSERT_TRUE(stream.open(std::move(*connection)));
    ASSERT_TRUE(stream.read_start([&stream](Result<Bytes> piece) {
      if (!piece || piece->empty()) return stream.close();
      ASSERT_TRUE(stream.write_copy(*piece));
    }));
  }));
  const Address address = *server.local_address();
  std::vector<std::unique_ptr<Tcp>> clients;
  std::size_t connected = 0, answered = 0;
  while (clients.size() < count) {
    for (int i = 0; i < 500 && clients.size() < count; i++) {
      clients.push_back(std::make_unique<Tcp>(loop));
      ASSERT_TRUE(clients.back()->connect(address, [&](Result<void> result) {
        ASSERT_TRUE(result) << result.error().name();
        connected++;
      }));
    }
    run_until([&] { return connected == clients.size() && accepted.size() == clients.size(); });
    if (HasFailure()) return;
  }
  for (int round = 1; round <= 2; round++) {
    for (std::size_t i = 0; i < count; i++) {
      Tcp& client = *clients[i];
      ASSERT_TRUE(client.read_start([&answered, i](Result<Bytes> piece) {
        ASSERT_TRUE(piece);
        ASSERT_EQ(as_text(*piece), std::to_string(i));
        answered++;
      }));
      ASSERT_EQ(client.write_copy(as_bytes(std::to_string(i))), Progress::Done);
    }
    run_until([&] { return answered == count * static_cast<std::size_t>(round); });
  }
  for (auto& client : clients) client->close();
  server.close();
  for (auto& stream : accepted) stream->ref();
  loop.run();
  for (auto& stream : accepted) EXPECT_FALSE(stream->is_open());
}

}  // namespace
}  // namespace rondo
