// Making loops, walking their handles, durations of any unit, uv_timer_again, addresses as keys.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_set>

#include "loop/net/few_descriptors.h"
#include "loop/net/net_fixture.h"
#include "rondo/rondo.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(LoopMakeTest, unknown_pollers_are_errors) {
  EXPECT_EQ(Loop::make({.poller = "kqueue"}).error().number, EINVAL);
  EXPECT_STREQ((*Loop::make({.poller = "epoll"}))->poller().name(), "epoll");
  EXPECT_TRUE(Loop::make());
}

TEST(LoopMakeDeathTest, an_unknown_poller_is_named) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(Loop({.poller = "kqueue"}), "rondo: misuse: .* names no poller");
  EXPECT_DEATH(
      {
        setenv("RONDO_POLLER", "select", 1);
        Loop loop;
      },
      "rondo: misuse: .* names no poller");
}

TEST(LoopMakeTest, a_lack_of_descriptors_is_an_error) {
  for (int left = 0; left < 2; left++) {
    testing::FewDescriptors shortage(200);
    shortage.fill();
    for (int i = 0; i < left; i++) shortage.spare_one();
    const auto loop = Loop::make();
    ASSERT_FALSE(loop);
    EXPECT_EQ(loop.error().number, EMFILE);
  }
}

TEST(LoopMakeTest, handles_that_are_active_or_closing_are_walked) {
  Loop loop({.poller = "epoll"});
  Timer soon(loop), far(loop), stopped(loop);
  soon.start(1ms, [] {});
  far.start(24h, [] {});
  stopped.start(1h, [] {});
  stopped.stop();
  Idle idle(loop);
  idle.start([] {});
  int sent = 0;
  Async async(loop, [&] { sent++; });
  TcpServer server(loop);
  ASSERT_TRUE(server.bind(Address::loopback4(0)));
  ASSERT_TRUE(server.listen(1, [](Result<UniqueFd>) {}));
  Pipe pipe(loop);
  pipe.close();
  const auto kinds = [&] {
    std::multiset<HandleKind> found;
    loop.for_each_handle([&](const Handle& handle) { found.insert(handle.kind()); });
    return found;
  };
  const std::multiset<HandleKind> all{HandleKind::Timer, HandleKind::Timer,     HandleKind::Idle,
                                      HandleKind::Async, HandleKind::TcpServer, HandleKind::Pipe};
  EXPECT_EQ(kinds(), all);
  async.send();
  loop.run(RunMode::NoWait);
  EXPECT_EQ(sent, 1);
  EXPECT_EQ(kinds().count(HandleKind::Async), 1u);
  EXPECT_EQ(kinds().count(HandleKind::Pipe), 0u);
  server.stop();
  EXPECT_EQ(kinds().count(HandleKind::TcpServer), 0u);
}

TEST(LoopMakeTest, delays_of_any_unit) {
  using std::chrono::duration;
  EXPECT_EQ(Delay(1.5s).count(), 1'500'000'000);
  EXPECT_EQ(Delay(1ns).count(), 1);
  EXPECT_EQ(Delay(duration<double, std::nano>(0.25)).count(), 1) << "rounded up: never early";
  EXPECT_EQ(Delay(-1.5s).count(), -1'500'000'000);
  EXPECT_EQ(Delay(std::chrono::years(10'000)).count(), kNever - 1);
  EXPECT_EQ(Delay(duration<double>(std::nan(""))).count(), 0);
  EXPECT_EQ(Delay(std::chrono::hours(1)).count(), 3'600'000'000'000);
  ManualClock clock;
  Loop loop({.clock = &clock});
  Timer timer(loop);
  int fired = 0;
  timer.start(0.5s, [&] { fired++; }, 0.25s);
  clock.advance(500ms);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(fired, 1);
  EXPECT_EQ(timer.period(), 250ms);
}

TEST(LoopMakeTest, a_timer_again) {
  ManualClock clock;
  Loop loop({.clock = &clock});
  Timer timer(loop), one_shot(loop), never_started(loop);
  int fired = 0;
  timer.start(10ms, [&] { fired++; }, 30ms);
  one_shot.start(10ms, [&] { fired += 100; });
  EXPECT_EQ(one_shot.again().error().number, EINVAL);
  EXPECT_EQ(never_started.again().error().number, EINVAL);
  EXPECT_FALSE(never_started.is_active());
  ASSERT_TRUE(timer.again());
  clock.advance(29ms);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(fired, 100);
  clock.advance(1ms);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(fired, 101);
  timer.stop();
  ASSERT_TRUE(timer.again());
  EXPECT_TRUE(timer.is_active());
}

// An iteration without timers reads no clock, and now() is right all the same.
TEST(LoopMakeTest, now_is_of_this_iteration_without_timers_too) {
  Loop loop;
  const Nanoseconds before = loop.read_clock();
  Nanoseconds inside = 0;
  loop.post([&] { inside = loop.now(); });
  loop.run(RunMode::NoWait);
  EXPECT_GE(inside, before);
  EXPECT_LE(inside, loop.read_clock());
}

TEST(LoopMakeTest, addresses_are_keys) {
  const Address a = Address::loopback4(80), b = Address::loopback4(81), c = Address::loopback6(80);
  std::map<Address, int> ordered{{a, 1}, {b, 2}, {c, 3}, {Address::loopback4(80), 9}};
  EXPECT_EQ(ordered.size(), 3u);
  EXPECT_LT(a, b);
  EXPECT_LT(b, c);
  std::unordered_set<Address> hashed{a, b, c, *Address::ip("127.0.0.1", 80)};
  EXPECT_EQ(hashed.size(), 3u);
  EXPECT_TRUE(hashed.contains(*Address::ip("::1", 80)));
}

}  // namespace
}  // namespace rondo
