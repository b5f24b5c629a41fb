// The poller of an explored run: level-triggered readiness asked with poll(2), file operations and pool jobs done on the loop's
// thread, and one choice after the other of what completes next. Rules X1 to X5 are in rondo/explore.h.
#pragma once

#include <atomic>
#include <map>
#include <vector>

#include "rondo/base/unique_fd.h"
#include "rondo/explore.h"
#include "rondo/poller.h"

namespace rondo {

class ExplorePoller final : public Poller {
 public:
  ExplorePoller(Loop& loop, ExploreWorld& world);
  ~ExplorePoller() override;

  const char* name() const override { return "explore"; }
  void submit(Operation& operation) override;
  void cancel(Operation& operation) override;
  bool forget(int fd) override;
  std::size_t wait(Nanoseconds timeout) override;
  Operation* next(Completion& completion) override;
  OwnedMemory take_buffer(const std::byte* data) override;
  bool has_ready() const override { return chosen_ != 0; }
  void wake() override;
  int backend_fd() override { return wake_.get(); }
  int socket_flags() const override;
  bool has_file_operations() const override { return true; }
  void after_fork() override;
  // For a thread that waits for its turn, asked by the running one: it would not go on waiting.
  bool has_work();
  int open_socket(int family, int type) override;
  int begin_connect(int fd, const sockaddr* address, socklen_t size) override;
  int connect_result(int fd) override;

 private:
  enum class Class : std::uint8_t {
    File,  // done when chosen: file kinds and pool jobs
    Stream,  // when its descriptor is ready
    Poll,
    Result,  // known already
  };
  struct Entry {
    Operation* operation;
    std::uint64_t number;  // in order of submission, from 1
    std::uint64_t earliest;  // visit of poll in which it may complete (X1)
    std::uint32_t passed = 0;  // times that others were preferred (X5)
    Class what = Class::File;
    int result = 0;
    bool is_over = false;  // cancelled or forgotten: -ECANCELED
  };

  void open_wake();
  void look();  // which descriptors are ready
  bool is_ready(const Entry& entry) const;
  std::vector<std::uint64_t> candidates(bool of_this_visit) const;
  bool may_block() const;
  std::size_t choose_first(bool blocks);
  std::uint64_t choose_another();
  void pass_over(const std::vector<std::uint64_t>& others, std::uint64_t taken);
  bool complete(Entry& entry, Completion& completion);
  int perform(const Entry& entry);
  int receive(const Operation& operation);
  int inject_fault(const Operation& operation);
  Entry* find(std::uint64_t number);
  std::size_t wait_for_outside();
  bool has_outside() const;

  Loop& loop_;
  ExploreWorld& world_;
  UniqueFd wake_;
  std::atomic<bool> is_woken_{false};
  std::vector<Entry> entries_;
  std::vector<std::pair<int, short>> ready_;  // descriptors and events, of the last look
  std::uint64_t submitted_ = 0;
  std::uint64_t visit_ = 0;
  std::uint64_t newest_at_visit_ = 0;  // operations submitted later wait for the next visit
  std::uint64_t chosen_ = 0;
  std::uint32_t delivered_ = 0;  // in this visit
  bool jobs_are_over_ = false;  // X2: another event has followed a row of files and jobs
  bool has_begun_jobs_ = false;
  std::map<int, int> refused_;  // results of connections that failed at once, by descriptor
  OwnedMemory scratch_;
};

}  // namespace rondo
