// Timers on a manual clock: never early, order, repetition, re-arming, a million at once, and a comparison
// of the queue with a plain sorted model over random programs.
#include "rondo/timer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "rondo/loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class TimerTest : public ::testing::Test {
 protected:
  ManualClock clock{ManualClock::Mode::AutoAdvance, 123'456'789};
  Loop loop{LoopOptions{.clock = &clock, .poller = "epoll"}};
};

TEST_F(TimerTest, S131_equal_deadlines_fire_in_start_order) {
  std::deque<Timer> timers;
  std::vector<int> order;
  for (int i = 0; i < 1000; i++) timers.emplace_back(loop).start(5ms, [&order, i] { order.push_back(i); });
  loop.run();
  ASSERT_EQ(order.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(TimerTest, never_early_to_the_nanosecond) {
  Timer timer(loop);
  const Nanoseconds start = loop.now();
  Nanoseconds fired = 0;
  timer.start(Duration(1'234'567), [&] { fired = loop.now(); });
  loop.run();
  EXPECT_EQ(fired, start + 1'234'567);
}

TEST_F(TimerTest, started_while_firing_waits_for_the_next_iteration) {
  Timer first(loop), second(loop);
  std::uint64_t first_iteration = 0, second_iteration = 0;
  first.start(1ms, [&] {
    first_iteration = loop.iterations();
    second.start_at(0, [&] { second_iteration = loop.iterations(); });
  });
  loop.run();
  EXPECT_EQ(second_iteration, first_iteration + 1);
}

TEST_F(TimerTest, repeats_without_drift_and_skips_what_it_missed) {
  Timer timer(loop);
  std::vector<Nanoseconds> fired;
  const Nanoseconds start = loop.now();
  timer.start(
      10ms,
      [&] {
        fired.push_back(loop.now() - start);
        if (fired.size() == 2)
          clock.advance(25ms);  // blocked from 20 to 45
        else
          clock.advance(1ms);
        if (fired.size() == 5) timer.stop();
      },
      10ms);
  loop.run();
  EXPECT_EQ(fired, (std::vector<Nanoseconds>{10'000'000, 20'000'000, 45'000'000, 50'000'000, 60'000'000}));
}

TEST_F(TimerTest, restart_moves_the_deadline) {
  Timer timer(loop), mover(loop);
  const Nanoseconds start = loop.now();
  Nanoseconds fired = 0;
  timer.start(10ms, [&] { fired = loop.now() - start; });
  mover.start(9ms, [&] { timer.restart(10ms); });
  loop.run();
  EXPECT_EQ(fired, 19'000'000);
}

TEST_F(TimerTest, far_deadlines_are_exact_and_wake_once) {
  Timer timer(loop);
  const Nanoseconds start = loop.now();
  Nanoseconds fired = 0;
  timer.start(std::chrono::hours(24 * 365), [&] { fired = loop.now() - start; });
  loop.run();
  EXPECT_EQ(fired, 365LL * 24 * 3600 * 1'000'000'000);
  EXPECT_LE(loop.iterations(), 3u);
}

TEST_F(TimerTest, endless_delays_do_not_overflow) {
  Timer timer(loop);
  timer.start(Duration::max(), [] {});
  timer.unref();
  EXPECT_GT(timer.deadline(), loop.now());
  loop.run(RunMode::NoWait);
}

TEST_F(TimerTest, endless_periods_do_not_overflow) {
  for (const Duration period :
       {Duration::max(), Duration::max() - 1ms, std::chrono::duration_cast<Duration>(24h * 365 * 250)}) {
    Timer timer(loop);
    int fired = 0;
    timer.start(1ms, [&] { fired++; }, period);
    while (fired == 0) loop.run(RunMode::Once);
    EXPECT_TRUE(timer.is_active());
    EXPECT_GT(timer.deadline(), loop.now());
    EXPECT_EQ(timer.period(), period);
    loop.run(RunMode::NoWait);
    EXPECT_EQ(fired, 1);
  }
}

TEST_F(TimerTest, deadlines_of_any_number_do_not_overflow) {
  for (const Nanoseconds deadline : {INT64_MIN, INT64_MIN + 1, std::int64_t{-1}, std::int64_t{0}}) {
    Timer timer(loop);
    int fired = 0;
    timer.start_at(deadline, [&] { fired++; }, 1ms);
    EXPECT_EQ(loop.backend_timeout(), 0);
    loop.run(RunMode::NoWait);
    EXPECT_EQ(fired, 1);
    EXPECT_GT(timer.deadline(), loop.now());
    EXPECT_LE(timer.deadline(), loop.now() + 1'000'000);
  }
  Timer never(loop);
  never.start_at(kNever, [] {});
  EXPECT_EQ(loop.backend_timeout(), kNever);
}

TEST_F(TimerTest, stopping_the_first_timer_leaves_the_exact_next) {
  Timer first(loop), second(loop);
  first.start(5ms, [] {});
  second.start(50ms, [] {});
  first.stop();
  EXPECT_EQ(loop.backend_timeout(), 50'000'000);
}

TEST_F(TimerTest, postponed_timers_keep_exact_time_and_order_and_wake_once) {
  constexpr int kTimers = 5000;
  std::deque<Timer> timers;
  std::vector<int> order;
  Nanoseconds fired = 0;
  const Nanoseconds start = loop.now();
  for (int i = 0; i < kTimers; i++) {
    timers.emplace_back(loop).start(5s, [&, i] {
      order.push_back(i);
      fired = loop.now() - start;
    });
  }
  Timer mover(loop);
  mover.start(1s, [&] {
    for (int i = kTimers - 1; i >= 0; i--) timers[i].restart(5s);
    EXPECT_GT(loop.backend_timeout(), 4'700'000'000);  // not the time given up, which is four seconds away
  });
  loop.run();
  EXPECT_EQ(fired, 6'000'000'000);
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kTimers));
  EXPECT_TRUE(std::is_sorted(order.rbegin(), order.rend()));
  EXPECT_LE(loop.iterations(), 4u);  // one of them for the beginning of a crowded slot; none for the time given up
}

TEST_F(TimerTest, S131_a_million_at_once) {
  struct Counter {
    std::size_t fired = 0;
    Nanoseconds last = 0;
    bool in_order = true;
  } counter;
  std::deque<Timer> timers;
  std::mt19937 random(7);
  for (int i = 0; i < 1'000'000; i++) {
    Timer& timer = timers.emplace_back(loop);
    timer.start(Duration(random() % 500'000'000), [&counter, &timer] {
      counter.fired++;
      counter.in_order &= timer.deadline() >= counter.last;
      counter.last = timer.deadline();
    });
  }
  loop.run();
  EXPECT_EQ(counter.fired, 1'000'000u);
  EXPECT_TRUE(counter.in_order);
}

// Random starts, stops and steps against a model that sorts.
TEST_F(TimerTest, agrees_with_a_sorted_model) {
  for (unsigned seed = 0; seed < 200; seed++) {
    std::mt19937_64 random(seed);
    TimerQueue queue(clock.now());
    ManualClock still(ManualClock::Mode::Manual, clock.now());
    Loop own(LoopOptions{.clock = &still, .poller = "epoll"});
    constexpr int kTimers = 60;
    std::deque<Timer> timers;
    std::vector<int> order;
    struct Armed {
      Nanoseconds deadline;
      int sequence;
      int index;
    };
    std::vector<Armed> model;
    for (int i = 0; i < kTimers; i++) timers.emplace_back(own);
    int sequence = 0;
    for (int step = 0; step < 400; step++) {
      const int index = static_cast<int>(random() % kTimers);
      const int shift = static_cast<int>(random() % 45);
      switch (random() % 4) {
        case 0:
        case 1: {
          const Nanoseconds delay = static_cast<Nanoseconds>(random() % (std::uint64_t{1} << shift));
          timers[index].start(Duration(delay), [&order, index] { order.push_back(index); });
          std::erase_if(model, [&](const Armed& a) { return a.index == index; });
          model.push_back({own.now() + delay, sequence++, index});
          break;
        }
        case 2:
          timers[index].stop();
          std::erase_if(model, [&](const Armed& a) { return a.index == index; });
          break;
        default: {
          still.advance(Duration(static_cast<Nanoseconds>(random() % (std::uint64_t{1} << shift))));
          order.clear();
          own.run(RunMode::NoWait);
          own.update_time();
          std::sort(model.begin(), model.end(), [](const Armed& a, const Armed& b) {
            return a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence;
          });
          std::vector<int> expected;
          while (!model.empty() && model.front().deadline <= own.now()) {
            expected.push_back(model.front().index);
            model.erase(model.begin());
          }
          ASSERT_EQ(order, expected) << "seed " << seed << " step " << step;
        }
      }
      if (!model.empty() && random() % 3 == 0) {
        const auto sooner = [](const Armed& a, const Armed& b) { return a.deadline < b.deadline; };
        const Nanoseconds next = std::min_element(model.begin(), model.end(), sooner)->deadline;
        ASSERT_EQ(own.backend_timeout(), next - own.now()) << "seed " << seed << " step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
