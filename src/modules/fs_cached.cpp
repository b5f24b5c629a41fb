// File operations that need not leave the loop's thread: a path that the kernel resolves from its caches (RESOLVE_CACHED) and
// data that is in memory (RWF_NOWAIT). What is not cached is told at once (EAGAIN), and the request goes to the pool. This
// costs about a third of a trip to another thread.
#include "modules/fs_task.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED 0x20
#endif

namespace rondo::modules {

namespace {

constexpr unsigned kStatMask = STATX_BASIC_STATS | STATX_BTIME;
constexpr size_t kMostInline = 256 * 1024;  // copying more than this would hold the loop

int open_cached(const char* path, int flags) {
  struct open_how how = {};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_CACHED;
  return static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
}

bool transfer_read(FsRequest& r) {
  const iovec* parts = r.parts.empty() ? &r.part : r.parts.data();
  int count = r.parts.empty() ? 1 : static_cast<int>(r.parts.size());
  if (count > 64 || (count == 1 && parts->iov_len > kMostInline)) return false;
  ssize_t n = ::preadv2(r.fd, parts, count, r.offset, RWF_NOWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EOPNOTSUPP || errno == EINTR || errno == ESPIPE)) return false;
  r.syscall = "read";
  r.error_has_path = false;
  if (n < 0)
    r.error = errno;
  else
    r.value = n;
  return true;
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
        found_remote = found_remote || strncmp(type, remote, strlen(remote)) == 0;
      }
    }
    fclose(mounts);
    return !found_remote;
  }();
  return local;
}

// After a look that took long (a cold disk), the next ones are careful.
constexpr Nanoseconds kSlowLook = 100'000;
constexpr int kCarefulLooks = 256;
thread_local int careful_looks = 0;

bool stat_at_once(FsRequest& r) {
  Nanoseconds begin = steady_now();
  r.perform();
  if (steady_now() - begin > kSlowLook) careful_looks = kCarefulLooks;
  return true;
}

bool stat_cached(FsRequest& r) {
  if (careful_looks > 0)
    careful_looks--;
  else if (all_mounts_are_local())
    return stat_at_once(r);
  int fd = open_cached(r.path.c_str(), O_PATH | (r.kind == FsKind::Lstat ? O_NOFOLLOW : 0));
  if (fd < 0) return false;
  bool done = ::statx(fd, "", AT_EMPTY_PATH, kStatMask, &r.info) == 0;
  ::close(fd);
  return done;
}

// A regular file only: opening a pipe or a device may wait for its other side.
int open_regular(FsRequest& r, struct stat& info) {
  if (r.flags & ~(O_CLOEXEC | O_NOFOLLOW | O_LARGEFILE)) return -1;  // anything but plain reading
  int fd = open_cached(r.path.c_str(), r.flags | O_NONBLOCK);
  if (fd < 0) return -1;
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return fd;
  ::close(fd);
  return -1;
}

bool open_file(FsRequest& r) {
  struct stat info;
  int fd = open_regular(r, info);
  if (fd < 0) return false;
  ::fcntl(fd, F_SETFL, r.flags);
  r.syscall = "open";
  r.value = fd;
  return true;
}

bool read_file_cached(FsRequest& r) {
  if (r.fd >= 0) return false;
  struct stat info;
  int fd = open_regular(r, info);
  if (fd < 0) return false;
  auto size = static_cast<size_t>(info.st_size);
  bool done = false;
  if (size > 0 && size <= kMostInline) {
    r.data = static_cast<uint8_t*>(malloc(size));
    iovec part = {r.data, size};
    done = r.data && ::preadv2(fd, &part, 1, 0, RWF_NOWAIT) == static_cast<ssize_t>(size);
    if (done)
      r.size = size;
    else
      free(std::exchange(r.data, nullptr));
  }
  ::close(fd);
  return done;
}

}  // namespace

bool perform_cached(FsRequest& r) {
  switch (r.kind) {
    case FsKind::Read:
      return transfer_read(r);
    case FsKind::Stat:
    case FsKind::Lstat:
      return stat_cached(r);
    case FsKind::Open:
      return open_file(r);
    case FsKind::ReadFile:
      return read_file_cached(r);
    case FsKind::Fstat:
    case FsKind::Close:
      r.perform();
      return true;
    default:
      return false;
  }
}

}  // namespace rondo::modules
