// Reading and making directories. Removing them with all that is in them is in remove_tree.cpp. On a pool thread.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "loop/fs/file_performer.h"

namespace rondo {
namespace {

// mkdir that is content with a directory that is there. `made` tells whether this call made it.
std::int64_t ensure_directory(FileSystem& files, const char* path, mode_t mode, bool& made) {
  const int error = files.mkdir(path, mode);
  made = error == 0;
  if (error != -EEXIST && error != -EISDIR) return error;
  struct ::stat status;
  if (const int failed = files.stat(path, status)) return failed;
  return S_ISDIR(status.st_mode) ? 0 : error;
}

}  // namespace

std::int64_t FilePerformer::read_directory(FileRequest& request) {
  request.entries_.clear();
  const std::int64_t result = files(request).list(
      request.path_.c_str(), request.entries_,
      [](const void* of) { return static_cast<const FileRequest*>(of)->is_cancelled(); }, &request);
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
    result = ensure_directory(files(request), path.substr(0, end).c_str(), request.mode, made);
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
    result = ensure_directory(files(request), path.substr(0, end).c_str(), request.mode, made);
    if (result < 0) return result;
    if (made && request.text_.empty()) request.text_.assign(path, 0, end);
  }
  while (request.text_.size() > 1 && request.text_.back() == '/') request.text_.pop_back();
  return 0;
}

}  // namespace rondo
