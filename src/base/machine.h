// Facts about the machine, its user and priorities, as the kernel and libc tell them; asked anew each time. Any thread. What is not told
// (a bare container has no /proc) is empty or zero.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::machine {

struct Name {
  std::string system, version, release, hardware, host;
};
Name name();

// In bytes.
double total_memory();
double available_memory();

// Over 1, 5 and 15 minutes.
std::array<double, 3> load_averages();
// Since the machine started, in hundredths.
double uptime_seconds();
// How many processors this process may use; at least 1.
int usable_processors();

struct Processor {
  std::string model = "unknown";
  double megahertz = 0;
  std::array<double, 5> times{};  // user, nice, sys, idle, irq; in milliseconds
};
std::vector<Processor> processors();

struct Interface {
  std::string name, address, netmask, hardware_address;
  bool is_v6 = false;
  bool is_internal = false;
  int prefix_length = -1;  // -1: a mask with holes
  std::uint32_t scope = 0;
};
// One for each address of an interface that is up.
[[nodiscard]] Result<std::vector<Interface>> interfaces();

// Process 0 is this one.
[[nodiscard]] Result<int> priority(int process);
[[nodiscard]] Result<void> set_priority(int process, int priority);

struct User {
  std::uint32_t id = 0, group = 0;
  std::string name, home, shell;  // bytes of any encoding
};
[[nodiscard]] Result<User> effective_user();

}  // namespace rondo::machine
