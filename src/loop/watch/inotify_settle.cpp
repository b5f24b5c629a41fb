// Settles differences between events and places, when all events are told (N4): folders that are not where they are known to be are told of
// as removed, folders that nobody watches as created, with all that is in them. A burst of renames under names that are used again and
// again comes here; a rename that has come to rest before it is told does not.
#include <sys/ioctl.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "loop/watch/inotify_hub.h"

namespace rondo {

bool InotifyHub::has_more() const {
  int waiting = 0;
  return ioctl(fd_.get(), FIONREAD, &waiting) == 0 && waiting > 0;
}

void InotifyHub::settle() {
  if (!is_doubtful_ || has_more()) return;
  is_doubtful_ = false;
  const std::vector<FileWatch*> all = watches_;
  for (FileWatch* watch : all) {
    if (!is_watching(watch) || watch->depth_ != FileWatch::Depth::Recursive || watch->has_moved_) continue;
    if (forget_misplaced(*watch)) find_unwatched(*watch);
  }
}

// False: the watch has ended.
bool InotifyHub::forget_misplaced(FileWatch& watch) {
  std::vector<std::string> misplaced;
  for (const auto& [number, entries] : entries_) {
    for (const Entry& entry : entries) {
      if (entry.watch == &watch && !entry.folder.empty() && kernel_watch_if_any(watch, entry.folder) != number)
        misplaced.push_back(entry.folder);
    }
  }
  std::sort(misplaced.begin(), misplaced.end());
  for (const std::string& folder : misplaced) {
    remove_below(watch, folder);
    if (!emit(watch, {FileEvent::Kind::Removed, true, folder, {}})) return false;
  }
  return true;
}

bool InotifyHub::find_unwatched(FileWatch& watch) {
  namespace fs = std::filesystem;
  std::set<std::string> known;
  for (const auto& [number, entries] : entries_) {
    for (const Entry& entry : entries) {
      if (entry.watch == &watch) known.insert(entry.folder);
    }
  }
  std::vector<std::string> unwatched;
  std::error_code error;
  fs::recursive_directory_iterator walk(watch.base_, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (!walk->is_directory(error) || walk->is_symlink(error)) continue;
    std::string folder = walk->path().string().substr(watch.base_.size() + 1);
    if (known.contains(folder)) continue;
    unwatched.push_back(std::move(folder));
    walk.disable_recursion_pending();
  }
  for (const std::string& folder : unwatched) {
    std::vector<Found> found;
    const int result = add_with_below(watch, folder, found);
    if (result == -ENOENT) continue;  // it left meanwhile, which will be told
    const std::uint64_t start = watch.start_;
    tell_folder(watch, {FileEvent::Kind::Created, true, folder, {}}, found, result);
    if (!is_watching(&watch) || watch.start_ != start) return false;
  }
  return true;
}

}  // namespace rondo
