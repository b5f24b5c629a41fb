// The simulated poller: holds operations until their virtual time has come, then tries them against the world, in an
// order the Decider chooses. Made by SimWorld::options(); Loop calls it.
//
//  V1  an operation in flight is in exactly one of later_ (its time is to come), due_ (to be tried) and blocked_ (waits for a change).
//  V2  time only grows, so what is due stays due until it is tried.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "rondo/poller.h"
#include "rondo/sim.h"

namespace rondo {

class SimPoller final : public Poller {
 public:
  SimPoller(Loop& loop, SimWorld& world);
  ~SimPoller() override;

  bool has_kernel_descriptors() const override { return false; }
  const char* name() const override { return "sim"; }
  void submit(Operation& operation) override;
  void cancel(Operation& operation) override;
  bool forget(int fd) override;
  std::size_t wait(Nanoseconds timeout) override;
  Operation* next(Completion& completion) override;
  bool has_ready() const override;
  bool shares_calls() const override { return has_ready(); }
  void wake() override;
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
  FileSystem& files() override;
  SimHost& host() { return *world_.host_; }

  // The world has changed: operations that wait for something may try again.
  void unblock();
  Nanoseconds next_event() const;

 private:
  int begin_transfer(int fd, OpKind kind);
  enum class State : std::uint8_t { Later, Due, Blocked };
  struct Pending {
    Operation* operation;
    std::uint64_t number;  // in order of submission
    Nanoseconds due = 0;
    State state = State::Due;
    bool is_cancelled = false;
    bool is_forgotten = false;  // its descriptor is closed, and the number may be another's
    std::uint64_t news = UINT64_MAX;  // Object::news when a poll that repeats was told last
  };
  using Key = std::pair<Nanoseconds, std::uint64_t>;

  static Pending& pending_of(Operation& operation) { return *static_cast<Pending*>(operation.poller_data_); }
  void put_off(Pending& pending, Nanoseconds delay);  // of what is in none of the three
  void collect();
  int attempt(Pending& pending);
  void finish(Pending& pending, int result, Completion& completion);
  void sleep();

  Loop& loop_;
  SimWorld& world_;
  std::uint64_t submitted_ = 0;
  std::map<Key, Pending*> later_;
  std::deque<Pending*> due_;
  std::map<std::uint64_t, Pending*> blocked_;

  // Written by other threads.
  std::mutex mutex_;
  std::condition_variable rings_;
  bool has_rung_ = false;
};

}  // namespace rondo
