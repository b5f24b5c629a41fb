// Names and children of a simulated world. A child is a coroutine that plays its program, in the loop of its parent.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loop/net/simulated_host.h"
#include "rondo/promise.h"
#include "rondo/sim.h"

namespace rondo {

class SimHost final : public SimulatedHost {
 public:
  explicit SimHost(SimWorld& world) : world_(world) {}

  void run(Loop& loop, Function<void()> work, Function<void()> done) override;
  int look_up(const std::string& host, const std::string& service, const AddressLookup::Hints& hints,
              std::vector<Address>& addresses) override;
  int look_up(const Address& address, int flags, std::string& host, std::string& service) override;
  DnsAnswer resolve(const std::string& name, DnsType type) override;
  Result<Spawned> spawn(Loop& loop, const ProcessOptions& options, Function<void(ExitStatus)> on_exit) override;
  Result<void> kill(pid_t pid, int signal) override;

  std::map<std::string, std::vector<Address>> hosts;
  std::map<std::string, SimWorld::Program> programs;

 private:
  struct Running {
    Running(Loop& loop, std::shared_ptr<SimChild> playing) : child(std::move(playing)), killed(loop) {}
    std::shared_ptr<SimChild> child;
    Promise<int> killed;  // the signal
  };

  Coroutine<> play(Loop& loop, std::shared_ptr<Running> running, SimWorld::Program& program,
                   Function<void(ExitStatus)> on_exit);
  const std::vector<Address>* addresses_of(const std::string& name) const;
  std::string name_of(const Address& address) const;
  bool has_fault();

  SimWorld& world_;
  std::map<pid_t, std::shared_ptr<Running>> children_;
  pid_t next_pid_ = 1000;
};

}  // namespace rondo
