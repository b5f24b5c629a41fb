// native('os'): facts about the machine, the user and priorities for lib/internal/os. Lists come flat, as numbers and strings
// in turn; lib/ makes objects of them. Failed system calls return -errno.
#include "base/machine.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;

namespace {

class List {
 public:
  explicit List(Call& call) : realm_(call.realm()) {}
  void add(std::string_view text) { items_.append(make_string(realm_->vm(), text)); }
  void add(double number) { items_.append(JSC::jsNumber(number)); }
  void add(bool flag) { items_.append(JSC::jsBoolean(flag)); }
  void add_bytes(std::string_view text) {
    items_.append(make_uint8_array(realm_, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  }
  Value array() { return make_array(realm_, items_); }

 private:
  JSC::JSGlobalObject* realm_;
  JSC::MarkedArgumentBuffer items_;
};

// → [sysname, version, release, machine, hostname]
Value information(Call& call) {
  const auto name = machine::name();
  List list(call);
  for (const auto& text : {name.system, name.version, name.release, name.hardware, name.host}) list.add(text);
  return list.array();
}

template <auto Fact>
Value number(Call& call) {
  return call.value(static_cast<double>(Fact()));
}

Value load_average(Call& call) {
  List list(call);
  for (double load : machine::load_averages()) list.add(load);
  return list.array();
}

// → [model, MHz, user, nice, sys, idle, irq, …], times in milliseconds
Value cpus(Call& call) {
  List list(call);
  for (const auto& processor : machine::processors()) {
    list.add(processor.model);
    list.add(static_cast<double>(static_cast<long>(processor.megahertz)));
    for (double time : processor.times) list.add(time);
  }
  return list.array();
}

// → [name, address, netmask, family, mac, internal, prefix length, scope id or -1, …]
Value interfaces(Call& call) {
  const auto found = machine::interfaces();
  if (!found) return call.value(-found.error().number);
  List list(call);
  for (const auto& interface : *found) {
    list.add(interface.name);
    list.add(interface.address);
    list.add(interface.netmask);
    list.add(std::string_view(interface.is_v6 ? "IPv6" : "IPv4"));
    list.add(interface.hardware_address);
    list.add(interface.is_internal);
    list.add(static_cast<double>(interface.prefix_length));
    list.add(interface.is_v6 ? static_cast<double>(interface.scope) : -1.0);
  }
  return list.array();
}

// (pid) → priority, or [-errno]
Value get_priority(Call& call) {
  const auto priority = machine::priority(call.int32(0));
  if (priority) return call.value(*priority);
  List list(call);
  list.add(static_cast<double>(-priority.error().number));
  return list.array();
}

Value set_priority(Call& call) {
  const auto set = machine::set_priority(call.int32(0), call.int32(1));
  return call.value(set ? 0 : -set.error().number);
}

// → [uid, gid, name, home, shell] of the effective user (texts as bytes), or -errno
Value user_information(Call& call) {
  const auto user = machine::effective_user();
  if (!user) return call.value(-user.error().number);
  List list(call);
  list.add(static_cast<double>(user->id));
  list.add(static_cast<double>(user->group));
  for (const auto& text : {user->name, user->home, user->shell}) list.add_bytes(text);
  return list.array();
}

constexpr FunctionSpec kFunctions[] = {
    {"information", native<information>},
    {"totalMemory", native<number<machine::total_memory>>},
    {"freeMemory", native<number<machine::available_memory>>},
    {"loadAverage", native<load_average>},
    {"uptime", native<number<machine::uptime_seconds>>},
    {"parallelism", native<number<machine::usable_processors>>},
    {"cpus", native<cpus>},
    {"interfaces", native<interfaces>},
    {"getPriority", native<get_priority>, 1},
    {"setPriority", native<set_priority>, 2},
    {"userInformation", native<user_information>},
};

}  // namespace

void init_os(runtime::Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
