// The system calls behind node:fs, one function a kind. Runs on any thread; see fs_request.h. Whole files and copying are in
// fs_perform_whole.cpp, directories in fs_perform_directory.cpp.
#include "modules/fs_perform.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cmath>

namespace rondo::modules {

namespace {

void finish(FsRequest& r, const char* syscall, int64_t result) {
  r.syscall = syscall;
  if (result < 0)
    r.error = errno;
  else
    r.value = result;
}

void finish_fd(FsRequest& r, const char* syscall, int64_t result) {
  r.error_has_path = false;
  finish(r, syscall, result);
}

template <class Call>
int64_t uninterrupted(Call call) {
  int64_t result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

timespec to_timespec(double seconds) {
  double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
}

void set_times(FsRequest& r, const char* syscall, int directory, const char* path, int flags) {
  timespec times[2] = {to_timespec(r.atime), to_timespec(r.mtime)};
  finish(r, syscall, path ? utimensat(directory, path, times, flags) : futimens(directory, times));
}

void read_parts(FsRequest& r) {
  const iovec* parts = r.parts.empty() ? &r.part : r.parts.data();
  int count = r.parts.empty() ? 1 : static_cast<int>(std::min<size_t>(r.parts.size(), IOV_MAX));
  finish_fd(r, "read", uninterrupted([&]() -> int64_t {
              if (r.offset < 0)
                return count == 1 ? ::read(r.fd, parts->iov_base, parts->iov_len) : ::readv(r.fd, parts, count);
              return count == 1 ? ::pread(r.fd, parts->iov_base, parts->iov_len, r.offset)
                                : ::preadv(r.fd, parts, count, r.offset);
            }));
}

void write_parts(FsRequest& r) {
  const iovec* parts = r.parts.empty() ? &r.part : r.parts.data();
  int count = r.parts.empty() ? 1 : static_cast<int>(std::min<size_t>(r.parts.size(), IOV_MAX));
  finish_fd(r, "write", uninterrupted([&]() -> int64_t {
              if (r.offset < 0)
                return count == 1 ? ::write(r.fd, parts->iov_base, parts->iov_len) : ::writev(r.fd, parts, count);
              return count == 1 ? ::pwrite(r.fd, parts->iov_base, parts->iov_len, r.offset)
                                : ::pwritev(r.fd, parts, count, r.offset);
            }));
}

void stat_file(FsRequest& r) {
  constexpr unsigned kMask = STATX_BASIC_STATS | STATX_BTIME;
  switch (r.kind) {
    case FsKind::Stat:
      return finish(r, "stat", ::statx(AT_FDCWD, r.path.c_str(), AT_STATX_SYNC_AS_STAT, kMask, &r.info));
    case FsKind::Lstat:
      return finish(r, "lstat", ::statx(AT_FDCWD, r.path.c_str(), AT_SYMLINK_NOFOLLOW, kMask, &r.info));
    default:
      return finish_fd(r, "fstat", ::statx(r.fd, "", AT_EMPTY_PATH, kMask, &r.info));
  }
}

void read_link(FsRequest& r) {
  char buffer[PATH_MAX];
  ssize_t size = ::readlink(r.path.c_str(), buffer, sizeof buffer);
  if (size >= 0) r.result.assign(buffer, static_cast<size_t>(size));
  finish(r, "readlink", size);
}

void real_path(FsRequest& r) {
  char buffer[PATH_MAX];
  char* found = ::realpath(r.path.c_str(), buffer);
  if (found) r.result = found;
  finish(r, "realpath", found ? 0 : -1);
}

}  // namespace

void FsRequest::perform() {
  FsRequest& r = *this;
  const char* p = path.c_str();
  switch (kind) {
    case FsKind::Access:
      return finish(r, "access", ::access(p, flags));
    case FsKind::Open:
      return finish(r, "open", uninterrupted([&] { return ::open(p, flags | O_CLOEXEC, mode); }));
    case FsKind::Close: {
      int result = ::close(fd);
      return finish_fd(r, "close", result < 0 && errno == EINTR ? 0 : result);
    }
    case FsKind::Read:
      return read_parts(r);
    case FsKind::Write:
      return write_parts(r);
    case FsKind::Rename:
      return finish(r, "rename", ::rename(p, dest.c_str()));
    case FsKind::Link:
      return finish(r, "link", ::link(p, dest.c_str()));
    case FsKind::Symlink:
      return finish(r, "symlink", ::symlink(p, dest.c_str()));
    case FsKind::Unlink:
      return finish(r, "unlink", ::unlink(p));
    case FsKind::Rmdir:
      return finish(r, "rmdir", ::rmdir(p));
    case FsKind::Mkdir:
      return make_directory(r);
    case FsKind::Mkdtemp:
      return make_temporary_directory(r);
    case FsKind::Readdir:
      return read_directory(r);
    case FsKind::Readlink:
      return read_link(r);
    case FsKind::Realpath:
      return real_path(r);
    case FsKind::Stat:
    case FsKind::Lstat:
    case FsKind::Fstat:
      return stat_file(r);
    case FsKind::Statfs:
      return finish(r, "statfs", ::statfs(p, &fs_info));
    case FsKind::Chmod:
      return finish(r, "chmod", ::chmod(p, mode));
    case FsKind::Fchmod:
      return finish_fd(r, "fchmod", ::fchmod(fd, mode));
    case FsKind::Chown:
      return finish(r, "chown", ::chown(p, uid, gid));
    case FsKind::Lchown:
      return finish(r, "lchown", ::lchown(p, uid, gid));
    case FsKind::Fchown:
      return finish_fd(r, "fchown", ::fchown(fd, uid, gid));
    case FsKind::Utimes:
      return set_times(r, "utime", AT_FDCWD, p, 0);
    case FsKind::Lutimes:
      return set_times(r, "lutime", AT_FDCWD, p, AT_SYMLINK_NOFOLLOW);
    case FsKind::Futimes:
      r.error_has_path = false;
      return set_times(r, "futime", fd, nullptr, 0);
    case FsKind::Ftruncate:
      return finish_fd(r, "ftruncate", uninterrupted([&] { return ::ftruncate(fd, offset); }));
    case FsKind::Fsync:
      return finish_fd(r, "fsync", uninterrupted([&] { return ::fsync(fd); }));
    case FsKind::Fdatasync:
      return finish_fd(r, "fdatasync", uninterrupted([&] { return ::fdatasync(fd); }));
    case FsKind::CopyFile:
      return copy_file(r);
    case FsKind::ReadFile:
      return read_file(r);
    case FsKind::WriteFile:
      return write_file(r);
  }
}

}  // namespace rondo::modules
