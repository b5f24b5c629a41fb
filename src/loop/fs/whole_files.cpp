// Kinds that move a whole file: read it, write it, copy it, send it.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "loop/fs/file_performer.h"
#include "rondo/base/unique_fd.h"

namespace rondo {
namespace {

constexpr std::size_t kChunk = 128 * 1024;
constexpr std::size_t kMaxTransfer = 0x7ffff000;

std::int64_t write_all(FileSystem& files, int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const std::int64_t written = files.write(fd, data, std::min(size, kMaxTransfer));
    if (written == -EINTR) continue;
    if (written < 0) return written;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

// A size that memory cannot hold is an answer, not the end of the program. Asked for what is large only.
bool fits_in_memory(std::size_t size) {
  constexpr std::size_t kLarge = 64 * 1024 * 1024;
  if (size < kLarge) return true;
  void* probe = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return probe != MAP_FAILED && munmap(probe, size) == 0;
}

int open_retrying(FileSystem& files, const char* path, int flags, mode_t mode = 0) {
  for (;;) {
    const int fd = files.open(path, flags | O_CLOEXEC, mode);
    if (fd != -EINTR) return fd;
  }
}

}  // namespace

// From a descriptor's position to the end. The size is a first guess: /proc says 0, others may be growing.
std::int64_t FilePerformer::read_to_end(FileRequest& request, int fd) {
  FileSystem& system = files(request);
  std::string& text = request.text_;
  struct ::stat status;
  request.failed_call_ = "fstat";
  if (const int error = system.stat(fd, status)) return error;
  request.failed_call_ = "read";
  const bool is_regular = S_ISREG(status.st_mode);
  const auto known = is_regular ? static_cast<std::size_t>(status.st_size) : 0;
  const auto too_large = [&](std::size_t size) {
    request.status_.stx_size = size;
    text.clear();
    return -EFBIG;
  };
  const std::size_t limit = request.length2;
  if (known > limit) return too_large(known);
  std::size_t capacity = known ? known + 1 : std::min(kChunk, limit == SIZE_MAX ? limit : limit + 1);
  std::size_t total = 0;
  for (;;) {
    if (total > limit) return too_large(total);  // what did not say its size, or grows
    if (total == capacity) capacity = std::max(capacity * 2, kChunk);
    if (capacity > text.capacity() && !fits_in_memory(capacity)) return -ENOMEM;
    text.resize_and_overwrite(capacity, [](char*, std::size_t count) { return count; });
    const std::int64_t got = system.read(fd, text.data() + total, std::min(capacity - total, kMaxTransfer));
    if (got == -EINTR) continue;
    if (got > 0) total += static_cast<std::size_t>(got);
    // A regular file that gave exactly its size has no more: one call saved.
    const bool is_over = got <= 0 || (known && total == known);
    if (!is_over && !request.is_cancelled()) continue;
    const std::int64_t error = got < 0 ? got : is_over ? 0 : -ECANCELED;
    text.resize(total);
    return error ? error : static_cast<std::int64_t>(total);
  }
}

std::int64_t FilePerformer::read_file(FileRequest& request) {
  request.text_.clear();
  if (request.fd >= 0) return read_to_end(request, request.fd);
  request.failed_call_ = "open";
  const UniqueFd file(open_retrying(files(request), request.path_.c_str(), static_cast<int>(request.mode), 0666));
  if (!file) return file.get();
  return read_to_end(request, file.get());
}

namespace {

// After the new content: what an older, longer one has left behind. Special files have no length to cut.
std::int64_t cut_after(FileSystem& files, int fd, std::size_t size) {
  struct ::stat status;
  if (const int error = files.stat(fd, status)) return error;
  if (!S_ISREG(status.st_mode) || static_cast<std::size_t>(status.st_size) <= size) return 0;
  return files.truncate(fd, static_cast<off_t>(size));
}

}  // namespace

std::int64_t FilePerformer::write_file(FileRequest& request) {
  FileSystem& system = files(request);
  const auto* data = static_cast<const char*>(request.data);
  const auto size = static_cast<std::int64_t>(request.length2);
  request.failed_call_ = "write";
  if (request.fd >= 0) {
    const std::int64_t result = write_all(system, request.fd, data, request.length2);
    return result < 0 ? result : size;
  }
  // Cutting a file to nothing makes ext4 write its new content to the disk when it is closed; content written over the
  // old one, and cut to its length afterwards, has the same end and stays in memory. Exclusive creation has nothing to cut.
  auto flags = static_cast<int>(request.flags);
  const bool cuts = (flags & O_TRUNC) && (flags & O_CREAT) && !(flags & (O_EXCL | O_APPEND)) && request.length2 > 0;
  if (cuts) flags &= ~O_TRUNC;
  request.failed_call_ = "open";
  UniqueFd file(open_retrying(system, request.path_.c_str(), flags, request.mode));
  if (!file) return file.get();
  request.failed_call_ = "write";
  std::int64_t result = write_all(system, file.get(), data, request.length2);
  if (cuts) {
    // Also after a failure (a full disk): nothing of the old content stays behind the new.
    const std::int64_t end = system.position(file.get());
    const std::int64_t cut = end < 0 ? 0 : cut_after(system, file.get(), static_cast<std::size_t>(end));
    if (result == 0) result = cut;
  }
  if (result < 0) return result;
  // Network file systems tell of failed writes only now.
  request.failed_call_ = "close";
  const int closed = system.close(file.release());
  return closed < 0 && closed != -EINTR ? closed : size;
}

std::int64_t FilePerformer::send_file(FileRequest& request) {
  if (files(request).is_simulated()) return -ENOSYS;
  // A socket in blocking mode (all of a loop on io_uring are) would hold this thread as long as its peer likes.
  struct stat target;
  if (fstat(request.fd2, &target) == 0 && S_ISSOCK(target.st_mode) && (fcntl(request.fd2, F_GETFL) & O_NONBLOCK) == 0)
    return -EOPNOTSUPP;
  off_t offset = request.offset;
  off_t* at = request.offset >= 0 ? &offset : nullptr;
  for (;;) {
    const ssize_t sent = ::sendfile(request.fd2, request.fd, at, std::min<std::size_t>(request.length2, kMaxTransfer));
    if (sent >= 0) return sent;
    if (errno != EINTR) break;
  }
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  // A target sendfile does not take: by hand, one piece.
  const auto buffer = std::make_unique<char[]>(kChunk);
  const std::size_t wanted = std::min<std::size_t>(request.length2, kChunk);
  const ssize_t got = at ? pread(request.fd, buffer.get(), wanted, offset) : read(request.fd, buffer.get(), wanted);
  if (got <= 0) return got < 0 ? -errno : 0;
  const std::int64_t result = write_all(files(request), request.fd2, buffer.get(), static_cast<std::size_t>(got));
  return result < 0 ? result : got;
}

namespace {

bool is_unsupported(int error) {
  return error == EXDEV || error == ENOSYS || error == EINVAL || error == EOPNOTSUPP || error == ENOTTY ||
         error == EPERM || error == EBADF || error == ETXTBSY;
}

using Stop = bool (*)(const FileRequest&);

std::int64_t copy_by_hand(FileSystem& files, int from, int to, const FileRequest& request, Stop stop) {
  const auto buffer = std::make_unique<char[]>(kChunk);
  for (;;) {
    if (stop(request)) return -ECANCELED;
    const std::int64_t got = files.read(from, buffer.get(), kChunk);
    if (got == -EINTR) continue;
    if (got <= 0) return got;
    if (const std::int64_t result = write_all(files, to, buffer.get(), static_cast<std::size_t>(got))) return result;
  }
}

// In the kernel, in pieces so that cancelling has a chance. Both positions move, so either way may take over.
std::int64_t copy_content(FileSystem& files, int from, int to, const FileRequest& request, Stop stop) {
  for (bool is_first = true;; is_first = false) {
    if (stop(request)) return -ECANCELED;
    const std::int64_t moved = files.copy_range(from, to, 16 * 1024 * 1024);
    if (moved > 0) continue;
    if (moved == -EINTR) continue;
    if (moved < 0 && !is_unsupported(static_cast<int>(-moved))) return moved;
    // Files of /proc say that they are empty and are not.
    return moved == 0 && !is_first ? 0 : copy_by_hand(files, from, to, request, stop);
  }
}

// Into an open target: empties it, then mode and content.
std::int64_t fill_copy(FileSystem& files, int from, int to, mode_t mode, std::uint32_t flags,
                       const FileRequest& request, Stop stop) {
  if (const int error = files.truncate(to, 0); error < 0 && error != -EINVAL) return error;
  if (const int error = files.set_mode(to, mode); error < 0 && error != -EPERM) return error;
  const int cloned = flags & (kCopyTryClone | kCopyForceClone) ? files.clone(from, to) : -ENOTSUP;
  if (cloned == 0) return 0;
  if (flags & kCopyForceClone) return cloned == -EXDEV ? -EXDEV : -ENOTSUP;
  return copy_content(files, from, to, request, stop);
}

}  // namespace

std::int64_t FilePerformer::copy(FileRequest& request) {
  FileSystem& system = files(request);
  const UniqueFd from(open_retrying(system, request.path_.c_str(), O_RDONLY));
  if (!from) return from.get();
  struct ::stat source, target;
  if (const int error = system.stat(from.get(), source)) return error;

  const char* path = request.path2_.c_str();
  int flags = O_WRONLY | O_CREAT;
  if (request.flags & kCopyExclusive) flags |= O_EXCL;
  const bool existed = system.exists(path);
  UniqueFd to(open_retrying(system, path, flags, source.st_mode & 07777));
  if (!to) return to.get();
  std::int64_t result = system.stat(to.get(), target);
  if (result == 0 && S_ISDIR(source.st_mode)) result = -EISDIR;
  if (result == 0 && source.st_dev == target.st_dev && source.st_ino == target.st_ino) return 0;  // onto itself: done
  if (result == 0) {
    result = fill_copy(system, from.get(), to.get(), source.st_mode & 07777, request.flags, request,
                       [](const FileRequest& r) { return r.is_cancelled(); });
  }
  if (result == 0) {
    const int closed = system.close(to.release());
    if (closed < 0 && closed != -EINTR) result = closed;
  }
  if (result < 0 && !existed) system.unlink(path);  // half a copy is worse than none
  return result;
}

}  // namespace rondo
