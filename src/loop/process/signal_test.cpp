// Signals: delivery to one and several loops, restoring the disposition, closing inside the callback.
#include "rondo/signal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "rondo/loop.h"

namespace rondo {
namespace {

bool is_default(int number) {
  struct sigaction now{};
  sigaction(number, nullptr, &now);
  return now.sa_handler == SIG_DFL;
}

class SignalTest : public ::testing::TestWithParam<const char*> {
 protected:
  Loop loop{LoopOptions{.poller = GetParam()}};
};

TEST_P(SignalTest, S104_a_signal_is_an_event_of_the_loop) {
  Signal signal(loop);
  int seen = 0;
  ASSERT_TRUE(signal.start(SIGUSR2, [&](int number) {
    seen = number;
    signal.stop();
  }));
  EXPECT_TRUE(loop.alive());
  kill(getpid(), SIGUSR2);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(seen, SIGUSR2);
}

TEST_P(SignalTest, wakes_a_sleeping_loop) {
  Signal signal(loop);
  bool is_seen = false;
  ASSERT_TRUE(signal.start(SIGUSR2, [&](int) {
    is_seen = true;
    signal.close();
  }));
  std::thread sender([] { kill(getpid(), SIGUSR2); });
  loop.run();
  sender.join();
  EXPECT_TRUE(is_seen);
}

TEST_P(SignalTest, disposition_comes_back_with_the_last_watcher) {
  ASSERT_TRUE(is_default(SIGHUP));
  {
    Signal first(loop), second(loop);
    ASSERT_TRUE(first.start(SIGHUP, [](int) {}));
    ASSERT_TRUE(second.start(SIGHUP, [](int) {}));
    EXPECT_FALSE(is_default(SIGHUP));
    first.stop();
    EXPECT_FALSE(is_default(SIGHUP));
  }
  EXPECT_TRUE(is_default(SIGHUP));
}

TEST_P(SignalTest, an_ignored_signal_is_ignored_again_afterwards) {
  signal(SIGHUP, SIG_IGN);
  {
    Signal watch(loop);
    ASSERT_TRUE(watch.start(SIGHUP, [](int) {}));
  }
  struct sigaction now{};
  sigaction(SIGHUP, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
  signal(SIGHUP, SIG_DFL);
}

TEST_P(SignalTest, every_watcher_in_every_loop_is_told) {
  constexpr int kThreads = 4;
  std::atomic<int> ready{0}, calls{0};
  std::vector<std::thread> threads;
  const char* poller = GetParam();
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&] {
      Loop own(LoopOptions{.poller = poller});
      Signal one(own), two(own);
      ASSERT_TRUE(one.start(SIGUSR2, [&](int) {
        calls++;
        one.stop();
      }));
      ASSERT_TRUE(two.start(SIGUSR2, [&](int) {
        calls++;
        two.stop();
      }));
      ready++;
      own.run();
    });
  }
  while (ready < kThreads) std::this_thread::yield();
  kill(getpid(), SIGUSR2);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 2 * kThreads);
  EXPECT_TRUE(is_default(SIGUSR2));
}

TEST_P(SignalTest, once_stops_itself_and_deliveries_are_counted) {
  Signal once(loop), always(loop);
  int once_calls = 0, calls = 0;
  ASSERT_TRUE(once.start(SIGUSR2, [&](int) { once_calls++; }, Signal::Repeat::Once));
  ASSERT_TRUE(always.start(SIGUSR2, [&](int) { calls++; }));
  for (int i = 0; i < 3; i++) raise(SIGUSR2);  // raise returns when the handler has run
  loop.run(RunMode::NoWait);
  EXPECT_EQ(once_calls, 1);
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(once.is_active());
}

TEST_P(SignalTest, may_be_destroyed_in_its_own_callback) {
  auto signal = std::make_unique<Signal>(loop);
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR2, [&](int) {
    calls++;
    signal.reset();
  }));
  raise(SIGUSR2);
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(is_default(SIGUSR2));
}

TEST_P(SignalTest, what_was_caught_before_stop_is_not_delivered_after_it) {
  Signal signal(loop);
  int calls = 0;
  ASSERT_TRUE(signal.start(SIGUSR2, [&](int) { calls++; }));
  raise(SIGUSR2);
  signal.stop();
  loop.run(RunMode::NoWait);
  ASSERT_TRUE(signal.start(SIGUSR2, [&](int) { calls++; }));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 0);
}

TEST_P(SignalTest, what_was_caught_before_stop_is_dropped_also_by_a_callback_that_starts_anew) {
  Signal signal(loop);
  int calls = 0;
  const auto again = [&](int) { calls += 10; };
  ASSERT_TRUE(signal.start(SIGUSR2, [&](int) {
    calls++;
    signal.stop();
    ASSERT_TRUE(signal.start(SIGUSR2, again));
  }));
  for (int i = 0; i < 3; i++) raise(SIGUSR2);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 1);
  raise(SIGUSR2);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(calls, 11);
}

TEST_P(SignalTest, unref_lets_the_loop_end_and_bad_numbers_are_refused) {
  Signal signal(loop);
  EXPECT_EQ(signal.start(SIGKILL, [](int) {}).error().number, EINVAL);
  EXPECT_EQ(signal.start(0, [](int) {}).error().number, EINVAL);
  EXPECT_EQ(signal.start(65, [](int) {}).error().number, EINVAL);
  EXPECT_FALSE(signal.is_active());
  ASSERT_TRUE(signal.start(SIGINT, [](int) {}));
  signal.unref();
  EXPECT_FALSE(loop.run());
  signal.ref();
  EXPECT_TRUE(loop.alive());
}

INSTANTIATE_TEST_SUITE_P(Pollers, SignalTest, ::testing::Values("epoll", "uring"));

}  // namespace
}  // namespace rondo
