// The kernel's side of a Listener: the accept operation that stays armed. Called by Listener, TcpServer
// and PipeServer.
#pragma once

#include <cstdint>
#include <deque>

#include "loop/net/io_core.h"
#include "rondo/listener.h"

namespace rondo {

class ListenerCore final : public IoCore {
 public:
  ListenerCore();
  void open(int fd);
  Result<void> listen(int backlog);
  void start(bool once = false);
  void stop();
  int fd() const { return fd_; }

  std::uint64_t turned_away = 0;

 protected:
  void cancel_all() override;
  bool has_in_flight() const override { return accept_.is_in_flight(); }

 private:
  static void on_accept_complete(Operation& operation, const Completion& completion);
  void take(const Completion& completion);
  void take_error(int error);
  void deliver(Result<UniqueFd> connection);
  bool turn_away();
  void retry_later();
  void arm();
  void arm_after_poll();

  Listener& listener() const { return *static_cast<Listener*>(owner_); }

  Operation accept_;
  bool accepting_ = false;
  bool once_ = false;
  UniqueFd reserve_;
  std::deque<UniqueFd> kept_;  // accepted after stop() (a ring may have several): delivered by the next start()
};

}  // namespace rondo
