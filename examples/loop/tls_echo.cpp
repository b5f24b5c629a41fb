// An echo server over TLS, and a client that asks it a line: rondo/tls.h above the same Tcp handles.
//
//   example_tls_echo serve CERTIFICATE KEY
//   example_tls_echo ask PORT HOST AUTHORITIES TEXT
#include <rondo/rondo.h>
#include <rondo/tls.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

namespace tls = rondo::tls;

rondo::Coroutine<> session(rondo::Loop& loop, tls::Context context, rondo::UniqueFd socket, rondo::CancelToken token) {
  rondo::Tcp tcp(loop);
  if (!tcp.open(std::move(socket))) co_return;
  tls::Connection connection(tcp, context);
  const rondo::Result<void> ready = co_await connection.handshake(token);
  if (!ready) {
    std::printf("refused: %s\n", connection.error_text().c_str());
    co_return;
  }
  for (;;) {
    const rondo::Result<rondo::Bytes> piece = co_await connection.read(token);
    if (!piece || piece->empty()) break;
    const rondo::Result<void> written = co_await connection.write_all(*piece, token);
    if (!written) co_return;
  }
  (void)co_await connection.shut_down(token);
}

rondo::Coroutine<int> serve(rondo::Loop& loop, std::string certificate, std::string key) {
  const auto chain = co_await rondo::read_file(loop, certificate);
  const auto secret = co_await rondo::read_file(loop, key);
  if (!chain || !secret) co_return 1;
  std::string problem;
  const auto context = tls::Context::server({.certificate_chain = *chain, .private_key = *secret}, &problem);
  if (!context) {
    std::puts(problem.c_str());
    co_return 1;
  }
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::loopback4(0)) || !server.listen(128)) co_return 1;
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  rondo::CancelSource stop;
  rondo::Signal interrupt(loop);
  (void)interrupt.start(SIGINT, [&](int) { stop.cancel(); });
  rondo::TaskGroup sessions(loop, stop.token());
  for (;;) {
    rondo::Result<rondo::UniqueFd> connection = co_await server.accept(stop.token());
    if (!connection) break;
    sessions.spawn(session(loop, *context, std::move(*connection), sessions.token()));
  }
  (void)co_await sessions.join();
  co_return 0;
}

rondo::Coroutine<int> ask(rondo::Loop& loop, std::string port, std::string host, std::string authorities,
                          std::string text) {
  const auto trusted = co_await rondo::read_file(loop, authorities);
  const auto context = tls::Context::client({.authorities = trusted.value_or("")});
  const auto found = co_await rondo::look_up(loop, "127.0.0.1", port);
  if (!trusted || !context || !found) co_return 1;
  rondo::Tcp tcp(loop);
  const rondo::Result<void> connected = co_await tcp.connect(*found, {}, {});
  if (!connected) co_return 1;
  tls::Connection connection(tcp, *context, host);
  const rondo::Result<void> ready = co_await connection.handshake();
  if (!ready) {
    std::printf("no: %s\n", connection.error_text().c_str());
    co_return 1;
  }
  const rondo::Result<void> written = co_await connection.write_all(rondo::as_bytes(text));
  const rondo::Result<void> ended = co_await connection.shut_down();
  if (!written || !ended) co_return 1;
  for (;;) {
    const rondo::Result<rondo::Bytes> piece = co_await connection.read();
    if (!piece || piece->empty()) break;
    std::printf("%s: %.*s\n", std::string(connection.version()).c_str(), static_cast<int>(piece->size()),
                reinterpret_cast<const char*>(piece->data()));
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  rondo::Loop loop;
  if (mode == "serve" && argc == 4) return rondo::sync_wait(loop, serve(loop, argv[2], argv[3]));
  if (mode == "ask" && argc == 6) return rondo::sync_wait(loop, ask(loop, argv[2], argv[3], argv[4], argv[5]));
  return std::puts("serve or ask?"), 2;
}
