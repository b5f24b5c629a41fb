// FileRequest's life: start, ring or pool, completion. What each kind asks for is in file_describe.cpp, what it does
// when it blocks in the other files of this folder.
#include <fcntl.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "loop/fs/file_performer.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr std::size_t kMaxTransfer = 0x7ffff000;    // what Linux moves at most in one call
constexpr std::size_t kFirstRead = 32 * 1024;       // whole files below this take one round

bool has_operation(FileKind kind) { return kind < FileKind::Truncate; }

bool environment_says_pool() {
  static const bool answer = [] {
    const char* value = getenv("RONDO_FS");
    return value && std::strcmp(value, "pool") == 0;
  }();
  return answer;
}

}  // namespace

void FileRequest::start(Loop& loop, Done done, Route route) {
  assert(!is_busy() && kind_ != FileKind::None);
  loop_ = &loop;
  done_.set(std::move(done));
  job_.cancelled.store(false, std::memory_order_relaxed);
  on_pool_ = route == Route::Pool || !has_operation(kind_) || environment_says_pool();
  if (on_pool_) {
    if (kind_ == FileKind::Close) loop.forget(fd_);
    return submit_job();
  }
  fill_operation();
  operation_.source = HandleKind::File;
  operation_.then(
      [](Operation& operation, const Completion& completion) {
        auto& self = *static_cast<FileRequest*>(operation.owner);
        if (self.kind_ != FileKind::ReadFile || completion.result < 0) return self.finish(completion.result);
        if (static_cast<std::size_t>(completion.result) == self.text_.size() && !operation.cancelled) {
          return self.submit_job();  // there may be more than fits: read it in the ordinary way
        }
        self.text_.resize(static_cast<std::size_t>(completion.result));
        self.finish(completion.result);
      },
      this);
  loop.submit(operation_);
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
    loop_->cancel(operation_);
  }
}

std::int64_t FileRequest::run() {
  assert(!is_busy());
  job_.cancelled.store(false, std::memory_order_relaxed);
  result_ = perform();
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
      op.readv(fd_, static_cast<const iovec*>(data_), size, offset_);
      break;
    case FileKind::WriteV:
      op.writev(fd_, static_cast<const iovec*>(data_), size, offset_);
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
      text_.resize_and_overwrite(kFirstRead, [](char*, std::size_t count) { return count; });
      op.read_file(AT_FDCWD, path, text_.data(), kFirstRead);
      break;
    default:
      break;
  }
}

}  // namespace rondo
