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
#include <memory>

#include "rondo/base/fatal.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr std::uint32_t kMask =
    IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;

struct OfLoop {
  Loop* loop;
  InotifyHub* hub;
};
thread_local std::vector<OfLoop> hubs;

bool is_at_or_below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/' || folder.empty());
}

}  // namespace

Result<InotifyHub*> InotifyHub::of(Loop& loop) {
  for (const OfLoop& known : hubs) {
    if (known.loop == &loop) return known.hub;
  }
  auto hub = std::unique_ptr<InotifyHub>(new InotifyHub(loop));
  hub->fd_ = UniqueFd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!hub->fd_) return last_failure("inotify_init1");
  hub->poll();
  hubs.push_back({&loop, hub.get()});
  return hub.release();
}

void InotifyHub::after_fork(Loop& loop) {
  for (const OfLoop& known : hubs) {
    if (known.loop == &loop) return known.hub->renew();
  }
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
  if (watch.depth_ == FileWatch::Depth::Recursive) add_below(watch, "", nullptr);
  return {};
}

void InotifyHub::remove(FileWatch& watch) {
  remove_below(watch, "");
  std::erase(watches_, &watch);
  watch.hub_ = nullptr;
  leave();
}

bool InotifyHub::is_watching(const FileWatch* watch) const {
  return std::find(watches_.begin(), watches_.end(), watch) != watches_.end();
}

int InotifyHub::add_folder(FileWatch& watch, const std::string& folder) {
  const std::string path = folder.empty() ? watch.root_ : watch.root_ + "/" + folder;
  const std::uint32_t mask = kMask | (folder.empty() ? 0u : IN_ONLYDIR | IN_DONT_FOLLOW);
  const int number = inotify_add_watch(fd_.get(), path.c_str(), mask);
  if (number < 0) return -errno;
  std::vector<Entry>& entries = entries_[number];
  const bool is_known = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.watch == &watch && entry.folder == folder;
  });
  if (!is_known) entries.push_back({&watch, folder});
  return number;
}

// Watches every directory below `folder`, which is watched already. Collects what is there, if asked.
void InotifyHub::add_below(FileWatch& watch, const std::string& folder, std::vector<std::string>* found) {
  DIR* directory = opendir((watch.root_ + "/" + folder).c_str());
  if (!directory) return;  // a file, or gone already
  std::vector<std::string> folders;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    std::string path = folder;
    if (!path.empty()) path += '/';
    path += name;
    if (found) found->push_back(path);
    bool is_directory = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN) {
      struct ::stat status;
      is_directory = ::lstat((watch.root_ + "/" + path).c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    }
    if (is_directory) folders.push_back(path);
  }
  closedir(directory);
  for (const std::string& path : folders) {
    if (add_folder(watch, path) >= 0) add_below(watch, path, found);
  }
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

void InotifyHub::rename_below(FileWatch& watch, const std::string& from, const std::string& to) {
  for (auto& [number, entries] : entries_) {
    for (Entry& entry : entries) {
      if (entry.watch == &watch && is_at_or_below(entry.folder, from)) entry.folder.replace(0, from.size(), to);
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

// When nobody watches any more: out of the list, so that a new watch makes a new hub, and away once the poll ends.
void InotifyHub::leave() {
  if (!watches_.empty() || is_dispatching_) return;
  std::erase_if(hubs, [this](const OfLoop& known) { return known.hub == this; });
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
  root_ = path;
  depth_ = depth;
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
