// Reading and making directories. Removing them with all that is in them is in remove_tree.cpp. On a pool thread.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "loop/fs/file_performer.h"

namespace rondo {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

bool is_dot(const char* name) { return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])); }

Directory open_directory(int parent, const char* name, int extra_flags) {
  const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | extra_flags);
  if (fd < 0) return nullptr;
  Directory directory(fdopendir(fd));
  if (!directory) close(fd);
  return directory;
}

// Calls `visit(entry)` for each entry; it returns 0 or -errno, which ends the walk.
template <class Visit>
std::int64_t for_each_entry(DIR* directory, Visit visit) {
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(directory);
    if (!entry) return -errno;
    if (is_dot(entry->d_name)) continue;
    if (const std::int64_t error = visit(*entry)) return error;
  }
}

// mkdir that is content with a directory that is there. `made` tells whether this call made it.
std::int64_t ensure_directory(const char* path, mode_t mode, bool& made) {
  made = mkdir(path, mode) == 0;
  if (made) return 0;
  if (errno != EEXIST && errno != EISDIR) return -errno;
  const int error = errno;
  struct ::stat status;
  if (::stat(path, &status) < 0) return -errno;
  return S_ISDIR(status.st_mode) ? 0 : -error;
}

}  // namespace

std::int64_t FilePerformer::read_directory(FileRequest& request) {
  request.entries_.clear();
  const Directory directory = open_directory(AT_FDCWD, request.path_.c_str(), 0);
  if (!directory) return -errno;
  const std::int64_t result = for_each_entry(directory.get(), [&](const dirent& entry) -> std::int64_t {
    request.entries_.push_back({entry.d_name, entry.d_type});
    return request.is_cancelled() ? -ECANCELED : 0;
  });
  std::sort(request.entries_.begin(), request.entries_.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return result < 0 ? result : static_cast<std::int64_t>(request.entries_.size());
}

// Tries the whole path first: mostly only the last part is missing. Then upwards to the first ancestor that
// can be made, and down again.
std::int64_t FilePerformer::make_directories(FileRequest& request) {
  const std::string& path = request.path_;
  request.text_.clear();
  std::size_t end = path.size();
  bool made = false;
  std::int64_t result;
  for (;;) {
    result = ensure_directory(path.substr(0, end).c_str(), request.mode_, made);
    if (result != -ENOENT) break;
    while (end > 0 && path[end - 1] == '/') end--;
    while (end > 0 && path[end - 1] != '/') end--;
    if (end == 0) return -ENOENT;
  }
  if (result < 0) return result == -EEXIST && end < path.size() ? -ENOTDIR : result;
  if (made) request.text_.assign(path, 0, end);
  while (end < path.size()) {
    while (end < path.size() && path[end] == '/') end++;
    if (end == path.size()) break;
    const std::size_t slash = path.find('/', end);
    end = slash == std::string::npos ? path.size() : slash;
    result = ensure_directory(path.substr(0, end).c_str(), request.mode_, made);
    if (result < 0) return result;
    if (made && request.text_.empty()) request.text_.assign(path, 0, end);
  }
  while (request.text_.size() > 1 && request.text_.back() == '/') request.text_.pop_back();
  return 0;
}

}  // namespace rondo
