// The io_uring poller: operations become submission entries, completion entries become completions. Entries are batched and
// reach the kernel when the loop waits; a wait that may not block makes no system call when there is nothing to submit.
//
//  U1  the ring belongs to the thread of the first wait (SINGLE_ISSUER); it is created disabled and enabled there.
//  U2  an operation in the kernel is in in_flight_; its entries carry its address and a tag (Tag) in the low bits. Where its last
//      entry lies is in poller_data_, so that one the kernel has not seen yet can be withdrawn.
//  U3  a provided buffer is with the kernel, in the completion queue, or held by the completion handed out last.
//  U4  a receive that fills a provided buffer is bulk: from then on the ring says when data has come, and it is received by
//      calls into one buffer that stays warm in the cache. Many small pieces end this. See uring_bulk.cpp.
//  U5  a multishot operation that the kernel ends without error or cancellation is started again: its owner does not notice.
#pragma once

#include <liburing.h>

#include <atomic>
#include <bitset>
#include <memory>
#include <vector>

#include "loop/poller/file_jobs.h"
#include "loop/poller/uring_buffers.h"
#include "rondo/base/unique_fd.h"
#include "rondo/poller.h"

namespace rondo {

class UringPoller final : public Poller {
 public:
  // Null when the kernel refuses io_uring or lacks what we need of it (before Linux 6.1).
  static std::unique_ptr<UringPoller> create(Loop& loop);
  ~UringPoller() override;

  const char* name() const override { return "uring"; }
  void submit(Operation& operation) override;
  void cancel(Operation& operation) override;
  bool forget(int fd) override;
  std::size_t wait(Nanoseconds timeout) override;
  Operation* next(Completion& completion) override;
  OwnedMemory take_buffer(const std::byte* data) override;
  bool has_ready() const override { return has_own_work() || io_uring_cq_ready(&ring_) > 0; }
  bool shares_calls() const override { return io_uring_sq_ready(&ring_) > 0 || has_ready(); }
  void flush() override;
  void wake() override;
  int backend_fd() override;
  int socket_flags() const override { return SOCK_CLOEXEC; }
  bool has_file_operations() const override { return !files_on_pool_; }
  void after_fork() override;

 private:
  enum Tag : std::uintptr_t { kResult = 0, kPolled = 1, kOpened = 2, kClosed = 3, kTagMask = 3 };
  enum : std::uint8_t {
    kInKernel,
    kPolling,
    kReceiving,
    kEnding,
    kWaiting,
    kOnPool,
    kDone
  };  // Operation::poller_state_
  enum : std::uint8_t { kBulk = 1, kWatched = 2, kStopsShort = 4 };  // Operation::poller_flags_
  static constexpr std::uint8_t kPatience =
      16;  // Operation::poller_count_: small pieces in a row that end bulk receiving
  static constexpr std::uint64_t kIgnored = 0;
  static constexpr std::uint64_t kWoken = 8;
  static constexpr unsigned kFileSlots = 64;  // direct descriptors for whole-file reads

  explicit UringPoller(Loop& loop);
  bool open_ring();
  void enable();
  void cancel_all();
  bool has_own_work() const { return !done_.is_empty() || !row_.is_empty() || !due_.is_empty() || !again_.is_empty(); }
  bool is_quiet() const;
  std::size_t wait_or_look(Nanoseconds timeout);
  void sleep(Nanoseconds timeout);
  int enter(unsigned wait_for, const __kernel_timespec* timeout);
  io_uring_sqe* entry();
  io_uring_sqe* entry_of(Operation& operation);
  bool is_unsent(unsigned place) const;
  bool withdraw(Operation& operation);
  void start(Operation& operation);
  void start_read_file(Operation& operation);
  void poll_then_retry(Operation& operation, bool is_read);
  void arm_wake();
  void finish(Operation& operation, int result);
  void submit_backlog();
  void ask_for_cancel(Operation& operation);
  bool prepare_cancel(Operation& operation);

  Operation* take(const io_uring_cqe& entry, Completion& completion);
  Operation* take_result(Operation& operation, int result, unsigned flags, Completion& completion);
  Operation* take_read_file(Operation& operation, Tag part, int result, Completion& completion);
  static bool is_bulk(const Operation& operation);
  void watch(Operation& operation);
  Operation* take_watch(Operation& operation, int events, bool more, Completion& completion);
  Operation* receive_now(Operation& operation, Completion& completion);
  Operation* end_bulk(Operation& operation, int result, Completion& completion);
  void receive_again(Operation& operation);
  void leave_bulk(Operation& operation);
  Operation* hand_out(Operation& operation, int result, Completion& completion);

  Loop& loop_;
  io_uring ring_{};
  bool enabled_ = false;
  bool files_on_pool_ = false;
  std::bitset<256> supported_;
  UniqueFd foreign_;  // signalled by the ring, for loops that sleep for us
  std::atomic<int> foreign_fd_{-1};  // the same, for wake() from any thread
  UniqueFd wake_;
  UringBuffers buffers_;
  int held_buffer_ = -1;
  OwnedMemory bulk_buffer_;  // null: not needed yet, or taken by who received into it
  List<Operation> in_flight_;
  List<Operation> done_;
  List<Operation> row_;  // kReceiving, at once
  List<Operation> due_;  // kReceiving, in this visit
  List<Operation> again_;  // kReceiving, in the next one
  int row_length_ = 0;
  std::vector<Operation*> cancels_;  // asked for, with no room for the entry
  unsigned last_cancel_ = 0;  // its place in the submission queue
  List<Operation> backlog_;  // submitted while the queue could take no more, or before the ring had its thread
  FileJobs file_jobs_;
  std::vector<int> free_slots_;
  bool has_slots_ = false;
};

}  // namespace rondo
