// Task sources of a program's own beside the Standard's.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rondo/html.h"

namespace rondo::html {
namespace {

TEST(HtmlOwnSources, have_names_queues_and_their_own_order) {
  ManualClock clock;
  Loop reactor(LoopOptions{.clock = &clock, .poller = "epoll"});
  EventLoop loop(reactor, {.kind = LoopKind::Worker, .policy = make_policy("priority")});
  EXPECT_EQ(loop.task_queues(), kTaskSources);
  const auto sensors = loop.add_task_source("sensors"), audio = loop.add_task_source("audio");
  ASSERT_TRUE(sensors && audio);
  EXPECT_EQ(loop.task_queues(), kTaskSources + 2);
  EXPECT_EQ(loop.name_of_source(*sensors), "sensors");
  EXPECT_EQ(loop.name_of_source(TaskSource::Timer), "timer");
  EXPECT_EQ(name_of(*audio), "other");
  std::string order;
  for (int i = 0; i < 3; i++) {
    loop.queue_a_task(*sensors, nullptr, [&, i] { order += static_cast<char>('a' + i); });
    loop.queue_a_task(*audio, nullptr, [&, i] { order += static_cast<char>('A' + i); });
  }
  loop.queue_a_task(TaskSource::UserInteraction, nullptr, [&] { order += '!'; });
  loop.run();
  EXPECT_EQ(order, "!aAbBcC");
}

TEST(HtmlOwnSources, are_as_many_as_there_is_room_for) {
  Loop reactor;
  EventLoop loop(reactor, {.kind = LoopKind::Worker});
  std::size_t made = 0;
  while (loop.add_task_source("source " + std::to_string(made))) made++;
  EXPECT_EQ(made, kMaxTaskSources - kTaskSources);
  std::size_t ran = 0;
  for (std::size_t i = 0; i < kMaxTaskSources; i++)
    loop.queue_a_task(static_cast<TaskSource>(i), nullptr, [&] { ran++; });
  loop.run();
  EXPECT_EQ(ran, kMaxTaskSources);
}

TEST(HtmlOwnSources, wait_no_longer_than_the_bound) {
  ManualClock clock;
  Loop reactor(LoopOptions{.clock = &clock, .poller = "epoll"});
  EventLoop loop(reactor, {.kind = LoopKind::Worker, .policy = make_policy("priority")});
  std::vector<TaskSource> own;
  while (const auto source = loop.add_task_source("own")) own.push_back(*source);
  std::size_t choices = 0, longest = 0, last = 0;
  const auto again = [&](auto& self) -> void {
    loop.queue_a_task(TaskSource::UserInteraction, nullptr, [&] {
      if (++choices < 2000) self(self);
    });
  };
  again(again);
  again(again);
  const auto work = [&](TaskSource source, auto& self) -> void {
    loop.queue_a_task(source, nullptr, [&, source] {
      choices++;
      if (source == own[0]) longest = std::max(longest, choices - std::exchange(last, choices));
      if (choices < 2000) self(source, self);
    });
  };
  for (const TaskSource source : own) {
    work(source, work);
    work(source, work);
  }
  loop.run();
  EXPECT_LE(longest, kPriorityBound + own.size());
}

TEST(HtmlOwnSourcesDeathTest, of_another_loop_are_named) {
  Loop reactor;
  EventLoop loop(reactor, {.kind = LoopKind::Worker});
  EXPECT_DEATH(loop.queue_a_task(static_cast<TaskSource>(kTaskSources), nullptr, [] {}), "source that this");
}

}  // namespace
}  // namespace rondo::html
