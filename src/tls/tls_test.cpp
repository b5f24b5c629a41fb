// TLS over sockets and in a simulated world: identity, ALPN, ends that are said and ends that are not, large transfers, faults.
#include "rondo/tls.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

#include "rondo/coroutine.h"
#include "rondo/loop.h"
#include "rondo/sim.h"
#include "rondo/task_group.h"
#include "rondo/tcp.h"

namespace rondo::tls {
namespace {

using namespace std::chrono_literals;

struct Identity {
  std::string certificate, key;
};

template <class Write>
std::string pem(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), BIO_free);
  write(text.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

// Signed by itself, for "server.test" and 127.0.0.1.
Identity make_identity() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
  X509* const certificate = made.get();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 24 * 3600);
  X509_NAME* const name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("server.test"), -1, -1,
                             0);
  X509_set_issuer_name(certificate, name);
  X509_set_pubkey(certificate, key.get());
  X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:server.test,IP:127.0.0.1");
  X509_add_ext(certificate, names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate, key.get(), EVP_sha256());
  return {pem([&](BIO* out) { PEM_write_bio_X509(out, certificate); }),
          pem([&](BIO* out) { PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); })};
}

const Identity& identity() {
  static const Identity made = make_identity();
  return made;
}

Context server_context(ContextOptions options = {}) {
  options.certificate_chain = identity().certificate;
  options.private_key = identity().key;
  return *Context::server(options);
}

Context client_context(ContextOptions options = {}) {
  options.authorities = identity().certificate;
  return *Context::client(options);
}

// Echoes until the peer says its end, or until something fails.
Coroutine<Result<void>> echo(Tcp& tcp, const Context& context, std::string* seen_host) {
  Connection connection(tcp, context);
  const Result<void> ready = co_await connection.handshake();
  if (!ready) co_return ready;
  if (seen_host) *seen_host = connection.requested_host();
  for (;;) {
    const Result<Bytes> piece = co_await connection.read();
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) break;
    const Result<void> written = co_await connection.write_all(*piece);
    if (!written) co_return written;
  }
  co_return co_await connection.shut_down();
}

struct Outcome {
  Result<void> handshake = failure(EINVAL);
  Result<void> all = failure(EINVAL);
  Result<void> server = failure(EINVAL);
  std::string received, error_text, protocol, version, subject, seen_host;
};

Coroutine<Result<void>> talk(Connection& connection, const std::string& text, Outcome& outcome) {
  outcome.handshake = co_await connection.handshake();
  if (!outcome.handshake) co_return outcome.handshake;
  auto write = [](Connection& to, const std::string& all) -> Coroutine<Result<void>> {
    const Result<void> written = co_await to.write_all(as_bytes(all));
    if (!written) co_return written;
    co_return co_await to.shut_down();
  }(connection, text);
  write.start();
  for (;;) {
    const Result<Bytes> piece = co_await connection.read();
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) break;
    outcome.received += as_text(*piece);
  }
  co_return co_await std::move(write);
}

// A client that sends `text` and its end, over a loop of any kind.
Outcome exchange(Loop& loop, const std::string& text, const Context& server, const Context& client, std::string host) {
  Outcome outcome;
  TcpServer listener(loop);
  EXPECT_TRUE(listener.bind(Address::loopback4(0)) && listener.listen(8));
  Tcp here(loop), there(loop);
  const auto serve = [&]() -> Coroutine<> {
    Result<UniqueFd> accepted = co_await listener.accept();
    if (!accepted) co_return;
    if (!there.open(std::move(*accepted))) co_return;
    outcome.server = co_await echo(there, server, &outcome.seen_host);
    there.close();
  };
  const auto ask = [&]() -> Coroutine<> {
    const Address to = *listener.local_address();
    outcome.all = co_await here.connect(to);
    if (!outcome.all) {
      listener.close();
      co_return;
    }
    Connection connection(here, client, host);
    outcome.all = co_await talk(connection, text, outcome);
    outcome.error_text = connection.error_text();
    outcome.protocol = connection.protocol();
    outcome.version = connection.version();
    outcome.subject = connection.peer_subject();
    here.close();
  };
  auto serving = serve(), asking = ask();
  serving.start();
  asking.start();
  loop.run();
  return outcome;
}

TEST(TlsTest, bytes_there_and_back_by_name_and_by_number) {
  for (const char* poller : {"uring", "epoll"}) {
    for (const char* host : {"server.test", "127.0.0.1"}) {
      Loop loop({.poller = poller});
      const Outcome outcome = exchange(loop, "hello", server_context({.protocols = {"b", "a"}}),
                                       client_context({.protocols = {"a", "b"}}), host);
      EXPECT_TRUE(outcome.handshake) << outcome.error_text;
      EXPECT_TRUE(outcome.all) << outcome.error_text;
      EXPECT_TRUE(outcome.server);
      EXPECT_EQ(outcome.received, "hello");
      EXPECT_EQ(outcome.protocol, "b") << "the server's preference";
      EXPECT_EQ(outcome.version, "TLSv1.3");
      EXPECT_EQ(outcome.subject, "CN=server.test");
      EXPECT_EQ(outcome.seen_host, std::string(host) == "server.test" ? "server.test" : "");
    }
  }
}

TEST(TlsTest, more_than_the_buffers_take) {
  Loop loop;
  std::string text;
  for (int i = 0; text.size() < 5'000'000; i++) text += std::to_string(i);
  const Outcome outcome = exchange(loop, text, server_context(), client_context(), "server.test");
  EXPECT_TRUE(outcome.all) << outcome.error_text;
  EXPECT_TRUE(outcome.received == text);
}

TEST(TlsTest, an_older_version_where_it_is_allowed) {
  Loop loop;
  const Context client = client_context();
  SSL_CTX_set_max_proto_version(client.native(), TLS1_2_VERSION);
  const Outcome old = exchange(loop, "x", server_context(), client, "server.test");
  EXPECT_EQ(old.version, "TLSv1.2");
  EXPECT_EQ(old.received, "x");
  const Outcome refused = exchange(loop, "x", server_context({.minimum = Version::Tls13}), client, "server.test");
  EXPECT_FALSE(refused.handshake);
  EXPECT_EQ(refused.server.error().number, EPROTO);
}

TEST(TlsTest, identity_is_verified) {
  Loop loop;
  const Outcome other_name = exchange(loop, "x", server_context(), client_context(), "other.test");
  EXPECT_EQ(other_name.handshake.error().number, EPROTO);
  EXPECT_NE(other_name.error_text.find("ostname mismatch"), std::string::npos) << other_name.error_text;
  EXPECT_FALSE(other_name.server);
  const Outcome stranger = exchange(loop, "x", server_context(), *Context::client(), "server.test");
  EXPECT_EQ(stranger.handshake.error().number, EPROTO);
  EXPECT_NE(stranger.error_text.find("self"), std::string::npos) << stranger.error_text;
  const Outcome unverified =
      exchange(loop, "x", server_context(), *Context::client({.peer = PeerCertificate::Ignored}), "");
  EXPECT_EQ(unverified.received, "x");
  const Outcome nameless = exchange(loop, "x", server_context(), client_context(), "");
  EXPECT_EQ(nameless.handshake.error().number, EINVAL);
}

TEST(TlsTest, a_server_may_require_certificates) {
  Loop loop;
  ContextOptions required{.authorities = identity().certificate, .peer = PeerCertificate::Required};
  const Outcome none = exchange(loop, "x", server_context(required), client_context(), "server.test");
  EXPECT_FALSE(none.server);
  EXPECT_FALSE(none.all);
  const ContextOptions with_identity{.certificate_chain = identity().certificate, .private_key = identity().key};
  const Outcome good = exchange(loop, "x", server_context(required), client_context(with_identity), "server.test");
  EXPECT_TRUE(good.all) << good.error_text;
  EXPECT_EQ(good.received, "x");
}

TEST(TlsTest, contexts_say_what_is_wrong_with_their_options) {
  std::string problem;
  EXPECT_EQ(Context::server({}, &problem).error().number, EINVAL);
  EXPECT_NE(problem.find("certificate_chain"), std::string::npos);
  EXPECT_FALSE(Context::server({.certificate_chain = identity().certificate, .private_key = "nonsense"}, &problem));
  EXPECT_NE(problem.find("private_key"), std::string::npos);
  EXPECT_FALSE(
      Context::server({.certificate_chain = identity().certificate, .private_key = make_identity().key}, &problem));
  EXPECT_NE(problem.find("does not belong"), std::string::npos);
  EXPECT_FALSE(Context::client({.authorities = "nonsense"}, &problem));
  EXPECT_NE(problem.find("authorities"), std::string::npos);
}

// An attacker who closes the connection is not taken for the end.
TEST(TlsTest, a_stream_that_is_cut_off_is_an_error) {
  SeededDecider decider(1, 0);
  SimWorld world(decider);
  Loop loop(world.options());
  const auto [one, two] = world.stream_pair();
  Tcp here(loop), there(loop);
  ASSERT_TRUE(here.open(UniqueFd(one)) && there.open(UniqueFd(two)));
  const Context server = server_context(), client = client_context();
  const Result<Bytes> end =
      sync_wait(loop, [](Loop& of, Tcp& a, Tcp& b, const Context& s, const Context& c) -> Coroutine<Result<Bytes>> {
        Connection left(a, s), right(b, c, "server.test");
        const auto both = co_await when_all(left.handshake(), right.handshake());
        EXPECT_TRUE(std::get<0>(both) && std::get<1>(both));
        const Result<void> written = co_await left.write_all(as_bytes(std::string_view("half of")));
        EXPECT_TRUE(written);
        const Result<Bytes> first = co_await right.read();
        EXPECT_TRUE(first && as_text(*first) == "half of");
        (void)co_await of.sleep(1s);
        a.close();
        co_return co_await right.read();
      }(loop, here, there, server, client));
  EXPECT_EQ(end.error().number, ECONNABORTED);
  there.close();
  loop.run();
}

// Received bytes are those that were sent, or there is an error, whatever the network does; without faults all of them arrive.
TEST(TlsTest, S153_under_faults_nothing_wrong_is_delivered) {
  int whole = 0;
  const Context server = server_context(), client = client_context();
  for (std::uint64_t seed = 1; seed <= 60; seed++) {
    const bool is_faultless = seed % 4 == 0;
    SeededDecider decider(seed, is_faultless ? 0 : 8);
    SimWorld world(decider);
    Loop loop(world.options());
    std::string text;
    while (text.size() < 20'000) text += static_cast<char>('a' + decider.random(26));
    const Outcome outcome = exchange(loop, text, server, client, "server.test");
    EXPECT_TRUE(text.starts_with(outcome.received)) << "seed " << seed;
    if (outcome.all) {
      EXPECT_TRUE(outcome.received == text) << "seed " << seed;
      whole++;
    }
    if (is_faultless) {
      EXPECT_TRUE(outcome.all && outcome.server) << "seed " << seed << ": " << outcome.error_text;
    }
  }
  EXPECT_GE(whole, 15);
}

}  // namespace
}  // namespace rondo::tls
