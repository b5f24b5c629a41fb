// Whole files for node:fs: read all, write all, copy. Each opens, works and closes in one go.
#include "modules/fs_perform.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace rondo::modules {

namespace {

constexpr size_t kUnknownSize = 64 * 1024;
constexpr int64_t kMostBytes = (int64_t{1} << 31) - 1;

bool fail(FsRequest& r, const char* syscall, bool with_path) {
  r.error = errno;
  r.syscall = syscall;
  r.error_has_path = with_path;
  return false;
}

int open_uninterrupted(const std::string& path, int flags, uint32_t mode) {
  int fd;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

bool grow(FsRequest& r, size_t& capacity) {
  size_t larger = std::max(capacity * 2, kUnknownSize);
  auto* moved = static_cast<uint8_t*>(realloc(r.data, larger));
  if (!moved) {
    errno = ENOMEM;
    return fail(r, "read", false);
  }
  r.data = moved;
  capacity = larger;
  return true;
}

// From the descriptor's position to the end. A size of 0 may be a lie (/proc), so the end is where read says so.
bool read_to_end(FsRequest& r, int fd) {
  struct stat info;
  if (::fstat(fd, &info) != 0) return fail(r, "fstat", false);
  bool regular = S_ISREG(info.st_mode);
  if (regular && info.st_size > kMostBytes) {
    r.value = info.st_size;
    return false;
  }
  size_t known = regular ? static_cast<size_t>(info.st_size) : 0;
  size_t capacity = known ? known + 1 : kUnknownSize;
  r.data = static_cast<uint8_t*>(malloc(capacity));
  if (!r.data) return fail(r, "read", false);
  for (;;) {
    if (r.size == capacity && !grow(r, capacity)) return false;
    ssize_t n = ::read(fd, r.data + r.size, capacity - r.size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(r, "read", false);
    r.size += static_cast<size_t>(n);
    // A regular file that gave exactly its size has no more: one call saved.
    if (n == 0 || (known && r.size == known)) return true;
  }
}

bool write_all(FsRequest& r, int fd, const void* data, size_t size) {
  auto* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t n = ::write(fd, at, std::min<size_t>(size, kMostBytes));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(r, "write", false);
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

// By the kernel where it can, by hand where it cannot (other file systems, /proc).
bool copy_bytes(int from, int to) {
  for (;;) {
    ssize_t n = ::copy_file_range(from, nullptr, to, nullptr, size_t{1} << 30, 0);
    if (n > 0) continue;
    if (n == 0) break;
    if (errno == EINTR) continue;
    if (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP && errno != EPERM) return false;
    break;
  }
  char buffer[65536];
  for (;;) {
    ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    for (ssize_t done = 0; done < n;) {
      ssize_t written = ::write(to, buffer + done, static_cast<size_t>(n - done));
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) done += written;
    }
  }
}

constexpr int kCopyExclusive = 1, kCopyClone = 2, kCopyCloneOnly = 4;

int copy_open_files(int from, int to, int how, const struct stat& source) {
  struct stat target;
  if (::fstat(to, &target) != 0) return errno;
  if (source.st_dev == target.st_dev && source.st_ino == target.st_ino) return 0;
  if (::fchmod(to, source.st_mode & 07777) != 0 && errno != EPERM) return errno;
  if (::ftruncate(to, 0) != 0) return errno;
  if (how & (kCopyClone | kCopyCloneOnly)) {
    if (::ioctl(to, FICLONE, from) == 0) return 0;
    if (how & kCopyCloneOnly) return errno == ENOTTY || errno == EINVAL || errno == EXDEV ? ENOTSUP : errno;
  }
  return copy_bytes(from, to) ? 0 : errno;
}

int copy_paths(FsRequest& r) {
  int from = open_uninterrupted(r.path, O_RDONLY, 0);
  if (from < 0) return errno;
  struct stat source;
  int error = ::fstat(from, &source) != 0 ? errno : S_ISDIR(source.st_mode) ? EISDIR : 0;
  if (!error) {
    int flags = O_WRONLY | O_CREAT | (r.flags & kCopyExclusive ? O_EXCL : 0);
    int to = open_uninterrupted(r.dest, flags, source.st_mode & 0777);
    if (to < 0) {
      error = errno;
    } else {
      error = copy_open_files(from, to, r.flags, source);
      ::close(to);
      if (error && (r.flags & kCopyExclusive)) ::unlink(r.dest.c_str());
    }
  }
  ::close(from);
  return error;
}

}  // namespace

void read_file(FsRequest& r) {
  if (r.fd >= 0) {
    read_to_end(r, r.fd);
    return;
  }
  int fd = open_uninterrupted(r.path, r.flags, 0666);
  if (fd < 0) {
    fail(r, "open", true);
    return;
  }
  read_to_end(r, fd);
  ::close(fd);
}

void write_file(FsRequest& r) {
  int fd = r.fd;
  if (fd < 0) {
    fd = open_uninterrupted(r.path, r.flags, r.mode);
    if (fd < 0) {
      fail(r, "open", true);
      return;
    }
  }
  bool written = write_all(r, fd, r.part.iov_base, r.part.iov_len);
  if (written && r.sync_after && ::fsync(fd) != 0) fail(r, "fsync", false);
  if (r.fd < 0) ::close(fd);
}

void copy_file(FsRequest& r) {
  r.syscall = "copyfile";
  r.error = copy_paths(r);
}

}  // namespace rondo::modules
