// Wake-ups from other threads: Async coalesces, post loses nothing and keeps order. Real threads, every poller.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "loop/poller/poller_fixture.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

class WakeTest : public testing::PollerTest {
 protected:
  void SetUp() override {
    PollerTest::SetUp();
    world->expect_threads();
  }
};

TEST_P(WakeTest, async_wakes_a_sleeping_loop) {
  int calls = 0;
  Async async(loop, [&] {
    calls++;
    loop.stop();
  });
  std::thread sender([&] { async.send(); });
  loop.run();
  sender.join();
  EXPECT_EQ(calls, 1);
}

TEST_P(WakeTest, async_coalesces) {
  int calls = 0;
  Async async(loop, [&] { calls++; });
  for (int i = 0; i < 100; i++) async.send();
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 1);
  async.send();
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 2);
}

TEST_P(WakeTest, unrefd_async_does_not_keep_alive) {
  Async async(loop, [] {});
  EXPECT_TRUE(loop.alive());
  async.unref();
  EXPECT_FALSE(loop.run());
}

TEST_P(WakeTest, async_may_be_closed_or_destroyed_while_sent) {
  int calls = 0;
  auto first = std::make_unique<Async>(loop, [&] { calls++; });
  auto second = std::make_unique<Async>(loop, [&] { calls += 10; });
  auto third = std::make_unique<Async>(loop, [&] { calls += 100; });
  first->send();
  second->send();
  third->send();
  first.reset();
  second->close([&] { calls += 1000; });
  second->send();
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 1100);
}

TEST_P(WakeTest, a_posted_function_may_close_or_destroy_what_was_sent_with_it) {
  int calls = 0;
  auto first = std::make_unique<Async>(loop, [&] { calls++; });
  auto second = std::make_unique<Async>(loop, [&] { calls += 10; });
  auto third = std::make_unique<Async>(loop, [&] { calls += 100; });
  first->send();
  second->send();
  third->send();
  loop.post([&] {
    first.reset();
    second->close([&] { calls += 1000; });
  });
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 1100);
}

TEST_P(WakeTest, posts_from_many_threads_all_run_in_each_senders_order) {
  constexpr int kThreads = 4, kEach = 5000;
  std::vector<int> last(kThreads, -1);
  int total = 0;
  bool ordered = true;
  std::vector<std::thread> senders;
  Loop::KeepAlive alive(loop);
  for (int t = 0; t < kThreads; t++) {
    senders.emplace_back([&, t] {
      for (int i = 0; i < kEach; i++) {
        loop.post([&, t, i] {
          ordered &= last[t] == i - 1;
          last[t] = i;
          if (++total == kThreads * kEach) loop.stop();
        });
      }
    });
  }
  loop.run();
  for (std::thread& sender : senders) sender.join();
  EXPECT_EQ(total, kThreads * kEach);
  EXPECT_TRUE(ordered);
}

TEST_P(WakeTest, ping_pong_between_two_loops) {
  constexpr int kTrips = 2000;
  int left = kTrips;
  std::atomic<Async*> there{nullptr};
  Async here(loop, [&] {
    if (--left == 0) return loop.stop();
    there.load()->send();
  });
  const char* poller = GetParam();
  Loop* other_loop = nullptr;
  std::atomic<bool> is_posted{false};
  std::thread other_thread([&] {
    const auto other_world = testing::World::make(poller);
    other_world->expect_threads();
    Loop other(other_world->options());
    Async async(other, [&] { here.send(); });
    other_loop = &other;
    there = &async;
    loop.post([&] { there.load()->send(); });
    other.run();
    while (!is_posted) std::this_thread::yield();  // a loop outlives every post() under way
  });
  loop.run();
  EXPECT_EQ(left, 0);
  other_loop->post([&] { other_loop->stop(); });
  is_posted = true;
  other_thread.join();
}

// The usual way to end a loop of another thread: the message is the last thing, and the loop dies while its sender is on the way out.
TEST(WakeAtTheEndTest, what_is_sent_may_end_the_loop_it_is_sent_to) {
  for (int round = 0; round < 100; round++) {
    std::atomic<Loop*> there = nullptr;
    std::atomic<Async*> bell = nullptr;
    std::thread thread([&] {
      Loop loop;
      Async async(loop, [&] { loop.stop(); });
      bell = &async;
      there = &loop;
      loop.run();
    });
    while (!there) std::this_thread::yield();
    Loop* loop = there;
    if (round % 2 == 0) {
      loop->post([loop] { loop->stop(); });
    } else {
      bell.load()->send();
    }
    thread.join();
  }
}

INSTANTIATE_TEST_SUITE_P(Pollers, WakeTest, testing::every_poller(), testing::name_of);

}  // namespace
}  // namespace rondo
