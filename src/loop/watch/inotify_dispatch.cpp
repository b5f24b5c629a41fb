// From kernel events to FileEvents. A callback may stop, restart or destroy any watch: each is looked up again
// before it is told something.
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "loop/watch/inotify_hub.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {

void InotifyHub::read_all(std::vector<InotifyEvent>& events) {
  alignas(inotify_event) std::byte buffer[16 * 1024];
  for (;;) {
    const ssize_t size = read(fd_.get(), buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    parse_inotify({buffer, static_cast<std::size_t>(size)}, events);
  }
}

void InotifyHub::ready() {
  std::vector<InotifyEvent> events;
  is_dispatching_ = true;
  if (!watches_.empty()) read_all(events);
  for (std::size_t i = 0; i < events.size() && !watches_.empty(); i++) {
    const InotifyEvent& event = events[i];
    if (event.mask & IN_Q_OVERFLOW) {
      overflow();
      continue;
    }
    if (event.mask & IN_IGNORED) {
      entries_.erase(event.watch);
      continue;
    }
    // The kernel queues both halves of a rename together, when both are watched.
    const bool has_partner = (event.mask & IN_MOVED_FROM) && i + 1 < events.size() &&
                             (events[i + 1].mask & IN_MOVED_TO) && events[i + 1].cookie == event.cookie;
    dispatch(event, has_partner ? &events[i + 1] : nullptr);
    if (has_partner) {
      // Those who watch only the new place have not heard of it.
      dispatch(events[i + 1], &event);
      i++;
    }
  }
  is_dispatching_ = false;
  if (watches_.empty()) return leave();
  poll();
}

// Each watch of the kernel watch. `partner`: the other half of a rename.
void InotifyHub::dispatch(const InotifyEvent& event, const InotifyEvent* partner) {
  const auto place = entries_.find(event.watch);
  if (place == entries_.end()) return;
  const std::vector<Entry> entries = place->second;
  for (const Entry& entry : entries) {
    if (is_watching(entry.watch)) dispatch_to(*entry.watch, entry.folder, event, partner);
  }
}

namespace {

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : name.empty() ? folder : folder + "/" + name;
}

}  // namespace

void InotifyHub::dispatch_to(FileWatch& watch, const std::string& folder, const InotifyEvent& event,
                             const InotifyEvent* partner) {
  using Kind = FileEvent::Kind;
  const bool is_directory = (event.mask & IN_ISDIR) != 0;
  const std::string path = join(folder, event.name);
  const bool is_recursive = watch.depth_ == FileWatch::Depth::Recursive;

  if (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) {
    if (folder.empty()) emit(watch, {Kind::RootRemoved, is_directory, {}, {}});  // of others their parent tells
    return;
  }
  if (partner) {
    // Does this watch see the other half too?
    const auto other = entries_.find(partner->watch);
    const Entry* seen = nullptr;
    if (other != entries_.end()) {
      for (const Entry& entry : other->second) {
        if (entry.watch == &watch) seen = &entry;
      }
    }
    if (seen && (event.mask & IN_MOVED_TO)) return;  // told with the first half
    if (seen) {
      const std::string target = join(seen->folder, partner->name);
      if (is_directory && is_recursive) rename_below(watch, path, target);
      emit(watch, {Kind::Renamed, is_directory, path, target});
      return;
    }
  }
  if (event.mask & (IN_DELETE | IN_MOVED_FROM)) {
    if (is_directory && is_recursive) remove_below(watch, path);
    emit(watch, {Kind::Removed, is_directory, path, {}});
  } else if (event.mask & (IN_CREATE | IN_MOVED_TO)) {
    std::vector<std::string> found;
    if (is_directory && is_recursive && add_folder(watch, path) >= 0) add_below(watch, path, &found);
    if (!emit(watch, {Kind::Created, is_directory, path, {}})) return;
    for (std::string& below : found) {
      if (!emit(watch, {Kind::Created, false, std::move(below), {}})) return;
    }
  } else if (event.mask & IN_MODIFY) {
    emit(watch, {Kind::Modified, is_directory, path, {}});
  } else if (event.mask & IN_ATTRIB) {
    emit(watch, {Kind::Attributes, is_directory, path, {}});
  }
}

void InotifyHub::overflow() {
  const std::vector<FileWatch*> all = watches_;
  for (FileWatch* watch : all) {
    if (!is_watching(watch)) continue;
    // Directories made meanwhile may have no watch yet.
    if (watch->depth_ == FileWatch::Depth::Recursive) add_below(*watch, "", nullptr);
    emit(*watch, {FileEvent::Kind::Overflow, false, {}, {}});
  }
}

// False: the watch does not watch here any more.
bool InotifyHub::emit(FileWatch& watch, FileEvent event) {
  detail::LoopAccess::observed(loop_, HandleKind::FileWatch, watch.id(), [&] { watch.on_event_(event); });
  return is_watching(&watch);
}

}  // namespace rondo
