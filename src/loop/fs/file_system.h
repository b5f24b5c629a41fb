// The calls that requests on the pool make, as a seam: the kernel's here, a simulated world's in sim_file_system.h. Each call is made once,
// on any thread, and returns >= 0 or -errno; open, close and transfers -EINTR too. Used by FilePerformer only.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rondo/fs.h"
#include "rondo/operation.h"

namespace rondo {

// "." and "..", which every folder lists.
inline bool is_dot(const char* name) { return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])); }

class FileSystem {
 public:
  static FileSystem& kernel();
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  virtual bool is_simulated() const { return false; }

  // An operation of a file kind, never -EINTR.
  virtual int perform(const Operation& operation);

  virtual int open(const char* path, int flags, mode_t mode);
  virtual int close(int fd);
  virtual std::int64_t read(int fd, void* buffer, std::size_t size);
  virtual std::int64_t write(int fd, const void* data, std::size_t size);
  virtual std::int64_t position(int fd);
  virtual std::int64_t copy_range(int from, int to, std::size_t size);  // from and to their positions, which move
  virtual int clone(int from, int to);
  virtual int truncate(int fd, off_t size);
  virtual int set_mode(int fd, mode_t mode);
  virtual int stat(int fd, struct ::stat& status);
  virtual int stat(const char* path, struct ::stat& status);
  virtual bool exists(const char* path);
  virtual int mkdir(const char* path, mode_t mode);
  virtual int unlink(const char* path);
  // Adds what is in the folder, without . and ..; -ECANCELED as soon as `stop(of)` is true.
  virtual std::int64_t list(const char* path, std::vector<DirectoryEntry>& entries, bool (*stop)(const void* of),
                            const void* of);
};

}  // namespace rondo
