// Kinds that are one blocking system call (or glibc function).
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "loop/fs/file_performer.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

#ifndef SYS_fchmodat2
constexpr long kFchmodat2 = 452;  // Linux 6.6
#else
constexpr long kFchmodat2 = SYS_fchmodat2;
#endif

std::int64_t lchmod(const char* path, mode_t mode) {
  if (syscall(kFchmodat2, AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW) == 0) return 0;
  if (errno != ENOSYS) return -1;
  return fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW);
}

std::int64_t read_link(const char* path, std::string& text) {
  // The size that stat tells is zero for links in /proc: grow until it fits.
  for (std::size_t capacity = 256;; capacity *= 2) {
    text.resize(capacity);
    const ssize_t size = readlink(path, text.data(), capacity);
    if (size < 0) return -1;
    if (static_cast<std::size_t>(size) == capacity) continue;
    text.resize(static_cast<std::size_t>(size));
    return 0;
  }
}

std::int64_t real_path(const char* path, std::string& text) {
  char buffer[PATH_MAX];
  if (!realpath(path, buffer)) return -1;
  text.assign(buffer);
  return 0;
}

std::int64_t make_temporary(const std::string& pattern, std::string& text) {
  text = pattern;
  return mkdtemp(text.data()) ? 0 : -1;
}

std::int64_t make_temporary_file(const std::string& pattern, std::string& text) {
  text = pattern;
  return mkostemp(text.data(), O_CLOEXEC);
}

}  // namespace

// More parts than one call takes: as many calls as it needs, until one moves less than it was given.
std::int64_t FilePerformer::transfer_many(FileRequest& r) {
  const auto* parts = static_cast<const iovec*>(r.data_);
  std::int64_t total = 0;
  for (std::size_t first = 0; first < r.size_; first += IOV_MAX) {
    const std::size_t count = std::min<std::size_t>(r.size_ - first, IOV_MAX);
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < count; i++) wanted += parts[first + i].iov_len;
    const std::int64_t offset = r.offset_ < 0 ? -1 : r.offset_ + total;
    Operation piece;
    if (r.kind_ == FileKind::ReadV) {
      piece.readv(r.fd_, parts + first, static_cast<std::uint32_t>(count), offset);
    } else {
      piece.writev(r.fd_, parts + first, static_cast<std::uint32_t>(count), offset);
    }
    const int moved = files(r).perform(piece);
    if (moved < 0) return total > 0 ? total : moved;
    total += moved;
    if (static_cast<std::size_t>(moved) < wanted) break;
  }
  return total;
}

// The few of these that a simulated world has.
std::int64_t FilePerformer::simulated_call(FileRequest& r) {
  FileSystem& system = files(r);
  switch (r.kind_) {
    case FileKind::Truncate: {
      const UniqueFd file(system.open(r.path_.c_str(), O_WRONLY | O_CLOEXEC, 0));
      return file ? system.truncate(file.get(), r.offset_) : file.get();
    }
    case FileKind::Fchmod:
      return system.set_mode(r.fd_, r.mode_);
    case FileKind::Access: {
      struct ::stat status;
      return system.stat(r.path_.c_str(), status);  // everyone may do everything there
    }
    default:
      return -ENOSYS;
  }
}

FileSystem& FilePerformer::files(const FileRequest& r) {
  return r.loop_ ? r.loop_->poller().files() : FileSystem::kernel();
}

std::int64_t FilePerformer::call(FileRequest& r) {
  const bool is_vector = r.kind_ == FileKind::ReadV || r.kind_ == FileKind::WriteV;
  if (is_vector && r.size_ > IOV_MAX) return transfer_many(r);
  if (r.kind_ < FileKind::Truncate) {
    r.fill_operation();
    return files(r).perform(r.operation_);
  }
  if (files(r).is_simulated()) return simulated_call(r);
  const char* path = r.path_.c_str();
  for (;;) {
    std::int64_t result = -1;
    switch (r.kind_) {
      case FileKind::Truncate:
        result = truncate(path, r.offset_);
        break;
      case FileKind::ReadLink:
        result = read_link(path, r.text_);
        break;
      case FileKind::RealPath:
        result = real_path(path, r.text_);
        break;
      case FileKind::MakeTemporary:
        result = make_temporary(r.path_, r.text_);
        break;
      case FileKind::MakeTemporaryFile:
        result = make_temporary_file(r.path_, r.text_);
        break;
      case FileKind::Utimes:
        result = utimensat(AT_FDCWD, path, r.times_, 0);
        break;
      case FileKind::Lutimes:
        result = utimensat(AT_FDCWD, path, r.times_, AT_SYMLINK_NOFOLLOW);
        break;
      case FileKind::Futimes:
        result = futimens(r.fd_, r.times_);
        break;
      case FileKind::Chmod:
        result = chmod(path, r.mode_);
        break;
      case FileKind::Lchmod:
        result = lchmod(path, r.mode_);
        break;
      case FileKind::Fchmod:
        result = fchmod(r.fd_, r.mode_);
        break;
      case FileKind::Chown:
        result = chown(path, r.uid_, r.gid_);
        break;
      case FileKind::Lchown:
        result = lchown(path, r.uid_, r.gid_);
        break;
      case FileKind::Fchown:
        result = fchown(r.fd_, r.uid_, r.gid_);
        break;
      case FileKind::Access:
        result = access(path, static_cast<int>(r.mode_));
        break;
      case FileKind::StatFs:
        result = ::statfs(path, &r.file_system_);
        break;
      default:
        errno = EINVAL;
        break;
    }
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

}  // namespace rondo
