// Blocking calls on simulated files: each is an operation, tried on the spot. See the header.
#include "loop/sim/sim_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>

#include "loop/sim/sim_files.h"

namespace rondo {
namespace {

unsigned char type_of(const SimInode& inode) {
  if (inode.is_folder()) return DT_DIR;
  return inode.kind == SimInode::Kind::Link ? DT_LNK : DT_REG;
}

}  // namespace

int SimFileSystem::attempt(const Operation& operation) {
  const int fault = world_.inject_fault(operation);
  return fault ? fault : world_.perform(operation);
}

int SimFileSystem::perform(const Operation& operation) {
  for (;;) {
    const int result = attempt(operation);
    if (result != -EINTR) return result;
  }
}

int SimFileSystem::open(const char* path, int flags, mode_t mode) {
  Operation call;
  return attempt(call.openat(AT_FDCWD, path, flags, mode));
}

std::int64_t SimFileSystem::read(int fd, void* buffer, std::size_t size) {
  Operation call;
  return attempt(call.read(fd, buffer, static_cast<std::uint32_t>(size)));
}

std::int64_t SimFileSystem::write(int fd, const void* data, std::size_t size) {
  Operation call;
  return attempt(call.write(fd, data, static_cast<std::uint32_t>(size)));
}

std::int64_t SimFileSystem::position(int fd) {
  const auto file = world_.object(fd);
  return file ? static_cast<std::int64_t>(file->position) : -EBADF;
}

// Now and then the file system does not know how: copied by hand then.
std::int64_t SimFileSystem::copy_range(int from, int to, std::size_t size) {
  const auto source = world_.object(from);
  if (!source || !source->inode) return -EBADF;
  if (world_.decider_.choose(Choice::TransferSize, 4) == 0) return -EOPNOTSUPP;
  const std::string& content = source->inode->content;
  if (source->position >= content.size()) return 0;
  const std::size_t piece = world_.transfer_size(std::min(size, content.size() - source->position));
  const std::int64_t moved = write(to, content.data() + source->position, piece);
  if (moved > 0) source->position += static_cast<std::size_t>(moved);
  return moved;
}

int SimFileSystem::truncate(int fd, off_t size) {
  Operation call;
  return world_.perform(call.ftruncate(fd, size));
}

int SimFileSystem::set_mode(int fd, mode_t mode) {
  const auto file = world_.object(fd);
  if (!file || !file->inode) return -EBADF;
  file->inode->mode = mode & 07777;
  return 0;
}

int SimFileSystem::describe(int fd, const char* path, int flags, struct ::stat& status) {
  struct ::statx seen{};
  Operation call;
  const int result = world_.perform(call.statx(fd, path, flags, STATX_BASIC_STATS, &seen));
  if (result < 0) return result;
  status = {};
  status.st_mode = seen.stx_mode;
  status.st_size = static_cast<off_t>(seen.stx_size);
  status.st_ino = seen.stx_ino;
  status.st_nlink = seen.stx_nlink;
  status.st_dev = makedev(seen.stx_dev_major, seen.stx_dev_minor);
  return 0;
}

int SimFileSystem::stat(int fd, struct ::stat& status) { return describe(fd, "", AT_EMPTY_PATH, status); }

int SimFileSystem::stat(const char* path, struct ::stat& status) { return describe(AT_FDCWD, path, 0, status); }

bool SimFileSystem::exists(const char* path) {
  struct ::stat status;
  return stat(path, status) == 0;
}

int SimFileSystem::mkdir(const char* path, mode_t mode) {
  Operation call;
  return perform(call.mkdirat(AT_FDCWD, path, mode));
}

int SimFileSystem::unlink(const char* path) {
  Operation call;
  return world_.perform(call.unlinkat(AT_FDCWD, path));
}

std::int64_t SimFileSystem::list(const char* path, std::vector<DirectoryEntry>& entries, bool (*stop)(const void* of),
                                 const void* of) {
  const SimFiles::Place place = world_.files_->find(world_.files_->root(), path, SimFiles::LastLink::Follow);
  if (place.error) return place.error;
  if (!place.inode) return -ENOENT;
  if (!place.inode->is_folder()) return -ENOTDIR;
  for (const auto& [name, inode] : place.inode->entries) {
    entries.push_back({name, type_of(*inode)});
    if (stop(of)) return -ECANCELED;
  }
  return 0;
}

}  // namespace rondo
