// The table of request kinds: a row says the name that errors carry and what a thread does for it. Kinds that are an operation of
// the pollers need no more than that (their rows are in poller/operation_kinds.cpp); whole files and directories are in files of
// their own; what is one call of the C library is here.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <span>

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

std::int64_t change_link_mode(const char* path, mode_t mode) {
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

// Made until it is not interrupted. Results are those of the C library: -1 and errno.
template <class Call>
std::int64_t call(Call&& make) {
  for (;;) {
    const std::int64_t result = make();
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

}  // namespace

// As many calls as it needs, until one moves less than it was given.
std::int64_t FilePerformer::transfer_parts(FileRequest& r) {
  const auto* parts = static_cast<const iovec*>(r.data);
  std::int64_t total = 0;
  for (std::size_t first = 0; first < r.length2; first += IOV_MAX) {
    const std::size_t count = std::min<std::size_t>(r.length2 - first, IOV_MAX);
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < count; i++) wanted += parts[first + i].iov_len;
    const std::int64_t offset = r.offset < 0 ? -1 : r.offset + total;
    Operation piece;
    piece.readv(r.fd, parts + first, static_cast<std::uint32_t>(count), offset).kind = r.Operation::kind;
    const int moved = files(r).perform(piece);
    if (moved < 0) return total > 0 ? total : moved;
    total += moved;
    if (static_cast<std::size_t>(moved) < wanted) break;
  }
  return total;
}

FileSystem& FilePerformer::files(const FileRequest& r) {
  return r.loop_ ? r.loop_->poller().files() : FileSystem::kernel();
}

// Each row stands at the place of its kind.
static consteval bool is_in_order(std::span<const FilePerformer::Row> rows) {
  for (std::size_t i = 0; i < rows.size(); i++)
    if (rows[i].kind != static_cast<FileKind>(i)) return false;
  return true;
}

// A kind without a call is the operation that the request is.
const FilePerformer::Row& FilePerformer::row_of(FileKind kind) {
  using R = FileRequest;
  static constexpr Row kRows[] = {
      {FileKind::None, "none"},
      {FileKind::Open, "open"},
      {FileKind::Close, "close"},
      {FileKind::Read, "read"},
      {FileKind::ReadV, "read", transfer_parts, transfer_parts},
      {FileKind::Write, "write"},
      {FileKind::WriteV, "write", transfer_parts, transfer_parts},
      {FileKind::Stat, "stat"},
      {FileKind::Lstat, "lstat"},
      {FileKind::Fstat, "fstat"},
      {FileKind::Fsync, "fsync"},
      {FileKind::Fdatasync, "fdatasync"},
      {FileKind::Fallocate, "fallocate"},
      {FileKind::Ftruncate, "ftruncate"},
      {FileKind::Unlink, "unlink"},
      {FileKind::RemoveDirectory, "rmdir"},
      {FileKind::MakeDirectory, "mkdir"},
      {FileKind::Rename, "rename"},
      {FileKind::Link, "link"},
      {FileKind::Symlink, "symlink"},
      {FileKind::ReadFile, "open", read_file, read_file},
      {FileKind::Truncate, "truncate", [](R& r) { return call([&] { return truncate(r.path_.c_str(), r.offset); }); },
       simulate_truncate},
      {FileKind::ReadDirectory, "scandir", read_directory, read_directory},
      {FileKind::MakeDirectories, "mkdir", make_directories, make_directories},
      {FileKind::RemoveAll, "rm", remove_all, remove_all},
      {FileKind::ReadLink, "readlink", [](R& r) { return call([&] { return read_link(r.path_.c_str(), r.text_); }); }},
      {FileKind::Utimes, "utime",
       [](R& r) { return call([&] { return utimensat(AT_FDCWD, r.path_.c_str(), r.times_, 0); }); }},
      {FileKind::Futimes, "futime", [](R& r) { return call([&] { return futimens(r.fd, r.times_); }); }},
      {FileKind::Lutimes, "lutime",
       [](R& r) { return call([&] { return utimensat(AT_FDCWD, r.path_.c_str(), r.times_, AT_SYMLINK_NOFOLLOW); }); }},
      {FileKind::Chmod, "chmod", [](R& r) { return call([&] { return chmod(r.path_.c_str(), r.mode); }); }},
      {FileKind::Fchmod, "fchmod", [](R& r) { return call([&] { return fchmod(r.fd, r.mode); }); },
       [](R& r) -> std::int64_t { return files(r).set_mode(r.fd, r.mode); }},
      {FileKind::Lchmod, "lchmod",
       [](R& r) { return call([&] { return change_link_mode(r.path_.c_str(), r.mode); }); }},
      {FileKind::Chown, "chown", [](R& r) { return call([&] { return chown(r.path_.c_str(), r.uid_, r.gid_); }); }},
      {FileKind::Fchown, "fchown", [](R& r) { return call([&] { return fchown(r.fd, r.uid_, r.gid_); }); }},
      {FileKind::Lchown, "lchown", [](R& r) { return call([&] { return lchown(r.path_.c_str(), r.uid_, r.gid_); }); }},
      {FileKind::Access, "access",
       [](R& r) { return call([&] { return access(r.path_.c_str(), static_cast<int>(r.mode)); }); }, simulate_access},
      {FileKind::Copy, "copyfile", copy, copy},
      {FileKind::MakeTemporary, "mkdtemp", [](R& r) { return call([&] { return make_temporary(r.path_, r.text_); }); }},
      {FileKind::RealPath, "realpath", [](R& r) { return call([&] { return real_path(r.path_.c_str(), r.text_); }); }},
      {FileKind::StatFs, "statfs",
       [](R& r) { return call([&] { return ::statfs(r.path_.c_str(), &r.file_system_); }); }},
      {FileKind::SendFile, "sendfile", send_file},
      {FileKind::WriteFile, "open", write_file, write_file},
      {FileKind::MakeTemporaryFile, "mkstemp",
       [](R& r) { return call([&] { return make_temporary_file(r.path_, r.text_); }); }},
  };
  static_assert(is_in_order(kRows) && std::size(kRows) == static_cast<std::size_t>(FileKind::MakeTemporaryFile) + 1);
  return kRows[static_cast<std::size_t>(kind)];
}

std::int64_t FilePerformer::simulate_truncate(FileRequest& r) {
  const UniqueFd file(files(r).open(r.path_.c_str(), O_WRONLY | O_CLOEXEC, 0));
  return file ? files(r).truncate(file.get(), r.offset) : file.get();
}

// Everyone may do everything there.
std::int64_t FilePerformer::simulate_access(FileRequest& r) {
  struct ::stat status;
  return files(r).stat(r.path_.c_str(), status);
}

std::int64_t FilePerformer::perform(FileRequest& r) {
  const Row& row = row_of(r.kind_);
  if (!row.call) return files(r).perform(r);
  if (!files(r).is_simulated()) return row.call(r);
  return row.simulate ? row.simulate(r) : -ENOSYS;
}

const char* FileRequest::syscall() const { return failed_call_ ? failed_call_ : FilePerformer::row_of(kind_).name; }

}  // namespace rondo
