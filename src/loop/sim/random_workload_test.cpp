// Ten thousand seeds of the random workload. A failing one is printed with the command that replays it; `make soak` runs many more, from
// another beginning each time (seeds.h). S135 S153
#include <gtest/gtest.h>

#include <cstdio>

#include "loop/sim/seeds.h"
#include "loop/sim/workload.h"

namespace rondo {
namespace {

TEST(RandomWorkload, S153_every_seed_keeps_the_loops_promises) {
  const testing::Seeds seeds(10'000);
  std::size_t operations = 0, faults = 0;
  testing::run_seeds(seeds, [&](std::uint64_t seed) {
    Workload workload(seed);
    std::string breach = workload.run();
    operations += workload.operations();
    faults += workload.faults();
    return breach;
  });
  std::printf("%llu seeds, %zu operations, %zu faults\n", static_cast<unsigned long long>(seeds.count), operations,
              faults);
}

TEST(RandomWorkload, a_seed_is_a_run) {
  for (std::uint64_t seed = 1; seed <= 50; seed++) {
    Workload one(seed), two(seed);
    EXPECT_EQ(one.run(), "");
    EXPECT_EQ(two.run(), "");
    EXPECT_EQ(one.fingerprint(), two.fingerprint()) << seed;
  }
}

}  // namespace
}  // namespace rondo
