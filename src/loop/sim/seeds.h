// Shared by the tests of random programs on a simulated world: which seeds to run, how a failing one is told, and what must hold when a
// program has ended. Tests only.
//
//   RONDO_SEED=N             that seed alone
//   RONDO_SOAK_SEED=N        begin there instead of at 1 (`make soak`)
//   RONDO_SOAK=1             twenty times as many
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "rondo/sim.h"

namespace rondo::testing {

struct Seeds {
  explicit Seeds(std::uint64_t usual) : count(std::getenv("RONDO_SOAK") ? usual * 20 : usual) {
    const char* one = std::getenv("RONDO_SEED");
    const char* begin = one ? one : std::getenv("RONDO_SOAK_SEED");
    if (begin) first = std::strtoull(begin, nullptr, 10);
    if (one) count = 1;
    is_one = one != nullptr;
  }
  std::uint64_t first = 1, count;
  bool is_one = false;
};

// Runs `run(seed)`, which returns what went wrong in words, for each seed until one fails.
template <class Run>
void run_seeds(const Seeds& seeds, Run&& run) {
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    ASSERT_EQ(run(seed), std::string()) << "seed " << seed << "; replay: RONDO_SEED=" << seed
                                        << " loop_tests --gtest_filter='" << test->test_suite_name() << '.'
                                        << test->name() << "'";
  }
}

// Runs the loop in all its ways until it has ended. Returns the failure in words; `breach` is the program's own finding, looked at after each.
inline std::string run_to_the_end(Loop& loop, SimWorld& world, SeededDecider& decider, const std::string& breach,
                                  int most_rounds = 50'000) {
  for (int rounds = 0; rounds < most_rounds && breach.empty(); rounds++) {
    const bool is_alive = loop.run(static_cast<RunMode>(decider.random(3)));
    if (!breach.empty()) break;
    if (world.is_stuck()) return "the loop waits for something that cannot come";
    if (!is_alive) return "";
  }
  return breach.empty() ? "the program does not end" : breach;
}

// Nothing may be left: no handle, no operation, no descriptor.
inline std::string what_is_left(const Loop& loop, const SimWorld& world) {
  if (loop.active_handles() != 0) return "handles left active: " + std::to_string(loop.active_handles());
  if (loop.active_operations() != 0) return "operations left active: " + std::to_string(loop.active_operations());
  if (world.open_descriptors() != 0) return "descriptors left open: " + std::to_string(world.open_descriptors());
  return "";
}

}  // namespace rondo::testing
