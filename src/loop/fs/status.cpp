// See status.h.
#include "loop/fs/status.h"

#include <fcntl.h>
#include <sys/sysmacros.h>

#include <cerrno>

namespace rondo {
namespace {

statx_timestamp timestamp(const timespec& time) {
  statx_timestamp result{};
  result.tv_sec = time.tv_sec;
  result.tv_nsec = static_cast<unsigned>(time.tv_nsec);
  return result;
}

}  // namespace

int status_at(int folder, const char* path, int flags, unsigned wanted, struct ::statx& status) {
  const int result = ::statx(folder, path, flags, wanted, &status);
  if (result == 0 || errno != EPERM) return result;
  struct ::stat plain;
  constexpr int kBoth = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT;
  if (::fstatat(folder, path, &plain, flags & kBoth) < 0) return -1;
  status = {};
  status.stx_mask = STATX_BASIC_STATS;
  status.stx_blksize = static_cast<unsigned>(plain.st_blksize);
  status.stx_nlink = static_cast<unsigned>(plain.st_nlink);
  status.stx_uid = plain.st_uid;
  status.stx_gid = plain.st_gid;
  status.stx_mode = static_cast<decltype(status.stx_mode)>(plain.st_mode);
  status.stx_ino = plain.st_ino;
  status.stx_size = static_cast<decltype(status.stx_size)>(plain.st_size);
  status.stx_blocks = static_cast<decltype(status.stx_blocks)>(plain.st_blocks);
  status.stx_atime = timestamp(plain.st_atim);
  status.stx_mtime = timestamp(plain.st_mtim);
  status.stx_ctime = timestamp(plain.st_ctim);
  status.stx_btime = status.stx_ctime;  // the nearest there is
  status.stx_rdev_major = major(plain.st_rdev);
  status.stx_rdev_minor = minor(plain.st_rdev);
  status.stx_dev_major = major(plain.st_dev);
  status.stx_dev_minor = minor(plain.st_dev);
  return 0;
}

}  // namespace rondo
