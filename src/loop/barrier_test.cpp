// Barriers for graceful shutdown, on a manual clock.
#include "rondo/barrier.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <vector>

#include "rondo/loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class BarrierTest : public ::testing::Test {
 protected:
  void note(Result<void> result) { told.push_back(result ? 0 : result.error().number); }

  ManualClock clock{ManualClock::Mode::AutoAdvance, 1'000'000};
  Loop loop{LoopOptions{.clock = &clock, .poller = "epoll"}};
  std::vector<int> told;
};

TEST_F(BarrierTest, tells_once_when_the_last_has_left) {
  Barrier barrier(loop);
  std::vector<Barrier::Pass> passes;
  for (int i = 0; i < 3; i++) passes.push_back(barrier.enter());
  Timer leaves(loop);
  leaves.start(1ms, [&] { passes.pop_back(); }, 1ms);
  barrier.wait(1h, [&](Result<void> result) {
    note(result);
    leaves.stop();
  });
  EXPECT_EQ(barrier.inside(), 3u);
  loop.run();
  EXPECT_EQ(told, std::vector<int>{0});
  EXPECT_FALSE(barrier.is_waiting());
  EXPECT_LT(loop.now(), 1'000'000'000);  // the limit is no longer waited for
}

TEST_F(BarrierTest, with_no_one_inside_the_call_still_comes_from_the_loop) {
  Barrier barrier(loop);
  barrier.wait([&](Result<void> result) { note(result); });
  EXPECT_TRUE(told.empty());
  loop.run();
  EXPECT_EQ(told, std::vector<int>{0});
}

TEST_F(BarrierTest, no_one_inside_counts_for_more_than_no_time) {
  Barrier barrier(loop);
  barrier.wait(0ms, [&](Result<void> result) { note(result); });
  loop.run();
  EXPECT_EQ(told, std::vector<int>{0});
  // The last one leaves in the very visit in which the time is up.
  Barrier::Pass pass = barrier.enter();
  Timer leaves(loop);
  leaves.start(5ms, [&] { pass.leave(); });
  barrier.wait(5ms, [&](Result<void> result) { note(result); });
  loop.run();
  EXPECT_EQ(told, (std::vector<int>{0, 0}));
}

TEST_F(BarrierTest, a_pass_that_gets_another_leaves_with_its_own) {
  Barrier barrier(loop);
  Barrier::Pass mine = barrier.enter();
  Barrier::Pass other = barrier.enter();
  mine = std::move(other);
  EXPECT_EQ(barrier.inside(), 1u);
  EXPECT_FALSE(other);
  EXPECT_TRUE(mine);
  Barrier::Pass& same = mine;
  mine = std::move(same);
  EXPECT_TRUE(mine);
  mine = {};
  EXPECT_EQ(barrier.inside(), 0u);
}

TEST_F(BarrierTest, gives_up_after_the_limit) {
  Barrier barrier(loop);
  Barrier::Pass stays = barrier.enter();
  barrier.wait(20ms, [&](Result<void> result) { note(result); });
  loop.run();
  EXPECT_EQ(told, std::vector<int>{ETIMEDOUT});
  stays.leave();
  loop.run();
  EXPECT_EQ(told.size(), 1u);
}

TEST_F(BarrierTest, who_enters_meanwhile_is_waited_for) {
  Barrier barrier(loop);
  Barrier::Pass first = barrier.enter(), second;
  barrier.wait([&](Result<void> result) { note(result); });
  first.leave();
  second = barrier.enter();
  loop.run(RunMode::NoWait);
  loop.run(RunMode::NoWait);
  EXPECT_TRUE(told.empty());
  second = {};
  loop.run();
  EXPECT_EQ(told, std::vector<int>{0});
}

TEST_F(BarrierTest, passes_may_outlive_it_and_its_function_may_destroy_it) {
  auto barrier = std::make_unique<Barrier>(loop);
  Barrier::Pass pass = barrier->enter();
  barrier->wait([&](Result<void> result) { note(result); });
  barrier.reset();
  pass.leave();
  EXPECT_FALSE(pass);
  loop.run();
  EXPECT_TRUE(told.empty());

  barrier = std::make_unique<Barrier>(loop);
  barrier->wait(1s, [&](Result<void>) { barrier.reset(); });
  loop.run();
  EXPECT_EQ(barrier, nullptr);
}

}  // namespace
}  // namespace rondo
