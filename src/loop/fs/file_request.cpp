// FileRequest's life: start, ring or pool, completion. Arguments of each kind are in file_describe.cpp, what a thread does for it
// in file_kinds.cpp.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/fs/file_performer.h"
#include "rondo/base/fatal.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

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
  is_unwanted_.store(false, std::memory_order_relaxed);
  perform = nullptr;
  source = HandleKind::File;
  then([](Operation& operation, const Completion& completion) {
    static_cast<FileRequest&>(operation).completed(completion);
  });
  std::int64_t result = 0;
  Route chosen = Route::Immediate;
  if (!is_whole(path_) || !is_whole(path2_)) {
    result = -EINVAL;
  } else {
    const bool has_choice = Operation::kind != OpKind::Nop || kind_ == FileKind::ReadFile;
    chosen = route == Route::Pool || !has_choice ? Route::Pool : choose_route(loop, result);
  }
  if (chosen == Route::Pool) {
    if (kind_ == FileKind::Close) loop.forget(fd);
    return submit_to_pool();
  }
  if (chosen == Route::Immediate) return loop.complete(*this, static_cast<int>(result));
  loop.submit(*this);
}

void FileRequest::completed(const Completion& completion) {
  const auto result = completion.result;
  // A thread has left the result, which may be longer than a completion's, in the request.
  if (perform) return finish(result < 0 ? result : result_);
  // A descriptor in non-blocking mode: it has readiness, so wait for that.
  if (result == -EAGAIN && !stream && is_transfer()) {
    if (is_cancelled()) return finish(-ECANCELED);
    stream = true;
    return loop_->submit(*this);
  }
  if (Operation::kind == OpKind::ReadFile) {
    Operation::kind = OpKind::Nop;
    // The size was that of a moment ago. If the file has changed, or the kernel has no such chain: the ordinary chosen.
    if (result < 0 || static_cast<std::size_t>(result) != text_.size()) {
      return is_cancelled() ? finish(-ECANCELED) : submit_to_pool();
    }
  }
  finish(result);
}

void FileRequest::submit_to_pool() {
  perform = [](Operation& operation) {
    auto& self = static_cast<FileRequest&>(operation);
    self.result_ = FilePerformer::perform(self);
    return 0;
  };
  loop_->submit(*this);
}

void FileRequest::finish(std::int64_t result) {
  result_ = result;
  loop_ = nullptr;
  done_(*this);
}

void FileRequest::cancel() {
  if (!is_busy()) return;
  is_unwanted_.store(true, std::memory_order_relaxed);  // so that the end of one part begins no other
  loop_->cancel(*this);
}

std::int64_t FileRequest::run() {
  if (is_busy()) [[unlikely]]
    misuse("a FileRequest was run that has been started and not ended");
  failed_call_ = nullptr;
  is_unwanted_.store(false, std::memory_order_relaxed);
  result_ = is_whole(path_) && is_whole(path2_) ? FilePerformer::perform(*this) : -EINVAL;
  return result_;
}

void FileRequest::take_description(const FileRequest& other, std::string& memory) {
  if (other.is_busy()) [[unlikely]]
    misuse("a FileRequest was started again before its end");
  describe(other.kind_, other.path_, other.path2_);
  const auto same_string = [&](const char* text) {
    return text == other.path_.c_str() ? path_.c_str() : text == other.path2_.c_str() ? path2_.c_str() : text;
  };
  Operation::kind = other.Operation::kind;
  Operation::path = same_string(other.Operation::path);
  Operation::path2 = same_string(other.Operation::path2);
  fd = other.fd;
  fd2 = other.fd2;
  flags = other.flags;
  mode = other.mode;
  length = other.length;
  length2 = other.length2;
  offset = other.offset;
  data = other.data == &other.status_ ? &status_ : other.data;
  uid_ = other.uid_;
  gid_ = other.gid_;
  times_[0] = other.times_[0];
  times_[1] = other.times_[1];
  text_ = other.text_;
  const auto* parts = static_cast<const iovec*>(other.data);
  switch (kind_) {
    case FileKind::Read:
      memory.resize(length2);
      read(fd, memory.data(), memory.size(), offset);
      break;
    case FileKind::Write:
      memory.assign(static_cast<const char*>(other.data), length2);
      write(fd, memory.data(), memory.size(), offset);
      break;
    case FileKind::ReadV:
      for (std::size_t i = 0; i < other.length2; i++) memory.resize(memory.size() + parts[i].iov_len);
      read(fd, memory.data(), memory.size(), offset);
      break;
    case FileKind::WriteV:
      for (std::size_t i = 0; i < other.length2; i++)
        memory.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
      write(fd, memory.data(), memory.size(), offset);
      break;
    case FileKind::WriteFile:
      memory.assign(static_cast<const char*>(other.data), length2);
      data = memory.data();
      break;
    default:
      break;
  }
}

void FileRequest::take_results(FileRequest& other, const std::string& memory) {
  result_ = other.result_;
  failed_call_ = other.failed_call_;
  text_ = std::move(other.text_);
  entries_ = std::move(other.entries_);
  if (kind_ == FileKind::StatFs) {
    file_system_ = other.file_system_;
  } else {
    status_ = other.status_;
  }
  const std::size_t size = result_ > 0 ? static_cast<std::size_t>(result_) : 0;
  if (kind_ == FileKind::Read) std::memcpy(data, memory.data(), size);
  if (kind_ != FileKind::ReadV) return;
  const auto* parts = static_cast<const iovec*>(data);
  for (std::size_t i = 0, done = 0; i < length2 && done < size; done += parts[i++].iov_len)
    std::memcpy(parts[i].iov_base, memory.data() + done, std::min(parts[i].iov_len, size - done));
}

}  // namespace rondo
