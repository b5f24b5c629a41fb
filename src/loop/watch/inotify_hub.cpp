// The hub's book-keeping: kernel watches, folders, life. What events mean is in inotify_dispatch.cpp.
#include "loop/watch/inotify_hub.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include "rondo/base/fatal.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr std::uint32_t kMask =
    IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;

bool is_at_or_below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/' || folder.empty());
}

// What is there and cannot be watched for want of something. Other failures: it is gone, or closed to us.
int shortage_in(int error) {
  return error == ENOSPC || error == ENOMEM || error == EMFILE || error == ENFILE ? -error : 0;
}

}  // namespace

Result<InotifyHub*> InotifyHub::of(Loop& loop) {
  InotifyHub*& known = detail::LoopAccess::inotify_hub(loop);
  if (known) return known;
  auto hub = std::unique_ptr<InotifyHub>(new InotifyHub(loop));
  hub->fd_ = UniqueFd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!hub->fd_) return last_failure("inotify_init1");
  hub->poll();
  return known = hub.release();
}

void InotifyHub::after_fork(Loop& loop) {
  if (InotifyHub* hub = detail::LoopAccess::inotify_hub(loop)) hub->renew();
}

// An instance of our own under the same number, so that the operation in flight goes on with it; everything is watched anew.
void InotifyHub::renew() {
  const UniqueFd own(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!own || dup3(own.get(), fd_.get(), O_CLOEXEC) < 0) fatal("cannot watch files after fork", errno);
  entries_.clear();
  for (FileWatch* watch : watches_) {
    if (add_folder(*watch, "") >= 0 && watch->depth_ == FileWatch::Depth::Recursive) add_below(*watch, "", nullptr);
  }
}

Result<void> InotifyHub::add(FileWatch& watch) {
  const int number = add_folder(watch, "");
  if (number < 0) {
    leave();
    return failure(-number, "watch");
  }
  watches_.push_back(&watch);
  watch.hub_ = this;
  watch.start_ = ++starts_;
  if (watch.depth_ != FileWatch::Depth::Recursive) return {};
  const int shortage = add_below(watch, "", nullptr);
  if (shortage == 0) return {};
  remove(watch);
  return failure(-shortage, "watch");
}

void InotifyHub::remove(FileWatch& watch) {
  remove_below(watch, "");
  std::erase_if(missed_, [&](const Missed& missed) { return missed.watch == &watch; });
  std::erase(watches_, &watch);
  watch.hub_ = nullptr;
  leave();
}

bool InotifyHub::is_watching(const FileWatch* watch) const {
  return std::find(watches_.begin(), watches_.end(), watch) != watches_.end();
}

int InotifyHub::add_folder(FileWatch& watch, const std::string& folder) {
  if (!folder.empty() && watch.has_moved_) return -ENOENT;
  const std::string path = folder.empty() ? watch.base_ : watch.base_ + "/" + folder;
  const std::uint32_t mask = kMask | (folder.empty() ? 0u : IN_ONLYDIR | IN_DONT_FOLLOW);
  const int number = inotify_add_watch(fd_.get(), path.c_str(), mask);
  if (number < 0) return -errno;
  std::vector<Entry>& entries = entries_[number];
  const auto known =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.watch == &watch; });
  if (known == entries.end()) {
    entries.push_back({&watch, folder, batch_});
  } else {
    known->folder = folder;  // N2
  }
  return number;
}

// Watches every directory below `folder`, which is watched already. Collects what is there, if asked. 0, or the -errno of a
// shortage, after which it goes on with the others.
int InotifyHub::add_below(FileWatch& watch, const std::string& folder, std::vector<Found>* found) {
  DIR* directory = opendir((watch.base_ + "/" + folder).c_str());
  if (!directory) return shortage_in(errno);  // 0: a file, or gone already
  std::vector<std::string> folders;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    std::string path = folder;
    if (!path.empty()) path += '/';
    path += name;
    bool is_directory = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN) {
      struct ::stat status;
      is_directory = ::lstat((watch.base_ + "/" + path).c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    }
    if (found) found->push_back({path, is_directory});
    if (is_directory) folders.push_back(std::move(path));
  }
  closedir(directory);
  int shortage = 0;
  for (const std::string& path : folders) {
    const int number = add_folder(watch, path);
    const int result = number < 0 ? shortage_in(-number) : add_below(watch, path, found);
    if (result < 0) shortage = result;
  }
  return shortage;
}

// As add_below; -ENOENT when the folder is not there.
int InotifyHub::add_with_below(FileWatch& watch, const std::string& folder, std::vector<Found>& found) {
  const int number = add_folder(watch, folder);
  if (number >= 0) return add_below(watch, folder, &found);
  return shortage_in(-number) ? number : -ENOENT;
}

// Events tell what was; by now the folder may have got its new name before it was watched at all, or another one may have its
// old name and be watched under it. So the new name is looked at again. As add_with_below.
int InotifyHub::follow_rename(FileWatch& watch, const std::string& from, const std::string& to,
                              std::vector<Found>& found) {
  remove_below(watch, to);  // what it has replaced
  int known = -1;
  for (auto& [number, entries] : entries_) {
    for (Entry& entry : entries) {
      if (entry.watch != &watch || !is_at_or_below(entry.folder, from)) continue;
      entry.folder.replace(0, from.size(), to);
      if (entry.folder.size() == to.size()) known = number;
    }
  }
  const int number = add_folder(watch, to);
  if (number == known) return 0;
  if (number < 0 && known >= 0) return 0;  // it has moved on, of which another event tells
  remove_below(watch, to);
  return add_with_below(watch, to, found);
}

void InotifyHub::remove_below(FileWatch& watch, const std::string& folder) {
  for (auto place = entries_.begin(); place != entries_.end();) {
    std::erase_if(place->second,
                  [&](const Entry& entry) { return entry.watch == &watch && is_at_or_below(entry.folder, folder); });
    if (place->second.empty()) {
      inotify_rm_watch(fd_.get(), place->first);
      place = entries_.erase(place);
    } else {
      ++place;
    }
  }
}

void InotifyHub::poll() {
  operation_.poll(fd_.get(), POLLIN);
  operation_.then([](Operation& done, const Completion&) { static_cast<InotifyHub*>(done.owner)->ready(); }, this);
  operation_.keeps_loop_alive = false;
  operation_.source = HandleKind::FileWatch;
  loop_.submit(operation_);
}

// When nobody watches any more: the loop forgets it, so that a new watch makes a new hub, and away once the poll ends.
void InotifyHub::leave() {
  if (!watches_.empty() || is_dispatching_) return;
  detail::LoopAccess::inotify_hub(loop_) = nullptr;
  if (operation_.is_in_flight()) {
    detail::LoopAccess::linger(loop_, *this);
    return loop_.cancel(operation_);
  }
  loop_.forget(fd_.get());
  delete this;
}

FileWatch::~FileWatch() { stop(); }

Result<void> FileWatch::start(const std::string& path, OnEvent on_event, Depth depth) {
  if (is_closing()) return failure(EINVAL, "watch");
  stop();
  root_ = base_ = path;
  if (std::error_code error; depth == Depth::Recursive) {
    const std::filesystem::path whole = std::filesystem::absolute(path, error);
    if (!error && !path.empty()) base_ = whole.string();
  }
  depth_ = depth;
  has_moved_ = false;
  Result<InotifyHub*> hub = InotifyHub::of(*loop_);
  if (!hub) return std::unexpected(hub.error());
  if (Result<void> added = (*hub)->add(*this); !added) return added;
  on_event_.set(std::move(on_event));
  activate();
  return {};
}

void FileWatch::stop() {
  if (hub_) hub_->remove(*this);
  deactivate();
}

bool FileWatch::begin_close() {
  stop();
  return true;
}

}  // namespace rondo
