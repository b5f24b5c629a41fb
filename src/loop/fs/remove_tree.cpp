// Removing a file or a directory with all that is in it. Goes by descriptors and never follows a link, so nobody can steer it
// elsewhere by swapping a directory under it. Two descriptors at most are open at a time, and there is no recursion: the depth of a
// tree is no matter. On a pool thread, called through FileRequest::remove_all.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "loop/fs/file_performer.h"
#include "rondo/base/unique_fd.h"

namespace rondo {
namespace {

// Files and empty directories go at once. 0: gone; -ENOTEMPTY: a directory with something in it; else -errno.
std::int64_t remove_simple(int parent, const char* name) {
  if (unlinkat(parent, name, 0) == 0) return 0;
  if (errno != EISDIR && errno != EPERM) return -errno;
  const int error = errno;
  if (unlinkat(parent, name, AT_REMOVEDIR) == 0) return 0;
  if (errno == ENOTDIR) return -error;
  return errno == EEXIST ? -ENOTEMPTY : -errno;
}

class TreeRemover {
 public:
  using Stop = bool (*)(const FileRequest&);
  TreeRemover(const FileRequest& request, Stop stop) : request_(request), stop_(stop) {}

  std::int64_t remove(const char* path) {
    std::int64_t result = remove_simple(AT_FDCWD, path);
    if (result != -ENOTEMPTY) return result;
    result = descend(AT_FDCWD, path);
    while (result == 0) {
      std::string inner;
      result = clear(inner);
      if (result < 0) return result;
      if (!inner.empty()) {
        result = descend(current_.get(), inner.c_str());
        if (result == -ENOENT) result = 0;  // someone else was quicker: look again
      } else if (above_.size() == 1) {
        return unlinkat(AT_FDCWD, path, AT_REMOVEDIR) == 0 ? 0 : -errno;
      } else {
        result = ascend();
      }
    }
    return result;
  }

 private:
  struct Level {
    std::string name;  // of the directory we went into
    dev_t device = 0;  // of the one it is in, to know it again
    ino_t inode = 0;
  };

  std::int64_t descend(int parent, const char* name) {
    Level level{name};
    struct ::stat status{};
    if (!above_.empty()) {
      if (fstat(parent, &status) < 0) return -errno;
      level.device = status.st_dev;
      level.inode = status.st_ino;
    }
    UniqueFd inner(openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!inner) return -errno;
    above_.push_back(std::move(level));
    current_ = std::move(inner);
    return 0;
  }

  // Back to the directory above, which must be the one we came from, and removes the one we leave.
  std::int64_t ascend() {
    UniqueFd outer(openat(current_.get(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct ::stat status{};
    if (!outer || fstat(outer.get(), &status) < 0) return -errno;
    const Level level = std::move(above_.back());
    above_.pop_back();
    if (status.st_dev != level.device || status.st_ino != level.inode) return -EBUSY;  // moved away meanwhile
    current_ = std::move(outer);
    if (unlinkat(current_.get(), level.name.c_str(), AT_REMOVEDIR) < 0 && errno != ENOENT) return -errno;
    return 0;
  }

  // Removes entries of the current directory until it is empty or one is a directory that is not: `inner`.
  std::int64_t clear(std::string& inner) {
    const int copy = openat(current_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) return -errno;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(fdopendir(copy), closedir);
    if (!directory) return -errno;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(directory.get());
      if (!entry) return -errno;
      if (is_dot(entry->d_name)) continue;
      if (stop_(request_)) return -ECANCELED;
      const std::int64_t result = remove_simple(copy, entry->d_name);
      if (result == -ENOTEMPTY) {
        inner = entry->d_name;
        return 0;
      }
      if (result < 0 && result != -ENOENT) return result;
    }
  }

  const FileRequest& request_;
  Stop stop_;
  std::vector<Level> above_;  // from the root of the tree
  UniqueFd current_;
};

}  // namespace

std::int64_t FilePerformer::remove_all(FileRequest& request) {
  if (files(request).is_simulated()) return -ENOSYS;
  TreeRemover remover(request, [](const FileRequest& r) { return r.is_cancelled(); });
  return remover.remove(request.path_.c_str());
}

}  // namespace rondo
