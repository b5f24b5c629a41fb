// Ownership while a coroutine waits: frames and memory at the loop's end, pool functions and requests of destroyed tasks, misuse that
// is named, pieces that are over, time that is real, frames that are used again.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "loop/net/net_fixture.h"
#include "rondo/rondo.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class CoroutineLivesTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(CoroutineLivesTest);

struct Counted {
  explicit Counted(int& count) : count_(&count) { ++*count_; }
  Counted(const Counted& other) : count_(other.count_) { ++*count_; }
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*count_; }
  int* count_;
};

struct Enrolled {
  Enrolled(std::set<int>& l, int n) : live(l), number(n) { live.insert(number); }
  ~Enrolled() { live.erase(number); }
  std::set<int>& live;
  int number;
};

Coroutine<> session(Loop& loop, std::set<int>& live, int number) {
  const Enrolled enrolled(live, number);
  co_await loop.sleep(1h);
}

// Under AddressSanitizer a group that destroyed its children too late would be a use after scope.
TEST_P(CoroutineLivesTest, tasks_of_a_group_end_before_what_they_refer_to) {
  std::size_t seen = 0;
  {
    std::set<int> live;
    TaskGroup sessions(loop);
    for (int i = 0; i < 3; i++) sessions.spawn(session(loop, live, i));
    loop.run(RunMode::NoWait);
    seen = live.size();
  }
  EXPECT_EQ(seen, 3u);
  EXPECT_EQ(loop.active_handles(), 0u);
}

TEST_P(CoroutineLivesTest, spawned_tasks_can_be_ended_where_their_references_are_still_there) {
  {
    std::set<int> live;
    for (int i = 0; i < 3; i++) spawn(session(loop, live, i));
    Coroutine<> owned = session(loop, live, 9);
    owned.start();
    destroy_spawned(loop);
    EXPECT_EQ(live, std::set<int>{9}) << "a task with an owner is the owner's";
  }
  EXPECT_TRUE(waiting_tasks(loop).empty());
}

Coroutine<> stat_for_ever(Loop& loop, int& alive) {
  const Counted counted(alive);
  for (;;) {
    FileRequest request;
    const Result<std::int64_t> status = co_await perform(loop, request.readdir("/"));
    EXPECT_TRUE(status);
  }
}

TEST_P(CoroutineLivesTest, a_spawned_task_in_a_file_request_goes_with_the_loop) {
  int alive = 0;
  {
    Loop mortal({.poller = GetParam()});
    spawn(stat_for_ever(mortal, alive));
    EXPECT_EQ(alive, 1);
    mortal.run(RunMode::NoWait);
  }
  EXPECT_EQ(alive, 0);
}

TEST_P(CoroutineLivesTest, destroying_a_task_in_a_file_request_withdraws_it) {
  int alive = 0;
  Coroutine<> task = stat_for_ever(loop, alive);
  task.start();
  task.reset();
  EXPECT_EQ(alive, 0);
  loop.run();
}

Coroutine<> read_into_a_local(Loop& loop, int fd, Result<std::int64_t>& result, std::string& text) {
  char buffer[16] = {};
  FileRequest request;
  result = co_await perform(loop, request.read(fd, buffer, sizeof buffer));
  text = buffer;
}

TEST_P(CoroutineLivesTest, the_kernel_does_not_write_into_a_destroyed_frame) {
  auto pipe = *make_pipe();
  Result<std::int64_t> result = 0;
  std::string text;
  {
    Coroutine<> abandoned = read_into_a_local(loop, pipe.first.get(), result, text);
    abandoned.start();
    loop.run(RunMode::NoWait);
  }
  ASSERT_EQ(write(pipe.second.get(), "lost", 4), 4);
  loop.run();
  Coroutine<> task = read_into_a_local(loop, pipe.first.get(), result, text);
  task.start();
  ASSERT_EQ(write(pipe.second.get(), "found", 5), 5);
  run_until([&] { return task.is_done(); });
  // Of the first read, which was cancelled, or too late for that. A read in the pool finds both words, if the second one comes before it.
  EXPECT_TRUE(text == "found" || text == "lost" || text == "lostfound") << text;
  EXPECT_EQ(result, static_cast<std::int64_t>(text.size()));
}

Coroutine<> borrow_from_frame(Loop& loop, std::atomic<int>& progress, std::atomic<bool>& may_end) {
  int local = 0;
  auto borrow = [&] {
    progress = 1;
    while (!may_end) std::this_thread::yield();
    local = 42;
    progress = 2;
  };
  const Result<void> done = co_await on_pool(loop, borrow);
  EXPECT_TRUE(done);
}

TEST_P(CoroutineLivesTest, a_pool_function_ends_before_the_frame_that_it_refers_to) {
  std::atomic<int> progress = 0;
  std::atomic<bool> may_end = false;
  Coroutine<> task = borrow_from_frame(loop, progress, may_end);
  task.start();
  while (progress == 0) std::this_thread::yield();
  std::thread later([&] {
    std::this_thread::sleep_for(10ms);
    may_end = true;
  });
  task.reset();
  EXPECT_EQ(progress, 2);
  later.join();
  loop.run();
}

Coroutine<> cancelled_work(Loop& loop, CancelToken token, std::atomic<bool>& began, bool& has_ended, int& number) {
  std::atomic<bool> is_over = false;
  auto work = [&](const Job& job) {
    began = true;
    while (!job.is_cancelled()) std::this_thread::yield();
    is_over = true;
  };
  const Result<void> result = co_await on_pool(loop, work, JobClass::User, token);
  has_ended = is_over;
  number = result ? 0 : result.error().number;
}

TEST_P(CoroutineLivesTest, cancelled_pool_work_is_over_when_the_function_is) {
  CancelSource source;
  std::atomic<bool> began = false;
  bool has_ended = false;
  int number = 0;
  Coroutine<> task = cancelled_work(loop, source.token(), began, has_ended, number);
  task.start();
  while (!began) std::this_thread::yield();
  source.cancel();
  loop.run();
  EXPECT_TRUE(task.is_done());
  EXPECT_TRUE(has_ended);
  EXPECT_EQ(number, ECANCELED);
}

CancelToken part_of(const CancelToken& parent) { return CancelSource(parent).token(); }

Coroutine<> wait_with_part(Loop& loop, CancelToken parent, int& error) {
  const Result<std::vector<Address>> never = co_await look_up(loop, "127.0.0.1", "1", part_of(parent));
  EXPECT_TRUE(never);
  Promise<> promise(loop);
  const Result<void> result = co_await promise.wait(part_of(parent));
  error = result ? 0 : result.error().number;
}

TEST_P(CoroutineLivesTest, a_token_whose_source_has_gone_is_cancelled_with_its_parent) {
  CancelSource parent;
  int error = 0;
  Coroutine<> task = wait_with_part(loop, parent.token(), error);
  task.start();
  run_until([&] { return loop.active_operations() == 0 && !waiting_tasks(loop).empty(); });
  loop.run();
  EXPECT_FALSE(task.is_done());
  parent.cancel();
  loop.run();
  EXPECT_TRUE(task.is_done());
  EXPECT_EQ(error, ECANCELED);
}

Coroutine<int> give(int value) { co_return value; }
Coroutine<> await_it(Coroutine<int>& task) { (void)co_await std::move(task); }

class CoroutineMisuseTest : public CoroutineLivesTest {
 public:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    CoroutineLivesTest::SetUp();
  }
};
INSTANTIATE_TEST_SUITE_P(Pollers, CoroutineMisuseTest, ::testing::Values("epoll"), testing::name_of);

TEST_P(CoroutineMisuseTest, an_empty_task_is_awaited) {
  Coroutine<int> empty;
  EXPECT_DEATH(await_it(empty).start(), "rondo: misuse: an empty Coroutine was awaited");
}

TEST_P(CoroutineMisuseTest, a_task_is_awaited_twice) {
  auto sleeper = [](Loop& on) -> Coroutine<int> {
    co_await on.sleep(1h);
    co_return 1;
  };
  Coroutine<int> task = sleeper(loop);
  Coroutine<> first = await_it(task), second = await_it(task);
  first.start();
  EXPECT_DEATH(second.start(), "rondo: misuse: a Coroutine was awaited a second time");
}

TEST_P(CoroutineMisuseTest, a_result_is_asked_for_before_the_end) {
  Coroutine<int> task = give(1);
  EXPECT_DEATH((void)task.result(), "rondo: misuse: Coroutine::result");
}

TEST_P(CoroutineMisuseTest, sync_wait_of_what_never_comes) {
  auto wait = [](Channel<int>& channel) -> Coroutine<> { (void)co_await channel.pop(); };
  Channel<int> channel(loop);
  EXPECT_DEATH(sync_wait(loop, wait(channel)), "rondo: misuse: sync_wait");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RONDO_HAS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define RONDO_HAS_ASAN 1
#endif
#ifdef RONDO_HAS_ASAN
Coroutine<> keep_a_piece(Loop& loop, Tcp& stream, char& kept) {
  const Result<Bytes> piece = co_await stream.read();
  co_await loop.sleep(1ms);
  kept = static_cast<char>((*piece)[0]);
}

TEST_P(CoroutineMisuseTest, a_piece_is_kept_over_an_await) {
  const char* options = std::getenv("ASAN_OPTIONS");
  if (options && std::string_view(options).contains("allow_user_poisoning=0")) GTEST_SKIP() << "poisoning is off";
  Pair pair = connected();
  char kept = 0;
  EXPECT_DEATH(
      {
        spawn(keep_a_piece(loop, *pair.client, kept));
        (void)pair.peer->write_copy(as_bytes("hello"));
        loop.run();
      },
      "use-after-poison");
}
#endif

Coroutine<> measure_sleep(Loop& loop, Nanoseconds& slept) {
  const Nanoseconds work = loop.read_clock() + std::chrono::nanoseconds(30ms).count();
  while (loop.read_clock() < work) {
  }
  const Nanoseconds begun = loop.read_clock();
  co_await loop.sleep(20ms);
  slept = loop.read_clock() - begun;
}

TEST_P(CoroutineLivesTest, a_sleep_counts_from_the_real_time) {
  Nanoseconds slept = 0;
  sync_wait(loop, measure_sleep(loop, slept));
  EXPECT_GE(slept, std::chrono::nanoseconds(20ms).count());
}

TEST_P(CoroutineLivesTest, a_time_limit_counts_from_the_real_time) {
  ManualClock clock;
  Loop timed({.clock = &clock, .poller = GetParam()});
  clock.advance(60ms);  // the loop has not looked at its clock since
  TimeLimit limit(timed, 50ms);
  timed.run(RunMode::NoWait);
  EXPECT_FALSE(limit.has_passed());
  clock.advance(50ms);
  timed.run(RunMode::NoWait);
  EXPECT_TRUE(limit.has_passed());
}

Coroutine<int> add(int a, int b) { co_return a + b; }
Coroutine<> add_many(int times, int& sum) {
  for (int i = 0; i < times; i++) sum += co_await add(i, 1);
}

#if RONDO_KEEPS_FRAMES
TEST_P(CoroutineLivesTest, frames_are_used_again) {
  void* first = detail::allocate_frame(200);
  detail::free_frame(first, 200);
  void* second = detail::allocate_frame(250);  // of the same 64 bytes
  EXPECT_EQ(first, second);
  detail::free_frame(second, 250);
  // More than a thread keeps, and freed by another one.
  std::vector<void*> many;
  for (int i = 0; i < 100; i++) many.push_back(detail::allocate_frame(64));
  std::thread([&] {
    for (void* block : many) detail::free_frame(block, 64);
  }).join();
}
#endif

// The guide promises this: 64 bytes an await, 96 with the result in g++.
static_assert(sizeof(ReadAwait) == 64 && sizeof(WriteAwait) == 64 && sizeof(AcceptAwait) == 64);
static_assert(sizeof(SleepAwait) == 64 && sizeof(ConnectAwait) == 64 && sizeof(LookupAwait) <= 72);

TEST_P(CoroutineLivesTest, waiting_tasks_tell_where_they_are) {
  auto inner = [](Loop& on) -> Coroutine<> { co_await on.sleep(1h); };
  auto outer = [&](Loop& on) -> Coroutine<> { co_await inner(on); };
  Coroutine<> task = outer(loop);
  task.start();
  const std::vector<WaitingTask> tasks = waiting_tasks(loop);
  ASSERT_EQ(tasks.size(), 1u);
  ASSERT_EQ(tasks[0].places.size(), 2u);
  EXPECT_FALSE(tasks[0].is_spawned);
  EXPECT_EQ(tasks[0].places[0].line() + 1, tasks[0].places[1].line());
  EXPECT_NE(describe_waiting_tasks(loop).find("coroutine_lives_test.cpp:"), std::string::npos);
  task.reset();
  EXPECT_TRUE(waiting_tasks(loop).empty());
}

struct WaitLog final : Observer {
  int waits = 0, went_on = 0;
  std::string file;
  void coroutine_waits(const void*, const std::source_location& place) override {
    waits++;
    file = place.file_name();
  }
  void coroutine_goes_on(const void*) override { went_on++; }
};

TEST_P(CoroutineLivesTest, an_observer_is_told_of_waits) {
  WaitLog log;
  loop.add_observer(log);
  int sum = 0;
  auto task = [](Loop& on, int& s) -> Coroutine<> {
    co_await on.sleep(0ms);
    co_await add_many(3, s);
    co_await on.schedule();
  };
  sync_wait(loop, task(loop, sum));
  loop.remove_observer(log);
  EXPECT_EQ(log.waits, 2);
  EXPECT_EQ(log.went_on, 2);
  EXPECT_NE(log.file.find("coroutine_lives_test.cpp"), std::string::npos);
}

}  // namespace
}  // namespace rondo
