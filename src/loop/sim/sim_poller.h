// The simulated poller: holds operations until their virtual time has come, then tries them against the world, in an
// order the Decider chooses. Made by SimWorld::options(); Loop calls it.
#pragma once

#include <vector>

#include "rondo/poller.h"
#include "rondo/sim.h"

namespace rondo {

class SimPoller final : public Poller {
 public:
  SimPoller(Loop& loop, SimWorld& world);
  ~SimPoller() override;

  const char* name() const override { return "sim"; }
  void submit(Operation& operation) override;
  void cancel(Operation& operation) override;
  void forget(int) override {}
  std::size_t wait(Nanoseconds timeout) override;
  Operation* next(Completion& completion) override;
  bool has_ready() const override;
  void wake() override {}
  int backend_fd() override { return -1; }
  int socket_flags() const override { return 0; }
  bool has_file_operations() const override { return true; }
  void after_fork() override {}

  int open_socket(int family, int type) override;
  int listen(int fd, int backlog) override;
  int begin_connect(int fd, const sockaddr* address, socklen_t size) override;
  int connect_result(int fd) override;
  bool is_socket(int fd) override;
  long send_now(int fd, const iovec* pieces, std::size_t count) override;
  long send_message_now(int fd, const msghdr& message) override;
  long write_now(int fd, const iovec* pieces, std::size_t count) override;
  int shut_down(int fd, int how) override;
  bool turn_away(int fd) override;

  // The world has changed: whoever waits for something may try again.
  void unblock();
  Nanoseconds next_event() const;

 private:
  int begin_transfer(int fd, OpKind kind);
  struct Pending {
    Operation* operation;
    Nanoseconds due;
    bool is_blocked = false;
    bool is_cancelled = false;
  };

  bool is_due(const Pending& pending) const { return !pending.is_blocked && pending.due <= world_.now_; }
  bool finish(std::size_t index, int result, Completion& completion);

  Loop& loop_;
  SimWorld& world_;
  std::vector<Pending> pending_;
};

}  // namespace rondo
