// Programs in a simulated world without a seam of their own: servers that bind ports, datagrams, names, children.
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <signal.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rondo/buffered_reader.h"
#include "rondo/coroutine.h"
#include "rondo/coroutine_handles.h"
#include "rondo/dns.h"
#include "rondo/pipe.h"
#include "rondo/process.h"
#include "rondo/promise.h"
#include "rondo/sim.h"
#include "rondo/task_group.h"
#include "rondo/tcp.h"
#include "rondo/udp.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class SimNetworkTest : public ::testing::Test {
 protected:
  SeededDecider decider{11, 0};
  SimWorld world{decider};
  Loop loop{world.options()};

  int connect_error(const Address& address) {
    int error = -1;
    Tcp tcp(loop);
    if (const auto begun =
            tcp.connect(address, [&](Result<void> result) { error = result ? 0 : result.error().number; });
        !begun)
      return begun.error().number;
    loop.run();
    return error;
  }
};

TEST_F(SimNetworkTest, S153_a_server_binds_a_port_and_both_ends_have_names) {
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(8080)));
  EXPECT_EQ(server.local_address()->text(), "127.0.0.1:8080");
  std::string heard, answered;
  Tcp peer(loop), client(loop);
  ASSERT_TRUE(server.listen(16, [&](Result<UniqueFd> connection) {
    ASSERT_TRUE(connection);
    ASSERT_TRUE(peer.open(std::move(*connection)));
    EXPECT_TRUE(peer.set_no_delay(true));
    EXPECT_EQ(peer.local_address()->text(), "127.0.0.1:8080");
    EXPECT_EQ(peer.remote_address()->text(), client.local_address()->text());
    ASSERT_TRUE(peer.read_start([&](Result<Bytes> piece) {
      if (!piece || piece->empty()) return peer.close();
      heard.append(reinterpret_cast<const char*>(piece->data()), piece->size());
      if (heard == "question") EXPECT_TRUE(peer.write_copy(as_bytes(std::string_view("answer"))));
    }));
  }));
  ASSERT_TRUE(client.connect(Address::loopback4(8080), [&](Result<void> result) {
    ASSERT_TRUE(result);
    EXPECT_GE(client.local_address()->port(), 49152);
    EXPECT_EQ(client.remote_address()->text(), "127.0.0.1:8080");
    ASSERT_TRUE(client.write_copy(as_bytes(std::string_view("question"))));
    ASSERT_TRUE(client.read_start([&](Result<Bytes> piece) {
      ASSERT_TRUE(piece);
      answered.append(reinterpret_cast<const char*>(piece->data()), piece->size());
      if (answered != "answer") return;
      client.close();
      server.close();
    }));
  }));
  loop.run();
  EXPECT_EQ(heard, "question");
  EXPECT_EQ(answered, "answer");
  EXPECT_FALSE(world.is_stuck());
  EXPECT_EQ(world.open_descriptors(), 0u);
}

TEST_F(SimNetworkTest, ports_are_taken_and_free_again) {
  auto server = std::make_unique<TcpServer>(loop);
  ASSERT_TRUE(server->bind(Address::any4(80)));
  ASSERT_TRUE(server->listen(1));
  TcpServer second(loop);
  EXPECT_EQ(second.bind(Address::loopback4(80)).error().number, EADDRINUSE);
  TcpServer third(loop);
  EXPECT_EQ(third.bind(Address::any6(80)).error().number, EADDRINUSE) << "it would take IPv4 too";
  TcpServer fourth(loop);
  EXPECT_TRUE(fourth.bind(Address::any6(80), TcpBind::Ipv6Only));
  TcpServer chosen(loop), another(loop);
  ASSERT_TRUE(chosen.bind(Address::loopback4(0)));
  ASSERT_TRUE(another.bind(Address::loopback4(0)));
  EXPECT_NE(chosen.local_address()->port(), another.local_address()->port());
  Udp udp(loop);
  EXPECT_TRUE(udp.bind(Address::any4(80))) << "datagrams have ports of their own";
  server.reset();
  TcpServer fifth(loop);
  EXPECT_TRUE(fifth.bind(Address::loopback4(80)));
  TcpServer one(loop), two(loop);
  EXPECT_TRUE(one.bind(Address::any4(90), TcpBind::ReusePort));
  EXPECT_TRUE(two.bind(Address::any4(90), TcpBind::ReusePort));
}

TEST_F(SimNetworkTest, connections_find_who_listens) {
  EXPECT_EQ(connect_error(Address::loopback4(7)), ECONNREFUSED);
  TcpServer general(loop), exact(loop), only6(loop);
  std::vector<std::string> from, reached;
  const auto note = [&](const char* who) {
    return [&, who](Result<UniqueFd> connection) {
      ASSERT_TRUE(connection);
      reached.push_back(who);
      from.push_back(Address::remote_of(connection->get())->host());
    };
  };
  ASSERT_TRUE(general.bind(Address::any6(7)));
  ASSERT_TRUE(general.listen(4, note("general")));
  ASSERT_TRUE(exact.bind(*Address::ip("10.0.0.7", 9)));
  ASSERT_TRUE(exact.listen(4, note("exact")));
  ASSERT_TRUE(only6.bind(Address::any6(6), TcpBind::Ipv6Only));
  ASSERT_TRUE(only6.listen(4, note("only6")));
  general.unref(), exact.unref(), only6.unref();
  EXPECT_EQ(connect_error(Address::loopback4(7)), 0);
  EXPECT_EQ(connect_error(Address::loopback6(7)), 0);
  EXPECT_EQ(connect_error(*Address::ip("10.0.0.7", 9)), 0);
  EXPECT_EQ(connect_error(*Address::ip("10.0.0.8", 9)), ECONNREFUSED);
  EXPECT_EQ(connect_error(Address::loopback4(6)), ECONNREFUSED);
  EXPECT_EQ(connect_error(Address::loopback6(6)), 0);
  const Loop::KeepAlive keep_alive(loop);  // no one else does
  for (int i = 0; i < 20; i++) loop.run(RunMode::NoWait), world.skip_to(world.now() + 1'000'000);
  EXPECT_EQ(reached, (std::vector<std::string>{"general", "general", "exact", "only6"}));
  EXPECT_EQ(from, (std::vector<std::string>{"::ffff:127.0.0.1", "::1", "10.0.0.7", "::1"}));
}

TEST_F(SimNetworkTest, a_reset_is_seen_by_the_peer) {
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(1)));
  Tcp peer(loop), client(loop);
  int seen = 0;
  ASSERT_TRUE(server.listen(1, [&](Result<UniqueFd> connection) {
    ASSERT_TRUE(peer.open(std::move(*connection)));
    server.close();
    EXPECT_TRUE(peer.reset());
  }));
  ASSERT_TRUE(client.connect(Address::loopback4(1), [&](Result<void> result) {
    if (!result) seen = result.error().number;
    if (result) {
      ASSERT_TRUE(client.read_start([&](Result<Bytes> piece) {
        if (!piece) seen = piece.error().number;
        client.close();
      }));
    }
  }));
  loop.run();
  EXPECT_EQ(seen, ECONNRESET);
}

TEST_F(SimNetworkTest, unix_servers_bind_names_and_touch_no_file) {
  PipeServer server(loop), second(loop);
  ASSERT_TRUE(server.bind("/tmp/rondo-sim-test.socket"));
  EXPECT_EQ(second.bind("/tmp/rondo-sim-test.socket").error().number, EADDRINUSE);
  EXPECT_NE(access("/tmp/rondo-sim-test.socket", F_OK), 0);
  Pipe client(loop);
  bool is_connected = false, is_accepted = false;
  ASSERT_TRUE(server.listen(1, [&](Result<UniqueFd> connection) {
    is_accepted = bool(connection);
    server.close();
  }));
  ASSERT_TRUE(client.connect("/tmp/rondo-sim-test.socket", [&](Result<void> result) { is_connected = bool(result); }));
  loop.run();
  EXPECT_TRUE(is_connected);
  EXPECT_TRUE(is_accepted);
}

TEST_F(SimNetworkTest, datagrams_reach_who_is_bound_and_are_answered_from_where_they_were_asked) {
  Udp server(loop), client(loop);
  ASSERT_TRUE(server.bind(Address::any4(53)));
  ASSERT_TRUE(server.set_packet_info(true));
  ASSERT_TRUE(server.receive_start([&](Result<Datagram> message) {
    ASSERT_TRUE(message);
    ASSERT_TRUE(message->to);
    EXPECT_EQ(message->to->text(), "10.1.1.1:53");
    const OutgoingDatagram answer{message->data, message->from, message->to};
    ASSERT_EQ(server.try_send(std::span(&answer, 1)).value(), 1u);
    server.close();
  }));
  std::string got;
  ASSERT_TRUE(client.send(as_bytes(std::string_view("ping")), *Address::ip("10.1.1.1", 53)));
  ASSERT_TRUE(client.receive_start([&](Result<Datagram> message) {
    ASSERT_TRUE(message);
    got.assign(reinterpret_cast<const char*>(message->data.data()), message->data.size());
    EXPECT_EQ(message->from->text(), "10.1.1.1:53");
    client.close();
  }));
  loop.run();
  EXPECT_EQ(got, "ping");
  EXPECT_EQ(world.open_descriptors(), 0u);
}

TEST_F(SimNetworkTest, a_connected_datagram_socket_hears_its_peer_alone_and_refusals) {
  Udp one(loop), two(loop), stranger(loop);
  ASSERT_TRUE(one.bind(Address::loopback4(1000)));
  ASSERT_TRUE(two.bind(Address::loopback4(2000)));
  ASSERT_TRUE(one.connect(Address::loopback4(2000)));
  EXPECT_EQ(one.remote_address()->port(), 2000);
  std::string heard;
  std::vector<int> errors;
  ASSERT_TRUE(one.receive_start([&](Result<Datagram> message) {
    if (!message) return errors.push_back(message.error().number);
    heard += static_cast<char>(message->data[0]);
  }));
  ASSERT_TRUE(stranger.send(as_bytes(std::string_view("x")), Address::loopback4(1000)));
  ASSERT_TRUE(two.send(as_bytes(std::string_view("y")), Address::loopback4(1000)));
  for (int i = 0; i < 20; i++) loop.run(RunMode::NoWait), world.skip_to(world.now() + 1'000'000);
  EXPECT_EQ(heard, "y");
  two.close();
  ASSERT_TRUE(one.send(as_bytes(std::string_view("z"))));
  for (int i = 0; i < 20; i++) loop.run(RunMode::NoWait), world.skip_to(world.now() + 1'000'000);
  EXPECT_EQ(errors, std::vector<int>{ECONNREFUSED});
}

// Under faults: what comes was sent, some is lost, some comes twice or early; the same again with the same seed.
TEST(SimDatagrams, S153_are_lost_doubled_and_overtaken_as_the_seed_says) {
  const auto run = [](std::uint64_t seed) {
    SeededDecider decider(seed, 300);
    SimWorld world(decider);
    Loop loop(world.options());
    Udp from(loop), to(loop);
    EXPECT_TRUE(to.bind(Address::loopback4(9)));
    std::vector<int> order;
    EXPECT_TRUE(to.receive_start([&](Result<Datagram> message) {
      ASSERT_TRUE(message);
      order.push_back(static_cast<int>(message->data[0]));
    }));
    for (int i = 0; i < 100; i++) {
      const std::byte byte{static_cast<unsigned char>(i)};
      EXPECT_TRUE(from.send(Bytes(&byte, 1), Address::loopback4(9)));
    }
    Timer end(loop);
    end.start(1s, [&] { to.close(); });
    loop.run();
    return order;
  };
  bool lost = false, doubled = false, overtaken = false;
  for (std::uint64_t seed = 1; seed <= 20; seed++) {
    const std::vector<int> order = run(seed);
    EXPECT_EQ(order, run(seed));
    std::map<int, int> times;
    for (std::size_t i = 0; i < order.size(); i++) {
      times[order[i]]++;
      if (i > 0 && order[i] < order[i - 1]) overtaken = true;
    }
    lost |= times.size() < 100;
    for (const auto& [number, count] : times) doubled |= count > 1;
  }
  EXPECT_TRUE(lost && doubled && overtaken);
}

TEST_F(SimNetworkTest, names_are_the_worlds) {
  world.set_host("db.test", {*Address::ip("10.0.0.5", 0), *Address::ip("fd00::5", 0)});
  const auto all = sync_wait(loop, [](Loop& l) -> Coroutine<std::vector<std::string>> {
    std::vector<std::string> texts;
    for (const char* host : {"db.test", "localhost", "192.0.2.1", "none.test"}) {
      const Result<std::vector<Address>> found = co_await look_up(l, host, "6379");
      if (!found) texts.push_back(found.error().name());
      if (found) {
        for (const Address& address : *found) texts.push_back(address.text());
      }
    }
    co_return texts;
  }(loop));
  EXPECT_EQ(all, (std::vector<std::string>{"10.0.0.5:6379", "[fd00::5]:6379", "127.0.0.1:6379", "[::1]:6379",
                                           "192.0.2.1:6379", "EAI_NONAME"}));
  NameLookup reverse;
  std::string name;
  reverse.start(loop, *Address::ip("10.0.0.5", 80), 0, [&](NameLookup& done) { name = done.host(); });
  loop.run();
  EXPECT_EQ(name, "db.test");
  Resolver resolver(loop);
  std::vector<std::string> records;
  const auto add = [&](const DnsAnswer& answer) {
    if (answer.status) records.push_back(dns_error_name(answer.status));
    for (const DnsRecord& record : answer.records) records.push_back(record.value);
  };
  resolver.resolve("db.test", DnsType::Aaaa, add);
  resolver.resolve("db.test", DnsType::Mx, add);
  resolver.resolve("none.test", DnsType::A, add);
  resolver.reverse("fd00::5", add);
  loop.run();
  EXPECT_EQ(records, (std::vector<std::string>{"fd00::5", "ENODATA", "ENOTFOUND", "db.test"}));
}

// Reads lines and writes them back in capitals, until its input ends.
Coroutine<int> shout(std::shared_ptr<SimChild> child) {
  Pipe in(child->loop()), out(child->loop());
  if (!in.open(child->take_pipe(0)) || !out.open(child->take_pipe(1))) co_return 2;
  BufferedReader lines(in, 100);
  for (;;) {
    const Result<std::string_view> line = co_await lines.read_line();
    if (!line) break;
    std::string text(*line);
    for (char& c : text) c = static_cast<char>(std::toupper(c));
    const Result<void> written = co_await out.write_all(as_bytes(text + "\n"));
    if (!written) co_return 3;
  }
  co_return static_cast<int>(child->options().args.size());
}

TEST_F(SimNetworkTest, children_are_played_by_coroutines) {
  world.set_program("shout", shout);
  ChildProcess child(loop), none(loop);
  std::optional<ExitStatus> ended;
  EXPECT_EQ(none.spawn({.file = "whisper"}, [](ExitStatus) {}).error().number, ENOENT);
  ASSERT_TRUE(child.spawn({.file = "shout", .args = {"shout", "-a"}, .stdio = {Stdio::pipe(), Stdio::pipe()}},
                          [&](ExitStatus status) { ended = status; }));
  Pipe in(loop), out(loop);
  ASSERT_TRUE(in.open(child.take_pipe(0)));
  ASSERT_TRUE(out.open(child.take_pipe(1)));
  ASSERT_TRUE(in.write_copy(as_bytes(std::string_view("quiet\n"))));
  std::string said;
  ASSERT_TRUE(out.read_start([&](Result<Bytes> piece) {
    if (!piece || piece->empty()) return out.close();
    said.append(reinterpret_cast<const char*>(piece->data()), piece->size());
    if (said.ends_with('\n')) in.close();
  }));
  loop.run();
  EXPECT_EQ(said, "QUIET\n");
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->code, 2);
  EXPECT_EQ(ended->signal, 0);
  EXPECT_EQ(child.kill(SIGTERM).error().number, ESRCH);
  EXPECT_EQ(world.open_descriptors(), 0u);
}

TEST_F(SimNetworkTest, children_end_by_signals_or_hear_them) {
  world.set_program("stay", [](std::shared_ptr<SimChild> child) -> Coroutine<int> {
    (void)co_await child->loop().sleep(1h);
    co_return 0;
  });
  world.set_program("polite", [](std::shared_ptr<SimChild> child) -> Coroutine<int> {
    Event told(child->loop());
    child->on_signal([&](int) { told.set(); });
    (void)co_await told.wait();
    child->on_signal({});
    co_return 7;
  });
  ChildProcess stays(loop), polite(loop);
  ExitStatus of_stays, of_polite;
  ASSERT_TRUE(stays.spawn({.file = "stay"}, [&](ExitStatus status) { of_stays = status; }));
  ASSERT_TRUE(polite.spawn({.file = "polite"}, [&](ExitStatus status) { of_polite = status; }));
  Timer later(loop);
  later.start(1ms, [&] {
    EXPECT_TRUE(stays.kill(0));
    EXPECT_TRUE(stays.kill(SIGTERM));
    EXPECT_TRUE(polite.kill(SIGTERM));
  });
  const Nanoseconds before = world.now();
  loop.run();
  EXPECT_LT(world.now() - before, Duration(1min).count());
  EXPECT_EQ(of_stays.signal, SIGTERM);
  EXPECT_EQ(of_polite.code, 7);
}

TEST(SimHost, a_loop_may_end_in_the_middle_of_look_ups_and_children) {
  SeededDecider decider(1, 0);
  SimWorld world(decider);
  auto loop = std::make_unique<Loop>(world.options());
  world.set_program("stay", [](std::shared_ptr<SimChild> child) -> Coroutine<int> {
    (void)co_await child->loop().sleep(1h);
    co_return 0;
  });
  AddressLookup lookup;
  lookup.start(*loop, "localhost", [](AddressLookup&) {});
  {
    ChildProcess child(*loop);
    ASSERT_TRUE(child.spawn({.file = "stay", .stdio = {Stdio::pipe()}}, [](ExitStatus) { FAIL(); }));
    loop->run(RunMode::NoWait);
  }
  loop.reset();
}

}  // namespace
}  // namespace rondo
