// Ten thousand seeds of the random workload. A failing one is printed with the command that replays it: RONDO_SEED=N runs
// that seed alone. `make soak` sets RONDO_SOAK and RONDO_SOAK_SEED: many more seeds from another beginning. S38 S40 S43 S51 S135 S153
#include <gtest/gtest.h>

#include <cstdlib>

#include "loop/sim/workload.h"

namespace rondo {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

TEST(RandomWorkload, S153_every_seed_keeps_the_loops_promises) {
  std::uint64_t first = number_from("RONDO_SOAK_SEED", 1);
  std::uint64_t count = std::getenv("RONDO_SOAK") ? 200'000 : number_from("RONDO_SEEDS", 10'000);
  if (std::getenv("RONDO_SEED")) {
    first = number_from("RONDO_SEED", 1);
    count = 1;
  }
  std::size_t operations = 0, faults = 0;
  for (std::uint64_t seed = first; seed < first + count; seed++) {
    Workload workload(seed);
    const std::string breach = workload.run();
    operations += workload.operations();
    faults += workload.faults();
    ASSERT_EQ(breach, "") << "seed " << seed << "; replay: RONDO_SEED=" << seed
                          << " loop_tests --gtest_filter='RandomWorkload.*'";
  }
  std::printf("%llu seeds, %zu operations, %zu faults\n", static_cast<unsigned long long>(count), operations, faults);
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
