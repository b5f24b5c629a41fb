// Coroutines at the edges: frames of ordinary alignment, tasks that never wait, awaits that are always ready, no descriptors, and
// a loop that ends before the tasks that no one owns.
#include <ctime>
#include <string>
#include <vector>

#include "loop/net/few_descriptors.h"
#include "loop/net/net_fixture.h"
#include "rondo/rondo.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

// g++ gives coroutine frames the alignment of operator new, whatever is in them.
template <class... Held>
constexpr bool kFitInFrames = ((alignof(Held) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) && ...);
static_assert(
    kFitInFrames<Timer, Tcp, TcpServer, Pipe, PipeServer, Tty, Udp, Poll, Signal, ChildProcess, FileWatch, FilePoll>);
static_assert(kFitInFrames<Async, Idle, Prepare, Check, Barrier, TimeLimit, Channel<int>, FileRequest, AddressLookup>);
static_assert(kFitInFrames<SleepAwait, ReadAwait, WriteAwait, AcceptAwait, ConnectAwait, PerformAwait, LookupAwait>);

class CoroutineEndsTest : public NetTest {};
RONDO_ON_EVERY_POLLER(CoroutineEndsTest);
class CoroutineShortageTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(CoroutineShortageTest);

Coroutine<int> one() { co_return 1; }

Coroutine<> add_ones(int times, int& sum) {
  for (int i = 0; i < times; i++) sum += co_await one();
}

Coroutine<int> depth(int levels) {
  if (levels == 0) co_return 0;
  const int below = co_await depth(levels - 1);
  co_return below + 1;
}

TEST_P(CoroutineEndsTest, tasks_that_do_not_wait_need_no_stack) {
  constexpr int kMany = 1'000'000;
  int sum = 0;
  spawn(add_ones(kMany, sum));
  EXPECT_EQ(sum, kMany);
  Coroutine<int> deep = depth(100'000);
  deep.start();
  ASSERT_TRUE(deep.is_done());
  EXPECT_EQ(deep.result(), 100'000);
}

Coroutine<> sleep_then_add(Loop& loop, int times, int& sum) {
  co_await loop.sleep(1ms);
  co_await add_ones(times, sum);
  co_await loop.sleep(1ms);
  co_await add_ones(times, sum);
}

TEST_P(CoroutineEndsTest, nor_when_the_loop_resumed_who_awaits_them) {
  constexpr int kMany = 500'000;
  int sum = 0;
  spawn(sleep_then_add(loop, kMany, sum));
  loop.run();
  EXPECT_EQ(sum, 2 * kMany);
}

constexpr int kTooMany = 1'000'000;

Coroutine<> write_until(Tcp& stream, const bool& is_over, int& count) {
  while (!is_over && count < kTooMany) {
    const Result<void> written = co_await stream.write_all({});  // the kernel always takes that at once
    EXPECT_TRUE(written);
    count++;
  }
}

Coroutine<> pass_round(Channel<int>& channel, const bool& is_over, int& count) {
  while (!is_over && count < kTooMany) {
    EXPECT_TRUE(channel.try_push(count));
    const Result<int> value = co_await channel.pop();
    EXPECT_EQ(value, count);
    count++;
  }
}

TEST_P(CoroutineEndsTest, awaits_that_are_always_ready_let_the_loop_go_on) {
  Pair pair = connected();
  Channel<int> channel(loop);
  bool is_over = false;
  int writes = 0, values = 0;
  Timer timer(loop);
  timer.start(Duration::zero(), [&] { is_over = true; });
  spawn(write_until(*pair.client, is_over, writes));
  spawn(pass_round(channel, is_over, values));
  EXPECT_FALSE(is_over);
  run_until([&] { return is_over; });
  EXPECT_GE(writes, 100) << "most of them do not wait";
  EXPECT_LT(writes, kTooMany);
  EXPECT_LT(values, kTooMany);
  loop.run(RunMode::NoWait);
}

double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Coroutine<> accept_all(Listener& listener, int& connections, int& errors) {
  for (;;) {
    const Result<UniqueFd> connection = co_await listener.accept();
    if (!connection && connection.error().number == ECANCELED) co_return;
    (connection ? connections : errors)++;
  }
}

TEST_P(CoroutineShortageTest, accept_waits_until_there_are_descriptors) {
  testing::FewDescriptors shortage(200);
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  ASSERT_TRUE(server.listen(64));
  const Address address = *server.local_address();
  int connections = 0, errors = 0;
  spawn(accept_all(server, connections, errors));
  UniqueFd victim(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  shortage.fill();
  ASSERT_EQ(connect(victim.get(), address.data(), address.size()), 0);
  run_until([&] { return server.turned_away() == 1; });
  const double before = cpu_seconds();
  const std::uint64_t iterations = loop.iterations();
  bool has_paused = false;
  Timer pause(loop);
  pause.start(200ms, [&] { has_paused = true; });
  run_until([&] { return has_paused; });
  EXPECT_LT(cpu_seconds() - before, 0.1);
  EXPECT_LT(loop.iterations() - iterations, 20u);
  EXPECT_EQ(errors, 0);
  shortage.end();
  UniqueFd lucky(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(connect(lucky.get(), address.data(), address.size()), 0);
  run_until([&] { return connections == 1; });
  EXPECT_EQ(errors, 0);
}

struct Alive {
  explicit Alive(int& count) : count_(count) { count_++; }
  Alive(const Alive&) = delete;
  ~Alive() { count_--; }
  int& count_;
};

Coroutine<> sleep_long(Loop& loop, int& alive) {
  const Alive frame(alive);
  co_await loop.sleep(1h);
}

Coroutine<> sleep_inside(Loop& loop, int& alive) {
  const Alive frame(alive);
  Coroutine<> beside = sleep_long(loop, alive);
  beside.start();
  co_await sleep_long(loop, alive);
}

Coroutine<> read_for_ever(Loop& loop, UniqueFd end, int& alive) {
  const Alive frame(alive);
  Pipe stream(loop);
  EXPECT_TRUE(stream.open(std::move(end)));
  (void)co_await stream.read();
}

Coroutine<> accept_for_ever(Listener& listener, int& alive) {
  const Alive frame(alive);
  (void)co_await listener.accept();
}

Coroutine<> pop_for_ever(Channel<int>& channel, int& alive) {
  const Alive frame(alive);
  (void)co_await channel.pop();
}

TEST_P(CoroutineShortageTest, a_loop_that_is_stopped_takes_spawned_tasks_along) {
  auto ends = make_socket_pair();
  ASSERT_TRUE(ends);
  int alive = 0;
  {
    Loop inner({.poller = GetParam()});
    TcpServer server(inner);
    ASSERT_TRUE(server.bind(Address::loopback4(0)));
    ASSERT_TRUE(server.listen(8));
    Channel<int> channel(inner);
    spawn(sleep_long(inner, alive));
    spawn(sleep_inside(inner, alive));
    spawn(read_for_ever(inner, std::move(ends->first), alive));
    spawn(accept_for_ever(server, alive));
    spawn(pop_for_ever(channel, alive));
    inner.post([&] { inner.stop(); });
    EXPECT_TRUE(inner.run());
    EXPECT_EQ(alive, 7);
  }
  EXPECT_EQ(alive, 0);
  char byte;
  EXPECT_EQ(recv(ends->second.get(), &byte, 1, 0), 0) << "what a frame held is closed";
}

}  // namespace
}  // namespace rondo
