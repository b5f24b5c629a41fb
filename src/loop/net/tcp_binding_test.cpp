// Where TCP sockets are bound, over every poller: ports taken, addresses of others, families, IPv6, sockets shared with another.
#include <fcntl.h>
#include <netinet/in.h>

#include <memory>
#include <optional>

#include "loop/net/few_descriptors.h"
#include "loop/net/net_fixture.h"
#include "rondo/descriptor.h"

namespace rondo {
namespace {

using testing::NetTest;

class TcpBindingTest : public NetTest {
 public:
  // The outcome of connecting to `address`.
  int connect_error(Tcp& client, const Address& address) {
    std::optional<int> error;
    const auto begun =
        client.connect(address, [&](Result<void> result) { error = result ? 0 : result.error().number; });
    if (!begun) return begun.error().number;
    run_until([&] { return error.has_value(); });
    return *error;
  }
  void echo_over(const Address& at) {
    TcpServer server(loop);
    ASSERT_TRUE(server.bind(at));
    std::unique_ptr<Tcp> peer;
    ASSERT_TRUE(server.listen(8, [&](Result<UniqueFd> connection) {
      peer = std::make_unique<Tcp>(loop);
      ASSERT_TRUE(peer->open(std::move(*connection)));
      ASSERT_TRUE(peer->read_start([&](Result<Bytes> piece) { ASSERT_TRUE(peer->write_copy(*piece)); }));
    }));
    Tcp client(loop);
    ASSERT_EQ(connect_error(client, *server.local_address()), 0);
    std::string got;
    ASSERT_TRUE(client.read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
    ASSERT_EQ(client.write(as_bytes("echo")), Progress::Done);
    run_until([&] { return got == "echo"; });
    EXPECT_EQ(*client.remote_address(), *server.local_address());
    EXPECT_EQ(*client.local_address(), *peer->remote_address());
  }
};
RONDO_ON_BOTH_POLLERS(TcpBindingTest);

TEST_P(TcpBindingTest, servers_hear_what_is_wrong_with_an_address) {
  TcpServer first(loop), second(loop);
  ASSERT_TRUE(first.bind(Address::loopback4(0)));
  EXPECT_EQ(first.bind(Address::loopback4(0)).error().number, EINVAL);
  ASSERT_TRUE(first.listen(8, [](Result<UniqueFd>) {}));
  EXPECT_TRUE(first.listen(16, [](Result<UniqueFd>) {})) << "a second listen changes backlog and function";
  EXPECT_EQ(second.bind(*first.local_address()).error().number, EADDRINUSE);
  EXPECT_EQ(second.bind(*Address::ip("192.0.2.1", 0)).error().number, EADDRNOTAVAIL);
  EXPECT_EQ(second.bind(Address()).error().number, EAFNOSUPPORT);
  EXPECT_FALSE(second.local_address());
  ASSERT_TRUE(second.bind(Address::loopback4(0))) << "a failure leaves the handle as it was";
  second.close();
  EXPECT_EQ(second.bind(Address::loopback4(0)).error().number, EBADF);
  EXPECT_EQ(second.listen(8, [](Result<UniqueFd>) {}).error().number, EBADF);
}

TEST_P(TcpBindingTest, two_may_be_bound_to_one_port_but_one_listens) {
  TcpServer first(loop), second(loop);
  ASSERT_TRUE(first.bind(Address::loopback4(0)));
  ASSERT_TRUE(second.bind(*first.local_address())) << "SO_REUSEADDR";
  ASSERT_TRUE(first.listen(8, [](Result<UniqueFd>) {}));
  EXPECT_EQ(second.listen(8, [](Result<UniqueFd>) {}).error().number, EADDRINUSE);
  EXPECT_FALSE(second.is_active());
}

TEST_P(TcpBindingTest, clients_come_from_where_they_are_bound) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  Tcp client(loop), other(loop);
  ASSERT_TRUE(client.bind(Address::loopback4(0)));
  const Address from = *client.local_address();
  EXPECT_EQ(client.bind(Address::loopback4(0)).error().number, EINVAL);
  EXPECT_EQ(other.bind(*Address::ip("192.0.2.1", 0)).error().number, EADDRNOTAVAIL);
  ASSERT_EQ(connect_error(client, *server->local_address()), 0);
  run_until([&] { return accepted.size() == 1; });
  EXPECT_EQ(*accepted[0]->remote_address(), from);
}

TEST_P(TcpBindingTest, connecting_to_no_address_in_particular_reaches_this_machine) {
  std::vector<std::unique_ptr<Tcp>> accepted;
  auto server = serve(accepted);
  Tcp client(loop);
  EXPECT_EQ(connect_error(client, Address::any4(server->local_address()->port())), 0);
}

TEST_P(TcpBindingTest, addresses_that_cannot_be_connected_to) {
  Tcp none(loop), broadcast(loop), path(loop);
  EXPECT_EQ(connect_error(none, Address()), EAFNOSUPPORT);
  const int error = connect_error(broadcast, *Address::ip("255.255.255.255", 80));
  EXPECT_TRUE(error == EACCES || error == ENETUNREACH) << error;
  EXPECT_FALSE(loop.run());
}

TEST_P(TcpBindingTest, IPv4_and_IPv6_alike) {
  echo_over(Address::loopback4(0));
  if (!testing::can_send(Address::loopback6(9))) GTEST_SKIP() << "no IPv6 here";
  echo_over(Address::loopback6(0));
}

TEST_P(TcpBindingTest, IPv6_only_leaves_the_port_to_IPv4) {
  if (!testing::can_send(Address::loopback6(9))) GTEST_SKIP() << "no IPv6 here";
  int sixes = 0, fours = 0;
  std::unique_ptr<TcpServer> six, four;
  std::uint16_t port = 0;
  bool has_both = false;
  for (int tries = 0; tries < 8 && !has_both; tries++) {  // another process may have the port of IPv4
    six = std::make_unique<TcpServer>(loop);
    four = std::make_unique<TcpServer>(loop);
    if (!six->bind(Address::any6(0), TcpBind::Ipv6Only)) GTEST_SKIP() << "no IPv6 here";
    ASSERT_TRUE(six->listen(8, [&](Result<UniqueFd>) { sixes++; }));
    port = six->local_address()->port();
    has_both = four->bind(Address::any4(port)).has_value();
  }
  ASSERT_TRUE(has_both);
  Tcp early(loop);
  EXPECT_EQ(connect_error(early, Address::loopback4(port)), ECONNREFUSED);
  ASSERT_TRUE(four->listen(8, [&](Result<UniqueFd>) { fours++; }));
  Tcp a(loop), b(loop);
  EXPECT_EQ(connect_error(a, Address::loopback4(port)), 0);
  EXPECT_EQ(connect_error(b, Address::loopback6(port)), 0);
  run_until([&] { return sixes == 1 && fours == 1; });
}

TEST_P(TcpBindingTest, IPv6_errors_come_as_those_of_IPv4) {
  TcpServer first(loop), second(loop);
  if (!testing::can_send(Address::loopback6(9)) || !first.bind(Address::loopback6(0))) GTEST_SKIP() << "no IPv6 here";
  ASSERT_TRUE(first.listen(8, [](Result<UniqueFd>) {}));
  EXPECT_EQ(second.bind(*first.local_address()).error().number, EADDRINUSE);
  EXPECT_EQ(second.bind(*Address::ip("2001:db8::1", 0)).error().number, EADDRNOTAVAIL);
  // A link's own address needs the link.
  Tcp client(loop);
  EXPECT_EQ(connect_error(client, *Address::ip("fe80::1", 80)), EINVAL);
  EXPECT_EQ(Address::ip("fe80::1%lo", 80)->host(), "fe80::1%lo");
  EXPECT_EQ(Address::ip("fe80::1%no-such-link", 80).error().number, EINVAL);
}

TEST_P(TcpBindingTest, a_socket_that_others_have_too_stays_open_to_them) {
  UniqueFd theirs(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Address address = Address::loopback4(0);
  ASSERT_EQ(bind(theirs.get(), address.data(), address.size()), 0);
  EXPECT_EQ(handle_kind_of(theirs.get()), HandleKind::Tcp);
  ASSERT_EQ(listen(theirs.get(), 8), 0);
  EXPECT_EQ(handle_kind_of(theirs.get()), HandleKind::TcpServer);
  address = *Address::local_of(theirs.get());
  int ours = 0;
  {
    TcpServer server(loop);
    ASSERT_TRUE(server.open(UniqueFd(dup(theirs.get()))));
    EXPECT_EQ(server.open(UniqueFd(dup(theirs.get()))).error().number, EBUSY);
    ASSERT_TRUE(server.listen(8, [&](Result<UniqueFd>) { ours++; }));
    Tcp client(loop);
    EXPECT_EQ(connect_error(client, address), 0);
    run_until([&] { return ours == 1; });
    server.close();
    client.close();
    loop.run();
  }
  Tcp client(loop);
  EXPECT_EQ(connect_error(client, address), 0);
  fcntl(theirs.get(), F_SETFL, 0);
  const UniqueFd connection(accept4(theirs.get(), nullptr, nullptr, SOCK_CLOEXEC));
  EXPECT_TRUE(connection);
  EXPECT_EQ(ours, 1);
}

TEST_P(TcpBindingTest, a_server_may_close_or_die_in_its_own_callback) {
  for (const bool dies : {false, true}) {
    auto server = std::make_unique<TcpServer>(loop);
    ASSERT_TRUE(server->bind(Address::loopback4(0)));
    int connections = 0;
    ASSERT_TRUE(server->listen(8, [&](Result<UniqueFd>) {
      connections++;
      if (dies) server.reset();
      if (!dies) server->close();
    }));
    const Address address = *server->local_address();
    std::vector<std::unique_ptr<Tcp>> clients;
    for (int i = 0; i < 5; i++) {
      clients.push_back(std::make_unique<Tcp>(loop));
      ASSERT_TRUE(clients.back()->connect(address, [](Result<void>) {}));
    }
    loop.run();
    EXPECT_EQ(connections, 1);
    Tcp late(loop);
    EXPECT_EQ(connect_error(late, address), ECONNREFUSED);
  }
}

TEST_P(TcpBindingTest, without_descriptors_connect_says_so_and_works_again_afterwards) {
  const UniqueFd server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Address address = Address::loopback4(0);
  ASSERT_EQ(bind(server.get(), address.data(), address.size()), 0);
  ASSERT_EQ(listen(server.get(), 8), 0);
  address = *Address::local_of(server.get());
  testing::FewDescriptors shortage(200);
  shortage.fill();
  Tcp client(loop), racer(loop);
  const int error = connect_error(client, address);
  std::optional<int> race_error;
  ASSERT_TRUE(
      racer.connect(std::span(&address, 1), {}, [&](Result<void> r) { race_error = r ? 0 : r.error().number; }));
  run_until([&] { return race_error.has_value(); });
  shortage.end();
  EXPECT_EQ(error, EMFILE);
  EXPECT_EQ(race_error, EMFILE);
  EXPECT_EQ(connect_error(client, address), 0);
}

template <class Handle>
void expect_sockets_only(Loop& loop) {
  const int closed = UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC)).get();
  Handle handle(loop);
  EXPECT_EQ(handle.open(UniqueFd(closed)), failure(EBADF));
  EXPECT_EQ(handle.open(UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC))), failure(ENOTSOCK));
  EXPECT_LT(handle.fd(), 0);
}

TEST_P(TcpBindingTest, what_is_no_socket_is_not_opened) {
  expect_sockets_only<Tcp>(loop);
  expect_sockets_only<TcpServer>(loop);
  expect_sockets_only<PipeServer>(loop);
}

}  // namespace
}  // namespace rondo
