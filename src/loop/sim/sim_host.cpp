// Look-ups and children of a simulated world; see the header.
#include "loop/sim/sim_host.h"

#include <netdb.h>
#include <signal.h>

#include <cerrno>
#include <charconv>
#include <utility>

#include "loop/sim/sim_addresses.h"
#include "loop/sim/sim_poller.h"
#include "rondo/coroutine.h"
#include "rondo/task_group.h"

namespace rondo {
namespace {

// Node's numbers of EAI errors.
constexpr int kTryAgain = kAddressInfoErrors + 1, kNoName = kAddressInfoErrors + 8,
              kNoService = kAddressInfoErrors + 10;
// c-ares's.
constexpr int kNoData = 1, kNotFound = 4, kTimeout = 12;

// A number, or one of the names that programs use most.
int port_of(const std::string& service) {
  if (service.empty()) return 0;
  unsigned port = 0;
  const auto [end, error] = std::from_chars(service.data(), service.data() + service.size(), port);
  if (error == std::errc() && end == service.data() + service.size())
    return port <= 65535 ? static_cast<int>(port) : -1;
  const std::pair<const char*, int> known[] = {{"domain", 53}, {"http", 80}, {"https", 443}, {"redis", 6379}};
  for (const auto& [name, number] : known) {
    if (service == name) return number;
  }
  return -1;
}

}  // namespace

SimulatedHost* simulated_host(Loop& loop) {
  if (loop.poller().has_kernel_descriptors()) [[likely]]
    return nullptr;
  auto* poller = dynamic_cast<SimPoller*>(&loop.poller());
  return poller ? &poller->host() : nullptr;
}

bool SimHost::has_fault() {
  const bool has = world_.decider_.choose(Choice::Fault, 2) == 1;
  if (has) world_.faults_++;
  return has;
}

void SimHost::run(Loop& loop, Function<void()> work, Function<void()> done) {
  world_.run_job(loop, std::move(work), std::move(done));
}

const std::vector<Address>* SimHost::addresses_of(const std::string& name) const {
  static const std::vector<Address> kLocal{Address::loopback4(0), Address::loopback6(0)};
  const auto found = hosts.find(name);
  if (found != hosts.end()) return &found->second;
  return name == "localhost" ? &kLocal : nullptr;
}

std::string SimHost::name_of(const Address& address) const {
  for (const auto& [name, addresses] : hosts) {
    for (const Address& candidate : addresses) {
      if (candidate.host() == address.host()) return name;
    }
  }
  return address.host() == "127.0.0.1" || address.host() == "::1" ? "localhost" : "";
}

int SimHost::look_up(const std::string& host, const std::string& service, const AddressLookup::Hints& hints,
                     std::vector<Address>& addresses) {
  const int port = port_of(service);
  if (port < 0) return kNoService;
  const auto add = [&](Address address) {
    if (hints.family != AF_UNSPEC && hints.family != address.family()) return;
    address.set_port(static_cast<std::uint16_t>(port));
    addresses.push_back(address);
  };
  if (host.empty()) {
    const bool is_passive = (hints.flags & AI_PASSIVE) != 0;
    add(is_passive ? Address::any4(0) : Address::loopback4(0));
    add(is_passive ? Address::any6(0) : Address::loopback6(0));
  } else if (const auto number = Address::ip(host, 0)) {
    add(*number);
  } else if (hints.flags & AI_NUMERICHOST) {
    return kNoName;
  } else {
    if (has_fault()) return kTryAgain;
    const auto* known = addresses_of(host);
    if (!known) return kNoName;
    for (const Address& address : *known) add(address);
  }
  return addresses.empty() ? kNoName : 0;
}

int SimHost::look_up(const Address& address, int flags, std::string& host, std::string& service) {
  if (!(flags & NI_NUMERICHOST)) {
    if (has_fault()) return kTryAgain;
    host = name_of(address);
    if (host.empty() && (flags & NI_NAMEREQD)) return kNoName;
  }
  if (host.empty()) host = address.host();
  service = std::to_string(address.port());
  return 0;
}

DnsAnswer SimHost::resolve(const std::string& name, DnsType type) {
  if (has_fault()) return {kTimeout, {}};
  DnsAnswer answer;
  if (type == DnsType::Ptr) {
    for (const auto& [host, addresses] : hosts) {
      for (const Address& address : addresses) {
        if (address.host() != name) continue;
        DnsRecord record;
        record.type = type;
        record.value = host;
        answer.records.push_back(std::move(record));
      }
    }
    if (answer.records.empty()) answer.status = kNotFound;
    return answer;
  }
  const auto* known = addresses_of(name);
  if (!known) return {kNotFound, {}};
  for (const Address& address : *known) {
    const DnsType kind = address.family() == AF_INET6 ? DnsType::Aaaa : DnsType::A;
    if (type != kind && type != DnsType::Any) continue;
    DnsRecord record;
    record.type = kind;
    record.ttl = 60;
    record.value = address.host();
    answer.records.push_back(std::move(record));
  }
  if (answer.records.empty()) answer.status = kNoData;
  return answer;
}

Result<Spawned> SimHost::spawn(Loop& loop, const ProcessOptions& options, Function<void(ExitStatus)> on_exit) {
  const auto program = programs.find(options.file);
  if (program == programs.end()) return failure(ENOENT, "spawn");
  if (has_fault()) return failure(EAGAIN, "spawn");
  Spawned spawned;
  spawned.pid = next_pid_++;
  spawned.pipes.resize(options.stdio.size());
  const std::shared_ptr<SimChild> child(new SimChild(loop, spawned.pid, options));
  child->pipes_.resize(options.stdio.size());
  for (std::size_t i = 0; i < options.stdio.size(); i++) {
    if (options.stdio[i].kind != Stdio::Kind::Pipe) continue;
    const auto [ours, theirs] = world_.stream_pair();
    spawned.pipes[i] = UniqueFd(ours);
    child->pipes_[i] = UniqueFd(theirs);
    if (ours < 0 || theirs < 0) return failure(EMFILE, "socketpair");
  }
  auto running = std::make_shared<Running>(loop, child);
  children_[spawned.pid] = running;
  rondo::spawn(play(loop, std::move(running), program->second, std::move(on_exit)));
  return spawned;
}

// Begins at a virtual time; so does its end for the parent, after its pipes are closed.
Coroutine<> SimHost::play(Loop& loop, std::shared_ptr<Running> running, SimWorld::Program& program,
                          Function<void(ExitStatus)> on_exit) {
  const auto wait_for_kill = [](Running& of) -> Coroutine<int> {
    const Result<int> signal = co_await of.killed.wait();
    co_return signal.value_or(SIGKILL);
  };
  (void)co_await loop.sleep(Duration(world_.latency()));
  ExitStatus status;
  {
    // The loser is destroyed: a killed program with all that it holds.
    auto ended = co_await when_any(loop, program(running->child), wait_for_kill(*running));
    if (ended.index() == 0) {
      status.code = std::get<0>(ended) & 255;
    } else {
      status.signal = std::get<1>(ended);
    }
  }
  running->child->pipes_.clear();
  children_.erase(running->child->pid());
  world_.run_job(loop, [] {}, [told = std::move(on_exit), status]() mutable { told(status); });
}

Result<void> SimHost::kill(pid_t pid, int signal) {
  const auto found = children_.find(pid);
  if (found == children_.end()) return failure(ESRCH, "kill");
  if (signal < 0 || signal > 64) return failure(EINVAL, "kill");
  if (signal == 0 || signal == SIGCONT || signal == SIGCHLD) return {};
  Running& running = *found->second;
  if (signal != SIGKILL && running.child->on_signal_) {
    // From the loop, and not inside of kill(): the function may do anything.
    running.child->loop().defer([child = running.child, signal] {
      if (child->on_signal_) child->on_signal_(signal);
    });
    return {};
  }
  running.killed.resolve(signal);
  return {};
}

UniqueFd SimChild::take_pipe(std::size_t number) {
  return number < pipes_.size() ? std::move(pipes_[number]) : UniqueFd();
}

}  // namespace rondo
