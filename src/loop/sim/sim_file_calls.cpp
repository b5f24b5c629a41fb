// Simulated calls on paths and open files: descriptors and transfers here, the tree and its rules in sim_files.
#include <fcntl.h>
#include <linux/falloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "loop/sim/sim_files.h"
#include "loop/sim/sim_parts.h"
#include "loop/sim/sim_poller.h"

namespace rondo {
namespace {

SimFiles::LastLink last_link(bool follows) { return follows ? SimFiles::LastLink::Follow : SimFiles::LastLink::Keep; }

}  // namespace

// Where a relative path begins. An absolute one needs no descriptor.
int SimWorld::folder_at(int fd, const char* path, SimInodePtr& folder) const {
  if (*path == 0) return -ENOENT;
  folder = files_->root();
  if (fd == AT_FDCWD || *path == '/') return 0;
  const auto found = object(fd);
  if (!found) return -EBADF;
  if (!found->inode || !found->inode->is_folder()) return -ENOTDIR;
  folder = found->inode;
  return 0;
}

int SimWorld::on_path(const Operation& op) {
  if (op.kind == OpKind::Statx) return describe(op);
  if (op.kind == OpKind::LinkAt) return link(op);
  if (op.kind == OpKind::OpenAt) return open(op);
  if (op.kind == OpKind::ReadFile) return read_whole_file(op);
  SimInodePtr start, start2;
  if (op.kind == OpKind::SymlinkAt) {
    if (const int error = folder_at(op.fd2, op.path2, start2)) return error;
    return files_->make_link(op.path, start2, op.path2);
  }
  if (const int error = folder_at(op.fd, op.path, start)) return error;
  if (op.kind == OpKind::MkdirAt) return files_->make_folder(start, op.path, op.mode);
  if (op.kind == OpKind::UnlinkAt) return files_->remove(start, op.path, static_cast<int>(op.flags));
  if (const int error = folder_at(op.fd2, op.path2, start2)) return error;
  return files_->rename(files_->find(start, op.path, last_link(false)),
                        files_->find(start2, op.path2, last_link(false)), op.flags);
}

int SimWorld::open(const Operation& op) {
  if (objects_.size() >= limits_.descriptors) return -EMFILE;
  const int flags = static_cast<int>(op.flags);
  SimInodePtr start;
  if (const int error = folder_at(op.fd, op.path, start)) return error;
  auto file = std::make_shared<Object>();
  file->kind = Object::Kind::File;
  if (const int error = files_->open(start, op.path, flags, op.mode, file->inode)) return error;
  const bool only_a_path = flags & O_PATH;
  file->can_read = (flags & O_ACCMODE) != O_WRONLY && !only_a_path;
  file->can_write = (flags & O_ACCMODE) != O_RDONLY && !only_a_path;
  file->appends = flags & O_APPEND;
  return add(std::move(file));
}

int SimWorld::describe(const Operation& op) {
  const char* path = op.path ? op.path : "";
  auto& out = *static_cast<struct ::statx*>(op.data);
  if (*path == 0 && (op.flags & AT_EMPTY_PATH) && op.fd != AT_FDCWD) {
    const auto found = object(op.fd);
    if (!found) return -EBADF;
    if (found->inode) {
      SimFiles::describe(*found->inode, out);
    } else {
      out = {};
      out.stx_mask = STATX_BASIC_STATS;
      out.stx_mode = found->is_pipe ? S_IFIFO | 0600 : S_IFSOCK | 0777;
      out.stx_nlink = 1;
      out.stx_blksize = 4096;
    }
    return 0;
  }
  SimInodePtr start;
  if (*path == 0 && (op.flags & AT_EMPTY_PATH)) path = ".";
  if (const int error = folder_at(op.fd, path, start)) return error;
  const SimFiles::Place place = files_->find(start, path, last_link(!(op.flags & AT_SYMLINK_NOFOLLOW)));
  if (place.error) return place.error;
  if (!place.inode) return -ENOENT;
  SimFiles::describe(*place.inode, out);
  return 0;
}

int SimWorld::link(const Operation& op) {
  if (op.flags & ~static_cast<std::uint32_t>(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) return -EINVAL;
  SimInodePtr start, start2, inode;
  if (*op.path == 0 && (op.flags & AT_EMPTY_PATH) && op.fd != AT_FDCWD) {
    const auto found = object(op.fd);
    if (!found) return -EBADF;
    inode = found->inode;
    if (!inode) return -EXDEV;  // sockets and pipes are on a disk of their own
  } else {
    if (const int error = folder_at(op.fd, op.path, start)) return error;
    const SimFiles::Place place = files_->find(start, op.path, last_link(op.flags & AT_SYMLINK_FOLLOW));
    if (place.error) return place.error;
    inode = place.inode;
  }
  if (!inode) return -ENOENT;
  if (const int error = folder_at(op.fd2, op.path2, start2)) return error;
  return files_->add_name(inode, start2, op.path2);
}

int SimWorld::read_whole_file(const Operation& op) {
  SimInodePtr start, file;
  if (const int error = folder_at(op.fd, op.path, start)) return error;
  if (const int error = files_->open(start, op.path, O_RDONLY, 0, file)) return error;
  if (file->is_folder()) return -EISDIR;
  return static_cast<int>(file->content.copy(static_cast<char*>(op.data), op.length));
}

int SimWorld::on_file(Object& file, const Operation& op) {
  switch (op.kind) {
    case OpKind::Read:
    case OpKind::ReadV:
      return read_file(file, op);
    case OpKind::Write:
    case OpKind::WriteV:
      return write_file(file, op);
    case OpKind::Fsync:
      return file.can_read || file.can_write ? 0 : -EBADF;
    case OpKind::Ftruncate:
      if (!file.can_write || op.offset < 0) return -EINVAL;
      return resize(file, static_cast<std::uint64_t>(op.offset));
    case OpKind::Fallocate:
      return allocate(file, op);
    case OpKind::Accept:
    case OpKind::Connect:
    case OpKind::Recv:
    case OpKind::RecvMsg:
    case OpKind::Send:
    case OpKind::SendMsg:
      return -ENOTSOCK;
    default:
      return -EINVAL;
  }
}

int SimWorld::read_file(Object& file, const Operation& op) {
  if (!file.can_read) return -EBADF;
  if (file.inode->is_folder()) return -EISDIR;
  const std::vector<iovec> parts = parts_of(op);
  const std::string& content = file.inode->content;
  const std::size_t at = op.offset >= 0 ? static_cast<std::size_t>(op.offset) : file.position;
  if (at >= content.size()) return 0;
  const std::size_t most = std::min(size_of(parts), content.size() - at);
  if (most == 0) return 0;
  const std::size_t size = transfer_size(most);
  scatter(parts, content.data() + at, size);
  file.inode->accessed = now_;
  if (op.offset < 0) file.position += size;
  return static_cast<int>(size);
}

int SimWorld::write_file(Object& file, const Operation& op) {
  if (!file.can_write) return -EBADF;
  const std::vector<iovec> parts = parts_of(op);
  const std::size_t wanted = size_of(parts);
  if (wanted == 0) return 0;
  SimInode& inode = *file.inode;
  std::size_t at = op.offset >= 0 ? static_cast<std::size_t>(op.offset) : file.position;
  if (file.appends) at = inode.content.size();
  if (at + wanted > inode.content.size() && files_->used() + (at + wanted - inode.content.size()) > limits_.disk_bytes)
    return -ENOSPC;
  const std::size_t size = transfer_size(wanted);
  if (at + size > inode.content.size()) inode.resize(at + size);
  inode.content.replace(at, size, gather(parts, size));
  inode.modified = inode.changed = now_;
  if (op.offset < 0) file.position = at + size;
  return static_cast<int>(size);
}

int SimWorld::resize(Object& file, std::uint64_t size) {
  SimInode& inode = *file.inode;
  if (size > inode.content.size() && files_->used() + (size - inode.content.size()) > limits_.disk_bytes)
    return -ENOSPC;
  inode.resize(size);
  inode.modified = inode.changed = now_;
  return 0;
}

int SimWorld::allocate(Object& file, const Operation& op) {
  if (op.offset < 0 || op.length2 == 0) return -EINVAL;
  if (!file.can_write) return -EBADF;
  SimInode& inode = *file.inode;
  const auto begin = static_cast<std::uint64_t>(op.offset), end = begin + op.length2;
  if (op.mode == (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE)) {
    const auto from = inode.content.begin() + static_cast<std::ptrdiff_t>(std::min(begin, inode.content.size()));
    std::fill(from, inode.content.begin() + static_cast<std::ptrdiff_t>(std::min(end, inode.content.size())), '\0');
    return 0;
  }
  if (op.mode == FALLOC_FL_KEEP_SIZE) return 0;
  if (op.mode != 0) return -EOPNOTSUPP;
  return end > inode.content.size() ? resize(file, end) : 0;
}

}  // namespace rondo
