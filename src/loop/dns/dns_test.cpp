// DNS: the message parser, look-ups on the pool, and the Resolver against a small name server on loopback.
#include "rondo/dns.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

#include "loop/dns/dns_message.h"
#include "loop/net/net_fixture.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

using Bytes = std::string;

Bytes u16(unsigned value) { return {static_cast<char>(value >> 8), static_cast<char>(value)}; }
Bytes u32(unsigned value) { return u16(value >> 16) + u16(value & 0xffff); }
Bytes text(const Bytes& content) { return static_cast<char>(content.size()) + content; }
Bytes name(const std::string& dotted) {
  Bytes out;
  std::size_t from = 0;
  while (from < dotted.size()) {
    const std::size_t dot = std::min(dotted.find('.', from), dotted.size());
    out += text(dotted.substr(from, dot - from));
    from = dot + 1;
  }
  return out + Bytes(1, '\0');
}
const Bytes kToQuestion("\xc0\x0c", 2);  // pointer to the question's name
Bytes record(unsigned type, const Bytes& data) {
  return kToQuestion + u16(type) + u16(1) + u32(300) + u16(data.size()) + data;
}

Bytes records_for(unsigned type, unsigned& count) {
  count = 1;
  switch (static_cast<DnsType>(type)) {
    case DnsType::A:
      count = 2;
      return record(1, {"\x01\x02\x03\x04", 4}) + record(1, {"\x7f\x00\x00\x01", 4});
    case DnsType::Aaaa:
      return record(28, Bytes(15, '\0') + '\x01');
    case DnsType::Ns:
      return record(2, name("ns.example.org"));
    case DnsType::Cname:
      return record(5, name("alias.example.org"));
    case DnsType::Ptr:
      return record(12, name("host.example.org"));
    case DnsType::Mx:
      return record(15, u16(10) + text("mail") + kToQuestion);
    case DnsType::Txt:
      return record(16, text("one") + text("two"));
    case DnsType::Soa:
      return record(6, name("ns.x") + name("admin.x") + u32(1) + u32(2) + u32(3) + u32(4) + u32(5));
    case DnsType::Srv:
      return record(33, u16(1) + u16(2) + u16(443) + name("srv.example.org"));
    case DnsType::Naptr:
      return record(35, u16(1) + u16(2) + text("s") + text("SIP+D2U") + text("!a!b!") + name("rep.x"));
    case DnsType::Caa:
      return record(257, Bytes(1, '\0') + text("issue") + "ca.example.net");
    default:
      count = 0;
      return {};
  }
}

// Answers on its own thread. Names: "none*": NXDOMAIN; "silent*": no answer; "bad*": garbage.
class NameServer {
 public:
  NameServer() {
    fd_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    address_ = address;
    thread_ = std::thread([this] { serve(); });
  }
  ~NameServer() {
    shutdown(fd_, SHUT_RD);  // ends recvfrom, although the socket is not connected
    thread_.join();
    close(fd_);
  }
  std::string where() const { return "127.0.0.1:" + std::to_string(ntohs(address_.sin_port)); }
  std::atomic<int> queries{0};

 private:
  void serve() {
    for (;;) {
      char buffer[512];
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t got = recvfrom(fd_, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&from), &size);
      if (got < 12) return;
      queries++;
      const Bytes question(buffer + 12, static_cast<std::size_t>(got) - 12);
      const std::size_t end = question.find('\0');
      const unsigned type =
          static_cast<unsigned char>(question[end + 1]) << 8 | static_cast<unsigned char>(question[end + 2]);
      if (question.find("silent") == 1) continue;
      const bool is_missing = question.find("none") == 1;
      unsigned count = 0;
      Bytes records = is_missing ? Bytes() : records_for(type, count);
      if (question.find("bad") == 1) records = Bytes(8, '\xff'), count = 3;
      const Bytes reply = Bytes(buffer, 2) + u16(is_missing ? 0x8183 : 0x8180) + u16(1) + u16(count) + u16(0) + u16(0) +
                          question.substr(0, end + 5) + records;
      sendto(fd_, reply.data(), reply.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
    }
  }
  int fd_;
  sockaddr_in address_;
  std::thread thread_;
};

class ResolverTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!testing::can_send(Address::loopback4(9))) GTEST_SKIP() << "the loopback interface is down";
    ASSERT_EQ(resolver->set_servers({server.where()}), 0);
  }

  DnsAnswer ask(const std::string& host, DnsType type) {
    DnsAnswer result;
    int calls = 0;
    resolver->resolve(host, type, [&](const DnsAnswer& answer) {
      result = answer;
      calls++;
    });
    EXPECT_EQ(calls, 0);
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(calls, 1);
    return result;
  }

  NameServer server;
  Loop loop{LoopOptions{.poller = GetParam()}};
  std::unique_ptr<Resolver> resolver =
      std::make_unique<Resolver>(loop, ResolverOptions{.timeout_ms = 2000, .tries = 2});
};

TEST_P(ResolverTest, addresses_with_their_time_to_live) {
  const DnsAnswer four = ask("example.org", DnsType::A);
  ASSERT_EQ(four.records.size(), 2u);
  EXPECT_EQ(four.records[0].value, "1.2.3.4");
  EXPECT_EQ(four.records[1].value, "127.0.0.1");
  EXPECT_EQ(four.records[0].ttl, 300u);
  const DnsAnswer six = ask("example.org", DnsType::Aaaa);
  ASSERT_EQ(six.records.size(), 1u);
  EXPECT_EQ(six.records[0].value, "::1");
}

TEST_P(ResolverTest, every_other_type) {
  EXPECT_EQ(ask("x.org", DnsType::Ns).records.at(0).value, "ns.example.org");
  EXPECT_EQ(ask("x.org", DnsType::Cname).records.at(0).value, "alias.example.org");
  const DnsAnswer mx = ask("x.org", DnsType::Mx);
  EXPECT_EQ(mx.records.at(0).value, "mail.x.org");
  EXPECT_EQ(mx.records[0].priority, 10);
  EXPECT_EQ(ask("x.org", DnsType::Txt).records.at(0).texts, (std::vector<std::string>{"one", "two"}));
  const DnsRecord soa = ask("x.org", DnsType::Soa).records.at(0);
  EXPECT_EQ(soa.value + " " + soa.hostmaster, "ns.x admin.x");
  EXPECT_EQ(soa.serial + soa.refresh * 10 + soa.retry * 100 + soa.expire * 1000 + soa.minimum * 10000, 54321u);
  const DnsRecord srv = ask("x.org", DnsType::Srv).records.at(0);
  EXPECT_EQ(srv.port, 443);
  EXPECT_EQ(srv.weight, 2);
  EXPECT_EQ(srv.value, "srv.example.org");
  const DnsRecord naptr = ask("x.org", DnsType::Naptr).records.at(0);
  EXPECT_EQ(naptr.flags + " " + naptr.service + " " + naptr.regexp + " " + naptr.value, "s SIP+D2U !a!b! rep.x");
  const DnsRecord caa = ask("x.org", DnsType::Caa).records.at(0);
  EXPECT_EQ(caa.flags + "=" + caa.value, "issue=ca.example.net");
}

TEST_P(ResolverTest, reverse) {
  std::string host;
  int bad = 0;
  resolver->reverse("192.0.2.1", [&](const DnsAnswer& answer) { host = answer.records.at(0).value; });
  resolver->reverse("2001:db8::1", [&](const DnsAnswer& answer) { host += " " + answer.records.at(0).value; });
  resolver->reverse("no address", [&](const DnsAnswer& answer) { bad = answer.status; });
  loop.run();
  EXPECT_EQ(host, "host.example.org host.example.org");
  EXPECT_STREQ(dns_error_name(bad), "ENOTIMP");
}

TEST_P(ResolverTest, reverse_asks_the_systems_own_list_first) {
  std::string host;
  resolver->reverse("127.0.0.1", [&](const DnsAnswer& answer) { host = answer.records.at(0).value; });
  loop.run();
  EXPECT_EQ(host, "localhost");
}

TEST_P(ResolverTest, errors_have_nodes_names) {
  EXPECT_STREQ(dns_error_name(ask("none.org", DnsType::A).status), "ENOTFOUND");
  EXPECT_STREQ(dns_error_name(ask("x.org", DnsType::Tlsa).status), "ENODATA");
  EXPECT_STREQ(dns_error_name(ask("bad.org", DnsType::A).status), "EBADRESP");
  EXPECT_STREQ(dns_error_name(ask(std::string(300, 'a'), DnsType::A).status), "EBADNAME");
}

TEST_P(ResolverTest, an_answer_that_does_not_come_times_out) {
  resolver = std::make_unique<Resolver>(loop, ResolverOptions{.timeout_ms = 10, .tries = 2});
  ASSERT_EQ(resolver->set_servers({server.where()}), 0);
  EXPECT_STREQ(dns_error_name(ask("silent.org", DnsType::A).status), "ETIMEOUT");
  while (server.queries < 2) std::this_thread::yield();  // its thread may not have read the second one yet
  EXPECT_EQ(server.queries, 2);
}

TEST_P(ResolverTest, cancel_ends_every_query_once) {
  int cancelled = 0;
  for (int i = 0; i < 10; i++) {
    resolver->resolve("silent.org", DnsType::A, [&](const DnsAnswer& answer) {
      EXPECT_STREQ(dns_error_name(answer.status), "ECANCELLED");
      cancelled++;
    });
  }
  loop.run(RunMode::NoWait);
  resolver->cancel();
  EXPECT_EQ(cancelled, 0);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(cancelled, 10);
}

TEST_P(ResolverTest, may_be_destroyed_with_queries_and_in_its_callback) {
  resolver->resolve("silent.org", DnsType::A, [](const DnsAnswer&) { FAIL() << "callback after destruction"; });
  resolver->resolve("x.org", DnsType::A, [&](const DnsAnswer&) { resolver.reset(); });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(resolver, nullptr);
}

TEST_P(ResolverTest, closed_with_queries_says_nothing_more) {
  bool is_closed = false;
  resolver->resolve("silent.org", DnsType::A, [](const DnsAnswer&) { FAIL() << "callback after close"; });
  resolver->close([&] { is_closed = true; });
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(is_closed);
}

TEST_P(ResolverTest, servers) {
  EXPECT_EQ(resolver->servers(), std::vector<std::string>{server.where()});
  EXPECT_EQ(resolver->set_servers({"1.2.3.4", "[::1]:5353"}), 0);
  EXPECT_EQ(resolver->servers(), (std::vector<std::string>{"1.2.3.4", "[::1]:5353"}));
  EXPECT_EQ(resolver->set_servers({"[2001:db8::1]", "2001:db8::2", "1.2.3.4:54"}), 0);
  EXPECT_EQ(resolver->servers(), (std::vector<std::string>{"2001:db8::1", "2001:db8::2", "1.2.3.4:54"}));
  EXPECT_NE(resolver->set_servers({"not an address"}), 0);
  EXPECT_TRUE(resolver->set_local_address("127.0.0.1", ""));
  EXPECT_FALSE(resolver->set_local_address("nonsense", ""));
}

INSTANTIATE_TEST_SUITE_P(Pollers, ResolverTest, ::testing::Values("epoll", "uring"));

TEST(DnsLookup, S104_addresses_and_names_by_the_systems_resolver) {
  Loop loop;
  AddressLookup lookup;
  Address found;
  lookup.start(loop, "127.0.0.1", "80", {.family = AF_INET, .flags = AI_NUMERICHOST}, [&](AddressLookup& done) {
    ASSERT_EQ(done.error(), 0);
    found = done.addresses().at(0);
  });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(found.host(), "127.0.0.1");
  EXPECT_EQ(found.port(), 80);
  NameLookup names;
  std::string host, service;
  names.start(loop, found, NI_NUMERICHOST | NI_NUMERICSERV, [&](NameLookup& done) {
    host = done.host();
    service = done.service();
  });
  loop.run();
  EXPECT_EQ(host + ":" + service, "127.0.0.1:80");
  int error = 0;
  lookup.start(loop, "no number", {}, {.flags = AI_NUMERICHOST}, [&](AddressLookup& done) { error = done.error(); });
  loop.run();
  EXPECT_STREQ(error_name(error), "EAI_NONAME");
}

TEST(DnsMessage, malformed_messages_are_refused) {
  const auto parse = [](const Bytes& bytes) {
    std::vector<DnsRecord> records;
    return parse_dns_message({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, DnsType::Any,
                             records);
  };
  const Bytes header = u16(1) + u16(0x8180) + u16(1) + u16(1) + u16(0) + u16(0);
  const Bytes question = name("x.org") + u16(1) + u16(1);
  EXPECT_TRUE(parse(header + question + record(1, "abcd")));
  EXPECT_FALSE(parse(header + question + record(1, "abc")));             // an address of three bytes
  EXPECT_FALSE(parse(header + question));                                // the record is missing
  EXPECT_FALSE(parse(header + Bytes("\xc0\x0c", 2) + u16(1) + u16(1)));  // a name that points to itself
  EXPECT_FALSE(parse(header + Bytes("\x40zz", 3)));                      // a label type that does not exist
  EXPECT_FALSE(parse(header.substr(0, 7)));
  EXPECT_FALSE(parse(header + question +
                     record(16, Bytes("\x09"
                                      "abc",
                                      4))));  // a string longer than its record
}

}  // namespace
}  // namespace rondo
