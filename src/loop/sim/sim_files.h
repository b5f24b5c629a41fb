// The simulated disk: a tree of files, folders and links with the kernel's rules and errors for each call. No descriptors, no transfers, no
// permissions, no umask: everyone may do everything. SimWorld calls it; nothing here chooses or waits.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rondo/base/clock.h"

namespace rondo {

struct SimInode;
using SimInodePtr = std::shared_ptr<SimInode>;

struct SimInode {
  enum class Kind : std::uint8_t { File, Folder, Link };

  SimInode(Kind what, std::uint32_t permissions, std::uint64_t inode_number, std::size_t& disk_use, Nanoseconds now)
      : kind(what),
        mode(permissions),
        number(inode_number),
        accessed(now),
        modified(now),
        changed(now),
        used(disk_use) {}
  SimInode(const SimInode&) = delete;
  SimInode& operator=(const SimInode&) = delete;
  ~SimInode() { used -= content.size(); }

  bool is_folder() const { return kind == Kind::Folder; }
  void resize(std::size_t size) {
    used += size - content.size();
    content.resize(size);
  }

  Kind kind;
  std::uint32_t mode;
  std::uint64_t number;
  std::uint32_t links = 0;  // names; 0: removed, alive only while open
  Nanoseconds accessed, modified, changed;
  std::string content;  // a file's bytes, a link's target
  std::map<std::string, SimInodePtr> entries;  // a folder's
  std::weak_ptr<SimInode> parent;  // a folder's
  std::size_t& used;  // bytes on the whole disk
};

class SimFiles {
 public:
  explicit SimFiles(const Nanoseconds& now);

  // Where a path leads. Without an inode: the name is free in `folder`.
  struct Place {
    int error = 0;  // -errno: the way there does not exist
    SimInodePtr folder;
    std::string name;  // "", "." or "..": the path ends with no name of its own
    SimInodePtr inode;
    bool wants_folder = false;  // ends with a slash
    bool has_name() const { return !name.empty() && name != "." && name != ".."; }
  };
  enum class LastLink : bool { Keep, Follow };
  Place find(const SimInodePtr& start, const std::string& path, LastLink last) const;

  // Each 0 or -errno.
  int open(const SimInodePtr& start, const std::string& path, int flags, std::uint32_t mode, SimInodePtr& opened);
  int make_folder(const SimInodePtr& start, const std::string& path, std::uint32_t mode);
  int make_link(const std::string& target, const SimInodePtr& start, const std::string& path);
  int add_name(const SimInodePtr& inode, const SimInodePtr& start, const std::string& path);
  int remove(const SimInodePtr& start, const std::string& path, int flags);
  int rename(const Place& from, const Place& to, std::uint32_t flags);

  static void describe(const SimInode& inode, struct ::statx& out);
  const SimInodePtr& root() const { return root_; }
  std::size_t used() const { return used_; }

 private:
  SimInodePtr make(SimInode::Kind kind, std::uint32_t mode);
  int insert(const Place& place, const SimInodePtr& inode);
  void take_out(const SimInodePtr& folder, const std::string& name);
  int replace(const Place& from, const Place& to);

  const Nanoseconds& now_;
  std::size_t used_ = 0;
  std::uint64_t next_number_ = 1;
  SimInodePtr root_;
};

}  // namespace rondo
