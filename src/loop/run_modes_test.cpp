// The contract of run(Once), the timeout of poll, and the interface for foreign loops, over every poller. The rules of the timeout one by
// one are in loop_test.cpp.
#include <thread>

#include "loop/net/net_fixture.h"
#include "rondo/phase_handles.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class RunModesTest : public NetTest {
 public:
  // Something far away that would be waited for.
  Timer far_away{loop};
  Nanoseconds start_far_away() {
    far_away.start(5s, [] { ADD_FAILURE() << "poll has waited"; });
    return loop.read_clock();
  }
  void expect_no_wait(Nanoseconds since) { EXPECT_LT(loop.read_clock() - since, Duration(4s).count()); }
};
RONDO_ON_EVERY_POLLER(RunModesTest);

TEST_P(RunModesTest, once_does_not_wait_when_a_timer_has_run) {
  bool has_run = false;
  Timer timer(loop);
  timer.start(0ms, [&] { has_run = true; });
  const Nanoseconds since = start_far_away();
  EXPECT_TRUE(loop.run(RunMode::Once));
  EXPECT_TRUE(has_run);
  expect_no_wait(since);
}

TEST_P(RunModesTest, once_does_not_wait_when_an_idle_handle_has_run_and_stopped) {
  bool has_run = false;
  Idle idle(loop);
  idle.start([&] {
    has_run = true;
    idle.stop();
  });
  const Nanoseconds since = start_far_away();
  EXPECT_TRUE(loop.run(RunMode::Once));
  EXPECT_TRUE(has_run);
  expect_no_wait(since);
}

TEST_P(RunModesTest, once_does_not_wait_when_a_deferred_function_has_run) {
  bool has_run = false;
  loop.defer([&] { has_run = true; });
  const Nanoseconds since = start_far_away();
  EXPECT_TRUE(loop.run(RunMode::Once));
  EXPECT_TRUE(has_run);
  expect_no_wait(since);
}

TEST_P(RunModesTest, once_waits_although_a_prepare_handle_runs) {
  Prepare prepare(loop);
  prepare.start([] {});
  bool has_run = false;
  Timer timer(loop);
  timer.start(10ms, [&] { has_run = true; });
  loop.run(RunMode::Once);
  EXPECT_TRUE(has_run);
}

// A descriptor that is new to epoll is told to be writable, which nobody has asked.
TEST_P(RunModesTest, once_returns_with_a_callback_run_although_the_kernel_woke_it_for_nothing) {
  Pair pair = connected();
  std::string got;
  ASSERT_TRUE(pair.client->read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  Timer timer(loop);
  bool has_fired = false;
  timer.start(20ms, [&] { has_fired = true; });
  loop.run(RunMode::Once);
  EXPECT_TRUE(has_fired) << "the first Once has run nothing";
  ASSERT_TRUE(pair.peer->write_copy(as_bytes("hello")));
  run_until([&] { return got == "hello"; });
}

struct WaitLog final : Observer {
  std::vector<Nanoseconds> timeouts;
  void wait_begin(Nanoseconds timeout) override { timeouts.push_back(timeout); }
};

// Phases before poll have taken most of the time that the next timer is away.
TEST_P(RunModesTest, poll_counts_from_the_moment_it_begins_to_wait) {
  if (world->is_simulated()) GTEST_SKIP() << "its time stands still in callbacks";
  WaitLog waits;
  loop.update_time();
  const Nanoseconds since = loop.now();
  Timer slow(loop), timer(loop);
  slow.start(0ms, [&] {
    while (loop.read_clock() - since < Duration(50ms).count()) continue;
    loop.add_observer(waits);
  });
  Nanoseconds fired = 0;
  timer.start(60ms, [&] { fired = loop.read_clock(); });
  loop.run();
  loop.remove_observer(waits);
  EXPECT_GE(fired - since, Duration(60ms).count());
  ASSERT_FALSE(waits.timeouts.empty());
  EXPECT_LE(waits.timeouts[0], Duration(10ms).count()) << "the wait was counted from the iteration's beginning";
}

TEST_P(RunModesTest, backend_timeout_counts_from_this_moment) {
  if (world->is_simulated()) GTEST_SKIP() << "its time stands still in callbacks";
  Timer timer(loop);
  timer.start(1h, [] {});
  const Nanoseconds first = loop.backend_timeout();
  const Nanoseconds since = loop.read_clock();
  while (loop.read_clock() - since < Duration(2ms).count()) continue;
  EXPECT_LE(loop.backend_timeout(), first - Duration(2ms).count());
}

TEST_P(RunModesTest, a_guest_with_nothing_to_do_has_no_deadline) {
  EXPECT_EQ(loop.next_deadline(), kNever);
  Timer timer(loop);
  timer.start(1h, [] {});
  EXPECT_EQ(loop.next_deadline(), timer.deadline());
  timer.unref();
  EXPECT_EQ(loop.next_deadline(), kNever) << "run() does nothing for a loop that is not alive";
  timer.stop();
  EXPECT_EQ(loop.next_deadline(), kNever);
  loop.defer([] {});
  EXPECT_LE(loop.next_deadline(), loop.read_clock()) << "something is to be done now";
  loop.run();
  EXPECT_EQ(loop.next_deadline(), kNever);
}

TEST_P(RunModesTest, a_wake_up_ends_a_wait_for_nothing) {
  if (world->is_simulated()) GTEST_SKIP() << "threads are outside of the simulation";
  const Nanoseconds since = start_far_away();
  std::thread waker([&] { loop.wake(); });
  EXPECT_TRUE(loop.run(RunMode::Once));
  waker.join();
  expect_no_wait(since);
}

}  // namespace
}  // namespace rondo
