// The echo server as coroutines: echo_coroutines [port]. SIGINT cancels everything that waits, and the
// program ends because nothing is left.
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "rondo/rondo.h"

namespace {

rondo::Coroutine<> echo(rondo::Loop& loop, rondo::UniqueFd connection, rondo::CancelToken token) {
  rondo::Tcp client(loop);
  if (!client.open(std::move(connection))) co_return;
  for (;;) {
    const rondo::Result<rondo::Bytes> piece = co_await client.read(token);
    if (!piece || piece->empty()) co_return;
    if (!co_await client.write_all(*piece, token)) co_return;
  }
}

rondo::Coroutine<> serve(rondo::Loop& loop, rondo::TcpServer& server, rondo::CancelToken token) {
  for (;;) {
    rondo::Result<rondo::UniqueFd> connection = co_await server.accept(token);
    if (connection) {
      rondo::spawn(echo(loop, std::move(*connection), token));
    } else if (token.is_cancelled()) {
      co_return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  rondo::CancelSource stop;
  rondo::Signal interrupt(loop);
  const auto watched = interrupt.start(SIGINT, [&](int) {
    stop.cancel();
    interrupt.close();
  });
  if (!watched) return 1;

  rondo::TcpServer server(loop);
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  if (!server.bind(rondo::Address::loopback4(port)) || !server.listen(511)) return 1;
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  rondo::spawn(serve(loop, server, stop.token()));
  loop.run();
  std::puts("done");
}
