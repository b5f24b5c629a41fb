// FileRequest's verbs: they only write down what is wanted. And the name of each kind's system call.
#include <fcntl.h>

#include "rondo/base/fatal.h"
#include "rondo/fs.h"

namespace rondo {

FileRequest& FileRequest::describe(FileKind kind, std::string_view path, int fd) {
  if (is_busy()) [[unlikely]]
    misuse("a FileRequest was described anew before its end");
  kind_ = kind;
  path_.assign(path);
  path2_.clear();
  fd_ = fd;
  flags_ = mode_ = 0;
  size_ = 0;
  offset_ = -1;
  data_ = nullptr;
  is_stream_ = false;
  failed_call_ = nullptr;
  return *this;
}

FileRequest& FileRequest::open(std::string_view path, int flags, std::uint32_t mode) {
  describe(FileKind::Open, path);
  flags_ = static_cast<std::uint32_t>(flags);
  mode_ = mode;
  return *this;
}

FileRequest& FileRequest::close(int fd) { return describe(FileKind::Close, {}, fd); }

// The four transfers differ in kind only.
FileRequest& FileRequest::read(int fd, void* buffer, std::size_t size, std::int64_t offset) {
  describe(FileKind::Read, {}, fd);
  data_ = buffer;
  size_ = size;
  offset_ = offset;
  return *this;
}

FileRequest& FileRequest::write(int fd, const void* buffer, std::size_t size, std::int64_t offset) {
  read(fd, const_cast<void*>(buffer), size, offset).kind_ = FileKind::Write;
  return *this;
}

FileRequest& FileRequest::readv(int fd, const iovec* parts, std::size_t count, std::int64_t offset) {
  read(fd, const_cast<iovec*>(parts), count, offset).kind_ = FileKind::ReadV;
  return *this;
}

FileRequest& FileRequest::writev(int fd, const iovec* parts, std::size_t count, std::int64_t offset) {
  read(fd, const_cast<iovec*>(parts), count, offset).kind_ = FileKind::WriteV;
  return *this;
}

FileRequest& FileRequest::stat(std::string_view path) { return describe(FileKind::Stat, path, AT_FDCWD); }

FileRequest& FileRequest::lstat(std::string_view path) {
  describe(FileKind::Lstat, path, AT_FDCWD).flags_ = AT_SYMLINK_NOFOLLOW;
  return *this;
}

FileRequest& FileRequest::fstat(int fd) {
  describe(FileKind::Fstat, {}, fd).flags_ = AT_EMPTY_PATH;
  return *this;
}

FileRequest& FileRequest::fsync(int fd) { return describe(FileKind::Fsync, {}, fd); }
FileRequest& FileRequest::fdatasync(int fd) { return describe(FileKind::Fdatasync, {}, fd); }

FileRequest& FileRequest::fallocate(int fd, int mode, std::int64_t offset, std::uint64_t size) {
  describe(FileKind::Fallocate, {}, fd);
  mode_ = static_cast<std::uint32_t>(mode);
  offset_ = offset;
  size_ = size;
  return *this;
}

FileRequest& FileRequest::truncate(std::string_view path, std::int64_t size) {
  describe(FileKind::Truncate, path).offset_ = size;
  return *this;
}

FileRequest& FileRequest::ftruncate(int fd, std::int64_t size) {
  describe(FileKind::Ftruncate, {}, fd).offset_ = size;
  return *this;
}

FileRequest& FileRequest::unlink(std::string_view path) { return describe(FileKind::Unlink, path); }
FileRequest& FileRequest::rmdir(std::string_view path) { return describe(FileKind::RemoveDirectory, path); }

FileRequest& FileRequest::mkdir(std::string_view path, std::uint32_t mode) {
  describe(FileKind::MakeDirectory, path).mode_ = mode;
  return *this;
}

FileRequest& FileRequest::mkdirs(std::string_view path, std::uint32_t mode) {
  describe(FileKind::MakeDirectories, path).mode_ = mode;
  return *this;
}

FileRequest& FileRequest::remove_all(std::string_view path) { return describe(FileKind::RemoveAll, path); }
FileRequest& FileRequest::readdir(std::string_view path) { return describe(FileKind::ReadDirectory, path); }

FileRequest& FileRequest::rename(std::string_view from, std::string_view to) {
  describe(FileKind::Rename, from).path2_.assign(to);
  return *this;
}

FileRequest& FileRequest::link(std::string_view from, std::string_view to) {
  describe(FileKind::Link, from).path2_.assign(to);
  return *this;
}

FileRequest& FileRequest::symlink(std::string_view target, std::string_view path) {
  describe(FileKind::Symlink, target).path2_.assign(path);
  return *this;
}

FileRequest& FileRequest::readlink(std::string_view path) { return describe(FileKind::ReadLink, path); }
FileRequest& FileRequest::realpath(std::string_view path) { return describe(FileKind::RealPath, path); }
FileRequest& FileRequest::mkdtemp(std::string_view pattern) { return describe(FileKind::MakeTemporary, pattern); }
FileRequest& FileRequest::mkstemp(std::string_view pattern) { return describe(FileKind::MakeTemporaryFile, pattern); }

FileRequest& FileRequest::utimes(std::string_view path, timespec accessed, timespec modified) {
  describe(FileKind::Utimes, path, AT_FDCWD);
  times_[0] = accessed;
  times_[1] = modified;
  return *this;
}

FileRequest& FileRequest::lutimes(std::string_view path, timespec accessed, timespec modified) {
  utimes(path, accessed, modified).kind_ = FileKind::Lutimes;
  return *this;
}

FileRequest& FileRequest::futimes(int fd, timespec accessed, timespec modified) {
  utimes({}, accessed, modified).kind_ = FileKind::Futimes;
  fd_ = fd;
  return *this;
}

FileRequest& FileRequest::chmod(std::string_view path, std::uint32_t mode) {
  describe(FileKind::Chmod, path).mode_ = mode;
  return *this;
}

FileRequest& FileRequest::lchmod(std::string_view path, std::uint32_t mode) {
  describe(FileKind::Lchmod, path).mode_ = mode;
  return *this;
}

FileRequest& FileRequest::fchmod(int fd, std::uint32_t mode) {
  describe(FileKind::Fchmod, {}, fd).mode_ = mode;
  return *this;
}

FileRequest& FileRequest::chown(std::string_view path, std::uint32_t uid, std::uint32_t gid) {
  describe(FileKind::Chown, path);
  uid_ = uid;
  gid_ = gid;
  return *this;
}

FileRequest& FileRequest::lchown(std::string_view path, std::uint32_t uid, std::uint32_t gid) {
  chown(path, uid, gid).kind_ = FileKind::Lchown;
  return *this;
}

FileRequest& FileRequest::fchown(int fd, std::uint32_t uid, std::uint32_t gid) {
  chown({}, uid, gid).kind_ = FileKind::Fchown;
  fd_ = fd;
  return *this;
}

FileRequest& FileRequest::access(std::string_view path, int mode) {
  describe(FileKind::Access, path).mode_ = static_cast<std::uint32_t>(mode);
  return *this;
}

FileRequest& FileRequest::statfs(std::string_view path) { return describe(FileKind::StatFs, path); }

FileRequest& FileRequest::copy(std::string_view from, std::string_view to, std::uint32_t copy_flags) {
  describe(FileKind::Copy, from);
  path2_.assign(to);
  flags_ = copy_flags;
  return *this;
}

FileRequest& FileRequest::sendfile(int to, int from, std::int64_t offset, std::size_t size) {
  describe(FileKind::SendFile, {}, from);
  fd2_ = to;
  offset_ = offset;
  size_ = size;
  return *this;
}

FileRequest& FileRequest::read_file(std::string_view path, int flags, std::uint64_t limit) {
  describe(FileKind::ReadFile, path);
  flags_ = static_cast<std::uint32_t>(flags);
  size_ = limit;
  return *this;
}

FileRequest& FileRequest::read_file(int fd, std::uint64_t limit) {
  describe(FileKind::ReadFile, {}, fd).size_ = limit;
  return *this;
}

FileRequest& FileRequest::write_file(std::string_view path, const void* data, std::size_t size, int flags,
                                     std::uint32_t mode) {
  describe(FileKind::WriteFile, path);
  data_ = const_cast<void*>(data);
  size_ = size;
  flags_ = static_cast<std::uint32_t>(flags);
  mode_ = mode;
  return *this;
}

FileRequest& FileRequest::write_file(int fd, const void* data, std::size_t size) {
  describe(FileKind::WriteFile, {}, fd);
  data_ = const_cast<void*>(data);
  size_ = size;
  return *this;
}

const char* FileRequest::syscall() const {
  if (failed_call_) return failed_call_;
  static constexpr const char* kNames[] = {
      "none",     "open",    "close",     "read",      "read",      "write",  "write",   "stat",     "lstat",
      "fstat",    "fsync",   "fdatasync", "fallocate", "ftruncate", "unlink", "rmdir",   "mkdir",    "rename",
      "link",     "symlink", "open",      "truncate",  "scandir",   "mkdir",  "rm",      "readlink", "utime",
      "futime",   "lutime",  "chmod",     "fchmod",    "lchmod",    "chown",  "fchown",  "lchown",   "access",
      "copyfile", "mkdtemp", "realpath",  "statfs",    "sendfile",  "open",   "mkstemp",
  };
  static_assert(sizeof kNames / sizeof *kNames == static_cast<std::size_t>(FileKind::MakeTemporaryFile) + 1);
  return kNames[static_cast<std::size_t>(kind_)];
}

}  // namespace rondo
