// A server on four threads with a loop each and one port: the kernel spreads the connections, and nothing is shared but a count at the
// end. An interrupt ends all sessions politely.
//
//   example_four_loops
#include <rondo/rondo.h>
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <string>

namespace {

std::atomic<long> lines{0};

rondo::Coroutine<> session(rondo::Loop& loop, rondo::UniqueFd connection, std::size_t shard, rondo::CancelToken stop) {
  rondo::Tcp client(loop);
  if (!client.open(std::move(connection))) co_return;
  (void)client.set_no_delay(true);
  rondo::BufferedReader reader(client, 4096);
  for (;;) {
    const rondo::Result<std::string_view> line = co_await reader.read_line(stop);
    if (!line) break;
    lines.fetch_add(1, std::memory_order_relaxed);
    const std::string answer = std::to_string(shard) + ": " + std::string(*line) + "\n";
    const rondo::Result<void> written = co_await client.write_all(rondo::as_bytes(answer));
    if (!written) co_return;
  }
  (void)co_await client.write_all(rondo::as_bytes(std::string_view("goodbye\n")));
  (void)co_await rondo::shut_down(client);
}

rondo::Coroutine<> shard(rondo::Loop& loop, rondo::Address address, std::size_t index, rondo::CancelToken stop) {
  rondo::TcpServer server(loop);
  if (!server.bind(address, rondo::TcpBind::ReusePort) || !server.listen(511)) co_return;
  rondo::TaskGroup sessions(loop, stop);
  for (;;) {
    rondo::Result<rondo::UniqueFd> connection = co_await server.accept(stop);
    if (!connection) break;
    sessions.spawn(session(loop, std::move(*connection), index, sessions.token()));
  }
  (void)co_await sessions.join();
}

}  // namespace

int main() {
  rondo::Loop main_loop;
  // The port is chosen here, and stays taken by a socket that never listens.
  rondo::TcpServer chooser(main_loop);
  if (!chooser.bind(rondo::Address::loopback4(0), rondo::TcpBind::ReusePort)) return 1;
  const rondo::Address address = *chooser.local_address();
  {
    rondo::LoopGroup group(4, [&](rondo::Loop& loop, std::size_t index, rondo::CancelToken stop) {
      return shard(loop, address, index, stop);
    });
    std::printf("LISTEN %d\n", address.port());
    std::fflush(stdout);
    rondo::sync_wait(main_loop, [](rondo::Loop& loop) -> rondo::Coroutine<> {
      rondo::SignalEvents interrupts(loop, SIGINT);
      (void)co_await interrupts.next();
    }(main_loop));
    group.stop();
    group.join();
  }
  std::printf("%ld lines\n", lines.load());
}
