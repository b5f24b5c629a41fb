// native('os'): facts about the machine, the user and priorities for lib/node/os.js. Lists come flat, as numbers and strings
// in turn; lib/ makes objects of them. What fails returns -errno.
#include "runtime/runtime.h"

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

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace rondo::modules {

using namespace engine;

namespace {

class List {
 public:
  explicit List(JSC::JSGlobalObject* realm) : realm_(realm) {}
  void add(std::string_view text) { items_.append(make_string(realm_->vm(), text)); }
  void add(double number) { items_.append(JSC::jsNumber(number)); }
  void add(Value value) { items_.append(value); }
  Value array() { return make_array(realm_, items_); }

 private:
  JSC::JSGlobalObject* realm_;
  JSC::MarkedArgumentBuffer items_;
};

// → [sysname, version, release, machine, hostname]
Value information(Call& call) {
  auto* realm = call.realm();
  utsname name{};
  uname(&name);
  List list(realm);
  for (const char* text : {name.sysname, name.version, name.release, name.machine, name.nodename}) list.add(text);
  return list.array();
}

// Kilobytes of a line of /proc/meminfo, in bytes; 0 when there is none.
double memory_line(std::string_view key) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size(), nullptr) * 1024;
  }
  return 0;
}

Value total_memory(Call&) {
  double bytes = memory_line("MemTotal:");
  struct sysinfo info{};
  if (bytes == 0 && sysinfo(&info) == 0) bytes = static_cast<double>(info.totalram) * info.mem_unit;
  return JSC::jsNumber(bytes);
}

Value free_memory(Call&) {
  double bytes = memory_line("MemAvailable:");
  struct sysinfo info{};
  if (bytes == 0 && sysinfo(&info) == 0) bytes = static_cast<double>(info.freeram) * info.mem_unit;
  return JSC::jsNumber(bytes);
}

Value load_average(Call& call) {
  auto* realm = call.realm();
  double loads[3] = {0, 0, 0};
  std::ifstream file("/proc/loadavg");
  if (!(file >> loads[0] >> loads[1] >> loads[2])) getloadavg(loads, 3);
  List list(realm);
  for (double load : loads) list.add(load);
  return list.array();
}

Value uptime(Call&) {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return JSC::jsNumber(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec / 10000000) / 100);
}

Value parallelism(Call&) {
  cpu_set_t set;
  int count =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return JSC::jsNumber(count > 0 ? count : 1);
}

struct Processor {
  std::string model = "unknown";
  double megahertz = 0;
};

std::vector<Processor> processors() {
  std::vector<Processor> found;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
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

// → [model, MHz, user, nice, sys, idle, irq, …], times in milliseconds
Value cpus(Call& call) {
  auto* realm = call.realm();
  auto known = processors();
  double tick = 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  List list(realm);
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 4 || !isdigit(static_cast<unsigned char>(line[3]))) continue;  // "cpu " is the sum of all
    unsigned index = 0;
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0;
    if (std::sscanf(line.c_str(), "cpu%u %lf %lf %lf %lf %lf %lf", &index, &user, &nice, &system, &idle, &wait, &irq) !=
        7)
      continue;
    Processor processor = index < known.size() ? known[index] : Processor();
    list.add(processor.model);
    list.add(static_cast<double>(static_cast<long>(processor.megahertz)));
    for (double time : {user, nice, system, idle, irq}) list.add(time * tick);
  }
  return list.array();
}

std::string mac_of(const ifaddrs* all, const char* name) {
  for (const auto* at = all; at; at = at->ifa_next) {
    if (!at->ifa_addr || at->ifa_addr->sa_family != AF_PACKET || strcmp(at->ifa_name, name) != 0) continue;
    const auto* link = reinterpret_cast<const sockaddr_ll*>(at->ifa_addr);
    char text[18];
    const auto* b = link->sll_addr;
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

// Bits of a network mask; -1 when it has holes.
int prefix_length(const sockaddr* mask) {
  if (!mask) return -1;
  const auto* bytes = mask->sa_family == AF_INET
                          ? reinterpret_cast<const uint8_t*>(&reinterpret_cast<const sockaddr_in*>(mask)->sin_addr)
                          : reinterpret_cast<const sockaddr_in6*>(mask)->sin6_addr.s6_addr;
  int size = mask->sa_family == AF_INET ? 4 : 16, bits = 0;
  bool ended = false;
  for (int i = 0; i < size * 8; i++) {
    bool set = bytes[i / 8] & (0x80 >> (i % 8));
    if (set && ended) return -1;
    if (set)
      bits++;
    else
      ended = true;
  }
  return bits;
}

// → [name, address, netmask, family, mac, internal, prefix length, scope id or -1, …]
Value interfaces(Call& call) {
  auto* realm = call.realm();
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return call.value(-errno);
  List list(realm);
  for (const auto* at = all; at; at = at->ifa_next) {
    bool is_up = (at->ifa_flags & IFF_UP) && (at->ifa_flags & IFF_RUNNING);
    if (!is_up || !at->ifa_addr || (at->ifa_addr->sa_family != AF_INET && at->ifa_addr->sa_family != AF_INET6))
      continue;
    bool is_v6 = at->ifa_addr->sa_family == AF_INET6;
    list.add(at->ifa_name);
    list.add(address_text(at->ifa_addr));
    list.add(address_text(at->ifa_netmask));
    list.add(is_v6 ? "IPv6" : "IPv4");
    list.add(mac_of(all, at->ifa_name));
    list.add(Value(JSC::jsBoolean(at->ifa_flags & IFF_LOOPBACK)));
    list.add(static_cast<double>(prefix_length(at->ifa_netmask)));
    list.add(is_v6 ? static_cast<double>(reinterpret_cast<const sockaddr_in6*>(at->ifa_addr)->sin6_scope_id) : -1.0);
  }
  freeifaddrs(all);
  return list.array();
}

// (pid) → priority, or [-errno]
Value get_priority(Call& call) {
  auto* realm = call.realm();
  errno = 0;
  int priority = getpriority(PRIO_PROCESS, static_cast<id_t>(call.int32(0)));
  if (priority == -1 && errno != 0) {
    List list(realm);
    list.add(static_cast<double>(-errno));
    return list.array();
  }
  return call.value(priority);
}

Value set_priority(Call& call) {
  return call.value(setpriority(PRIO_PROCESS, static_cast<id_t>(call.int32(0)), call.int32(1)) == 0 ? 0 : -errno);
}

// → [uid, gid, name, home, shell] of the effective user (texts as bytes), or -errno
Value user_information(Call& call) {
  auto* realm = call.realm();
  std::vector<char> storage(1024);
  passwd entry{}, *found = nullptr;
  int error = 0;
  while ((error = getpwuid_r(geteuid(), &entry, storage.data(), storage.size(), &found)) == ERANGE)
    storage.resize(storage.size() * 2);
  if (error != 0) return call.value(-error);
  if (!found) return call.value(-ENOENT);
  List list(realm);
  list.add(static_cast<double>(entry.pw_uid));
  list.add(static_cast<double>(entry.pw_gid));
  for (const char* text : {entry.pw_name, entry.pw_dir, entry.pw_shell}) {
    std::string_view bytes = text ? text : "";
    list.add(make_uint8_array(realm, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
  }
  return list.array();
}

constexpr FunctionSpec kFunctions[] = {
    {"information", native<information>},
    {"totalMemory", native<total_memory>},
    {"freeMemory", native<free_memory>},
    {"loadAverage", native<load_average>},
    {"uptime", native<uptime>},
    {"parallelism", native<parallelism>},
    {"cpus", native<cpus>},
    {"interfaces", native<interfaces>},
    {"getPriority", native<get_priority>, 1},
    {"setPriority", native<set_priority>, 2},
    {"userInformation", native<user_information>},
};

}  // namespace

void init_os(runtime::Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
