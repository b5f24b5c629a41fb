// Loops on threads of their own, one port for all; errors as error_codes.
#include "rondo/loop_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "rondo/coroutine.h"
#include "rondo/error_code.h"
#include "rondo/tcp.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(LoopGroupTest, bodies_run_until_they_are_stopped) {
  std::atomic<int> ended = 0, called = 0;
  LoopGroup group(3, [&](Loop& loop, std::size_t, CancelToken stop) -> Coroutine<> {
    const Result<void> slept = co_await loop.sleep(1h, stop);
    EXPECT_EQ(slept.error().number, ECANCELED);
    ended++;
  });
  EXPECT_EQ(group.size(), 3u);
  EXPECT_EQ(group.broadcast([&] { called++; }), 3u);
  EXPECT_TRUE(group.post(1, [&] { called += 10; }));
  while (called < 13) std::this_thread::yield();
  EXPECT_EQ(ended, 0);
  group.stop();
  group.join();
  EXPECT_EQ(ended, 3);
  EXPECT_FALSE(group.post(0, [] {})) << "its loop has gone";
}

TEST(LoopGroupTest, one_port_is_served_by_all) {
  Loop loop;
  TcpServer reserved(loop);
  if (!reserved.bind(Address::loopback4(0), TcpBind::ReusePort)) GTEST_SKIP();
  const Address address = *reserved.local_address();
  std::atomic<int> listening = 0, served = 0;
  LoopGroup group(2, [&](Loop& on, std::size_t, CancelToken stop) -> Coroutine<> {
    TcpServer server(on);
    EXPECT_TRUE(server.bind(address, TcpBind::ReusePort));
    EXPECT_TRUE(server.listen(64));
    listening++;
    for (;;) {
      Result<UniqueFd> connection = co_await server.accept(stop);
      if (!connection) co_return;
      Tcp client(on);
      EXPECT_TRUE(client.open(std::move(*connection)));
      const Result<void> written = co_await client.write_all(as_bytes("served"));
      EXPECT_TRUE(written);
      served++;
    }
  });
  while (listening < 2) std::this_thread::yield();
  auto ask = [](Loop& on, Address to) -> Coroutine<bool> {
    Tcp client(on);
    const Result<void> connected = co_await client.connect(to);
    if (!connected) co_return false;
    const Result<Bytes> answer = co_await client.read();
    co_return answer&& as_text(*answer) == "served";
  };
  for (int i = 0; i < 20; i++) EXPECT_TRUE(sync_wait(loop, ask(loop, address)));
  while (served < 20) std::this_thread::yield();  // a client may have its answer before it is counted
  EXPECT_EQ(served, 20);
}

TEST(ErrorCodeTest, errors_are_error_codes_and_text) {
  const Error refused{ECONNREFUSED, "connect"};
  EXPECT_TRUE(to_error_code(refused) == std::errc::connection_refused);
  EXPECT_EQ(to_error_code({kEndOfFile, "pop"}).category().name(), std::string("rondo"));
  EXPECT_EQ(to_error(std::make_error_code(std::errc::no_such_file_or_directory)).number, ENOENT);
  EXPECT_EQ(to_error(to_error_code({kEndOfFile, nullptr})).number, kEndOfFile);
  EXPECT_EQ(to_text(refused), "ECONNREFUSED: connection refused, connect");
  EXPECT_EQ(to_text({ENOENT, nullptr}), "ENOENT: no such file or directory");
}

}  // namespace
}  // namespace rondo
