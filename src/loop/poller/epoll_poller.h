// The epoll poller: readiness turned into completions. Every descriptor is registered once, edge-triggered,
// and a flag for each direction remembers whether a call is worth trying; calls are made lazily,
// one at a time, when the loop asks for the next completion. File kinds go to the loop's pool.
//
//  E1  an operation in flight is in at most one list: its descriptor's readers, writers or watchers,
//      or done_ (result known), or none while the pool has it.
//  E2  a descriptor that may have work (flag set and operation waiting) is in row_, ready_ or later_.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <memory>
#include <vector>

#include "loop/poller/file_jobs.h"
#include "rondo/base/unique_fd.h"
#include "rondo/poller.h"

namespace rondo {

class EpollPoller final : public Poller {
 public:
  explicit EpollPoller(Loop& loop);
  // Gets its descriptors from the kernel, before anything else. Returns the error, or 0.
  int open();
  ~EpollPoller() override;

  const char* name() const override { return "epoll"; }
  void submit(Operation& operation) override;
  void cancel(Operation& operation) override;
  bool forget(int fd) override;
  std::size_t wait(Nanoseconds timeout) override;
  Operation* next(Completion& completion) override;
  OwnedMemory take_buffer(const std::byte* data) override;
  bool has_ready() const override {
    return !done_.is_empty() || !row_.is_empty() || !ready_.is_empty() || !later_.is_empty();
  }
  void wake() override;
  int backend_fd() override { return epoll_.get(); }
  int socket_flags() const override;
  bool has_file_operations() const override { return false; }
  void after_fork() override;

 private:
  static constexpr std::uint64_t kWakeTag = UINT64_MAX;
  enum : std::uint8_t { kWaiting, kDone, kOnPool };  // Operation::poller_state_

  struct Descriptor : ListNode {
    explicit Descriptor(int number) : fd(number) {}
    int fd;
    std::uint32_t generation = 0;  // tells events of an earlier life of the number from this one's
    bool registered = false;
    bool readable = false;
    bool writable = false;
    bool stops_short = false;  // a short read is not the end of the news: see may_stop_short, or the peer has closed
    bool blocking = false;  // O_NONBLOCK not set: ask poll(2) before each call
    bool is_socket = true;
    bool can_read = true, can_write = true;  // as it was opened
    List<Operation> readers;
    List<Operation> writers;
    List<Operation> watchers;
  };

  // poll(2) without waiting.
  static int ready_now(int fd, std::uint32_t events);

  Descriptor* descriptor(int fd);  // null: there is none of this number
  int enroll(Descriptor& descriptor);
  static int refusal(const Descriptor& descriptor, const Operation& operation, bool is_read);
  void submit_stream(Operation& operation, bool is_read);
  void submit_poll(Operation& operation);
  void submit_file(Operation& operation);
  void submit_to_pool(Operation& operation);
  void finish(Operation& operation, int result);
  void note(const epoll_event& event);
  void note_watchers(Descriptor& descriptor, std::uint32_t events);
  static bool has_work(const Descriptor& descriptor);
  void queue_if_ready(Descriptor& descriptor);
  Descriptor* next_ready();
  Operation* next_done(Completion& completion);
  int perform(Descriptor& descriptor, Operation& operation);
  bool try_one(Descriptor& descriptor, bool is_read, Operation*& operation, Completion& completion);

  Loop& loop_;
  UniqueFd epoll_;
  UniqueFd wake_;
  std::vector<std::unique_ptr<Descriptor>> descriptors_;
  List<Descriptor> row_;  // goes on at once
  List<Descriptor> ready_;
  List<Descriptor> later_;  // has had its turn in this visit
  int row_length_ = 0;
  List<Operation> done_;
  FileJobs file_jobs_;
  std::array<epoll_event, 256> events_;
  OwnedMemory scratch_;  // null: not needed yet, or taken by who received into it
};

}  // namespace rondo
