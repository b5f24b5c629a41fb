// Operations that a poller cannot give to the kernel, run as jobs of the thread pool: the one way of files there. A poller owns one and hears
// of each end through `finish`, on the loop's thread. Job structures are kept for reuse.
#pragma once

#include <memory>
#include <vector>

#include "rondo/operation.h"
#include "rondo/thread_pool.h"

namespace rondo {

class FileJobs {
 public:
  // `finish(context, operation, result)` is called on the loop's thread.
  using Finish = void (*)(void* context, Operation& operation, int result);

  FileJobs(Loop& loop, Finish finish, void* context) : loop_(loop), finish_(finish), context_(context) {}

  void submit(Operation& operation);
  void cancel(Operation& operation);
  // A thread may be reading or writing the descriptor as a stream.
  bool has_stream(int fd) const;

 private:
  struct FileJob : Job {
    FileJobs* jobs = nullptr;
    Operation* operation = nullptr;
    int result = 0;
  };
  static void run(Job& job);
  static void done(Job& job, int error);

  Loop& loop_;
  Finish finish_;
  void* context_;
  std::size_t streams_ = 0;
  std::vector<std::unique_ptr<FileJob>> all_;
  std::vector<FileJob*> idle_;
};

}  // namespace rondo
