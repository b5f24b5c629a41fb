// Which queue is served next: the three policies, and what none of them may do.
#include "rondo/html/policy.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "loop/html/test_window.h"

namespace rondo::html {
namespace {

TEST(HtmlPolicy, names) {
  EXPECT_TRUE(make_policy("fifo"));
  EXPECT_TRUE(make_policy("priority"));
  EXPECT_TRUE(make_policy("seed:42"));
  for (const char* wrong : {"", "seed", "seed:", "seed:4x", "seed:-1", "lifo"})
    EXPECT_FALSE(make_policy(wrong)) << wrong;
}

// A loop with 1000 tasks of all sources mixed; the order in which they ran.
std::vector<std::pair<TaskSource, int>> run_mixed(std::unique_ptr<ChoicePolicy> policy) {
  ManualClock clock;
  Loop reactor(LoopOptions{.clock = &clock, .poller = "epoll"});
  EventLoop loop(reactor, {.kind = LoopKind::Worker, .policy = std::move(policy)});
  std::vector<std::pair<TaskSource, int>> order;
  for (int i = 0; i < 1000; i++) {
    const auto source = static_cast<TaskSource>(static_cast<std::size_t>(i * 7) % kTaskSources);
    loop.queue_a_task(source, nullptr, [&order, source, i] { order.emplace_back(source, i); });
  }
  loop.run();
  return order;
}

TEST(HtmlPolicy, S175_S176_no_policy_changes_the_order_within_a_source) {
  for (const char* name : {"fifo", "priority", "seed:1", "seed:2", "seed:3"}) {
    const auto order = run_mixed(make_policy(name));
    ASSERT_EQ(order.size(), 1000u);
    std::map<TaskSource, int> last;
    for (const auto& [source, number] : order) {
      if (last.contains(source)) {
        EXPECT_LT(last[source], number) << name;
      }
      last[source] = number;
    }
  }
}

TEST(HtmlPolicy, S175_interaction_comes_first_and_every_ready_queue_is_served_within_the_bound) {
  const auto order = run_mixed(make_policy("priority"));
  EXPECT_EQ(order[0].first, TaskSource::UserInteraction);
  std::map<TaskSource, std::size_t> left;
  for (const auto& entry : order) left[entry.first]++;
  std::map<TaskSource, std::size_t> waited;
  for (const auto& entry : order) {
    for (auto& [source, count] : left) {
      if (source == entry.first) waited[source] = 0;
      if (source == entry.first || count == 0) continue;
      EXPECT_LT(++waited[source], kPriorityBound);
    }
    left[entry.first]--;
  }
}

TEST(HtmlPolicy, S196_the_choice_is_the_implementations_fixed_or_seeded) {
  EXPECT_EQ(run_mixed(nullptr), run_mixed(make_policy("fifo")));
  EXPECT_EQ(run_mixed(make_policy("seed:7")), run_mixed(make_policy("seed:7")));
  std::set<TaskSource> first;
  for (int seed = 0; seed < 200; seed++) first.insert(run_mixed(make_policy("seed:" + std::to_string(seed)))[0].first);
  EXPECT_EQ(first.size(), kTaskSources);
  const auto fifo = run_mixed(make_policy("fifo"));
  for (int i = 0; i < 1000; i++) EXPECT_EQ(fifo[static_cast<std::size_t>(i)].second, i);
}

}  // namespace
}  // namespace rondo::html
