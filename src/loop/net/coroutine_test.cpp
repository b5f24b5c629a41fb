// Coroutines over every poller: waiting, results, cancellation, frames freed when abandoned.
#include "rondo/coroutine.h"

#include <fcntl.h>

#include <fstream>
#include <iterator>

#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class CoroutineTest : public NetTest {
 public:
  // Counts frames that are alive.
  struct Local {
    explicit Local(int& count) : count_(count) { count_++; }
    ~Local() { count_--; }
    int& count_;
  };
  int alive = 0;
};
RONDO_ON_EVERY_POLLER(CoroutineTest);
// With files and addresses of the kernel.
class CoroutineKernelTest : public CoroutineTest {};
RONDO_ON_BOTH_POLLERS(CoroutineKernelTest);

Coroutine<int> add_later(Loop& loop, int a, int b) {
  co_await loop.sleep(1ms);
  co_return a + b;
}

Coroutine<> sum_into(Loop& loop, int& result) {
  const int first = co_await add_later(loop, 1, 2);
  result = first + co_await add_later(loop, 3, 4);
}

TEST_P(CoroutineTest, tasks_await_tasks) {
  int result = 0;
  spawn(sum_into(loop, result));
  EXPECT_EQ(result, 0);
  loop.run();
  EXPECT_EQ(result, 10);
  Coroutine<int> owned = add_later(loop, 20, 22);
  owned.start();
  loop.run();
  ASSERT_TRUE(owned.is_done());
  EXPECT_EQ(owned.result(), 42);
}

Coroutine<> echo_one(Loop& loop, UniqueFd connection, int& count) {
  CoroutineTest::Local local(count);
  Tcp stream(loop);
  (void)stream.open(std::move(connection));
  for (;;) {
    const Result<Bytes> piece = co_await stream.read();
    if (!piece || piece->empty()) co_return;
    if (!co_await stream.write_all(*piece)) co_return;
  }
}

Coroutine<> serve_until(Loop& loop, TcpServer& server, CancelToken token, int& count, int& ended_with) {
  for (;;) {
    auto connection = co_await server.accept(token);
    if (!connection) {
      ended_with = connection.error().number;
      co_return;
    }
    spawn(echo_one(loop, std::move(*connection), count));
  }
}

Coroutine<> say(Tcp& client, const std::string& what) {
  const Result<void> sent = co_await client.write_all(as_bytes(what));
  if (sent) (void)client.shutdown();
}

// Reads while it writes: nothing says that what is on its way fits into the buffers between.
Coroutine<> talk(Loop& loop, Address to, std::string what, std::string& answer) {
  Tcp client(loop);
  if (!co_await client.connect(to)) co_return;
  Coroutine<> saying = say(client, what);
  saying.start();
  for (;;) {
    auto piece = co_await client.read();
    if (!piece || piece->empty()) co_return;
    answer += as_text(*piece);
  }
}

TEST_P(CoroutineTest, S128_an_echo_server_with_backpressure) {
  TcpServer server(loop);
  ASSERT_TRUE(server.open(world->listen(loop, server_address)));
  ASSERT_TRUE(server.listen(64));
  CancelSource source;
  int ended_with = 0;
  spawn(serve_until(loop, server, source.token(), alive, ended_with));
  std::vector<std::string> answers(5);
  const std::string big(2 << 20, 'z');
  for (std::size_t i = 0; i < answers.size(); i++) {
    spawn(talk(loop, server_address, std::to_string(i) + big, answers[i]));
  }
  run_until([&] {
    return std::all_of(answers.begin(), answers.end(), [&](auto& a) { return a.size() == big.size() + 1; }) &&
           alive == 0;
  });
  for (std::size_t i = 0; i < answers.size(); i++) EXPECT_TRUE(answers[i] == std::to_string(i) + big);
  source.cancel();
  EXPECT_EQ(ended_with, 0) << "never from inside cancel()";
  run_until([&] { return ended_with == ECANCELED; });
  loop.run();
}

Coroutine<> wait_for_data(Tcp& stream, int& count, std::optional<Result<Bytes>>& result, CancelToken token = {}) {
  CoroutineTest::Local local(count);
  result = co_await stream.read(token);
}

TEST_P(CoroutineTest, closing_or_destroying_the_handle_ends_the_wait) {
  for (bool destroy : {false, true}) {
    auto pair = connected();
    std::optional<Result<Bytes>> result;
    spawn(wait_for_data(*pair.client, alive, result));
    EXPECT_EQ(alive, 1);
    if (destroy) {
      pair.client.reset();
    } else {
      pair.client->close();
    }
    EXPECT_FALSE(result);
    run_until([&] { return result.has_value(); });
    EXPECT_EQ(result->error().number, ECANCELED);
    EXPECT_EQ(alive, 0);
  }
}

TEST_P(CoroutineTest, abandoned_frames_are_freed_and_lose_no_data) {
  auto pair = connected();
  std::optional<Result<Bytes>> result;
  {
    Coroutine<> task = wait_for_data(*pair.client, alive, result);
    task.start();
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
  ASSERT_TRUE(pair.peer->write_copy(as_bytes("later")));
  for (int i = 0; i < 10; i++) loop.run(RunMode::NoWait);
  std::string got;
  ASSERT_TRUE(pair.client->read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  run_until([&] { return got == "later"; });
  EXPECT_FALSE(result);
}

TEST_P(CoroutineTest, tokens_end_waits) {
  auto pair = connected();
  CancelSource source;
  std::optional<Result<Bytes>> result;
  spawn(wait_for_data(*pair.client, alive, result, source.token()));
  Timer timer(loop);
  timer.start(1ms, [&] { source.cancel(); });
  run_until([&] { return result.has_value(); });
  EXPECT_EQ(result->error().number, ECANCELED);
  EXPECT_EQ(alive, 0);
  result.reset();
  spawn(wait_for_data(*pair.client, alive, result, source.token()));
  ASSERT_TRUE(result) << "cancelled before it began: it does not wait";
}

Coroutine<> sleep_with(Loop& loop, CancelToken token, std::optional<Result<void>>& result) {
  result = co_await loop.sleep(1h, token);
}

TEST_P(CoroutineTest, sleep_can_be_cut_short) {
  CancelSource source;
  std::optional<Result<void>> result;
  Coroutine<> task = sleep_with(loop, source.token(), result);
  task.start();
  source.cancel();
  source.cancel();
  loop.run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().number, ECANCELED);
  Coroutine<> dropped = sleep_with(loop, {}, result);
  dropped.start();
  dropped.reset();
  EXPECT_FALSE(loop.alive());
}

Coroutine<> work(Loop& loop, int& result, std::string& text) {
  const auto value = co_await on_pool(loop, [] { return 6 * 7; });
  result = *value;
  FileRequest request;
  if (!co_await perform(loop, request.read_file("/proc/self/cmdline"))) co_return;
  text = request.text();
}

TEST_P(CoroutineKernelTest, pool_work_and_files) {
  int result = 0;
  std::string text;
  spawn(work(loop, result, text));
  loop.run();
  EXPECT_EQ(result, 42);
  std::ifstream same("/proc/self/cmdline");
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(same), {}));
  EXPECT_FALSE(text.empty());
}

Coroutine<> refused(Loop& loop, Address address, int& error) {
  Tcp tcp(loop);
  const auto result = co_await tcp.connect(address);
  error = result ? 0 : result.error().number;
}

TEST_P(CoroutineKernelTest, errors_are_results) {
  UniqueFd bound(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Address any = Address::loopback4(0);
  ASSERT_EQ(bind(bound.get(), any.data(), any.size()), 0);
  int error = 0;
  spawn(refused(loop, *Address::local_of(bound.get()), error));
  loop.run();
  EXPECT_EQ(error, ECONNREFUSED);
}

// A handle that only its own functions own.
TEST_P(CoroutineTest, self_owning_handles_go_when_closed) {
  auto pair = connected();
  std::weak_ptr<Tcp> weak;
  bool closed = false;
  {
    std::shared_ptr<Tcp> self = std::move(pair.client);
    weak = self;
    ASSERT_TRUE(self->read_start([self, &closed](Result<Bytes> piece) {
      if (piece && piece->empty()) self->close([&closed, self] { closed = true; });
    }));
  }
  EXPECT_FALSE(weak.expired());
  pair.peer.reset();
  loop.run();
  EXPECT_TRUE(closed);
  EXPECT_TRUE(weak.expired());
}

}  // namespace
}  // namespace rondo
