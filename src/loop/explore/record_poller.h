// The poller of a recorded run and of its replay (rondo/recording.h). Recorded: readiness asked with ppoll(2), file operations and pool
// jobs done on the loop's thread. Replayed: completions, their order and their bytes come from the file; sockets are sockets of no
// network, and only files and the standard streams are touched.
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "rondo/poller.h"
#include "rondo/recording.h"

namespace rondo {

class RecordPoller final : public Poller {
 public:
  RecordPoller(RecordedWorld& world, Recording& recording);

  const char* name() const override { return "record"; }
  void submit(Operation& operation) override;
  void cancel(Operation& operation) override;
  bool forget(int fd) override;
  std::size_t wait(Nanoseconds timeout) override;
  Operation* next(Completion& completion) override;
  OwnedMemory take_buffer(const std::byte* data) override;
  bool has_ready() const override { return !ready_.empty() || left_ > 0; }
  void wake() override;
  int backend_fd() override { return wake_.get(); }
  int socket_flags() const override;
  bool has_file_operations() const override { return true; }
  bool has_kernel_descriptors() const override { return false; }  // no sendfile(2)
  void after_fork() override {}

  int open_socket(int family, int type) override;
  int listen(int fd, int backlog) override;
  int begin_connect(int fd, const sockaddr* address, socklen_t size) override;
  int connect_result(int fd) override;
  long send_now(int fd, const iovec* pieces, std::size_t count) override;
  long send_message_now(int fd, const msghdr& message) override;
  long write_now(int fd, const iovec* pieces, std::size_t count) override;
  int shut_down(int fd, int how) override;
  bool turn_away(int fd) override;

 private:
  struct Entry {
    Operation* operation;
    std::uint64_t number;  // in order of submission, from 1
    bool waits;  // for its descriptor
    bool is_over = false;  // cancelled or forgotten: -ECANCELED
  };

  Entry* find(std::uint64_t number);
  bool has_over() const;
  Operation* take_over(Completion& completion);
  void wait_live(Nanoseconds timeout);
  void wait_for_readiness(Nanoseconds timeout);
  void take_signals();
  bool complete_live(Entry& entry, Completion& completion);
  int perform(const Operation& operation);
  void complete_again(Entry& entry, char how, Completion& completion);
  void perform_again(Operation& operation);
  void fill(const Operation& operation, std::string_view bytes);
  void finish(Entry& entry, Completion& completion);

  RecordedWorld& world_;
  Recording& recording_;
  UniqueFd wake_;
  std::vector<Entry> entries_;
  std::deque<std::uint64_t> ready_;  // recorded: to be tried in this visit
  std::int64_t left_ = 0;  // replayed: to be taken from the file in this visit
  std::uint64_t submitted_ = 0;
  OwnedMemory scratch_;
};

// For the table of signals (process/signal.cpp): a signal was caught while a run is recorded.
void note_recorded_signal(int number);

}  // namespace rondo
