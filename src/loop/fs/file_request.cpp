// FileRequest's life: start, ring or pool, completion. What each kind asks for is in file_describe.cpp, what a thread does for it
// in file_kinds.cpp.
#include <cerrno>
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

}  // namespace rondo
