// TCP handles in every state, over every poller: not yet open, connecting, refused, half closed, reset, closing; and the
// options that may be set in each.
#include <thread>
#include <netinet/tcp.h>
#include <poll.h>

#include <optional>

#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

int option(int fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  getsockopt(fd, level, name, &value, &size);
  return value;
}

class TcpStatesTest : public NetTest {
 public:
  void spin() {
    for (int i = 0; i < 10; i++) loop.run(RunMode::NoWait);
  }
  // Bound but not listening: refuses. Lives as long as `keeper`.
  static Address refusing(UniqueFd& keeper) {
    keeper.reset(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const Address address = Address::loopback4(0);
    EXPECT_EQ(bind(keeper.get(), address.data(), address.size()), 0);
    return *Address::local_of(keeper.get());
  }
  // Listens with a backlog that is full: who connects waits.
  Address silent(UniqueFd& keeper, std::vector<UniqueFd>& fillers) {
    Address address = refusing(keeper);
    EXPECT_EQ(listen(keeper.get(), 0), 0);
    for (int i = 0; i < 4; i++) {
      fillers.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      (void)::connect(fillers.back().get(), address.data(), address.size());
    }
    return address;
  }
  // Writes until the peer's answer makes a write fail; returns the error.
  int write_until_failure(Tcp& stream) {
    for (int i = 0; i < 100'000; i++) {
      const auto progress = stream.write_copy(as_bytes("data"));
      if (!progress) return progress.error().number;
      loop.run(RunMode::NoWait);
    }
    return 0;
  }
};
RONDO_ON_BOTH_POLLERS(TcpStatesTest);

TEST_P(TcpStatesTest, what_is_not_open_refuses_and_what_is_closed_too) {
  Tcp fresh(loop);
  EXPECT_FALSE(fresh.is_open() || fresh.is_readable() || fresh.is_writable());
  EXPECT_EQ(fresh.read_start([](Result<Bytes>) {}).error().number, ENOTCONN);
  EXPECT_EQ(fresh.try_write(as_bytes("x")).error().number, EBADF);
  EXPECT_EQ(fresh.shutdown().error().number, ENOTCONN);
  EXPECT_FALSE(fresh.local_address());
  EXPECT_FALSE(fresh.receive_buffer_size());
  fresh.read_stop();
  EXPECT_FALSE(loop.alive());
  bool closed = false;
  ASSERT_TRUE(fresh.reset([&] { closed = true; }));
  EXPECT_EQ(fresh.reset().error().number, EBADF);
  EXPECT_EQ(fresh.connect(Address::loopback4(1), [](Result<void>) { FAIL(); }).error().number, EBADF);
  EXPECT_EQ(fresh.bind(Address::loopback4(0)).error().number, EBADF);
  EXPECT_EQ(fresh.set_no_delay(true).error().number, EBADF);
  EXPECT_EQ(fresh.write(as_bytes("x")).error().number, EBADF);
  loop.run();
  EXPECT_TRUE(closed);
  EXPECT_EQ(fresh.write(as_bytes("x")).error().number, EBADF);
}

TEST_P(TcpStatesTest, after_a_refusal_the_same_handle_may_connect_again) {
  UniqueFd keeper;
  const Address nobody = refusing(keeper);
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  Tcp client(loop);
  std::optional<Error> error, write_error;
  ASSERT_TRUE(client.connect(nobody, [&](Result<void> result) { error = result.error(); }));
  EXPECT_EQ(client.connect(nobody, [](Result<void>) {}).error().number, EALREADY);
  ASSERT_EQ(client.write_copy(as_bytes("lost"), [&](Result<void> result) { write_error = result.error(); }),
            Progress::Queued);
  run_until([&] { return error && write_error; });
  EXPECT_EQ(error->number, ECONNREFUSED);
  EXPECT_EQ(write_error->number, ECONNREFUSED);
  bool is_connected = false;
  ASSERT_TRUE(client.connect(*server->local_address(), [&](Result<void> result) { is_connected = bool(result); }));
  run_until([&] { return is_connected && accepted.size() == 1; });
  std::string got;
  ASSERT_TRUE(accepted[0]->read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  ASSERT_EQ(client.write(as_bytes("found")), Progress::Done);
  run_until([&] { return got == "found"; });
  EXPECT_EQ(client.connect(nobody, [](Result<void>) {}).error().number, EISCONN);
}

TEST_P(TcpStatesTest, closed_or_destroyed_while_connecting_nothing_is_called) {
  UniqueFd keeper;
  std::vector<UniqueFd> fillers;
  const Address address = silent(keeper, fillers);
  for (int kind = 0; kind < 4; kind++) {
    auto client = std::make_unique<Tcp>(loop);
    const auto never = [](Result<void>) { FAIL() << "after close"; };
    if (kind < 2) {
      ASSERT_TRUE(client->connect(address, never));
    } else {
      ASSERT_TRUE(client->connect(std::span(&address, 1), {}, never));
    }
    ASSERT_EQ(client->write_copy(as_bytes("x"), never), Progress::Queued);
    ASSERT_EQ(client->shutdown(never), Progress::Queued);
    ASSERT_TRUE(client->read_start([](Result<Bytes>) { FAIL() << "after close"; }));
    spin();
    bool closed = false;
    if (kind % 2 == 0) client->close([&] { closed = true; });
    if (kind % 2 == 1) client.reset();
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(closed, kind % 2 == 0);
  }
}

TEST_P(TcpStatesTest, writing_to_a_peer_that_is_gone_fails_for_good) {
  for (const bool resets : {false, true}) {
    auto [client, peer] = connected();
    if (resets) {
      ASSERT_TRUE(peer->reset());
    } else {
      peer->close();
    }
    loop.run();
    const int error = write_until_failure(*client);
    EXPECT_TRUE(error == EPIPE || error == ECONNRESET) << error;
    EXPECT_TRUE(!client->try_write(as_bytes("x")) && !client->write(as_bytes("x")));
    EXPECT_EQ(client->queued_bytes(), 0u);
    client->close();
    loop.run();
  }
}

TEST_P(TcpStatesTest, shutdown_twice_and_closing_before_it_is_done) {
  auto [client, peer] = connected();
  const std::string big(16 << 20, 'x');
  ASSERT_EQ(client->write(as_bytes(big)), Progress::Queued);
  ASSERT_EQ(client->shutdown([](Result<void>) { FAIL() << "closed before"; }), Progress::Queued);
  EXPECT_FALSE(client->is_writable());
  EXPECT_EQ(client->shutdown().error().number, ENOTCONN);
  EXPECT_EQ(client->write(as_bytes("late")).error().number, EPIPE);
  spin();
  bool closed = false;
  client->close([&] { closed = true; });
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(closed);
}

// The kernel's refusal in the call itself counts as one that comes later.
TEST_P(TcpStatesTest, after_a_failed_write_it_is_not_writable) {
  auto [client, peer] = connected();
  peer->close();
  loop.run();
  while (client->write_copy(as_bytes("x"))) std::this_thread::yield();  // until the other side's answer is here
  EXPECT_FALSE(client->is_writable());
  EXPECT_FALSE(client->write(as_bytes("x")));
}

TEST_P(TcpStatesTest, both_sides_may_finish_at_once) {
  auto [client, peer] = connected();
  int ends = 0;
  for (Tcp* stream : {client.get(), peer.get()}) {
    ASSERT_TRUE(stream->read_start([&ends, stream](Result<Bytes> piece) {
      ASSERT_TRUE(piece && piece->empty());
      EXPECT_FALSE(stream->is_readable() || stream->is_writable());
      ends++;
    }));
    EXPECT_TRUE(stream->is_readable() && stream->is_writable());
    ASSERT_EQ(stream->shutdown(), Progress::Done);
    EXPECT_TRUE(stream->is_readable());
  }
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(ends, 2);
  ASSERT_TRUE(client->reset());  // also after both halves are closed
  loop.run();
}

TEST_P(TcpStatesTest, nothing_can_be_written_at_any_time) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  Tcp client(loop);
  std::string order;
  ASSERT_TRUE(client.connect(*server->local_address(), [&](Result<void>) { order += 'c'; }));
  ASSERT_EQ(client.write(Bytes(), [&](Result<void> result) { order += result ? 'a' : '!'; }), Progress::Queued);
  ASSERT_EQ(client.write_copy(as_bytes("x"), [&](Result<void> result) { order += result ? 'b' : '!'; }),
            Progress::Queued);
  ASSERT_EQ(client.write(Bytes(), [&](Result<void> result) { order += result ? 'd' : '!'; }), Progress::Queued);
  run_until([&] { return order == "cabd"; });
  EXPECT_EQ(client.write(Bytes(), [](Result<void>) { FAIL() << "done at once"; }), Progress::Done);
  EXPECT_EQ(client.write(std::span<const iovec>{}), Progress::Done);
  EXPECT_EQ(client.try_write(Bytes()), 0u);
  spin();
}

TEST_P(TcpStatesTest, data_that_no_one_reads_wakes_no_one) {
  auto [client, peer] = connected();
  ASSERT_EQ(client->write(as_bytes("unwanted")), Progress::Done);
  EXPECT_FALSE(loop.run());
  EXPECT_FALSE(peer->is_reading());
  // Reading once and not again is the same.
  std::string got;
  ASSERT_TRUE(peer->read_once([&](Result<Bytes> piece) { got += as_text(*piece); }));
  run_until([&] { return !got.empty(); });
  peer->read_stop();
  ASSERT_EQ(client->write(as_bytes(" more")), Progress::Done);
  EXPECT_FALSE(loop.run());
  const std::uint64_t iterations = loop.iterations();
  Timer timer(loop);
  timer.start(20ms, [] {});
  loop.run();
  EXPECT_LE(loop.iterations() - iterations, 5u);
  ASSERT_TRUE(peer->read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  run_until([&] { return got == "unwanted more"; });
}

TEST_P(TcpStatesTest, the_function_may_change_between_pieces) {
  auto [client, peer] = connected();
  std::string first, second;
  ASSERT_TRUE(peer->read_start([&, p = peer.get()](Result<Bytes> piece) {
    first += as_text(*piece);
    p->read_stop();
    ASSERT_TRUE(p->read_start([&](Result<Bytes> next) { second += as_text(*next); }));
  }));
  ASSERT_EQ(client->write(as_bytes("one")), Progress::Done);
  run_until([&] { return first == "one"; });
  ASSERT_EQ(client->write(as_bytes("two")), Progress::Done);
  run_until([&] { return second == "two"; });
  EXPECT_EQ(first, "one");
}

TEST_P(TcpStatesTest, out_of_band_data_neither_spins_nor_hurts_the_rest) {
  auto [client, peer] = connected();
  std::string got;
  ASSERT_TRUE(peer->read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    got += as_text(*piece);
  }));
  for (const char* word : {"a", "b", "c"}) {
    ASSERT_EQ(::send(client->fd(), "!", 1, MSG_OOB), 1);
    ASSERT_EQ(client->write(as_bytes(word)), Progress::Done);
  }
  run_until([&] { return got.size() >= 3 && got.back() == 'c'; });
  const std::uint64_t iterations = loop.iterations();
  Timer timer(loop);
  bool is_over = false;
  timer.start(20ms, [&] { is_over = true; });
  run_until([&] { return is_over; });
  EXPECT_LE(loop.iterations() - iterations, 10u);
}

TEST_P(TcpStatesTest, options_set_early_are_the_sockets) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  const Address address = *server->local_address();
  for (const bool races : {false, true}) {
    Tcp client(loop);
    ASSERT_TRUE(client.set_no_delay(true));
    ASSERT_TRUE(client.set_keep_alive(true, 42, 7, 3));
    EXPECT_EQ(client.set_keep_alive(true, 0).error().number, EINVAL);
    bool is_connected = false;
    const auto done = [&](Result<void> result) { is_connected = bool(result); };
    ASSERT_TRUE(races ? client.connect(std::span(&address, 1), {}, done) : client.connect(address, done));
    run_until([&] { return is_connected; });
    EXPECT_EQ(option(client.fd(), IPPROTO_TCP, TCP_NODELAY), 1);
    EXPECT_EQ(option(client.fd(), SOL_SOCKET, SO_KEEPALIVE), 1);
    EXPECT_EQ(option(client.fd(), IPPROTO_TCP, TCP_KEEPIDLE), 42);
    EXPECT_EQ(option(client.fd(), IPPROTO_TCP, TCP_KEEPINTVL), 7);
    EXPECT_EQ(option(client.fd(), IPPROTO_TCP, TCP_KEEPCNT), 3);
    ASSERT_TRUE(client.set_receive_buffer_size(40'000));
    EXPECT_GE(*client.receive_buffer_size(), 40'000);
    ASSERT_TRUE(client.set_send_buffer_size(40'000));
    EXPECT_GE(*client.send_buffer_size(), 40'000);
  }
}

TEST_P(TcpStatesTest, sockets_from_elsewhere_in_either_mode) {
  for (const int mode : {0, static_cast<int>(SOCK_NONBLOCK)}) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | mode, 0, ends), 0);
    Tcp here(loop), there(loop);
    ASSERT_TRUE(here.open(UniqueFd(ends[0])));
    ASSERT_TRUE(there.open(UniqueFd(ends[1])));
    std::size_t got = 0;
    const std::string big(2 << 20, 'x');
    ASSERT_TRUE(there.read_start([&](Result<Bytes> piece) { got += piece->size(); }));
    spin();
    ASSERT_EQ(here.write(as_bytes(big)), Progress::Queued);
    run_until([&] { return got == big.size(); });
  }
}

TEST_P(TcpStatesTest, a_connection_may_change_to_a_loop_with_the_other_poller) {
  const char* other = std::string_view(GetParam()) == "epoll" ? "uring" : "epoll";
  Loop elsewhere(LoopOptions{.poller = other});
  auto [client, peer] = connected();
  {
    Tcp moved(elsewhere);
    ASSERT_TRUE(moved.open(UniqueFd(dup(peer->fd()))));
    peer->close();
    loop.run();
    std::string got;
    ASSERT_TRUE(moved.read_start([&](Result<Bytes> piece) {
      got += as_text(*piece);
      moved.read_stop();
    }));
    elsewhere.run(RunMode::NoWait);
    ASSERT_EQ(client->write(as_bytes("here")), Progress::Done);
    elsewhere.run();
    EXPECT_EQ(got, "here");
  }
  elsewhere.run();
}

}  // namespace
}  // namespace rondo
