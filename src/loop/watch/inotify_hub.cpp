// The hub's book-keeping: kernel watches, folders, life. Events are interpreted in inotify_dispatch.cpp.
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
#include <system_error>
#include <utility>

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

// Failures for want of a resource: the path is there and cannot be watched. Others: it is gone, or closed to us.
int shortage_in(int error) {
  return error == ENOSPC || error == ENOMEM || error == EMFILE || error == ENFILE ? -error : 0;
}

}  // namespace

Result<InotifyHub*> InotifyHub::of(Loop& loop) {
  InotifyHub*& known = detail::LoopAccess::inotify_hub(loop);
  if (known) return known;
  UniqueFd instance(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!instance) return last_failure("inotify_init1");
  known = new InotifyHub(loop, std::move(instance));
  detail::LoopAccess::linger(loop, *known);
  known->poll();
  return known;
}

void InotifyHub::after_fork(Loop& loop) {
  if (InotifyHub* hub = detail::LoopAccess::inotify_hub(loop)) hub->renew();
}

// An instance of our own under the same number, so that the operation in flight goes on with it; everything is watched anew.
void InotifyHub::renew() {
  const UniqueFd own(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!own || dup3(own.get(), fd_.get(), O_CLOEXEC) < 0) fatal("cannot watch files after fork", errno);
  entries_.clear();
  numbers_.clear();
  for (FileWatch* watch : watches_) {
    if (add_folder(*watch, "") >= 0 && watch->depth_ == FileWatch::Depth::Recursive) add_below(*watch, "", nullptr);
  }
}

Result<void> InotifyHub::add(FileWatch& watch) {
  const int number = add_folder(watch, "");
  if (number < 0) return failure(-number, "watch");
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
  std::erase(watches_, &watch);
  watch.hub_ = nullptr;
}

bool InotifyHub::is_watching(const FileWatch* watch) const {
  return std::find(watches_.begin(), watches_.end(), watch) != watches_.end();
}

// The kernel watch of what is at that place now, which is a new one if it had none. Or -errno.
int InotifyHub::kernel_watch(const FileWatch& watch, const std::string& folder) {
  if (!folder.empty() && watch.has_moved_) return -ENOENT;
  const std::string path = folder.empty() ? watch.base_ : watch.base_ + "/" + folder;
  const std::uint32_t mask = kMask | (folder.empty() ? 0u : IN_ONLYDIR | IN_DONT_FOLLOW);
  const int number = inotify_add_watch(fd_.get(), path.c_str(), mask);
  return number < 0 ? -errno : number;
}

// The same, but watches nothing new: kUnwatched for what is not watched yet.
int InotifyHub::kernel_watch_if_any(const FileWatch& watch, const std::string& folder) {
  const int number = kernel_watch(watch, folder);
  if (number < 0 || entries_.contains(number)) return number;
  inotify_rm_watch(fd_.get(), number);
  return kUnwatched;
}

// The kernel watch that the handle knows by this folder, or -1.
int InotifyHub::number_of(const FileWatch& watch, const std::string& folder) const {
  for (const auto& [number, entries] : entries_) {
    for (const Entry& entry : entries) {
      if (entry.watch == &watch && entry.folder == folder) return number;
    }
  }
  return -1;
}

// The kernel watch's number, or -errno: -EBUSY when a folder is there that is known by another name, which events that are
// still to come will change (N2).
int InotifyHub::add_folder(FileWatch& watch, const std::string& folder, Names names) {
  const int number = kernel_watch(watch, folder);
  if (number < 0) return number;
  std::vector<Entry>& entries = entries_[number];
  const auto known =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.watch == &watch; });
  if (known == entries.end()) {
    entries.push_back({&watch, folder, batch_});
    numbers_[&watch].insert(number);
  } else if (known->folder != folder) {
    if (names == Names::AsTold) return -EBUSY;
    known->folder = folder;
  }
  return number;
}

// Watches every directory below `folder`, which is watched already. Collects what is there, if asked. 0, or the -errno of a
// shortage, after which it goes on with the others.
int InotifyHub::add_below(FileWatch& watch, const std::string& folder, std::vector<Found>* found, Names names) {
  int shortage = 0;
  // The next one last.
  std::vector<std::string> folders;
  const auto read_one = [&](const std::string& path) {
    const size_t begin = folders.size();
    if (const int result = folders_in(watch, path, found, folders); result < 0) shortage = result;
    std::reverse(folders.begin() + static_cast<std::ptrdiff_t>(begin), folders.end());
  };
  for (read_one(folder); !folders.empty();) {
    const std::string path = std::move(folders.back());
    folders.pop_back();
    const int number = add_folder(watch, path, names);
    if (number == -EBUSY) is_doubtful_ = true;
    if (number >= 0)
      read_one(path);
    else if (const int result = shortage_in(-number); result < 0)
      shortage = result;
  }
  return shortage;
}

// Adds the directories in `folder`. Collects all that is there, if asked. 0, or the -errno of a shortage.
int InotifyHub::folders_in(const FileWatch& watch, const std::string& folder, std::vector<Found>* found,
                           std::vector<std::string>& folders) {
  DIR* directory = opendir((watch.base_ + "/" + folder).c_str());
  if (!directory) return shortage_in(errno);  // 0: a file, or gone already
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
  return 0;
}

// As add_below; -ENOENT when the folder is not there.
int InotifyHub::add_with_below(FileWatch& watch, const std::string& folder, std::vector<Found>& found) {
  const int number = add_folder(watch, folder);
  if (number >= 0) return add_below(watch, folder, &found);
  if (shortage_in(-number)) return number;
  is_doubtful_ = true;
  return -ENOENT;
}

// Events tell what was. By now another folder may be at the new place, whose own event is to come; or the folder was watched
// there ahead of this event, or never, and what is watched under its old name is another, made since: then it is told of as
// created, so that what was told of the other stays with it. So both places are looked at. Kernel watches that have events to
// tell are kept. As add_with_below.
int InotifyHub::follow_rename(FileWatch& watch, const std::string& from, const std::string& to,
                              std::vector<Found>& found, FileEvent::Kind& kind) {
  const int there = kernel_watch_if_any(watch, to);
  const int known_before = number_of(watch, from), known_there = number_of(watch, to);
  const bool is_another =
      known_before >= 0 && there >= 0 && there != known_before && kernel_watch_if_any(watch, from) == known_before;
  if (is_another) kind = FileEvent::Kind::Created;
  if (there != known_before) is_doubtful_ = true;
  const bool follows = known_before >= 0 && !is_another;
  if (!follows && there >= 0 && there == known_there)
    return add_below(watch, to, &found);  // who hears of it forgets it
  remove_below(watch, to);  // what it has replaced, or what has come after it ahead of its own event
  if (!follows) return add_with_below(watch, to, found);
  for (auto& [number, entries] : entries_) {
    for (Entry& entry : entries) {
      if (entry.watch == &watch && is_at_or_below(entry.folder, from)) entry.folder.replace(0, from.size(), to);
    }
  }
  return 0;
}

void InotifyHub::remove_below(FileWatch& watch, const std::string& folder) {
  const auto known = numbers_.find(&watch);
  if (known == numbers_.end()) return;
  std::erase_if(known->second, [&](int number) {
    const auto place = entries_.find(number);
    if (place == entries_.end()) return true;
    auto& entries = place->second;
    // A handle has one entry under a kernel watch.
    if (!std::erase_if(
            entries, [&](const Entry& entry) { return entry.watch == &watch && is_at_or_below(entry.folder, folder); }))
      return false;
    if (entries.empty()) {
      inotify_rm_watch(fd_.get(), number);
      entries_.erase(place);
    }
    return true;
  });
  if (known->second.empty()) numbers_.erase(known);
}

void InotifyHub::poll() {
  operation_.poll(fd_.get(), POLLIN);
  operation_.then([](Operation& done, const Completion&) { static_cast<InotifyHub*>(done.owner)->ready(); }, this);
  operation_.keeps_loop_alive = false;
  operation_.source = HandleKind::FileWatch;
  loop_.submit(operation_);
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

void FileWatch::begin_close() { stop(); }

}  // namespace rondo
