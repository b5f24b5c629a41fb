// FilePoll: a timer and one stat at a time.
#include <cstring>
#include <utility>

#include "rondo/fs.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"
#include "rondo/watch.h"

namespace rondo {
namespace {

bool is_same(const struct ::statx& a, const struct ::statx& b) {
  const auto same_time = [](const statx_timestamp& x, const statx_timestamp& y) {
    return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
  };
  return same_time(a.stx_ctime, b.stx_ctime) && same_time(a.stx_mtime, b.stx_mtime) &&
         same_time(a.stx_btime, b.stx_btime) && a.stx_size == b.stx_size && a.stx_mode == b.stx_mode &&
         a.stx_uid == b.stx_uid && a.stx_gid == b.stx_gid && a.stx_ino == b.stx_ino &&
         a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

}  // namespace

struct FilePoll::Look final : Lingering {
  explicit Look(FilePoll& poll) : owner(&poll) {}
  FileRequest request;
  FilePoll* owner;
};

FilePoll::~FilePoll() { stop(); }

void FilePoll::start(const std::string& path, Duration interval, OnChange on_change) {
  if (is_closing()) return;
  stop();
  path_ = path;
  interval_ = interval;
  has_looked_ = false;
  error_ = 0;
  status_ = {};
  on_change_.set(std::move(on_change));
  activate();
  look();
}

void FilePoll::stop() {
  if (look_) {
    look_->owner = nullptr;
    detail::LoopAccess::linger(*loop_, *look_);
    look_ = nullptr;
  }
  timer_.stop();
  deactivate();
}

void FilePoll::begin_close() { stop(); }

void FilePoll::look() {
  look_ = new Look(*this);
  look_->request.stat(path_);
  look_->request.start(*loop_, [look = look_](FileRequest& request) {
    FilePoll* owner = look->owner;
    const std::int64_t result = request.result();
    const struct ::statx status = request.status();
    delete look;
    if (!owner) return;
    owner->look_ = nullptr;
    owner->looked(result, status);
  });
}

void FilePoll::looked(std::int64_t result, const struct ::statx& status) {
  static constexpr struct ::statx kNothing{};
  const int error = result < 0 ? static_cast<int>(-result) : 0;
  const struct ::statx before = status_;
  const struct ::statx now = error ? kNothing : status;
  const bool is_news = has_looked_ ? error != error_ || (!error && !is_same(before, now)) : error != 0;
  has_looked_ = true;
  error_ = error;
  status_ = now;
  timer_.start(interval_, [this] { look(); });
  if (is_news) on_change_(error, before, now);
}

}  // namespace rondo
