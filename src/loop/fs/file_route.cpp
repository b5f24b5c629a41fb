// Route of an asynchronous request: immediate, ring or pool. Requests that the kernel can answer from its caches are done here and now: a look at a
// path, data that is in memory (RWF_NOWAIT); that costs a third of a trip to another thread. Everything else goes to
// the poller's ring or to the pool. Called by FileRequest::start only.
//
// Where the ring does not do what the plain call does, it is not used:
//  - transfers at the descriptor's own position: two in one submission would both start from the same place;
//  - opening anything but files and directories: the kernel first tries O_NONBLOCK, with which a FIFO opens at once.
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "rondo/base/unique_fd.h"
#include "loop/fs/status.h"
#include "rondo/fs.h"
#include "rondo/loop.h"

#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED 0x20
#endif

namespace rondo {
namespace {

constexpr unsigned kStatMask = STATX_BASIC_STATS | STATX_BTIME;
constexpr std::size_t kMostAtOnce = 256 * 1024;  // copying more than this would hold the loop
constexpr std::size_t kMostParts = 64;

bool environment_says_pool() {
  static const bool answer = [] {
    const char* value = getenv("RONDO_FS");
    return value && std::strcmp(value, "pool") == 0;
  }();
  return answer;
}

// A look at a path blocks for long only on file systems that others serve. Read once: mounts seldom change.
bool all_mounts_are_local() {
  static const bool local = [] {
    FILE* mounts = fopen("/proc/self/mounts", "re");
    if (!mounts) return false;
    char type[64];
    bool found_remote = false;
    while (fscanf(mounts, "%*s %*s %63s %*[^\n]", type) == 1) {
      for (const char* remote : {"nfs", "cifs", "smb", "fuse", "9p", "ceph", "afs", "autofs", "virtiofs"}) {
        found_remote = found_remote || std::strncmp(type, remote, std::strlen(remote)) == 0;
      }
    }
    fclose(mounts);
    return !found_remote;
  }();
  return local;
}

// After a look that took long (a cold disk), the next ones are careful.
constexpr Nanoseconds kSlowLook = 500'000;
constexpr int kCarefulLooks = 64;
thread_local int careful_looks = 0;

int open_cached(const char* path, int flags) {
  struct open_how how = {};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_CACHED;
  return static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
}

// False: cannot be told without blocking.
bool look(const char* path, int flags, struct ::statx& status, std::int64_t& result) {
  if (careful_looks == 0 && all_mounts_are_local()) {
    const Nanoseconds begin = steady_now();
    result = status_at(AT_FDCWD, path, flags, kStatMask, status) < 0 ? -errno : 0;
    if (steady_now() - begin > kSlowLook) careful_looks = kCarefulLooks;
    return true;
  }
  if (careful_looks > 0) careful_looks--;
  const UniqueFd place(open_cached(path, O_PATH | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0)));
  if (!place) return false;
  result = status_at(place.get(), "", AT_EMPTY_PATH, kStatMask, status) < 0 ? -errno : 0;
  return result == 0;
}

bool has_readiness(int fd) {
  struct ::stat status;
  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode));
}

// False: some of it is not in memory, or this file cannot tell.
bool read_from_memory(int fd, const iovec* parts, std::size_t count, std::int64_t offset, std::int64_t& result) {
  if (count > kMostParts || (count == 1 && parts->iov_len > kMostAtOnce)) return false;
  const ssize_t got = ::preadv2(fd, parts, static_cast<int>(count), offset, RWF_NOWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EOPNOTSUPP || errno == EINTR || errno == ESPIPE)) return false;
  result = got < 0 ? -errno : got;
  return true;
}

bool read_whole_from_memory(const char* path, std::string& text, std::int64_t& result) {
  const UniqueFd file(open_cached(path, O_RDONLY | O_NONBLOCK));  // else a lease on the file would hold us
  if (!file) return false;
  const iovec part{text.data(), text.size()};
  return read_from_memory(file.get(), &part, 1, 0, result) && result == static_cast<std::int64_t>(text.size());
}

}  // namespace

FileRequest::Route FileRequest::choose_route(Loop& loop, std::int64_t& result) {
  if (loop.decider()) return kind_ == FileKind::ReadFile ? Route::Pool : Route::Poller;  // it chooses when things end
  if (environment_says_pool()) {
    // Not files: a pipe that gives nothing must not hold a thread of the pool.
    stream = is_transfer() && has_readiness(fd);
    return stream ? Route::Poller : Route::Pool;
  }
  switch (kind_) {
    case FileKind::Stat:
    case FileKind::Lstat:
      return look(path_.c_str(), static_cast<int>(flags), status_, result) ? Route::Immediate : Route::Pool;
    case FileKind::Fstat:
      result = status_at(fd, "", AT_EMPTY_PATH, kStatMask, status_) < 0 ? -errno : 0;
      return Route::Immediate;
    case FileKind::Open: {
      if (!look(path_.c_str(), 0, status_, result)) return Route::Pool;
      const bool is_plain = result < 0 || S_ISREG(status_.stx_mode) || S_ISDIR(status_.stx_mode);
      return is_plain ? Route::Poller : Route::Pool;
    }
    case FileKind::ReadFile:
      return route_of_read_file(loop, result);
    default:
      return is_transfer() ? route_of_transfer(loop, result) : Route::Poller;
  }
}

FileRequest::Route FileRequest::route_of_read_file(Loop& loop, std::int64_t& result) {
  if (fd >= 0 || (mode & ~static_cast<std::uint32_t>(O_CLOEXEC | O_NOFOLLOW | O_LARGEFILE))) return Route::Pool;
  if (!look(path_.c_str(), mode & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, status_, result)) return Route::Pool;
  if (result == -ENOENT) {
    failed_call_ = "open";
    return Route::Immediate;
  }
  const std::uint64_t size = status_.stx_size;
  if (result < 0 || !S_ISREG(status_.stx_mode) || size == 0 || size > std::min<std::uint64_t>(kMostAtOnce, length2)) {
    return Route::Pool;
  }
  text_.resize_and_overwrite(size, [](char*, std::size_t count) { return count; });
  if (loop.poller().has_file_operations()) {
    Operation::read_file(AT_FDCWD, path_.c_str(), text_.data(), static_cast<std::uint32_t>(size));
    return Route::Poller;
  }
  return read_whole_from_memory(path_.c_str(), text_, result) ? Route::Immediate : Route::Pool;
}

FileRequest::Route FileRequest::route_of_transfer(Loop& loop, std::int64_t& result) {
  const bool is_vector = kind_ == FileKind::ReadV || kind_ == FileKind::WriteV;
  const bool is_read = kind_ == FileKind::Read || kind_ == FileKind::ReadV;
  const bool has_ring = loop.poller().has_file_operations();
  if (is_vector && length2 > IOV_MAX && !has_readiness(fd)) return Route::Pool;  // takes several calls
  if (has_ring && offset >= 0) return Route::Poller;
  if (is_read) {
    const iovec one{data, static_cast<std::size_t>(length2)};
    const iovec* parts = is_vector ? static_cast<const iovec*>(data) : &one;
    if (read_from_memory(fd, parts, is_vector ? length2 : 1, offset, result)) return Route::Immediate;
  }
  stream = has_readiness(fd);
  return stream ? Route::Poller : Route::Pool;
}

}  // namespace rondo
