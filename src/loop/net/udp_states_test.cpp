// Datagrams at their edges, over every poller: families, answers of the network, full buffers, batches that fail in the middle, Unix sockets.
#include <sys/un.h>
#include <unistd.h>

#include <optional>

#include "loop/net/net_fixture.h"
#include "rondo/descriptor.h"
#include "rondo/udp.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class UdpStatesTest : public NetTest {
 public:
  // A port that no one listens on.
  Address unreachable() {
    Udp gone(loop);
    EXPECT_TRUE(gone.bind(Address::loopback4(0)));
    return *gone.local_address();
  }
  void exchange(const Address& at, const Address& to_host) {
    Udp server(loop), client(loop);
    ASSERT_TRUE(server.bind(at));
    Address to = to_host;
    to.set_port(server.local_address()->port());
    ASSERT_TRUE(server.receive_start(
        [&](Result<Datagram> message) { ASSERT_TRUE(server.send(message->data, *message->from)); }));
    ASSERT_EQ(client.send(as_bytes("ping"), to), Progress::Done);
    std::string got;
    ASSERT_TRUE(client.receive_start([&](Result<Datagram> message) {
      EXPECT_EQ(*message->from, to);
      got = as_text(message->data);
    }));
    run_until([&] { return got == "ping"; });
  }
};
RONDO_ON_BOTH_POLLERS(UdpStatesTest);

TEST_P(UdpStatesTest, families) {
  exchange(Address::any4(0), Address::loopback4(0));
  if (!testing::can_send(Address::loopback6(9))) GTEST_SKIP() << "no IPv6 here";
  exchange(Address::loopback6(0), Address::loopback6(0));
  exchange(Address::any6(0), Address::loopback4(0));  // one socket takes both
  Udp six(loop), four(loop);
  ASSERT_TRUE(six.bind(Address::any6(0), UdpBind::Ipv6Only));
  ASSERT_TRUE(four.bind(Address::any4(six.local_address()->port())));
  EXPECT_EQ(four.bind(Address::loopback4(0), UdpBind::Ipv6Only).error().number, EINVAL);
  for (Udp* udp : {&six, &four}) {
    EXPECT_TRUE(udp->set_ttl(17));
    EXPECT_TRUE(udp->set_multicast_ttl(1));
    EXPECT_TRUE(udp->set_multicast_loopback(false));
    EXPECT_EQ(udp->set_ttl(256).error().number, EINVAL);
    EXPECT_EQ(udp->set_multicast_ttl(-1).error().number, EINVAL);
  }
}

TEST_P(UdpStatesTest, what_is_not_open_refuses_and_what_is_closed_too) {
  Udp udp(loop), other(loop);
  EXPECT_FALSE(udp.local_address());
  EXPECT_EQ(udp.receive_start([](Result<Datagram>) {}).error().number, EBADF);
  EXPECT_EQ(udp.send(as_bytes("x")).error().number, EDESTADDRREQ);
  EXPECT_EQ(udp.set_ttl(3).error().number, EBADF);
  EXPECT_EQ(udp.disconnect().error().number, EBADF);
  ASSERT_TRUE(udp.bind(Address::loopback4(0)));
  EXPECT_EQ(handle_kind_of(udp.fd()), HandleKind::Udp);
  EXPECT_EQ(udp.open(UniqueFd(dup(udp.fd()))).error().number, EBUSY);
  EXPECT_EQ(udp.bind(Address::loopback4(0)).error().number, EINVAL);
  EXPECT_EQ(other.bind(*udp.local_address()).error().number, EADDRINUSE);
  EXPECT_EQ(udp.send(as_bytes("x"), *Address::ip("255.255.255.255", 9)).error().number, EACCES) << "not without leave";
  udp.close();
  EXPECT_EQ(udp.send(as_bytes("x"), Address::loopback4(9)).error().number, EBADF);
  EXPECT_EQ(udp.receive_start([](Result<Datagram>) {}).error().number, EBADF);
  EXPECT_EQ(udp.bind(Address::loopback4(0)).error().number, EBADF);
  EXPECT_FALSE(loop.run());
}

TEST_P(UdpStatesTest, sockets_that_share_a_port) {
  Udp first(loop), second(loop), third(loop);
  ASSERT_TRUE(first.bind(Address::loopback4(0), UdpBind::ReusePort));
  ASSERT_TRUE(second.bind(*first.local_address(), UdpBind::ReusePort));
  EXPECT_EQ(third.bind(*first.local_address()).error().number, EADDRINUSE);
  int got = 0;
  for (Udp* udp : {&first, &second}) ASSERT_TRUE(udp->receive_start([&](Result<Datagram>) { got++; }));
  for (int i = 0; i < 20; i++) {
    Udp client(loop);
    ASSERT_EQ(client.send(as_bytes("x"), *first.local_address()), Progress::Done);
  }
  run_until([&] { return got == 20; });
}

// Without asking for it a socket that is not connected hears nothing of ports where no one listens, and goes on.
TEST_P(UdpStatesTest, unreachable_ports_do_no_harm) {
  const Address nobody = unreachable();
  Udp udp(loop), peer(loop);
  ASSERT_TRUE(udp.bind(Address::loopback4(0)));
  ASSERT_TRUE(peer.bind(Address::loopback4(0)));
  std::string got;
  ASSERT_TRUE(udp.receive_start([&](Result<Datagram> message) {
    ASSERT_TRUE(message);
    got = as_text(message->data);
  }));
  for (int i = 0; i < 3; i++) ASSERT_EQ(udp.send(as_bytes("lost"), nobody), Progress::Done);
  ASSERT_EQ(peer.send(as_bytes("hello"), *udp.local_address()), Progress::Done);
  run_until([&] { return got == "hello"; });
}

TEST_P(UdpStatesTest, who_asks_for_errors_hears_whom_a_message_did_not_reach) {
  const Address nobody = unreachable();
  Udp udp(loop), peer(loop);
  ASSERT_TRUE(udp.bind(Address::loopback4(0), UdpBind::ReceiveErrors));
  ASSERT_TRUE(peer.bind(Address::loopback4(0)));
  int errors = 0;
  std::string got;
  ASSERT_TRUE(udp.receive_start([&](Result<Datagram> message) {
    if (message) {
      got = as_text(message->data);
      EXPECT_EQ(udp.failed_destination(), Address());
      return;
    }
    EXPECT_EQ(message.error().number, ECONNREFUSED);
    EXPECT_EQ(udp.failed_destination(), nobody);
    errors++;
  }));
  ASSERT_EQ(udp.send(as_bytes("lost"), nobody), Progress::Done);
  run_until([&] { return errors == 1; });
  const std::uint64_t iterations = loop.iterations();
  Timer timer(loop);
  bool is_over = false;
  timer.start(20ms, [&] { is_over = true; });
  run_until([&] { return is_over; });
  EXPECT_LE(loop.iterations() - iterations, 10u) << "an error is told once";
  EXPECT_EQ(errors, 1);
  ASSERT_EQ(peer.send(as_bytes("hello"), *udp.local_address()), Progress::Done);
  run_until([&] { return got == "hello"; });
}

TEST_P(UdpStatesTest, connected_to_no_one_every_send_ends_and_closing_in_the_error_is_fine) {
  const Address nobody = unreachable();
  auto udp = std::make_unique<Udp>(loop);
  ASSERT_TRUE(udp->connect(nobody));
  int errors = 0;
  ASSERT_TRUE(udp->receive_start([&](Result<Datagram> message) {
    ASSERT_FALSE(message);
    errors++;
    udp.reset();
  }));
  // The answer comes to a send or to the receiver, whichever asks first.
  run_until([&] {
    if (udp) {
      const auto progress = udp->send(as_bytes("x"));
      EXPECT_TRUE(progress || progress.error().number == ECONNREFUSED);
      loop.run(RunMode::NoWait);
    }
    return errors == 1;
  });
  loop.run();
  EXPECT_EQ(errors, 1);
}

TEST_P(UdpStatesTest, a_batch_ends_at_the_message_that_fails) {
  Udp server(loop), client(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  const Address to = *server.local_address();
  const std::string huge(70'000, 'x');
  const OutgoingDatagram mixed[] = {{as_bytes("one"), &to}, {as_bytes(huge), &to}, {as_bytes("two"), &to}};
  EXPECT_EQ(client.try_send(mixed), 1u);
  EXPECT_EQ(client.try_send(std::span(mixed).subspan(1)).error().number, EMSGSIZE);
  EXPECT_EQ(client.try_send({}), 0u);
  EXPECT_EQ(client.try_send(std::span(mixed).subspan(2)), 1u);
  Udp unconnected(loop);
  const OutgoingDatagram nowhere[] = {{as_bytes("x"), nullptr}};
  EXPECT_EQ(unconnected.try_send(nowhere).error().number, EDESTADDRREQ);
  std::string got;
  ASSERT_TRUE(server.receive_start([&](Result<Datagram> message) { got += as_text(message->data); }));
  run_until([&] { return got == "onetwo"; });
}

TEST_P(UdpStatesTest, stopped_in_the_callback_and_started_again) {
  Udp server(loop), client(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  const Address to = *server.local_address();
  int calls = 0;
  std::function<void(Result<Datagram>)> take = [&](Result<Datagram>) {
    calls++;
    server.receive_stop();
  };
  for (int i = 1; i <= 3; i++) {
    ASSERT_TRUE(server.receive_start(take));
    ASSERT_EQ(client.send(as_bytes("x"), to), Progress::Done);
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(calls, i);
    EXPECT_FALSE(server.is_active());
  }
  server.receive_stop();
}

// Unix datagram sockets: a full receiver makes the sender wait, which UDP's never does.
TEST_P(UdpStatesTest, messages_that_must_wait_go_in_order_each_once) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  Udp sender(loop), receiver(loop);
  ASSERT_TRUE(sender.open(UniqueFd(ends[0])));
  ASSERT_TRUE(receiver.open(UniqueFd(ends[1])));
  const std::string filler(2000, 'x');
  std::vector<int> done;
  int at_once = 0, total = 0;
  while (done.empty() && sender.queued_messages() < 50) {
    const int number = total++;
    const auto progress = sender.send(as_bytes(std::to_string(number) + filler), [&done, number](Result<void> result) {
      ASSERT_TRUE(result);
      done.push_back(number);
    });
    ASSERT_TRUE(progress);
    if (progress == Progress::Done) at_once++;
    ASSERT_LT(total, 100'000);
  }
  EXPECT_GT(sender.queued_bytes(), 50 * filler.size());
  const OutgoingDatagram jumper[] = {{as_bytes("jumps the queue"), nullptr}};
  EXPECT_EQ(sender.try_send(jumper), 0u);
  int next = 0;
  ASSERT_TRUE(receiver.receive_start([&](Result<Datagram> message) {
    ASSERT_TRUE(message);
    EXPECT_EQ(as_text(message->data), std::to_string(next) + filler);
    next++;
  }));
  run_until([&] { return next == total && sender.queued_messages() == 0; });
  EXPECT_EQ(at_once + static_cast<int>(done.size()), total);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(sender.queued_bytes(), 0u);
}

TEST_P(UdpStatesTest, closed_with_messages_waiting_nothing_is_called) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const UniqueFd silent(ends[1]);
  Udp sender(loop);
  ASSERT_TRUE(sender.open(UniqueFd(ends[0])));
  const std::string data(4000, 'x');
  while (sender.queued_messages() < 5) {
    ASSERT_TRUE(sender.send(as_bytes(data), [](Result<void>) { FAIL() << "after close"; }));
  }
  EXPECT_TRUE(loop.alive());
  loop.run(RunMode::NoWait);
  bool closed = false;
  sender.close([&] { closed = true; });
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(closed);
}

// A callback may run another loop, and what it was given stays what it is.
TEST_P(UdpStatesTest, messages_survive_another_loop_in_their_callback) {
  Udp receiver(loop), sender(loop);
  ASSERT_TRUE(receiver.bind(Address::loopback4(0)));
  const Address to = *receiver.local_address();
  for (const char* word : {"one", "two", "three"}) ASSERT_EQ(sender.send(as_bytes(word), to), Progress::Done);
  std::vector<std::string> got;
  ASSERT_TRUE(receiver.receive_start([&](Result<Datagram> message) {
    Loop inner(LoopOptions{.poller = GetParam()});
    Udp echo(inner);
    ASSERT_TRUE(echo.bind(Address::loopback4(0)));
    ASSERT_TRUE(echo.receive_start([&](Result<Datagram>) { echo.receive_stop(); }));
    ASSERT_EQ(echo.send(as_bytes("something else"), *echo.local_address()), Progress::Done);
    inner.run();
    got.emplace_back(as_text(message->data));
    EXPECT_EQ(*message->from, *Address::ip("127.0.0.1", message->from->port()));
  }));
  run_until([&] { return got.size() == 3; });
  EXPECT_EQ(got, (std::vector<std::string>{"one", "two", "three"}));
}

TEST_P(UdpStatesTest, what_is_no_datagram_socket_is_refused) {
  Udp udp(loop);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const UniqueFd other(ends[1]);
  EXPECT_EQ(udp.open(UniqueFd(ends[0])).error().number, ENOTSOCK);
  EXPECT_EQ(udp.open(UniqueFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))).error().number, EINVAL);
  EXPECT_TRUE(udp.open(UniqueFd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0))));
}

TEST_P(UdpStatesTest, groups_over_IPv6) {
  Udp member(loop), sender(loop);
  if (!testing::can_send(Address::loopback6(9)) || !member.bind(Address::any6(0), UdpBind::ReuseAddress) ||
      !member.join_group("ff01::17:3", "::1%lo")) {
    GTEST_SKIP() << "no IPv6 groups here";
  }
  ASSERT_TRUE(sender.bind(Address::any6(0)));
  ASSERT_TRUE(sender.set_multicast_interface("::%lo"));
  std::string got;
  ASSERT_TRUE(member.receive_start([&](Result<Datagram> message) { got = as_text(message->data); }));
  if (!sender.send(as_bytes("all"), *Address::ip("ff01::17:3%lo", member.local_address()->port()))) {
    GTEST_SKIP() << "no way to an IPv6 group";
  }
  run_until([&] { return got == "all"; });
  ASSERT_TRUE(member.leave_group("ff01::17:3", "::1%lo"));
  EXPECT_EQ(member.leave_group("ff01::17:3", "::1%lo").error().number, EADDRNOTAVAIL);
  EXPECT_EQ(member.join_group("not an address").error().number, EINVAL);
}

}  // namespace
}  // namespace rondo
