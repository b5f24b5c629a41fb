// Datagrams with packet info, source addresses, and messages that the kernel cuts and joins.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loop/net/net_fixture.h"
#include "rondo/udp.h"

namespace rondo {
namespace {

using testing::NetTest;

class UdpPacketsTest : public NetTest {};

TEST_P(UdpPacketsTest, messages_tell_where_they_were_sent_to_and_are_answered_from_there) {
  for (const bool is_v6 : {false, true}) {
    const Address probe = is_v6 ? Address::loopback6(9) : Address::loopback4(9);
    if (!testing::can_send(probe)) continue;
    Udp server(loop), client(loop);
    ASSERT_TRUE(server.bind(is_v6 ? Address::any6(0) : Address::any4(0)));
    ASSERT_TRUE(server.set_packet_info(true));
    const std::uint16_t port = server.local_address()->port();
    // 127.0.0.2 is of the loopback interface too: without its address the answer would come from 127.0.0.1.
    const Address asked = is_v6 ? Address::loopback6(port) : *Address::ip("127.0.0.2", port);
    Address to;
    unsigned interface = 0;
    ASSERT_TRUE(server.receive_start([&](Result<Datagram> message) {
      ASSERT_TRUE(message);
      ASSERT_TRUE(message->to);
      to = *message->to;
      interface = message->interface;
      const OutgoingDatagram answer{message->data, message->from, message->to};
      EXPECT_EQ(server.try_send(std::span(&answer, 1)).value_or(0), 1u);
    }));
    std::string from;
    ASSERT_TRUE(client.send(as_bytes(std::string_view("ping")), asked));
    ASSERT_TRUE(client.receive_start([&](Result<Datagram> message) {
      ASSERT_TRUE(message);
      from = message->from->text();
    }));
    run_until([&] { return !from.empty(); });
    EXPECT_EQ(to.text(), asked.text());
    EXPECT_GT(interface, 0u);
    EXPECT_EQ(from, asked.text());
  }
}

TEST_P(UdpPacketsTest, the_kernel_cuts_and_joins_messages) {
  for (const bool joins : {false, true}) {
    Udp server(loop), client(loop);
    ASSERT_TRUE(server.bind(Address::loopback4(0)));
    ASSERT_TRUE(server.set_receive_buffer_size(1 << 20));
    if (joins && !server.set_receive_offload(true)) continue;  // before Linux 5.0
    std::vector<std::string> messages;
    ASSERT_TRUE(server.receive_start([&](Result<Datagram> message) {
      ASSERT_TRUE(message);
      EXPECT_FALSE(message->is_truncated);
      messages.emplace_back(reinterpret_cast<const char*>(message->data.data()), message->data.size());
    }));
    std::string text;
    for (int i = 0; i < 100; i++) text += std::string(1000, static_cast<char>('a' + i % 26));
    text += "the rest";
    const Address to = *server.local_address();
    std::size_t sent = 0;
    while (sent < text.size()) {
      const auto more = client.try_send_segments(as_bytes(std::string_view(text).substr(sent)), 1000, &to);
      ASSERT_TRUE(more) << more.error().name();
      EXPECT_TRUE(*more % 1000 == 0 || sent + *more == text.size());
      sent += *more;
      loop.run(RunMode::NoWait);
    }
    run_until([&] { return messages.size() >= 101; });
    ASSERT_EQ(messages.size(), 101u);
    std::string together;
    for (const std::string& message : messages) together += message;
    EXPECT_EQ(together, text);
    EXPECT_EQ(messages[7], std::string(1000, 'h'));
    EXPECT_EQ(messages[100], "the rest");
    EXPECT_EQ(client.try_send_segments(as_bytes(std::string_view("x")), 0, &to).error().number, EINVAL);
    EXPECT_EQ(client.try_send_segments(as_bytes(text), 65535, &to).error().number, EMSGSIZE);
  }
}

TEST_P(UdpPacketsTest, there_is_no_packet_info_before_there_is_a_socket) {
  Udp udp(loop);
  EXPECT_EQ(udp.set_packet_info(true).error().number, EBADF);
  EXPECT_EQ(udp.set_receive_offload(true).error().number, EBADF);
  EXPECT_EQ(udp.try_send_segments(as_bytes(std::string_view("x")), 1).error().number, EDESTADDRREQ);
}

RONDO_ON_BOTH_POLLERS(UdpPacketsTest);

}  // namespace
}  // namespace rondo
