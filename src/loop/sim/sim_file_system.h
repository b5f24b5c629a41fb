// A simulated world's files as blocking calls, for requests that run on virtual threads. Faults, short transfers and a full disk come as
// in operations; what undoes something (close, unlink) never fails by chance. Owned by SimWorld, which is asked for everything.
#pragma once

#include "loop/fs/file_system.h"
#include "rondo/sim.h"

namespace rondo {

class SimFileSystem final : public FileSystem {
 public:
  explicit SimFileSystem(SimWorld& world) : world_(world) {}

  bool is_simulated() const override { return true; }
  int perform(const Operation& operation) override;
  int open(const char* path, int flags, mode_t mode) override;
  int close(int fd) override { return world_.close(fd); }
  std::int64_t read(int fd, void* buffer, std::size_t size) override;
  std::int64_t write(int fd, const void* data, std::size_t size) override;
  std::int64_t position(int fd) override;
  std::int64_t copy_range(int from, int to, std::size_t size) override;
  int clone(int, int) override { return -EOPNOTSUPP; }
  int truncate(int fd, off_t size) override;
  int set_mode(int fd, mode_t mode) override;
  int stat(int fd, struct ::stat& status) override;
  int stat(const char* path, struct ::stat& status) override;
  bool exists(const char* path) override;
  int mkdir(const char* path, mode_t mode) override;
  int unlink(const char* path) override;
  std::int64_t list(const char* path, std::vector<DirectoryEntry>& entries, bool (*stop)(const void* of),
                    const void* of) override;

 private:
  int attempt(const Operation& operation);  // with faults; -EINTR too
  int describe(int fd, const char* path, int flags, struct ::stat& status);

  SimWorld& world_;
};

}  // namespace rondo
