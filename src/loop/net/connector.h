// Happy eyeballs: several connection attempts race for one Tcp. Made by Tcp::connect for a list of
// addresses; deletes itself when its last attempt is over.
#pragma once

#include <memory>
#include <vector>

#include "rondo/base/unique_fd.h"
#include "rondo/detail/lingering.h"
#include "rondo/loop.h"
#include "rondo/tcp.h"

namespace rondo {

class Connector final : public Lingering {
 public:
  Connector(Tcp& tcp, std::span<const Address> addresses, const ConnectOptions& options);
  ~Connector() override = default;
  void start();
  // The Tcp loses interest: nothing is reported any more.
  void abandon();

 private:
  struct Attempt {
    Operation operation;
    UniqueFd socket;
    Connector* race;
  };

  static void on_writable(Operation& operation, const Completion& completion);
  void try_next();
  void take(Attempt& attempt, int error);
  void finish(Result<UniqueFd> result);
  void end_if_idle();

  Loop& loop_;
  Tcp* tcp_;
  std::vector<Address> addresses_;
  std::size_t next_ = 0;
  std::size_t in_flight_ = 0;
  ConnectOptions options_;
  Error last_error_{ECONNREFUSED, "connect"};
  Timer delay_;
  Timer timeout_;
  std::vector<std::unique_ptr<Attempt>> attempts_;
};

}  // namespace rondo
