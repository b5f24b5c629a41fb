// The loop's clock as JavaScript sees it: asking what time it is does not move it; starting a timer does.
#include "test_runtime.h"

#include <gtest/gtest.h>

namespace rondo::runtime {
namespace {

void let_time_pass(const Loop& loop) {
  const Nanoseconds since = loop.read_clock();
  while (loop.read_clock() - since < 1'000'000) continue;
}

TEST(ClockTest, queries_do_not_move_the_loops_clock) {
  const Loop& loop = test_runtime().loop();
  for (const char* query : {
           "process.uptime()",
           "process.hrtime()[0]",
           "process.hrtime.bigint() > 0n",
           "performance.now()",
           "performance.timeOrigin",
           "performance.eventLoopUtilization().idle",
           "performance.nodeTiming.duration",
           "performance.mark('here').startTime",
           "process.cpuUsage().user",
           "process.resourceUsage().userCPUTime",
           "Date.now()",
       }) {
    const Nanoseconds before = loop.now();
    let_time_pass(loop);
    EXPECT_EQ(evaluate(query).find("throws"), std::string::npos) << query << ": " << evaluate(query);
    EXPECT_EQ(loop.now(), before) << query;
  }
}

TEST(ClockTest, starting_a_timer_counts_from_the_moment_of_the_call) {
  const Loop& loop = test_runtime().loop();
  const Nanoseconds before = loop.now();
  let_time_pass(loop);
  EXPECT_EQ(evaluate("clearTimeout(setTimeout(() => {}, 1000)); 'started'"), "started");
  EXPECT_GE(loop.now() - before, 1'000'000);
}

}  // namespace
}  // namespace rondo::runtime
