// Combinators of coroutines: starting several, exceptions, channels, linked sources, time limits, whole files.
#include <fcntl.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loop/net/net_fixture.h"
#include "rondo/channel.h"
#include "rondo/coroutine.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class CoroutineToolsTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(CoroutineToolsTest);

Coroutine<int> after(Loop& loop, Duration delay, int value, std::vector<int>& ended) {
  co_await loop.sleep(delay);
  ended.push_back(value);
  co_return value;
}

Coroutine<> both(Loop& loop, std::vector<int>& ended, int& sum) {
  Coroutine<int> slow = after(loop, 5ms, 1, ended);
  Coroutine<int> quick = after(loop, 1ms, 2, ended);
  slow.start();
  quick.start();
  quick.start();  // has begun: nothing
  sum = co_await std::move(slow);
  sum += co_await std::move(quick);  // has ended long ago
}

TEST_P(CoroutineToolsTest, S128_tasks_run_side_by_side_and_are_awaited_afterwards) {
  std::vector<int> ended;
  int sum = 0;
  spawn(both(loop, ended, sum));
  loop.run();
  EXPECT_EQ(ended, (std::vector{2, 1}));
  EXPECT_EQ(sum, 3);
}

TEST_P(CoroutineToolsTest, a_task_that_has_begun_can_be_let_go) {
  std::vector<int> ended;
  int sum = 0;
  Coroutine<> task = both(loop, ended, sum);
  task.start();
  spawn(std::move(task));
  EXPECT_TRUE(task.is_done());
  spawn(Coroutine<>());
  loop.run();
  EXPECT_EQ(sum, 3);
}

#if defined(__cpp_exceptions)
Coroutine<int> throws_later(Loop& loop) {
  co_await loop.sleep(1ms);
  throw 7;
  co_return 0;
}

Coroutine<> catches(Loop& loop, int& caught) {
  try {
    co_await throws_later(loop);
  } catch (int number) {
    caught = number;
  }
}

TEST_P(CoroutineToolsTest, exceptions_go_to_who_awaits_the_task) {
  int caught = 0;
  spawn(catches(loop, caught));
  loop.run();
  EXPECT_EQ(caught, 7);
  Coroutine<int> kept = throws_later(loop);
  kept.start();
  loop.run();
  ASSERT_TRUE(kept.is_done());
  EXPECT_THROW(kept.result(), int);
}

Coroutine<> let_go(Loop& loop) { co_await throws_later(loop); }

using CoroutineToolsDeathTest = CoroutineToolsTest;
RONDO_ON_BOTH_POLLERS(CoroutineToolsDeathTest);

TEST_P(CoroutineToolsDeathTest, exceptions_that_no_one_can_catch_end_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        spawn(let_go(loop));
        loop.run();
      },
      "terminate");
  EXPECT_DEATH(
      {
        loop.defer([] { throw 7; });
        try {
          loop.run();
        } catch (int) {
          std::_Exit(0);
        }
      },
      "terminate");
}
#endif

Coroutine<> pop_all(Channel<std::string>& channel, CancelToken token, std::vector<std::string>& got) {
  for (;;) {
    Result<std::string> value = co_await channel.pop(token);
    got.push_back(value ? *value : value.error().name());
    if (!value) co_return;
  }
}

TEST_P(CoroutineToolsTest, channels_hand_over_in_order_and_from_the_loop) {
  Channel<std::string> channel(loop, 3);
  std::vector<std::string> got;
  EXPECT_TRUE(channel.try_push("before"));
  spawn(pop_all(channel, {}, got));
  EXPECT_EQ(got, (std::vector<std::string>{"before"}));
  EXPECT_TRUE(channel.try_push("one"));  // is the waiter's at once, and takes no room
  for (const char* word : {"two", "three", "four"}) EXPECT_TRUE(channel.try_push(word));
  EXPECT_FALSE(channel.try_push("too many"));
  EXPECT_EQ(got.size(), 1u);
  loop.run();
  EXPECT_EQ(got, (std::vector<std::string>{"before", "one", "two", "three", "four"}));
  EXPECT_TRUE(channel.try_push("last"));
  channel.close();
  EXPECT_FALSE(channel.try_push("after"));
  loop.run();
  EXPECT_EQ(got.back(), "EOF");
  EXPECT_EQ(got[got.size() - 2], "last");
}

TEST_P(CoroutineToolsTest, who_stops_waiting_at_a_channel_takes_no_value_along) {
  Channel<std::string> channel(loop);
  std::vector<std::string> cancelled, abandoned, patient, orphan;
  CancelSource source;
  spawn(pop_all(channel, source.token(), cancelled));
  Coroutine<> task = pop_all(channel, {}, abandoned);
  task.start();
  spawn(pop_all(channel, {}, patient));
  source.cancel();
  EXPECT_TRUE(channel.try_push("value"));  // is the abandoned one's, until that goes
  task.reset();
  loop.run();
  EXPECT_EQ(cancelled, (std::vector<std::string>{"ECANCELED"}));
  EXPECT_TRUE(abandoned.empty());
  EXPECT_EQ(patient, (std::vector<std::string>{"value"}));
  channel.close();
  loop.run();

  auto gone = std::make_unique<Channel<std::string>>(loop);
  spawn(pop_all(*gone, {}, orphan));
  gone.reset();
  loop.run();
  EXPECT_EQ(orphan, (std::vector<std::string>{"ECANCELED"}));
}

TEST_P(CoroutineToolsTest, a_channel_may_go_while_it_hands_out) {
  auto channel = std::make_unique<Channel<int>>(loop);
  std::vector<int> got;
  auto taker = [](std::unique_ptr<Channel<int>>& from, std::vector<int>& to) -> Coroutine<> {
    const Result<int> value = co_await from->pop();
    to.push_back(value ? *value : -value.error().number);
    from.reset();
  };
  spawn(taker(channel, got));
  spawn(taker(channel, got));
  spawn(taker(channel, got));
  EXPECT_TRUE(channel->try_push(1));
  EXPECT_TRUE(channel->try_push(2));
  loop.run();
  EXPECT_EQ(got, (std::vector{1, 2, -ECANCELED})) << "who has its value gets it, who has none does not wait for ever";
}

Coroutine<> sleep_with(Loop& loop, CancelToken token, std::string& how) {
  const Result<void> slept = co_await loop.sleep(1h, token);
  how = slept ? "slept" : slept.error().name();
}

TEST_P(CoroutineToolsTest, a_linked_source_is_cancelled_alone_or_with_its_parent) {
  CancelSource parent;
  std::string own, part, late;
  {
    CancelSource first(parent.token());
    CancelSource second(parent.token());
    spawn(sleep_with(loop, first.token(), part));
    spawn(sleep_with(loop, second.token(), own));
    first.cancel();
    loop.run(RunMode::NoWait);
    loop.run(RunMode::NoWait);
    EXPECT_EQ(part, "ECANCELED");
    EXPECT_EQ(own, "");
  }
  parent.cancel();
  loop.run();
  EXPECT_EQ(own, "ECANCELED");
  CancelSource third(parent.token());
  EXPECT_TRUE(third.is_cancelled());
  spawn(sleep_with(loop, third.token(), late));
  EXPECT_EQ(late, "ECANCELED");
}

Coroutine<> limited(Loop& loop, Duration limit, CancelToken token, bool& passed, std::string& how) {
  TimeLimit time(loop, limit, token);
  co_await sleep_with(loop, time.token(), how);
  passed = time.has_passed();
}

TEST_P(CoroutineToolsTest, a_time_limit_ends_a_wait_and_says_so) {
  std::string how;
  bool passed = false;
  spawn(limited(loop, 2ms, {}, passed, how));
  loop.run();
  EXPECT_EQ(how, "ECANCELED");
  EXPECT_TRUE(passed);
  CancelSource source;
  spawn(limited(loop, 1h, source.token(), passed, how = ""));
  source.cancel();
  loop.run();
  EXPECT_EQ(how, "ECANCELED");
  EXPECT_FALSE(passed);
  TimeLimit stopped(loop, 1ms);
  stopped.stop();
  loop.run();
  EXPECT_FALSE(stopped.has_passed());
  stopped.restart(1ms);
  loop.run();
  EXPECT_TRUE(stopped.has_passed());
  EXPECT_TRUE(stopped.token().is_cancelled());
}

Coroutine<> write_and_read(Loop& loop, std::string path, std::string& text, int& error) {
  const Result<void> written = co_await write_file(loop, path, "short");
  EXPECT_TRUE(written);
  Result<std::string> read = co_await read_file(loop, path);
  if (read) text = *read;
  const Result<std::string> missing = co_await read_file(loop, path + ".missing");
  if (!missing) error = missing.error().number;
}

TEST_P(CoroutineToolsTest, whole_files) {
  char folder[] = "/tmp/rondo_filesXXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const std::string path = std::string(folder) + "/file";
  std::string text;
  int error = 0;
  spawn(write_and_read(loop, path, text, error));
  loop.run();
  EXPECT_EQ(text, "short");
  EXPECT_EQ(error, ENOENT);

  // Destroyed at every moment: the request finishes on its own.
  for (int turns = 0; turns < 4; turns++) {
    Coroutine<> task = write_and_read(loop, path, text, error);
    task.start();
    for (int i = 0; i < turns; i++) loop.run(RunMode::NoWait);
    task.reset();
    loop.run();
  }
  FileRequest().remove_all(folder).run();
}

Coroutine<> dial(Loop& loop, std::uint16_t port, std::string path, CancelToken token, std::vector<std::string>& got) {
  auto note = [&](const Result<void>& result) { got.push_back(result ? "ok" : result.error().name()); };
  const Result<std::vector<Address>> found =
      co_await look_up(loop, "127.0.0.1", std::to_string(port), token, {.family = AF_INET, .flags = AI_NUMERICHOST});
  got.push_back(found ? found->front().host() : found.error().name());
  if (!found) co_return;
  Tcp tcp(loop);
  note(co_await tcp.connect(*found, {}, token));
  Pipe missing(loop), pipe(loop);
  note(co_await missing.connect(path + ".missing"));
  note(co_await pipe.connect(path, token));
}

TEST_P(CoroutineToolsTest, S128_names_and_connections) {
  char folder[] = "/tmp/rondo_dialXXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const std::string path = std::string(folder) + "/socket";
  TcpServer server(loop);
  PipeServer pipes(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  ASSERT_TRUE(server.listen(4));
  ASSERT_TRUE(pipes.bind(path));
  ASSERT_TRUE(pipes.listen(4));
  server.unref();
  pipes.unref();
  const std::uint16_t port = server.local_address()->port();
  std::vector<std::string> got;
  spawn(dial(loop, port, path, {}, got));
  loop.run();
  EXPECT_EQ(got, (std::vector<std::string>{"127.0.0.1", "ok", "ENOENT", "ok"}));

  got.clear();
  CancelSource source;
  spawn(dial(loop, port, path, source.token(), got));
  source.cancel();
  loop.run();
  EXPECT_EQ(got, (std::vector<std::string>{"ECANCELED"}));
  got.clear();
  for (int turns = 0; turns < 4; turns++) {  // destroyed at every moment
    Coroutine<> task = dial(loop, port, path, {}, got);
    task.start();
    for (int i = 0; i < turns; i++) loop.run(RunMode::NoWait);
    task.reset();
    loop.run();
  }
  pipes.close();
  loop.run();
  FileRequest().remove_all(folder).run();
}

Coroutine<> three_requests(Loop& loop) {
  Coroutine<> file = [](Loop& l) -> Coroutine<> { (void)co_await read_file(l, "/proc/self/status"); }(loop);
  Coroutine<> name = [](Loop& l) -> Coroutine<> { (void)co_await look_up(l, "127.0.0.1"); }(loop);
  file.start();
  name.start();
  (void)co_await on_pool(loop, [] { return 1; });
}

TEST_P(CoroutineToolsTest, a_loop_that_dies_frees_what_abandoned_tasks_left_in_flight) {
  struct Counted {
    explicit Counted(int& count) : count_(&count) { count++; }
    Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    ~Counted() {
      if (count_) --*count_;
    }
    int* count_;
  };
  int alive = 0;
  for (int turns = 0; turns < 3; turns++) {
    LoopOptions options;
    options.poller = loop.poller().name();
    Loop mortal(options);
    Coroutine<> task = three_requests(mortal);
    task.start();
    run_on_pool(mortal, JobClass::User, [counted = Counted(alive)] {}, [counted = Counted(alive)] {});
    for (int i = 0; i < turns; i++) mortal.run(RunMode::NoWait);
    task.reset();
  }
  EXPECT_EQ(alive, 0);
}

Coroutine<> kinds_of_work(Loop& loop, std::vector<std::string>& got) {
  std::atomic<int> ran = 0;
  const Result<void> nothing = co_await on_pool(loop, [&] { ran++; });
  got.push_back(nothing && ran == 1 ? "void" : "no");
  const Result<Result<int>> failed = co_await on_pool(loop, []() -> Result<int> { return failure(ENOENT); });
  got.push_back(failed && !*failed ? failed->error().name() : "no");
  const auto owned = co_await on_pool(loop, [] { return std::make_unique<int>(5); });
  got.push_back(owned && **owned == 5 ? "moved" : "no");
#if defined(__cpp_exceptions)
  try {
    (void)co_await on_pool(loop, []() -> int { throw 7; });
  } catch (int) {
    got.push_back("caught");
  }
#else
  got.push_back("caught");
#endif
}

TEST_P(CoroutineToolsTest, S128_pool_work_of_all_kinds) {
  std::vector<std::string> got;
  spawn(kinds_of_work(loop, got));
  loop.run();
  EXPECT_EQ(got, (std::vector<std::string>{"void", "ENOENT", "moved", "caught"}));
}

TEST_P(CoroutineToolsTest, pool_work_that_runs_can_see_that_it_is_cancelled) {
  std::atomic<bool> began = false, saw = false;
  CancelSource source;
  auto watcher = [](Loop& on, std::atomic<bool>& begin, std::atomic<bool>& end, CancelToken token) -> Coroutine<> {
    auto work = [&](const Job& job) {
      begin = true;
      while (!job.is_cancelled()) std::this_thread::yield();
      end = true;
    };
    const Result<void> result = co_await on_pool(on, work, JobClass::User, token);
    EXPECT_EQ(result.error().number, ECANCELED);
  };
  spawn(watcher(loop, began, saw, source.token()));
  while (!began) std::this_thread::yield();
  source.cancel();
  loop.run();
  EXPECT_TRUE(saw);
}

}  // namespace
}  // namespace rondo
