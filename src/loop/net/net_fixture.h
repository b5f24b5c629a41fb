// Shared by the tests of streams and sockets: a loop over each poller, connected pairs, and waiting for a
// condition (with a limit that only a failing test reaches). Suites whose handles need nothing but what every world has (see
// loop/poller/poller_fixture.h) run on the simulation too: RONDO_ON_EVERY_POLLER. Tests only.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loop/poller/poller_fixture.h"
#include "rondo/loop.h"
#include "rondo/pipe.h"
#include "rondo/tcp.h"

namespace rondo::testing {

using namespace std::chrono_literals;

// Is there a way to `address` from here? Connecting a datagram socket asks the routes and sends nothing.
inline bool can_send(const Address& address) {
  const UniqueFd probe(socket(address.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return probe && connect(probe.get(), address.data(), address.size()) == 0;
}

class NetTest : public ::testing::TestWithParam<const char*> {
 public:
  NetTest() : world(World::make(GetParam())), loop(world->options()) {}
  void SetUp() override {
    if (world->is_simulated()) return;
    if (std::strcmp(loop.poller().name(), GetParam()) != 0) GTEST_SKIP() << "the kernel does not offer " << GetParam();
    if (!can_send(Address::loopback4(9))) GTEST_SKIP() << "127.0.0.1 cannot be reached: the loopback interface is down";
  }

  // Runs the loop until `condition` holds.
  void run_until(const std::function<bool()>& condition) {
    bool timed_out = false;
    Timer limit(loop);
    limit.start(20s, [&] { timed_out = true; });
    while (!condition() && !timed_out) loop.run(RunMode::Once);
    EXPECT_FALSE(timed_out) << "the condition did not come true";
  }

  // A server on a free loopback port, or with a name in the simulation, whose connections go to `accepted`.
  std::unique_ptr<TcpServer> serve(std::vector<std::unique_ptr<Tcp>>& accepted) {
    auto server = std::make_unique<TcpServer>(loop);
    EXPECT_TRUE(server->open(world->listen(loop, server_address)));
    EXPECT_TRUE(server->listen(511, [this, &accepted](Result<UniqueFd> connection) {
      ASSERT_TRUE(connection);
      accepted.push_back(std::make_unique<Tcp>(loop));
      ASSERT_TRUE(accepted.back()->open(std::move(*connection)));
    }));
    return server;
  }

  struct Pair {
    std::unique_ptr<Tcp> client;
    std::unique_ptr<Tcp> peer;
  };
  Pair connected() {
    std::vector<std::unique_ptr<Tcp>> accepted;
    auto server = serve(accepted);
    Pair pair{std::make_unique<Tcp>(loop), nullptr};
    bool is_connected = false;
    EXPECT_TRUE(pair.client->connect(server_address, [&](Result<void> result) { is_connected = bool(result); }));
    run_until([&] { return is_connected && accepted.size() == 1; });
    pair.peer = std::move(accepted[0]);
    return pair;
  }

  std::unique_ptr<World> world;
  Loop loop;
  Address server_address;  // of what serve() made last
};

#define RONDO_ON_BOTH_POLLERS(suite) \
  INSTANTIATE_TEST_SUITE_P(Pollers, suite, ::testing::Values("epoll", "uring"), ::rondo::testing::name_of)
#define RONDO_ON_EVERY_POLLER(suite) \
  INSTANTIATE_TEST_SUITE_P(Pollers, suite, ::rondo::testing::every_poller(), ::rondo::testing::name_of)

}  // namespace rondo::testing
