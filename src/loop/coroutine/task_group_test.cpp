// Structured concurrency on every poller: groups, when_all, when_any, time-outs; errors and exceptions; what is left behind.
#include "rondo/task_group.h"

#include <stdexcept>
#include <string>
#include <tuple>

#include "loop/net/net_fixture.h"
#include "rondo/channel.h"
#include "rondo/promise.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class TaskGroupTest : public NetTest {
 public:
  void TearDown() override { EXPECT_EQ(alive, 0) << "frames are left"; }
  int alive = 0;
};
RONDO_ON_EVERY_POLLER(TaskGroupTest);

struct Local {
  explicit Local(int& count) : count_(count) { count_++; }
  ~Local() { count_--; }
  int& count_;
};

Coroutine<int> after(Loop& loop, Delay delay, int value, int& alive) {
  const Local local(alive);
  co_await loop.sleep(delay);
  co_return value;
}
Coroutine<Result<void>> end_with(Loop& loop, Delay delay, int error, int& alive, CancelToken token = {}) {
  const Local local(alive);
  const Result<void> slept = co_await loop.sleep(delay, token);
  if (!slept) co_return slept;
  if (error) co_return failure(error, "test");
  co_return Result<void>();
}
Coroutine<> throw_after(Loop& loop, Delay delay, int& alive) {
  const Local local(alive);
  co_await loop.sleep(delay);
  throw std::runtime_error("thrown");
}

TEST_P(TaskGroupTest, join_waits_for_all_and_gives_success) {
  auto body = [&](Loop& on) -> Coroutine<Result<void>> {
    TaskGroup group(on);
    for (int i = 0; i < 5; i++) group.spawn(end_with(on, std::chrono::milliseconds(i), 0, alive));
    EXPECT_EQ(group.size(), 5u);
    const Result<void> all = co_await group.join();
    EXPECT_EQ(group.size(), 0u);
    co_return all;
  };
  EXPECT_TRUE(sync_wait(loop, body(loop)));
}

TEST_P(TaskGroupTest, the_first_error_cancels_the_others) {
  auto body = [&](Loop& on) -> Coroutine<Result<void>> {
    TaskGroup group(on);
    group.spawn(end_with(on, 1h, 0, alive, group.token()));
    group.spawn(end_with(on, 1ms, EIO, alive, group.token()));
    group.spawn(end_with(on, 1h, 0, alive, group.token()));
    co_return co_await group.join();
  };
  const Nanoseconds begun = loop.read_clock();
  const Result<void> result = sync_wait(loop, body(loop));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().number, EIO);
  EXPECT_LT(loop.read_clock() - begun, std::chrono::nanoseconds(30min).count());
}

TEST_P(TaskGroupTest, an_exception_cancels_the_others_and_comes_out_of_join) {
  auto body = [&](Loop& on) -> Coroutine<> {
    TaskGroup group(on);
    group.spawn(end_with(on, 1h, 0, alive, group.token()));
    group.spawn(throw_after(on, 1ms, alive));
    (void)co_await group.join();
  };
  EXPECT_THROW(sync_wait(loop, body(loop)), std::runtime_error);
}

TEST_P(TaskGroupTest, a_parent_cancels_the_group) {
  CancelSource source;
  auto body = [&](Loop& on) -> Coroutine<Result<void>> {
    TaskGroup group(on, source.token());
    group.spawn(end_with(on, 1h, 0, alive, group.token()));
    co_return co_await group.join();
  };
  Coroutine<Result<void>> task = body(loop);
  task.start();
  source.cancel();
  loop.run();
  ASSERT_TRUE(task.is_done());
  EXPECT_EQ(task.result().error().number, ECANCELED);
}

TEST_P(TaskGroupTest, destroying_the_task_that_joins_destroys_the_children) {
  auto body = [&](Loop& on) -> Coroutine<> {
    TaskGroup group(on);
    for (int i = 0; i < 3; i++) group.spawn(end_with(on, 1h, 0, alive));
    (void)co_await group.join();
  };
  Coroutine<> task = body(loop);
  task.start();
  EXPECT_EQ(alive, 3);
  task.reset();
  EXPECT_EQ(alive, 0);
}

TEST_P(TaskGroupTest, children_may_be_added_by_children) {
  int ended = 0;
  struct Spawner {
    static Coroutine<> run(Loop& on, TaskGroup& group, int depth, int& count) {
      co_await on.sleep(0ms);
      if (depth > 0) group.spawn(run(on, group, depth - 1, count));
      count++;
    }
  };
  auto body = [&](Loop& on) -> Coroutine<> {
    TaskGroup group(on);
    group.spawn(Spawner::run(on, group, 9, ended));
    (void)co_await group.join();
  };
  sync_wait(loop, body(loop));
  EXPECT_EQ(ended, 10);
}

TEST_P(TaskGroupTest, when_all_gives_all_results_in_their_order) {
  auto nothing = [&](Loop& on) -> Coroutine<> { co_await on.sleep(1ms); };
  auto body = [&](Loop& on) -> Coroutine<int> {
    auto [a, b, c] = co_await when_all(after(on, 3ms, 1, alive), nothing(on), after(on, 1ms, 20, alive));
    static_assert(std::is_same_v<decltype(b), std::monostate>);
    std::vector<Coroutine<int>> list;
    for (int i = 0; i < 4; i++) list.push_back(after(on, std::chrono::milliseconds(4 - i), i, alive));
    const std::vector<int> more = co_await when_all(std::move(list));
    EXPECT_EQ(more, (std::vector{0, 1, 2, 3}));
    co_return a + c;
  };
  EXPECT_EQ(sync_wait(loop, body(loop)), 21);
}

TEST_P(TaskGroupTest, when_any_gives_the_first_and_destroys_the_others) {
  auto body = [&](Loop& on) -> Coroutine<int> {
    auto first = co_await when_any(on, after(on, 1h, 1, alive), after(on, 1ms, 2, alive), after(on, 2h, 3, alive));
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(first.index(), 1u);
    std::vector<Coroutine<int>> list;
    list.push_back(after(on, 1h, 10, alive));
    list.push_back(after(on, 0ms, 11, alive));
    auto [index, value] = co_await when_any(on, std::move(list));
    EXPECT_EQ(index, 1u);
    EXPECT_EQ(value, 11);
    co_return std::get<1>(first);
  };
  EXPECT_EQ(sync_wait(loop, body(loop)), 2);
}

TEST_P(TaskGroupTest, when_any_of_what_is_ready_starts_no_more) {
  int started = 0;
  auto ready = [&](int value) -> Coroutine<int> {
    started++;
    co_return value;
  };
  auto body = [&](Loop& on) -> Coroutine<int> {
    auto first = co_await when_any(on, ready(1), ready(2));
    co_return std::get<0>(first);
  };
  EXPECT_EQ(sync_wait(loop, body(loop)), 1);
  EXPECT_EQ(started, 1);
}

TEST_P(TaskGroupTest, with_timeout) {
  auto body = [&](Loop& on) -> Coroutine<> {
    const Result<int> late = co_await with_timeout(on, 1ms, after(on, 1h, 1, alive));
    EXPECT_EQ(late.error().number, ETIMEDOUT);
    const Result<int> in_time = co_await with_timeout(on, 0.5h, after(on, 1ms, 7, alive));
    EXPECT_EQ(in_time, 7);
    const Result<void> flat = co_await with_timeout(on, 1h, end_with(on, 1ms, EIO, alive));
    EXPECT_EQ(flat.error().number, EIO);
  };
  sync_wait(loop, body(loop));
}

Coroutine<> produce(Channel<int>& channel, int count, int& pushed) {
  for (int i = 0; i < count; i++) {
    const Result<void> queued = co_await channel.push(i);
    if (!queued) co_return;
    pushed++;
  }
  channel.close();
}

TEST_P(TaskGroupTest, a_full_channel_makes_who_pushes_wait) {
  Channel<int> channel(loop, 2);
  int pushed = 0;
  Coroutine<> producer = produce(channel, 100, pushed);
  producer.start();
  loop.run();
  EXPECT_EQ(pushed, 2);
  EXPECT_FALSE(channel.try_push(1)) << "one waits before us";
  auto consume = [&](Channel<int>& from) -> Coroutine<int> {
    int sum = 0;
    for (int expected = 0;; expected++) {
      const Result<int> value = co_await from.pop();
      if (!value) co_return value.error().number == kEndOfFile ? sum : -1;
      EXPECT_EQ(value, expected);
      EXPECT_LE(from.size(), 2u);
      sum += *value;
    }
  };
  EXPECT_EQ(sync_wait(loop, consume(channel)), 4950);
  EXPECT_EQ(pushed, 100);
}

TEST_P(TaskGroupTest, a_waiting_push_ends_with_the_channel) {
  auto push = [](Channel<int>& channel, CancelToken token) -> Coroutine<Result<void>> {
    co_return co_await channel.push(2, token);
  };
  CancelSource source;
  auto channel = std::make_unique<Channel<int>>(loop, 1);
  EXPECT_TRUE(channel->try_push(1));
  Coroutine<Result<void>> cancelled = push(*channel, source.token()), closed = push(*channel, {}),
                          destroyed = push(*channel, {});
  cancelled.start();
  closed.start();
  source.cancel();
  loop.run();
  ASSERT_TRUE(cancelled.is_done());
  EXPECT_EQ(cancelled.result().error().number, ECANCELED);
  channel->close();
  loop.run();
  ASSERT_TRUE(closed.is_done());
  EXPECT_EQ(closed.result().error().number, EPIPE);
  channel = std::make_unique<Channel<int>>(loop, 1);
  EXPECT_TRUE(channel->try_push(1));
  destroyed = push(*channel, {});
  destroyed.start();
  channel.reset();
  loop.run();
  ASSERT_TRUE(destroyed.is_done());
  EXPECT_EQ(destroyed.result().error().number, ECANCELED);
}

TEST_P(TaskGroupTest, a_value_for_a_waiter_that_goes_is_the_next_ones) {
  auto pop = [](Channel<int>& channel) -> Coroutine<Result<int>> { co_return co_await channel.pop(); };
  Channel<int> channel(loop);
  Coroutine<Result<int>> first = pop(channel), second = pop(channel);
  first.start();
  second.start();
  EXPECT_TRUE(channel.try_push(7));  // is the first one's, who has not gone on yet
  first.reset();
  loop.run();
  ASSERT_TRUE(second.is_done());
  EXPECT_EQ(second.result(), 7);
}

TEST_P(TaskGroupTest, a_promise_is_settled_once) {
  auto wait = [](Promise<std::string>& promise, CancelToken token) -> Coroutine<Result<std::string>> {
    co_return co_await promise.wait(token);
  };
  Promise<std::string> later(loop), before(loop), rejected(loop);
  Coroutine<Result<std::string>> waits = wait(later, {});
  waits.start();
  later.resolve("value");
  later.resolve("other");
  EXPECT_FALSE(waits.is_done()) << "goes on from the loop";
  loop.run();
  EXPECT_EQ(waits.result(), "value");
  before.resolve("there");
  EXPECT_EQ(sync_wait(loop, wait(before, {})), "there");
  rejected.reject({EPROTO, "test"});
  EXPECT_EQ(sync_wait(loop, wait(rejected, {})).error().number, EPROTO);

  auto gone = std::make_unique<Promise<std::string>>(loop);
  Coroutine<Result<std::string>> left = wait(*gone, {});
  left.start();
  gone.reset();
  loop.run();
  EXPECT_EQ(left.result().error().number, ECANCELED);
  CancelSource source;
  Promise<std::string> never(loop);
  Coroutine<Result<std::string>> cancelled = wait(never, source.token());
  cancelled.start();
  source.cancel();
  loop.run();
  EXPECT_EQ(cancelled.result().error().number, ECANCELED);
}

TEST_P(TaskGroupTest, an_event_wakes_all_who_wait) {
  Event event(loop);
  int woken = 0;
  auto wait = [&](Event& on) -> Coroutine<> {
    const Result<void> set = co_await on.wait();
    if (set) woken++;
  };
  TaskGroup group(loop);
  for (int i = 0; i < 3; i++) group.spawn(wait(event));
  EXPECT_EQ(woken, 0);
  event.set();
  loop.run();
  EXPECT_EQ(woken, 3);
  group.spawn(wait(event));
  EXPECT_EQ(woken, 4) << "is set already";
}

}  // namespace
}  // namespace rondo
