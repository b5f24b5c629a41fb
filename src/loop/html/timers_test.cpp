// Timers as the Standard has them: order, nesting level and its clamp, repetition, clearing.
#include <gtest/gtest.h>

#include <functional>

#include "loop/html/test_window.h"

namespace rondo::html {
namespace {

using namespace std::chrono_literals;

class HtmlTimers : public Window {};

TEST_F(HtmlTimers, run_in_the_order_of_their_times_and_of_their_start) {
  loop.initialize_a_timer(document.get(), 2, false, [&] { say("2"); });
  loop.initialize_a_timer(document.get(), 1, false, [&] { say("1a"); });
  loop.initialize_a_timer(document.get(), 1, false, [&] { say("1b"); });
  loop.initialize_a_timer(document.get(), 0, false, [&] { say("0"); });
  loop.initialize_a_timer(document.get(), -5, false, [&] { say("less"); });
  loop.run();
  EXPECT_EQ(log, (Log{"0", "less", "1a", "1b", "2"}));
}

TEST_F(HtmlTimers, one_that_is_due_comes_before_a_new_one_without_delay) {
  loop.queue_a_task(TaskSource::DomManipulation, nullptr, [&] {
    loop.initialize_a_timer(document.get(), 1, false, [&] { say("due"); });
    clock.advance(5ms);
    loop.initialize_a_timer(document.get(), 0, false, [&] { say("new"); });
  });
  loop.run();
  EXPECT_EQ(log, (Log{"due", "new"}));
}

TEST_F(HtmlTimers, the_seventh_nested_timer_and_later_ones_wait_4_ms) {
  std::vector<Nanoseconds> at;
  std::function<void()> next = [&] {
    loop.initialize_a_timer(document.get(), 0, false, [&] {
      at.push_back(clock.now() / 1'000'000);
      if (at.size() < 9) next();
    });
  };
  next();
  loop.run();
  EXPECT_EQ(at, (std::vector<Nanoseconds>{0, 0, 0, 0, 0, 0, 4, 8, 12}));
}

TEST_F(HtmlTimers, what_a_microtask_starts_is_not_nested) {
  std::vector<Nanoseconds> at;
  std::function<void()> next = [&] {
    loop.initialize_a_timer(document.get(), 0, false, [&] {
      at.push_back(clock.now() / 1'000'000);
      if (at.size() < 9) loop.queue_a_microtask(next);
    });
  };
  next();
  loop.run();
  EXPECT_EQ(at, std::vector<Nanoseconds>(9, 0));
}

TEST_F(HtmlTimers, intervals_repeat_until_they_are_cleared_and_are_clamped_too) {
  std::vector<Nanoseconds> at;
  std::int32_t id = 0;
  id = loop.initialize_a_timer(document.get(), 1, true, [&] {
    at.push_back(clock.now() / 1'000'000);
    if (at.size() == 8) loop.clear_a_timer(id);
  });
  loop.run();
  EXPECT_EQ(at, (std::vector<Nanoseconds>{1, 2, 3, 4, 5, 6, 10, 14}));
}

TEST_F(HtmlTimers, a_cleared_timer_does_not_run_even_if_its_task_waits_already) {
  const auto id = loop.initialize_a_timer(document.get(), 0, false, [&] { say("never"); });
  loop.clear_a_timer(id);
  loop.clear_a_timer(12345);
  loop.run();
  EXPECT_TRUE(log.empty());
}

TEST_F(HtmlTimers, timers_of_a_document_end_with_it) {
  loop.initialize_a_timer(document.get(), 1, true, [&] { say("never"); });
  document.reset();
  loop.run();
  EXPECT_TRUE(log.empty());
}

}  // namespace
}  // namespace rondo::html
