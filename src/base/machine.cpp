// See machine.h.
#include "base/machine.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <pwd.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string_view>

namespace rondo::machine {

namespace {

// Kilobytes of a line of /proc/meminfo, in bytes; 0 when there is none.
double memory_line(std::string_view key) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size(), nullptr) * 1024;
  }
  return 0;
}

std::string hardware_address_of(const ifaddrs* all, const char* name) {
  for (const auto* at = all; at; at = at->ifa_next) {
    if (!at->ifa_addr || at->ifa_addr->sa_family != AF_PACKET || strcmp(at->ifa_name, name) != 0) continue;
    const auto* b = reinterpret_cast<const sockaddr_ll*>(at->ifa_addr)->sll_addr;
    char text[18];
    std::snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4], b[5]);
    return text;
  }
  return "00:00:00:00:00:00";
}

std::string address_text(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (!address) return text;
  const void* bytes = address->sa_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                          : &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  inet_ntop(address->sa_family, bytes, text, sizeof text);
  return text;
}

int prefix_length(const sockaddr* mask) {
  if (!mask) return -1;
  const auto* bytes = mask->sa_family == AF_INET
                          ? reinterpret_cast<const std::uint8_t*>(&reinterpret_cast<const sockaddr_in*>(mask)->sin_addr)
                          : reinterpret_cast<const sockaddr_in6*>(mask)->sin6_addr.s6_addr;
  const int size = mask->sa_family == AF_INET ? 4 : 16;
  int bits = 0;
  bool ended = false;
  for (int i = 0; i < size * 8; i++) {
    const bool is_set = bytes[i / 8] & (0x80 >> (i % 8));
    if (is_set && ended) return -1;
    if (is_set)
      bits++;
    else
      ended = true;
  }
  return bits;
}

std::vector<Processor> known_processors() {
  std::vector<Processor> found;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    if (line.starts_with("processor"))
      found.emplace_back();
    else if (found.empty())
      continue;
    else if (line.starts_with("model name"))
      found.back().model = value;
    else if (line.starts_with("cpu MHz"))
      found.back().megahertz = std::strtod(value.c_str(), nullptr);
  }
  return found;
}

}  // namespace

Name name() {
  utsname told{};
  uname(&told);
  return {told.sysname, told.version, told.release, told.machine, told.nodename};
}

double total_memory() {
  const double bytes = memory_line("MemTotal:");
  struct sysinfo info{};
  return bytes == 0 && sysinfo(&info) == 0 ? static_cast<double>(info.totalram) * info.mem_unit : bytes;
}

double available_memory() {
  const double bytes = memory_line("MemAvailable:");
  struct sysinfo info{};
  return bytes == 0 && sysinfo(&info) == 0 ? static_cast<double>(info.freeram) * info.mem_unit : bytes;
}

std::array<double, 3> load_averages() {
  std::array<double, 3> loads{};
  std::ifstream file("/proc/loadavg");
  if (!(file >> loads[0] >> loads[1] >> loads[2])) getloadavg(loads.data(), 3);
  return loads;
}

double uptime_seconds() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec / 10000000) / 100;
}

int usable_processors() {
  cpu_set_t set;
  const int count =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return count > 0 ? count : 1;
}

std::vector<Processor> processors() {
  const auto known = known_processors();
  const double tick = 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::vector<Processor> found;
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 4 || !isdigit(static_cast<unsigned char>(line[3]))) continue;  // "cpu " is the sum of all
    unsigned index = 0;
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0;
    if (std::sscanf(line.c_str(), "cpu%u %lf %lf %lf %lf %lf %lf", &index, &user, &nice, &system, &idle, &wait, &irq) !=
        7)
      continue;
    found.push_back(index < known.size() ? known[index] : Processor());
    found.back().times = {user * tick, nice * tick, system * tick, idle * tick, irq * tick};
  }
  return found;
}

Result<std::vector<Interface>> interfaces() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return last_failure("getifaddrs");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, freeifaddrs);
  std::vector<Interface> found;
  for (const auto* at = first; at; at = at->ifa_next) {
    const bool is_up = (at->ifa_flags & IFF_UP) && (at->ifa_flags & IFF_RUNNING);
    if (!is_up || !at->ifa_addr || (at->ifa_addr->sa_family != AF_INET && at->ifa_addr->sa_family != AF_INET6))
      continue;
    const bool is_v6 = at->ifa_addr->sa_family == AF_INET6;
    found.push_back({.name = at->ifa_name,
                     .address = address_text(at->ifa_addr),
                     .netmask = address_text(at->ifa_netmask),
                     .hardware_address = hardware_address_of(first, at->ifa_name),
                     .is_v6 = is_v6,
                     .is_internal = (at->ifa_flags & IFF_LOOPBACK) != 0,
                     .prefix_length = prefix_length(at->ifa_netmask),
                     .scope = is_v6 ? reinterpret_cast<const sockaddr_in6*>(at->ifa_addr)->sin6_scope_id : 0});
  }
  return found;
}

Result<int> priority(int process) {
  errno = 0;
  const int found = getpriority(PRIO_PROCESS, static_cast<id_t>(process));
  if (found == -1 && errno != 0) return last_failure("getpriority");
  return found;
}

Result<void> set_priority(int process, int priority) {
  if (setpriority(PRIO_PROCESS, static_cast<id_t>(process), priority) != 0) return last_failure("setpriority");
  return {};
}

Result<User> effective_user() {
  std::vector<char> storage(1024);
  passwd entry{}, *found = nullptr;
  int error = 0;
  while ((error = getpwuid_r(geteuid(), &entry, storage.data(), storage.size(), &found)) == ERANGE)
    storage.resize(storage.size() * 2);
  if (error != 0) return failure(error, "getpwuid_r");
  if (!found) return failure(ENOENT, "getpwuid_r");
  auto text = [](const char* given) { return std::string(given ? given : ""); };
  return User{.id = entry.pw_uid,
              .group = entry.pw_gid,
              .name = text(entry.pw_name),
              .home = text(entry.pw_dir),
              .shell = text(entry.pw_shell)};
}

}  // namespace rondo::machine
