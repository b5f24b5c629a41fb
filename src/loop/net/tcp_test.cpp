// TCP over every poller: echo, half close, reset, backpressure, connecting, closing from anywhere.
#include "rondo/tcp.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>

#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class TcpTest : public NetTest {};
RONDO_ON_EVERY_POLLER(TcpTest);
// With the kernel's addresses, options and ways to fail.
class TcpKernelTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(TcpKernelTest);

void echo(Tcp& stream) {
  ASSERT_TRUE(stream.read_start([&stream](Result<Bytes> piece) {
    if (!piece) return stream.close();
    if (piece->empty()) {
      if (stream.shutdown([&stream](Result<void>) { stream.close(); }) == Progress::Done) stream.close();
      return;
    }
    ASSERT_TRUE(stream.write_copy(*piece));
  }));
}

TEST_P(TcpTest, S128_S104_echo_and_timer_with_the_library_alone) {
  auto [client, peer] = connected();
  echo(*peer);
  std::string got;
  bool ended = false;
  ASSERT_TRUE(client->read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    if (piece->empty()) ended = true;
    got += as_text(*piece);
  }));
  Timer timer(loop);
  timer.start(1ms, [&, c = client.get()] {
    ASSERT_EQ(c->write(as_bytes("hello ")), Progress::Done);
    const iovec parts[] = {{const_cast<char*>("big "), 4}, {nullptr, 0}, {const_cast<char*>("world"), 5}};
    ASSERT_EQ(c->write(parts), Progress::Done);
  });
  run_until([&] { return got == "hello big world"; });
  ASSERT_EQ(client->shutdown(), Progress::Done);
  run_until([&] { return ended && !peer->is_open(); });
  EXPECT_EQ(client->bytes_read(), 15u);
  EXPECT_EQ(client->bytes_written(), 15u);
  EXPECT_FALSE(client->is_reading());
}

TEST_P(TcpTest, half_close_lets_the_other_direction_go_on) {
  auto [client, peer] = connected();
  std::string at_client;
  bool peer_saw_end = false, client_saw_end = false;
  ASSERT_TRUE(peer->read_start([&, p = peer.get()](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    if (!piece->empty()) return;
    peer_saw_end = true;
    ASSERT_TRUE(p->write_copy(as_bytes("late answer")));
    ASSERT_TRUE(p->shutdown());
  }));
  ASSERT_TRUE(client->read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    client_saw_end = piece->empty();
    at_client += as_text(*piece);
  }));
  ASSERT_TRUE(client->shutdown());
  EXPECT_EQ(client->write(as_bytes("x")).error().number, EPIPE);
  run_until([&] { return client_saw_end; });
  EXPECT_TRUE(peer_saw_end);
  EXPECT_EQ(at_client, "late answer");
}

TEST_P(TcpKernelTest, reset_is_seen_as_ECONNRESET) {
  auto [client, peer] = connected();
  std::optional<Result<Bytes>> end;
  ASSERT_TRUE(client->read_start([&](Result<Bytes> piece) { end = piece; }));
  bool closed = false;
  ASSERT_TRUE(peer->reset([&] { closed = true; }));
  run_until([&] { return end && closed; });
  ASSERT_FALSE(*end);
  EXPECT_STREQ(end->error().name(), "ECONNRESET");
  EXPECT_STREQ(end->error().syscall, "read");
}

TEST_P(TcpTest, backpressure_queues_in_order_and_drains) {
  auto [client, peer] = connected();
  constexpr std::size_t kPieces = 400, kSize = 64 * 1024;
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < kPieces; i++) pieces.push_back(std::string(kSize, static_cast<char>('a' + i % 26)));
  std::vector<std::size_t> done;
  std::size_t at_once = 0;
  bool drained = false;
  client->on_drain([&] { drained = true; });
  for (std::size_t i = 0; i < kPieces; i++) {
    const auto progress = client->write(as_bytes(pieces[i]), [&done, i](Result<void> result) {
      ASSERT_TRUE(result);
      done.push_back(i);
    });
    ASSERT_TRUE(progress);
    if (progress == Progress::Done) at_once++;
  }
  EXPECT_GT(client->queued_bytes(), 0u);
  EXPECT_EQ(client->try_write(as_bytes("jumps the queue")), 0u);
  bool shut = false;
  ASSERT_EQ(client->shutdown([&](Result<void> result) { shut = bool(result); }), Progress::Queued);
  std::size_t received = 0;
  bool in_order = true, ended = false;
  ASSERT_TRUE(peer->read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    ended = piece->empty();
    for (std::byte byte : *piece) {
      const char expected = static_cast<char>('a' + (received++ / kSize) % 26);
      in_order = in_order && static_cast<char>(byte) == expected;
    }
  }));
  run_until([&] { return ended; });
  EXPECT_EQ(received, kPieces * kSize);
  EXPECT_TRUE(in_order);
  EXPECT_TRUE(drained && shut);
  EXPECT_EQ(client->queued_bytes(), 0u);
  EXPECT_EQ(at_once + done.size(), kPieces);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST_P(TcpTest, the_queue_limit_bounds_memory) {
  auto [client, peer] = connected();
  client->set_queue_limit(1 << 20);
  const std::string piece(256 * 1024, 'x');
  std::size_t taken = 0;
  for (;;) {
    const auto progress = client->write_copy(as_bytes(piece));
    if (!progress) {
      EXPECT_EQ(progress.error().number, ENOBUFS);
      break;
    }
    taken += piece.size();
    ASSERT_LT(taken, 64u << 20);
  }
  EXPECT_LE(client->queued_bytes(), 1u << 20);
  const std::string longer(16 << 20, 'x');
  EXPECT_EQ(client->write_copy(as_bytes(longer)), failure(ENOBUFS));
  auto [fresh, other] = connected();
  fresh->set_queue_limit(1000);
  EXPECT_EQ(fresh->write_copy(as_bytes(longer)), failure(ENOBUFS))
      << "nothing of it, not even what the kernel would take";
  EXPECT_EQ(fresh->queued_bytes(), 0u);
  EXPECT_EQ(fresh->write_copy(Bytes(as_bytes(longer)).first(1000)), Progress::Done);
  std::size_t received = 0;
  ASSERT_TRUE(peer->read_start([&](Result<Bytes> bytes) { received += bytes->size(); }));
  run_until([&] { return received == taken; });
}

TEST_P(TcpTest, writes_from_done_callbacks_keep_the_order) {
  auto [client, peer] = connected();
  std::string expected, got;
  const std::string big(3 << 20, 'b');
  int rounds = 0;
  std::function<void(Result<void>)> again = [&, c = client.get()](Result<void> result) {
    ASSERT_TRUE(result);
    if (++rounds > 20) return;
    const std::string mark = "<" + std::to_string(rounds) + ">";
    expected += mark;
    const auto progress = c->write_copy(as_bytes(mark), again);
    if (progress == Progress::Done) rounds = 100;
  };
  expected = big + big;
  for (int i = 0; i < 2; i++) ASSERT_TRUE(client->write(as_bytes(big), again));
  ASSERT_TRUE(peer->read_start([&](Result<Bytes> bytes) { got += as_text(*bytes); }));
  run_until([&] { return rounds > 20 && client->queued_bytes() == 0 && got.size() >= expected.size(); });
  EXPECT_TRUE(got == expected);
}

TEST_P(TcpTest, read_stop_loses_nothing) {
  auto [client, peer] = connected();
  std::string got;
  int calls = 0;
  std::function<void(Result<Bytes>)> take = [&, c = client.get()](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    got += as_text(*piece);
    calls++;
    c->read_stop();
    loop.defer([&, c] { ASSERT_TRUE(c->read_start(take)); });
  };
  ASSERT_TRUE(client->read_start(take));
  std::string sent;
  Timer feed(loop);
  int fed = 0;
  feed.start(
      0ms,
      [&] {
        const std::string word = std::to_string(fed++) + ",";
        sent += word;
        ASSERT_EQ(peer->write_copy(as_bytes(word)), Progress::Done);
        if (fed == 50) feed.stop();
      },
      1ms);
  run_until([&] { return fed == 50 && got == sent; });
  EXPECT_GT(calls, 1);
}

TEST_P(TcpTest, read_once_delivers_one_piece_at_a_time) {
  auto [client, peer] = connected();
  std::string got;
  bool asked = true;
  ASSERT_TRUE(client->read_once([&](Result<Bytes> piece) {
    got += as_text(*piece);
    asked = false;
  }));
  ASSERT_TRUE(peer->write_copy(as_bytes("one")));
  run_until([&] { return got == "one"; });
  ASSERT_TRUE(peer->write_copy(as_bytes("two")));
  ASSERT_TRUE(peer->shutdown());
  for (int i = 0; i < 20; i++) loop.run(RunMode::NoWait);
  EXPECT_EQ(got, "one");
  ASSERT_TRUE(client->read_once([&](Result<Bytes> piece) { got += as_text(*piece); }));
  run_until([&] { return got == "onetwo"; });
  bool ended = false;
  ASSERT_TRUE(client->read_once([&](Result<Bytes> piece) { ended = piece && piece->empty(); }));
  run_until([&] { return ended; });
}

// S53: never from inside connect(); at once means pending, later means poll.
class PhaseWatch : public Observer {
 public:
  void phase_begin(Phase phase) override { current = phase; }
  Phase current = Phase::UpdateTime;
};

TEST_P(TcpKernelTest, S52_S53_connect_failures_come_from_pending_or_poll) {
  PhaseWatch watch;
  loop.add_observer(watch);
  UniqueFd bound(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Address closed = Address::loopback4(0);
  ASSERT_EQ(bind(bound.get(), closed.data(), closed.size()), 0);
  closed = *Address::local_of(bound.get());  // bound, not listening: refuses
  Tcp refused(loop);
  std::optional<Error> error;
  Phase phase{};
  ASSERT_TRUE(refused.connect(closed, [&](Result<void> result) {
    error = result.error();
    phase = watch.current;
  }));
  EXPECT_FALSE(error);
  run_until([&] { return error.has_value(); });
  EXPECT_STREQ(error->name(), "ECONNREFUSED");
  EXPECT_EQ(phase, Phase::Poll);

  Pipe nowhere(loop);
  error.reset();
  ASSERT_TRUE(nowhere.connect("/nonexistent/socket", [&](Result<void> result) {
    error = result.error();
    phase = watch.current;
  }));
  EXPECT_FALSE(error);
  run_until([&] { return error.has_value(); });
  EXPECT_STREQ(error->name(), "ENOENT");
  EXPECT_EQ(phase, Phase::Pending);
  loop.remove_observer(watch);
}

TEST_P(TcpTest, writes_before_the_connection_wait_for_it) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  Tcp client(loop);
  bool written = false;
  ASSERT_TRUE(client.connect(server_address, [](Result<void> result) { ASSERT_TRUE(result); }));
  ASSERT_EQ(client.write(as_bytes("early"), [&](Result<void>) { written = true; }), Progress::Queued);
  ASSERT_EQ(client.shutdown(), Progress::Queued);
  std::string got;
  bool ended = false;
  run_until([&] { return accepted.size() == 1; });
  ASSERT_TRUE(accepted[0]->read_start([&](Result<Bytes> piece) {
    ended = piece->empty();
    got += as_text(*piece);
  }));
  run_until([&] { return ended; });
  EXPECT_EQ(got, "early");
  EXPECT_TRUE(written);
}

TEST_P(TcpKernelTest, happy_eyeballs_takes_the_first_that_answers) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  UniqueFd bound(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Address refused = Address::loopback4(0);
  ASSERT_EQ(bind(bound.get(), refused.data(), refused.size()), 0);
  refused = *Address::local_of(bound.get());
  const Address list[] = {refused, Address(), *server->local_address()};
  Tcp client(loop);
  std::optional<Result<void>> outcome;
  ASSERT_TRUE(client.connect(list, {.attempt_delay = 10s}, [&](Result<void> result) { outcome = result; }));
  run_until([&] { return outcome && accepted.size() == 1; });
  ASSERT_TRUE(*outcome);
  EXPECT_EQ(client.remote_address()->port(), server->local_address()->port());

  Tcp hopeless(loop);
  outcome.reset();
  ASSERT_TRUE(hopeless.connect(std::span(list, 1), {}, [&](Result<void> result) { outcome = result; }));
  run_until([&] { return outcome.has_value(); });
  EXPECT_EQ(outcome->error().number, ECONNREFUSED);

  auto dropped = std::make_unique<Tcp>(loop);
  ASSERT_TRUE(dropped->connect(list, {}, [&](Result<void>) { FAIL(); }));
  dropped.reset();
}

TEST_P(TcpKernelTest, connect_gives_up_in_time) {
  // A listener whose backlog is full answers no more SYNs.
  UniqueFd full(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Address address = Address::loopback4(0);
  ASSERT_EQ(bind(full.get(), address.data(), address.size()), 0);
  ASSERT_EQ(listen(full.get(), 0), 0);
  address = *Address::local_of(full.get());
  std::vector<std::unique_ptr<Tcp>> fillers;
  for (int i = 0; i < 4; i++) {
    fillers.push_back(std::make_unique<Tcp>(loop));
    ASSERT_TRUE(fillers.back()->connect(address, [](Result<void>) {}));
  }
  Tcp client(loop);
  std::optional<Error> error;
  ASSERT_TRUE(client.connect(std::span(&address, 1), {.timeout = 30ms}, [&](Result<void> result) {
    if (!result)
      error = result.error();
    else
      error = Error{};
  }));
  run_until([&] { return error.has_value(); });
  EXPECT_EQ(error->number, ETIMEDOUT);
}

TEST_P(TcpTest, handles_may_close_and_die_in_their_own_callbacks) {
  for (int kind = 0; kind < 4; kind++) {
    auto pair = connected();
    Tcp* raw = pair.client.get();
    bool gone = false;
    ASSERT_TRUE(raw->read_start([&, raw, kind](Result<Bytes>) {
      ASSERT_FALSE(gone);
      if (kind == 0) pair.client.reset();
      if (kind == 1) raw->close([&] { pair.client.reset(); });
      if (kind == 2) raw->close(), pair.client.reset();
      if (kind == 3) pair.peer.reset(), raw->close();
      gone = true;
    }));
    const std::string big(8 << 20, 'x');
    ASSERT_EQ(raw->write_copy(as_bytes(big), [](Result<void>) { FAIL() << "after close"; }), Progress::Queued);
    ASSERT_TRUE(pair.peer->write_copy(as_bytes("go")));
    run_until([&] { return gone && (kind == 3 || !pair.client); });
    pair.client.reset();
    pair.peer.reset();
    loop.run();
    EXPECT_FALSE(loop.alive());
  }
}

TEST_P(TcpTest, a_loop_may_go_with_operations_still_being_cancelled) {
  auto pair = connected();
  ASSERT_TRUE(pair.client->read_start([](Result<Bytes>) { FAIL(); }));
  pair.client.reset();
  pair.peer.reset();
}

TEST_P(TcpTest, an_unreferenced_or_idle_stream_does_not_keep_the_loop_alive) {
  auto [client, peer] = connected();
  loop.run();
  EXPECT_FALSE(loop.alive());
  ASSERT_TRUE(client->read_start([](Result<Bytes>) {}));
  EXPECT_TRUE(loop.alive());
  client->unref();
  EXPECT_FALSE(loop.alive());
  client->ref();
  client->read_stop();
  EXPECT_FALSE(loop.alive());
  bool closed = false;
  client->close([&] { closed = true; });
  loop.run();
  EXPECT_TRUE(closed);
}

TEST_P(TcpKernelTest, options_and_addresses) {
  auto [client, peer] = connected();
  EXPECT_TRUE(client->set_no_delay(true));
  EXPECT_TRUE(client->set_keep_alive(true, 30, 5, 3));
  EXPECT_TRUE(client->set_keep_alive(false));
  EXPECT_EQ(client->set_keep_alive(true, 0).error().number, EINVAL);
  EXPECT_EQ(*client->local_address(), *peer->remote_address());
  EXPECT_EQ(client->open(UniqueFd(dup(0))).error().number, EBUSY);
  Tcp closed(loop);
  EXPECT_EQ(closed.read_start([](Result<Bytes>) {}).error().number, ENOTCONN);
  EXPECT_EQ(closed.write(as_bytes("x")).error().number, EBADF);
}

}  // namespace
}  // namespace rondo
