// The simulated disk's rules; see the header.
#include "loop/sim/sim_files.h"

#include <fcntl.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <deque>
#include <utility>

namespace rondo {
namespace {

constexpr int kMostLinks = 40;  // followed on one way, as in Linux

void put_first(std::deque<std::string>& names, const std::string& path) {
  std::deque<std::string> own;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) own.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  names.insert(names.begin(), own.begin(), own.end());
}

SimFiles::Place nowhere(int error) {
  SimFiles::Place place;
  place.error = error;
  return place;
}

// Is `folder` the inode itself, or somewhere below it?
bool is_within(const SimInodePtr& folder, const SimInodePtr& inode) {
  for (SimInodePtr at = folder; at;) {
    if (at == inode) return true;
    SimInodePtr up = at->parent.lock();
    if (up == at) return false;
    at = std::move(up);
  }
  return false;
}

statx_timestamp timestamp(Nanoseconds time) {
  statx_timestamp result{};
  result.tv_sec = time / 1'000'000'000;
  result.tv_nsec = static_cast<std::uint32_t>(time % 1'000'000'000);
  return result;
}

}  // namespace

SimFiles::SimFiles(const Nanoseconds& now) : now_(now), root_(make(SimInode::Kind::Folder, 0755)) {
  root_->links = 1;
  root_->parent = root_;
}

SimInodePtr SimFiles::make(SimInode::Kind kind, std::uint32_t mode) {
  return std::make_shared<SimInode>(kind, mode & 07777, next_number_++, used_, now_);
}

SimFiles::Place SimFiles::find(const SimInodePtr& start, const std::string& path, LastLink last) const {
  if (path.empty()) return nowhere(-ENOENT);
  if (path.size() >= PATH_MAX) return nowhere(-ENAMETOOLONG);
  Place place;
  place.wants_folder = path.back() == '/';
  SimInodePtr at = path.front() == '/' ? root_ : start;
  std::deque<std::string> names;
  put_first(names, path);
  for (int links = 0; !names.empty();) {
    if (!at->is_folder()) return nowhere(-ENOTDIR);
    const std::string name = std::exchange(names.front(), {});
    names.pop_front();
    if (name.size() > NAME_MAX) return nowhere(-ENAMETOOLONG);
    place.folder = at;
    place.name = name;
    if (name == ".") continue;
    if (name == "..") {
      at = at->parent.lock();
      if (!at) return nowhere(-ENOENT);
      continue;
    }
    const auto found = at->entries.find(name);
    if (found == at->entries.end()) {
      if (!names.empty()) return nowhere(-ENOENT);
      return place;
    }
    const SimInodePtr next = found->second;
    if (next->kind == SimInode::Kind::Link && (!names.empty() || last == LastLink::Follow || place.wants_folder)) {
      if (++links > kMostLinks) return nowhere(-ELOOP);
      put_first(names, next->content);
      if (next->content.front() == '/') at = root_;
      continue;
    }
    at = next;
  }
  if (place.wants_folder && !at->is_folder()) return nowhere(-ENOTDIR);
  place.inode = std::move(at);
  return place;
}

int SimFiles::insert(const Place& place, const SimInodePtr& inode) {
  if (place.folder->links == 0) return -ENOENT;  // the folder was removed meanwhile
  place.folder->entries[place.name] = inode;
  place.folder->modified = place.folder->changed = inode->changed = now_;
  inode->links++;
  if (inode->is_folder()) inode->parent = place.folder;
  return 0;
}

void SimFiles::take_out(const SimInodePtr& folder, const std::string& name) {
  const auto found = folder->entries.find(name);
  found->second->links--;
  found->second->changed = now_;
  folder->entries.erase(found);
  folder->modified = folder->changed = now_;
}

int SimFiles::open(const SimInodePtr& start, const std::string& path, int flags, std::uint32_t mode,
                   SimInodePtr& opened) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  const bool is_exclusive = (flags & O_CREAT) && (flags & O_EXCL);
  const bool keeps_link = is_exclusive || (flags & O_NOFOLLOW);
  const Place place = find(start, path, keeps_link ? LastLink::Keep : LastLink::Follow);
  if (place.error) return place.error;
  opened = place.inode;
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    if (!opened) return -ENOENT;
    if (!opened->is_folder()) return -ENOTDIR;
    if (!writes) return -EINVAL;
    opened = make(SimInode::Kind::File, mode);
    return 0;
  }
  if (!opened) {
    if (!(flags & O_CREAT)) return -ENOENT;
    if (place.wants_folder) return -EISDIR;
    opened = make(SimInode::Kind::File, mode);
    return insert(place, opened);
  }
  if (is_exclusive) return -EEXIST;
  if (opened->kind == SimInode::Kind::Link && !(flags & O_PATH)) return -ELOOP;
  if (opened->is_folder() && (writes || (flags & O_CREAT))) return -EISDIR;
  if ((flags & O_DIRECTORY) && !opened->is_folder()) return -ENOTDIR;
  if ((flags & O_TRUNC) && !opened->is_folder()) {
    opened->resize(0);
    opened->modified = opened->changed = now_;
  }
  return 0;
}

int SimFiles::make_folder(const SimInodePtr& start, const std::string& path, std::uint32_t mode) {
  const Place place = find(start, path, LastLink::Keep);
  if (place.error) return place.error == -ENOTDIR && path.back() == '/' ? -EEXIST : place.error;
  return place.inode ? -EEXIST : insert(place, make(SimInode::Kind::Folder, mode));
}

int SimFiles::make_link(const std::string& target, const SimInodePtr& start, const std::string& path) {
  if (target.empty()) return -ENOENT;
  const Place place = find(start, path, LastLink::Keep);
  if (place.error) return place.error;
  if (place.inode) return -EEXIST;
  if (place.wants_folder) return -ENOENT;
  const SimInodePtr link = make(SimInode::Kind::Link, 0777);
  link->resize(target.size());
  link->content = target;
  return insert(place, link);
}

int SimFiles::add_name(const SimInodePtr& inode, const SimInodePtr& start, const std::string& path) {
  const Place place = find(start, path, LastLink::Keep);
  if (place.error) return place.error;
  if (place.inode) return -EEXIST;
  if (place.wants_folder) return -ENOENT;
  return inode->is_folder() ? -EPERM : insert(place, inode);
}

int SimFiles::remove(const SimInodePtr& start, const std::string& path, int flags) {
  if (flags & ~AT_REMOVEDIR) return -EINVAL;
  const Place place = find(start, path, LastLink::Keep);
  if (place.error) return place.error;
  if (!place.inode) return -ENOENT;
  if (!(flags & AT_REMOVEDIR)) {
    if (place.inode->is_folder()) return -EISDIR;
  } else {
    if (!place.inode->is_folder()) return -ENOTDIR;
    if (!place.has_name()) return place.name == "." ? -EINVAL : place.name == ".." ? -ENOTEMPTY : -EBUSY;
    if (!place.inode->entries.empty()) return -ENOTEMPTY;
  }
  take_out(place.folder, place.name);
  return 0;
}

int SimFiles::rename(const Place& from, const Place& to, std::uint32_t flags) {
  const bool exchanges = flags & RENAME_EXCHANGE;
  if ((flags & ~(RENAME_EXCHANGE | RENAME_NOREPLACE)) || (exchanges && (flags & RENAME_NOREPLACE))) return -EINVAL;
  if (from.error || to.error) return from.error ? from.error : to.error;
  if (!from.has_name() || !to.has_name()) return -EBUSY;
  if (!from.inode || (exchanges && !to.inode)) return -ENOENT;
  if ((flags & RENAME_NOREPLACE) && to.inode) return -EEXIST;
  if (to.wants_folder && !from.inode->is_folder()) return -ENOTDIR;
  if (is_within(to.folder, from.inode)) return -EINVAL;
  if (to.inode && is_within(from.folder, to.inode)) return exchanges ? -EINVAL : -ENOTEMPTY;
  if (from.inode == to.inode) return 0;
  if (!exchanges) return replace(from, to);
  std::swap(from.folder->entries[from.name], to.folder->entries[to.name]);
  if (from.inode->is_folder()) from.inode->parent = to.folder;
  if (to.inode->is_folder()) to.inode->parent = from.folder;
  return 0;
}

int SimFiles::replace(const Place& from, const Place& to) {
  if (to.inode) {
    if (from.inode->is_folder() && !to.inode->is_folder()) return -ENOTDIR;
    if (!from.inode->is_folder() && to.inode->is_folder()) return -EISDIR;
    if (!to.inode->entries.empty()) return -ENOTEMPTY;
    take_out(to.folder, to.name);
  }
  if (const int error = insert(to, from.inode)) return error;
  take_out(from.folder, from.name);
  return 0;
}

void SimFiles::describe(const SimInode& inode, struct ::statx& out) {
  out = {};
  out.stx_mask = STATX_BASIC_STATS;
  out.stx_blksize = 4096;
  out.stx_ino = inode.number;
  out.stx_size = inode.content.size();
  out.stx_blocks = (inode.content.size() + 511) / 512;
  out.stx_nlink = inode.links;
  out.stx_mode = static_cast<std::uint16_t>(inode.mode);
  switch (inode.kind) {
    case SimInode::Kind::File:
      out.stx_mode |= S_IFREG;
      break;
    case SimInode::Kind::Link:
      out.stx_mode |= S_IFLNK;
      break;
    case SimInode::Kind::Folder:
      out.stx_mode |= S_IFDIR;
      out.stx_nlink *= 2;  // its name and its own "."; plus ".." of each folder in it
      for (const auto& [name, entry] : inode.entries) out.stx_nlink += entry->is_folder() ? 1 : 0;
      break;
  }
  out.stx_atime = timestamp(inode.accessed);
  out.stx_mtime = timestamp(inode.modified);
  out.stx_ctime = timestamp(inode.changed);
}

}  // namespace rondo
