// Directories for node:fs: making them with all their parents, making temporary ones, listing.
#include "modules/fs_perform.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rondo::modules {

namespace {

// Numbers of fs.constants.UV_DIRENT_*.
uint8_t entry_type(unsigned char type) {
  switch (type) {
    case DT_REG:
      return 1;
    case DT_DIR:
      return 2;
    case DT_LNK:
      return 3;
    case DT_FIFO:
      return 4;
    case DT_SOCK:
      return 5;
    case DT_CHR:
      return 6;
    case DT_BLK:
      return 7;
    default:
      return 0;
  }
}

bool is_directory(const char* path) {
  struct stat info;
  return ::stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

std::string parent_of(const std::string& path) {
  size_t end = path.size();
  while (end > 1 && path[end - 1] == '/') end--;
  size_t slash = path.rfind('/', end - 1);
  if (slash == std::string::npos) return ".";
  while (slash > 0 && path[slash - 1] == '/') slash--;
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Like mkdir -p; `first` gets the topmost directory that was made. Returns 0 or an errno.
int make_with_parents(const std::string& path, uint32_t mode, std::string& first) {
  if (::mkdir(path.c_str(), mode) == 0) {
    if (first.empty()) first = path;
    return 0;
  }
  int error = errno;
  if (error == EEXIST) return is_directory(path.c_str()) ? 0 : EEXIST;
  if (error != ENOENT) return is_directory(path.c_str()) ? 0 : error;
  std::string parent = parent_of(path);
  if (parent == path || parent == ".") return error;
  if (int failed = make_with_parents(parent, mode, first)) return failed == EEXIST ? ENOTDIR : failed;
  if (::mkdir(path.c_str(), mode) == 0) {
    if (first.empty()) first = path;
    return 0;
  }
  return errno == EEXIST && is_directory(path.c_str()) ? 0 : errno;
}

// linux_dirent64, which no header declares.
struct Entry {
  uint64_t inode;
  int64_t next;
  unsigned short length;
  unsigned char type;
  char name[];
};

// By name, as Node lists them; types follow their names.
void sort_entries(FsRequest& r) {
  if (!r.with_types) {
    std::sort(r.names.begin(), r.names.end());
    return;
  }
  std::vector<std::pair<std::string, uint8_t>> entries;
  for (size_t i = 0; i < r.names.size(); i++) entries.emplace_back(std::move(r.names[i]), r.types[i]);
  std::sort(entries.begin(), entries.end());
  for (size_t i = 0; i < entries.size(); i++) {
    r.names[i] = std::move(entries[i].first);
    r.types[i] = entries[i].second;
  }
}

void add_entries(FsRequest& r, const char* buffer, long size) {
  for (long at = 0; at < size;) {
    auto* entry = reinterpret_cast<const Entry*>(buffer + at);
    at += entry->length;
    if (entry->name[0] == '.' && (entry->name[1] == 0 || (entry->name[1] == '.' && entry->name[2] == 0))) continue;
    r.names.emplace_back(entry->name);
    if (r.with_types) r.types.push_back(entry_type(entry->type));
  }
}

}  // namespace

void make_directory(FsRequest& r) {
  r.syscall = "mkdir";
  if (!r.recursive) {
    if (::mkdir(r.path.c_str(), r.mode) != 0) r.error = errno;
    return;
  }
  std::string path = r.path;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  r.error = make_with_parents(path, r.mode, r.result);
}

void make_temporary_directory(FsRequest& r) {
  r.syscall = "mkdtemp";
  r.path += "XXXXXX";
  std::string name = r.path;
  if (::mkdtemp(name.data()))
    r.result = std::move(name);
  else
    r.error = errno;
}

void read_directory(FsRequest& r) {
  int fd = ::open(r.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    r.error = errno;
    return;
  }
  alignas(Entry) char buffer[32768];
  for (;;) {
    long size = ::syscall(SYS_getdents64, fd, buffer, sizeof buffer);
    if (size <= 0) {
      if (size < 0) r.error = errno;
      break;
    }
    add_entries(r, buffer, size);
  }
  sort_entries(r);
  ::close(fd);
}

}  // namespace rondo::modules
