// See record_clock.h.
#include "observe/record_clock.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace rondo::observe {

namespace {

// Long enough that the two readings' own time is a small part of it; short enough that a wrong rate does little.
constexpr Nanoseconds kSetEvery = 4'000'000;

// The kernel trusts the counter as its own clock.
bool is_kernel_clock() {
  FILE* file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
  if (!file) return false;
  char name[8] = {};
  const bool is_it = fgets(name, sizeof name, file) && std::strncmp(name, "tsc", 3) == 0;
  fclose(file);
  return is_it;
}

#if defined(__x86_64__)
uint64_t counter() { return __rdtsc(); }

bool has_steady_counter() {
  constexpr unsigned kAdvanced = 0x80000007, kInvariant = 1U << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  static const bool is_steady = __get_cpuid(kAdvanced, &a, &b, &c, &d) && (d & kInvariant) && is_kernel_clock();
  return is_steady;
}
#else
uint64_t counter() { return 0; }
bool has_steady_counter() { return false; }
#endif

}  // namespace

RecordClock::RecordClock() : is_fast_(has_steady_counter()) {
  if (!is_fast_) return;
  at_count_ = counter();
  at_time_ = last_ = steady_now();
}

Nanoseconds RecordClock::now() {
  if (!is_fast_) return steady_now();
  const uint64_t count = counter();
  if (count >= next_set_) [[unlikely]]
    return set(count);
  const auto passed = static_cast<Nanoseconds>(static_cast<double>(count - at_count_) * ns_per_count_);
  return last_ = std::max(last_, at_time_ + passed);
}

// Until kSetEvery has passed once the rate is not known.
Nanoseconds RecordClock::set(uint64_t count) {
  const Nanoseconds time = steady_now();
  const Nanoseconds passed = time - at_time_;
  if (passed >= kSetEvery) {
    ns_per_count_ = static_cast<double>(passed) / static_cast<double>(count - at_count_);
    at_count_ = count;
    at_time_ = time;
    next_set_ = count + static_cast<uint64_t>(static_cast<double>(kSetEvery) / ns_per_count_);
  }
  return last_ = std::max(last_, time);
}

}  // namespace rondo::observe
