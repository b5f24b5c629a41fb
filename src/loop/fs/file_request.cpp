// FileRequest's life: start, ring or pool, completion. What each kind asks for is in file_describe.cpp, what it does
// when it blocks in the other files of this folder.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "loop/fs/file_performer.h"
#include "rondo/base/fatal.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr std::size_t kMaxTransfer = 0x7ffff000;  // what Linux moves at most in one call

bool has_operation(FileKind kind) { return kind < FileKind::Truncate; }

// The kernel would take a path up to its first zero byte, which is another file than was asked for.
bool is_whole(const std::string& path) { return path.find('\0') == std::string::npos; }

}  // namespace

void FileRequest::start(Loop& loop, Done done, Route route) {
  if (is_busy()) [[unlikely]]
    misuse("a FileRequest was started again before its end");
  if (kind_ == FileKind::None) [[unlikely]]
    misuse("a FileRequest was started that says nothing of what to do");
  loop_ = &loop;
  failed_call_ = nullptr;
  done_.set(std::move(done));
  job_.cancelled_.store(false, std::memory_order_relaxed);
  std::int64_t result = 0;
  Way way = Way::Known;
  if (!is_whole(path_) || !is_whole(path2_)) {
    operation_.kind = OpKind::Nop;
    result = -EINVAL;
  } else {
    way = route == Route::Pool || !has_operation(kind_) ? Way::Pool : choose_way(loop, result);
  }
  on_pool_ = way == Way::Pool;
  if (on_pool_) {
    if (kind_ == FileKind::Close) loop.forget(fd_);
    return submit_job();
  }
  operation_.source = HandleKind::File;
  operation_.then(
      [](Operation& operation, const Completion& completion) {
        static_cast<FileRequest*>(operation.owner)->completed(completion);
      },
      this);
  if (way == Way::Known) return loop.complete(operation_, static_cast<int>(result));
  fill_operation();
  operation_.stream = is_stream_;
  loop.submit(operation_);
}

void FileRequest::completed(const Completion& completion) {
  const auto result = completion.result;
  // A descriptor in non-blocking mode: it has readiness, so wait for that.
  if (result == -EAGAIN && !is_stream_ && (kind_ >= FileKind::Read && kind_ <= FileKind::WriteV)) {
    if (is_cancelled()) return finish(-ECANCELED);
    is_stream_ = operation_.stream = true;
    return loop_->submit(operation_);
  }
  if (kind_ == FileKind::ReadFile && operation_.kind == OpKind::ReadFile) {
    operation_.kind = OpKind::Nop;
    // The size was that of a moment ago. If the file has changed, or the kernel has no such chain: the ordinary way.
    if (result < 0 || static_cast<std::size_t>(result) != text_.size()) {
      return is_cancelled() ? finish(-ECANCELED) : submit_job();
    }
  }
  finish(result);
}

void FileRequest::submit_job() {
  on_pool_ = true;
  job_.job_class = JobClass::Fs;
  job_.owner = this;
  job_.work = [](Job& job) {
    auto& self = *static_cast<FileRequest*>(job.owner);
    self.result_ = self.perform();
  };
  job_.on_done = [](Job& job, int error) {
    auto& self = *static_cast<FileRequest*>(job.owner);
    self.finish(error ? -error : self.result_);
  };
  if (loop_->decider() && loop_->poller().take_job(job_)) return;
  ThreadPool::shared().submit(*loop_, job_);
}

void FileRequest::finish(std::int64_t result) {
  result_ = result;
  loop_ = nullptr;
  done_(*this);
}

void FileRequest::cancel() {
  if (!is_busy()) return;
  if (on_pool_) {
    ThreadPool::shared().cancel(job_);
  } else {
    job_.cancelled_.store(true, std::memory_order_relaxed);  // so that the operation's end begins nothing more
    loop_->cancel(operation_);
  }
}

std::int64_t FileRequest::run() {
  if (is_busy()) [[unlikely]]
    misuse("a FileRequest was run that has been started and not ended");
  failed_call_ = nullptr;
  job_.cancelled_.store(false, std::memory_order_relaxed);
  result_ = is_whole(path_) && is_whole(path2_) ? perform() : -EINVAL;
  return result_;
}

std::int64_t FileRequest::perform() {
  switch (kind_) {
    case FileKind::ReadDirectory:
      return FilePerformer::read_directory(*this);
    case FileKind::MakeDirectories:
      return FilePerformer::make_directories(*this);
    case FileKind::RemoveAll:
      return FilePerformer::remove_all(*this);
    case FileKind::ReadFile:
      return FilePerformer::read_file(*this);
    case FileKind::WriteFile:
      return FilePerformer::write_file(*this);
    case FileKind::Copy:
      return FilePerformer::copy(*this);
    case FileKind::SendFile:
      return FilePerformer::send_file(*this);
    default:
      return FilePerformer::call(*this);
  }
}

// The kind as an operation of the poller.
void FileRequest::fill_operation() {
  Operation& op = operation_;
  const char* path = path_.c_str();
  const char* path2 = path2_.c_str();
  const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(size_, kMaxTransfer));
  switch (kind_) {
    case FileKind::Open:
      op.openat(AT_FDCWD, path, static_cast<int>(flags_), mode_);
      break;
    case FileKind::Close:
      op.close(fd_);
      break;
    case FileKind::Read:
      op.read(fd_, data_, size, offset_);
      break;
    case FileKind::Write:
      op.write(fd_, data_, size, offset_);
      break;
    case FileKind::ReadV:
      op.readv(fd_, static_cast<const iovec*>(data_), std::min<std::uint32_t>(size, IOV_MAX), offset_);
      break;
    case FileKind::WriteV:
      op.writev(fd_, static_cast<const iovec*>(data_), std::min<std::uint32_t>(size, IOV_MAX), offset_);
      break;
    case FileKind::Stat:
    case FileKind::Lstat:
    case FileKind::Fstat:
      op.statx(fd_, path, static_cast<int>(flags_), STATX_BASIC_STATS | STATX_BTIME, &status_);
      break;
    case FileKind::Fsync:
    case FileKind::Fdatasync:
      op.fsync(fd_, kind_ == FileKind::Fdatasync);
      break;
    case FileKind::Fallocate:
      op.fallocate(fd_, static_cast<int>(mode_), offset_, size_);
      break;
    case FileKind::Ftruncate:
      op.ftruncate(fd_, offset_);
      break;
    case FileKind::Unlink:
    case FileKind::RemoveDirectory:
      op.unlinkat(AT_FDCWD, path, kind_ == FileKind::Unlink ? 0 : AT_REMOVEDIR);
      break;
    case FileKind::MakeDirectory:
      op.mkdirat(AT_FDCWD, path, mode_);
      break;
    case FileKind::Rename:
      op.renameat(AT_FDCWD, path, AT_FDCWD, path2);
      break;
    case FileKind::Link:
      op.linkat(AT_FDCWD, path, AT_FDCWD, path2);
      break;
    case FileKind::Symlink:
      op.symlinkat(path, AT_FDCWD, path2);
      break;
    case FileKind::ReadFile:
      op.read_file(AT_FDCWD, path, text_.data(), static_cast<std::uint32_t>(text_.size()));
      break;
    default:
      break;
  }
}

}  // namespace rondo
