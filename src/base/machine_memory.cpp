// See machine_memory.h.
#include "base/machine_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace rondo {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
// A control group of version 1 writes "no limit" as its largest page count: more than any machine has.
constexpr std::uint64_t kMoreThanAnyMachine = std::uint64_t{1} << 60;

// A small file as text; empty when it cannot be read.
template <std::size_t kSize>
void read_text(const char* path, char (&text)[kSize]) {
  text[0] = 0;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  std::size_t length = 0;
  while (length < kSize - 1) {
    const ssize_t got = read(fd, text + length, kSize - 1 - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  text[length] = 0;
  close(fd);
}

std::uint64_t read_limit(const char* folder, const char* file) {
  char path[4608], text[64];
  std::snprintf(path, sizeof path, "%s/%s", folder, file);
  read_text(path, text);
  if (text[0] < '0' || text[0] > '9') return kNone;  // "max", or no such file
  const std::uint64_t limit = std::strtoull(text, nullptr, 10);
  return limit < kMoreThanAnyMachine ? limit : kNone;
}

// The least limit of a group and of all around it. Where a container shows only its own part of the tree, the inner
// folders do not exist and the root is the container's group.
std::uint64_t least_limit(const char* root, const char* group, const char* const (&files)[2]) {
  char folder[4400];
  std::snprintf(folder, sizeof folder, "%s%s", root, group);
  std::uint64_t least = kNone;
  for (const std::size_t end = std::strlen(root); std::strlen(folder) >= end;) {
    for (const char* file : files) least = std::min(least, read_limit(folder, file));
    char* slash = std::strrchr(folder, '/');
    if (!slash || slash < folder + end) break;
    *slash = 0;
  }
  return least;
}

// The group of this process in a hierarchy, from a line of /proc/self/cgroup: `number:controllers:group`. In place.
const char* group_of(char* groups, const char* controllers) {
  for (char* line = groups; line;) {
    char* next = std::strchr(line, '\n');
    char* names = std::strchr(line, ':');
    char* group = names ? std::strchr(names + 1, ':') : nullptr;
    if (group && (!next || group < next) && std::strncmp(names, controllers, std::strlen(controllers)) == 0) {
      if (next) *next = 0;
      return group + 1;
    }
    line = next ? next + 1 : nullptr;
  }
  return "";
}

}  // namespace

std::uint64_t constrained_memory() {
  char groups[4096], copy[4096];
  read_text("/proc/self/cgroup", groups);
  std::memcpy(copy, groups, sizeof copy);
  const std::uint64_t least =
      std::min(least_limit("/sys/fs/cgroup", group_of(groups, "::"), {"memory.max", "memory.high"}),
               least_limit("/sys/fs/cgroup/memory", group_of(copy, ":memory:"),
                           {"memory.limit_in_bytes", "memory.soft_limit_in_bytes"}));
  return least == kNone ? 0 : least;
}

std::uint64_t first_constrained_memory() {
  static const std::uint64_t first = constrained_memory();
  return first;
}

std::uint64_t address_space_limit() {
  std::uint64_t least = kNone;
  for (const auto kind : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      least = std::min<std::uint64_t>(least, limit.rlim_cur);
  }
  return least == kNone ? 0 : least;
}

std::uint64_t usable_memory() {
  struct sysinfo machine{};
  std::uint64_t least = kNone;
  if (sysinfo(&machine) == 0) least = std::uint64_t{machine.totalram} * machine.mem_unit;
  for (const std::uint64_t limit : {first_constrained_memory(), address_space_limit()})
    if (limit) least = std::min(least, limit);
  return least;
}

}  // namespace rondo
