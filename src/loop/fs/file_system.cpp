// The kernel's side of the seam; see the header.
#include "loop/fs/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "loop/poller/perform.h"
#include "rondo/poller.h"

namespace rondo {
namespace {

template <class T>
T or_error(T result) {
  return result < 0 ? static_cast<T>(-errno) : result;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

}  // namespace

FileSystem& FileSystem::kernel() {
  static FileSystem system;
  return system;
}

FileSystem& Poller::files() { return FileSystem::kernel(); }

int FileSystem::perform(const Operation& operation) { return perform_file(operation); }

int FileSystem::open(const char* path, int flags, mode_t mode) { return or_error(::open(path, flags, mode)); }

int FileSystem::close(int fd) { return or_error(::close(fd)); }

std::int64_t FileSystem::read(int fd, void* buffer, std::size_t size) { return or_error(::read(fd, buffer, size)); }

std::int64_t FileSystem::write(int fd, const void* data, std::size_t size) { return or_error(::write(fd, data, size)); }

std::int64_t FileSystem::position(int fd) { return or_error(::lseek(fd, 0, SEEK_CUR)); }

std::int64_t FileSystem::copy_range(int from, int to, std::size_t size) {
  return or_error(copy_file_range(from, nullptr, to, nullptr, size, 0));
}

int FileSystem::clone(int from, int to) { return or_error(ioctl(to, FICLONE, from)); }

int FileSystem::truncate(int fd, off_t size) {
  for (;;) {
    const int result = or_error(::ftruncate(fd, size));
    if (result != -EINTR) return result;
  }
}

int FileSystem::set_mode(int fd, mode_t mode) { return or_error(::fchmod(fd, mode)); }

int FileSystem::stat(int fd, struct ::stat& status) { return or_error(::fstat(fd, &status)); }

int FileSystem::stat(const char* path, struct ::stat& status) { return or_error(::stat(path, &status)); }

bool FileSystem::exists(const char* path) { return ::access(path, F_OK) == 0; }

int FileSystem::mkdir(const char* path, mode_t mode) { return or_error(::mkdir(path, mode)); }

int FileSystem::unlink(const char* path) { return or_error(::unlink(path)); }

std::int64_t FileSystem::list(const char* path, std::vector<DirectoryEntry>& entries, bool (*stop)(const void* of),
                              const void* of) {
  const int fd = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -errno;
  const Directory directory(fdopendir(fd));
  if (!directory) {
    const int error = errno;
    ::close(fd);
    return -error;
  }
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(directory.get());
    if (!entry) return -errno;
    if (is_dot(entry->d_name)) continue;
    entries.push_back({entry->d_name, entry->d_type});
    if (stop(of)) return -ECANCELED;
  }
}

}  // namespace rondo
