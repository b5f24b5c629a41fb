// Datagrams over every poller: exchange, batches, connected sockets, groups, options.
#include "rondo/udp.h"

#include "loop/net/net_fixture.h"

#include <unistd.h>

namespace rondo {
namespace {

using testing::NetTest;

class UdpTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(UdpTest);

TEST_P(UdpTest, messages_there_and_back) {
  Udp server(loop), client(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  ASSERT_TRUE(server.receive_start([&](Result<Datagram> message) {
    ASSERT_TRUE(message);
    ASSERT_EQ(server.send(message->data, *message->from), Progress::Done);
  }));
  ASSERT_EQ(client.send(as_bytes("ping"), *server.local_address()), Progress::Done);
  std::string got;
  ASSERT_TRUE(client.receive_start([&](Result<Datagram> message) {
    ASSERT_TRUE(message);
    EXPECT_EQ(*message->from, *server.local_address());
    EXPECT_FALSE(message->is_truncated);
    got = as_text(message->data);
  }));
  run_until([&] { return got == "ping"; });
  ASSERT_EQ(client.send({}, *server.local_address()), Progress::Done);
  run_until([&] { return got.empty(); });
}

TEST_P(UdpTest, batches_arrive_whole_and_in_order) {
  Udp server(loop), client(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  const Address to = *server.local_address();
  std::vector<std::string> words;
  std::vector<OutgoingDatagram> batch;
  for (int i = 0; i < 100; i++) words.push_back("message " + std::to_string(i));
  for (const std::string& word : words) batch.push_back({as_bytes(word), &to});
  ASSERT_EQ(client.try_send(batch), 100u);
  std::vector<std::string> got;
  ASSERT_TRUE(server.receive_start([&](Result<Datagram> message) { got.emplace_back(as_text(message->data)); }));
  run_until([&] { return got.size() == 100; });
  EXPECT_EQ(got, words);
}

TEST_P(UdpTest, a_shared_socket_takes_nothing_that_it_does_not_hand_out) {
  Udp server(loop), other(loop), client(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  ASSERT_TRUE(other.open(UniqueFd(dup(server.fd()))));
  server.set_shared();
  other.set_shared();
  const Address to = *server.local_address();
  for (int i = 0; i < 20; i++) ASSERT_EQ(client.send(as_bytes("message"), to), Progress::Done);
  int first = 0, rest = 0;
  ASSERT_TRUE(server.receive_start([&](Result<Datagram>) {
    if (++first == 3) server.receive_stop();
  }));
  run_until([&] { return first == 3; });
  ASSERT_TRUE(other.receive_start([&](Result<Datagram>) { rest++; }));
  run_until([&] { return rest == 17; });
  EXPECT_EQ(first, 3);
}

TEST_P(UdpTest, connected_sockets_hear_of_refusal) {
  Udp gone(loop), client(loop);
  ASSERT_TRUE(gone.bind(Address::loopback4(0)));
  const Address to = *gone.local_address();
  ASSERT_TRUE(client.connect(to));
  EXPECT_EQ(*client.remote_address(), to);
  gone.close();
  loop.run();
  int error = 0;
  ASSERT_TRUE(client.receive_start([&](Result<Datagram> message) { error = message ? 0 : message.error().number; }));
  ASSERT_EQ(client.send(as_bytes("anyone?")), Progress::Done);
  run_until([&] { return error == ECONNREFUSED; });
  ASSERT_TRUE(client.disconnect());
  EXPECT_EQ(client.disconnect().error().number, ENOTCONN);
  EXPECT_EQ(client.send(as_bytes("x")).error().number, EDESTADDRREQ);
}

TEST_P(UdpTest, multicast_on_loopback) {
  Udp member(loop), sender(loop);
  ASSERT_TRUE(member.bind(Address::any4(0), UdpBind::ReuseAddress));
  if (!member.join_group("239.255.17.3", "127.0.0.1")) GTEST_SKIP() << "no multicast here";
  ASSERT_TRUE(sender.bind(Address::loopback4(0)));
  ASSERT_TRUE(sender.set_multicast_interface("127.0.0.1"));
  ASSERT_TRUE(sender.set_multicast_ttl(1));
  ASSERT_TRUE(sender.set_multicast_loopback(true));
  std::string got;
  ASSERT_TRUE(member.receive_start([&](Result<Datagram> message) { got = as_text(message->data); }));
  const Address group = *Address::ip("239.255.17.3", member.local_address()->port());
  if (!sender.send(as_bytes("all"), group)) GTEST_SKIP() << "no route for multicast";
  run_until([&] { return got == "all"; });
  ASSERT_TRUE(member.leave_group("239.255.17.3", "127.0.0.1"));
  EXPECT_FALSE(member.leave_group("239.255.17.3", "127.0.0.1"));
  EXPECT_FALSE(member.join_group("127.0.0.1"));
}

TEST_P(UdpTest, options) {
  Udp udp(loop);
  ASSERT_TRUE(udp.bind(Address::loopback4(0)));
  EXPECT_TRUE(udp.set_broadcast(true));
  EXPECT_TRUE(udp.set_ttl(64));
  EXPECT_EQ(udp.set_ttl(0).error().number, EINVAL);
  EXPECT_TRUE(udp.set_receive_buffer_size(32 * 1024));
  EXPECT_GE(*udp.receive_buffer_size(), 32 * 1024);
  EXPECT_GT(*udp.send_buffer_size(), 0);
  EXPECT_EQ(udp.send(as_bytes(std::string(70'000, 'x')), Address::loopback4(9)).error().number, EMSGSIZE);
}

TEST_P(UdpTest, stop_and_death_inside_the_callback) {
  auto server = std::make_unique<Udp>(loop);
  ASSERT_TRUE(server->bind(Address::loopback4(0)));
  const Address to = *server->local_address();
  Udp client(loop);
  int calls = 0;
  ASSERT_TRUE(server->receive_start([&](Result<Datagram>) {
    calls++;
    server.reset();
  }));
  for (int i = 0; i < 5; i++) ASSERT_TRUE(client.send(as_bytes("x"), to));
  run_until([&] { return calls > 0; });
  loop.run();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace rondo
