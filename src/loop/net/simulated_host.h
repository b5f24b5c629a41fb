// Names and children of a simulated world (rondo/sim.h), for requests and handles that know their loop.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "loop/process/spawn.h"
#include "rondo/base/function.h"
#include "rondo/dns.h"
#include "rondo/process.h"

namespace rondo {

class SimulatedHost {
 public:
  // `work` at a virtual time, `done` right after it, in poll.
  virtual void run(Loop& loop, Function<void()> work, Function<void()> done) = 0;
  // Errors as AddressLookup::error() and NameLookup::error() give them; statuses as DnsAnswer's.
  virtual int look_up(const std::string& host, const std::string& service, const AddressLookup::Hints& hints,
                      std::vector<Address>& addresses) = 0;
  virtual int look_up(const Address& address, int flags, std::string& host, std::string& service) = 0;
  virtual DnsAnswer resolve(const std::string& name, DnsType type) = 0;
  virtual Result<Spawned> spawn(Loop& loop, const ProcessOptions& options, Function<void(ExitStatus)> on_exit) = 0;
  virtual Result<void> kill(pid_t pid, int signal) = 0;

 protected:
  ~SimulatedHost() = default;
};

// Null: the loop runs on the kernel.
SimulatedHost* simulated_host(Loop& loop);

}  // namespace rondo
