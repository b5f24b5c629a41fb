// FileRequest's verbs: they only write down what is wanted, as an operation.
#include <fcntl.h>

#include <algorithm>
#include <climits>

#include "rondo/base/fatal.h"
#include "rondo/fs.h"

namespace rondo {
namespace {

constexpr std::size_t kMaxTransfer = 0x7ffff000;  // what Linux moves at most in one call
constexpr std::uint32_t kStatMask = STATX_BASIC_STATS | STATX_BTIME;

std::uint32_t bytes(std::size_t size) { return static_cast<std::uint32_t>(std::min(size, kMaxTransfer)); }
std::uint32_t parts_at_once(std::size_t count) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(count, IOV_MAX));
}

}  // namespace

FileRequest& FileRequest::describe(FileKind kind, std::string_view path, std::string_view path2) {
  if (is_busy()) [[unlikely]]
    misuse("a FileRequest was described anew before its end");
  kind_ = kind;
  path_.assign(path);
  path2_.assign(path2);
  Operation::kind = OpKind::Nop;
  Operation::path = path_.c_str();
  Operation::path2 = path2_.c_str();
  fd = -1;
  flags = mode = 0;
  length2 = 0;
  offset = -1;
  data = nullptr;
  stream = false;
  failed_call_ = nullptr;
  return *this;
}

FileRequest& FileRequest::describe(FileKind kind, int descriptor) {
  describe(kind).fd = descriptor;
  return *this;
}

FileRequest& FileRequest::open(std::string_view path, int flags, std::uint32_t mode) {
  return describe(FileKind::Open, path).with(openat(AT_FDCWD, path_.c_str(), flags, mode));
}

FileRequest& FileRequest::close(int fd) { return describe(FileKind::Close).with(Operation::close(fd)); }

FileRequest& FileRequest::read(int fd, void* buffer, std::size_t size, std::int64_t offset) {
  describe(FileKind::Read).length2 = size;
  return with(Operation::read(fd, buffer, bytes(size), offset));
}

FileRequest& FileRequest::write(int fd, const void* buffer, std::size_t size, std::int64_t offset) {
  describe(FileKind::Write).length2 = size;
  return with(Operation::write(fd, buffer, bytes(size), offset));
}

FileRequest& FileRequest::readv(int fd, const iovec* parts, std::size_t count, std::int64_t offset) {
  describe(FileKind::ReadV).length2 = count;
  return with(Operation::readv(fd, parts, parts_at_once(count), offset));
}

FileRequest& FileRequest::writev(int fd, const iovec* parts, std::size_t count, std::int64_t offset) {
  describe(FileKind::WriteV).length2 = count;
  return with(Operation::writev(fd, parts, parts_at_once(count), offset));
}

FileRequest& FileRequest::stat(std::string_view path) {
  return describe(FileKind::Stat, path).with(statx(AT_FDCWD, path_.c_str(), 0, kStatMask, &status_));
}

FileRequest& FileRequest::lstat(std::string_view path) {
  return describe(FileKind::Lstat, path).with(statx(AT_FDCWD, path_.c_str(), AT_SYMLINK_NOFOLLOW, kStatMask, &status_));
}

FileRequest& FileRequest::fstat(int fd) {
  return describe(FileKind::Fstat).with(statx(fd, "", AT_EMPTY_PATH, kStatMask, &status_));
}

FileRequest& FileRequest::fsync(int fd) { return describe(FileKind::Fsync).with(Operation::fsync(fd)); }
FileRequest& FileRequest::fdatasync(int fd) { return describe(FileKind::Fdatasync).with(Operation::fsync(fd, true)); }

FileRequest& FileRequest::fallocate(int fd, int mode, std::int64_t offset, std::uint64_t size) {
  return describe(FileKind::Fallocate).with(Operation::fallocate(fd, mode, offset, size));
}

FileRequest& FileRequest::truncate(std::string_view path, std::int64_t size) {
  describe(FileKind::Truncate, path).offset = size;
  return *this;
}

FileRequest& FileRequest::ftruncate(int fd, std::int64_t size) {
  return describe(FileKind::Ftruncate).with(Operation::ftruncate(fd, size));
}

FileRequest& FileRequest::unlink(std::string_view path) {
  return describe(FileKind::Unlink, path).with(unlinkat(AT_FDCWD, path_.c_str()));
}

FileRequest& FileRequest::rmdir(std::string_view path) {
  return describe(FileKind::RemoveDirectory, path).with(unlinkat(AT_FDCWD, path_.c_str(), AT_REMOVEDIR));
}

FileRequest& FileRequest::mkdir(std::string_view path, std::uint32_t mode) {
  return describe(FileKind::MakeDirectory, path).with(mkdirat(AT_FDCWD, path_.c_str(), mode));
}

FileRequest& FileRequest::mkdirs(std::string_view path, std::uint32_t mode) {
  describe(FileKind::MakeDirectories, path).mode = mode;
  return *this;
}

FileRequest& FileRequest::remove_all(std::string_view path) { return describe(FileKind::RemoveAll, path); }
FileRequest& FileRequest::readdir(std::string_view path) { return describe(FileKind::ReadDirectory, path); }

FileRequest& FileRequest::rename(std::string_view from, std::string_view to) {
  return describe(FileKind::Rename, from, to).with(renameat(AT_FDCWD, path_.c_str(), AT_FDCWD, path2_.c_str()));
}

FileRequest& FileRequest::link(std::string_view from, std::string_view to) {
  return describe(FileKind::Link, from, to).with(linkat(AT_FDCWD, path_.c_str(), AT_FDCWD, path2_.c_str()));
}

FileRequest& FileRequest::symlink(std::string_view target, std::string_view path) {
  return describe(FileKind::Symlink, target, path).with(symlinkat(path_.c_str(), AT_FDCWD, path2_.c_str()));
}

FileRequest& FileRequest::readlink(std::string_view path) { return describe(FileKind::ReadLink, path); }
FileRequest& FileRequest::realpath(std::string_view path) { return describe(FileKind::RealPath, path); }
FileRequest& FileRequest::mkdtemp(std::string_view pattern) { return describe(FileKind::MakeTemporary, pattern); }
FileRequest& FileRequest::mkstemp(std::string_view pattern) { return describe(FileKind::MakeTemporaryFile, pattern); }
FileRequest& FileRequest::statfs(std::string_view path) { return describe(FileKind::StatFs, path); }

FileRequest& FileRequest::touched(timespec accessed, timespec modified) {
  times_[0] = accessed;
  times_[1] = modified;
  return *this;
}

FileRequest& FileRequest::utimes(std::string_view path, timespec accessed, timespec modified) {
  return describe(FileKind::Utimes, path).touched(accessed, modified);
}

FileRequest& FileRequest::lutimes(std::string_view path, timespec accessed, timespec modified) {
  return describe(FileKind::Lutimes, path).touched(accessed, modified);
}

FileRequest& FileRequest::futimes(int fd, timespec accessed, timespec modified) {
  return describe(FileKind::Futimes, fd).touched(accessed, modified);
}

FileRequest& FileRequest::chmod(std::string_view path, std::uint32_t mode) {
  describe(FileKind::Chmod, path).mode = mode;
  return *this;
}

FileRequest& FileRequest::lchmod(std::string_view path, std::uint32_t mode) {
  describe(FileKind::Lchmod, path).mode = mode;
  return *this;
}

FileRequest& FileRequest::fchmod(int fd, std::uint32_t mode) {
  describe(FileKind::Fchmod, fd).mode = mode;
  return *this;
}

FileRequest& FileRequest::owned_by(std::uint32_t uid, std::uint32_t gid) {
  uid_ = uid;
  gid_ = gid;
  return *this;
}

FileRequest& FileRequest::chown(std::string_view path, std::uint32_t uid, std::uint32_t gid) {
  return describe(FileKind::Chown, path).owned_by(uid, gid);
}

FileRequest& FileRequest::lchown(std::string_view path, std::uint32_t uid, std::uint32_t gid) {
  return describe(FileKind::Lchown, path).owned_by(uid, gid);
}

FileRequest& FileRequest::fchown(int fd, std::uint32_t uid, std::uint32_t gid) {
  return describe(FileKind::Fchown, fd).owned_by(uid, gid);
}

FileRequest& FileRequest::access(std::string_view path, int mode) {
  describe(FileKind::Access, path).mode = static_cast<std::uint32_t>(mode);
  return *this;
}

FileRequest& FileRequest::copy(std::string_view from, std::string_view to, std::uint32_t copy_flags) {
  describe(FileKind::Copy, from, to).flags = copy_flags;
  return *this;
}

FileRequest& FileRequest::sendfile(int to, int from, std::int64_t offset, std::size_t size) {
  describe(FileKind::SendFile, from).in_whole(0, 0, nullptr, size);
  this->offset = offset;
  fd2 = to;
  return *this;
}

// The mode of a file that is read says how to open it: its flags are the ring's, where it goes first.
FileRequest& FileRequest::in_whole(int open_flags, std::uint32_t create_mode, const void* memory, std::uint64_t size) {
  flags = static_cast<std::uint32_t>(open_flags);
  mode = create_mode;
  data = const_cast<void*>(memory);
  length2 = size;
  return *this;
}

int FileRequest::open_flags() const { return static_cast<int>(kind_ == FileKind::ReadFile ? mode : flags); }

FileRequest& FileRequest::read_file(std::string_view path, int flags, std::uint64_t limit) {
  return describe(FileKind::ReadFile, path).in_whole(0, static_cast<std::uint32_t>(flags), nullptr, limit);
}

FileRequest& FileRequest::read_file(int fd, std::uint64_t limit) {
  return describe(FileKind::ReadFile, fd).in_whole(0, 0, nullptr, limit);
}

FileRequest& FileRequest::write_file(std::string_view path, const void* data, std::size_t size, int flags,
                                     std::uint32_t mode) {
  return describe(FileKind::WriteFile, path).in_whole(flags, mode, data, size);
}

FileRequest& FileRequest::write_file(int fd, const void* data, std::size_t size) {
  return describe(FileKind::WriteFile, fd).in_whole(0, 0, data, size);
}

}  // namespace rondo
