// Where an asynchronous file operation runs: at once when nothing can block (fs_cached.cpp), in the poller when it is a
// transfer on something with readiness (a pipe, a terminal), on the pool otherwise. RONDO_FS=pool sends everything to the
// pool. Its callback always comes in a poll phase of the loop, after the call that asked for it has returned.
#include "modules/fs_task.h"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>

namespace rondo::modules {

namespace {

bool pool_only() {
  static const bool only = [] {
    const char* way = getenv("RONDO_FS");
    return way && strcmp(way, "pool") == 0;
  }();
  return only;
}

bool has_readiness(int fd) {
  struct stat info;
  return ::fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISCHR(info.st_mode));
}

// True when the poller took it.
bool submit_transfer(FsTask* task) {
  bool is_read = task->kind == FsKind::Read;
  if ((!is_read && task->kind != FsKind::Write) || !task->parts.empty() || !has_readiness(task->fd)) return false;
  auto length = static_cast<uint32_t>(std::min<size_t>(task->part.iov_len, 1u << 30));
  if (is_read)
    task->operation.read(task->fd, task->part.iov_base, length);
  else
    task->operation.write(task->fd, task->part.iov_base, length);
  task->operation.as_stream().then(
      [](Operation& operation, const Completion& completion) {
        auto* owner = static_cast<FsTask*>(operation.owner);
        owner->syscall = owner->kind == FsKind::Read ? "read" : "write";
        owner->error_has_path = false;
        if (completion.result < 0)
          owner->error = -completion.result;
        else
          owner->value = completion.result;
        complete(owner);
      },
      task);
  task->runtime.loop().submit(task->operation);
  return true;
}

void submit_job(FsTask* task) {
  task->job.owner = task;
  task->job.job_class = JobClass::Fs;
  task->job.work = [](Job& job) { static_cast<FsTask*>(job.owner)->perform(); };
  task->job.on_done = [](Job& job, int) { complete(static_cast<FsTask*>(job.owner)); };
  ThreadPool::shared().submit(task->runtime.loop(), task->job);
}

}  // namespace

void submit(FsTask* task) {
  if (!pool_only()) {
    if (perform_cached(*task)) {
      task->runtime.loop().post([task] { complete(task); });
      return;
    }
    if (submit_transfer(task)) return;
  }
  submit_job(task);
}

}  // namespace rondo::modules
