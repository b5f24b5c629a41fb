// Watching files: FileWatch is told by the kernel (inotify; one instance a loop, however many watches), FilePoll
// asks in intervals, which also works where the kernel tells nothing (network file systems, /proc).
//
// FileWatch, Recursive: every directory below gets a watch of its own, new ones as they appear. What is found in a new
// directory is reported as created, so a file made in the instant before its directory was watched may be reported
// twice but not missed. Symbolic links below the root are not followed. Rules of owner and thread: handle.h.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "rondo/base/result.h"
#include "rondo/handle.h"
#include "rondo/timer.h"

namespace [[gnu::visibility("default")]] rondo {

struct FileEvent {
  enum class Kind : std::uint8_t {
    Created,
    Removed,
    Modified,     // content
    Attributes,   // mode, owner, times, links
    Renamed,      // from `path` to `new_path`, both below what is watched
    // The watched path itself was removed: nothing more will come. Or it was moved: it is watched on where it is now, but
    // folders made in it from then on are not.
    RootRemoved,
    // The kernel dropped events, or gives no watch for a new folder: look for yourself.
    Overflow,
  };
  Kind kind;
  bool is_directory = false;
  // Relative to what is watched; empty: that itself. As known when it is told: what was renamed since may have another name.
  std::string path;
  std::string new_path;  // Renamed only
};

class FileWatch final : public Handle {
 public:
  enum class Depth : std::uint8_t { Here, Recursive };
  using OnEvent = Function<void(const FileEvent&)>;

  explicit FileWatch(Loop& loop) : Handle(loop, HandleKind::FileWatch) {}
  ~FileWatch() override;

  // A file or a directory. Errors of inotify_add_watch (ENOENT, ENOSPC: too many watches, EMFILE ...). Recursive: a folder
  // below that may not be read is left out; a lack of watches or descriptors is an error, nothing is watched then.
  // Starting an active watch replaces it. Keeps the loop alive while it is active; on_event runs in poll.
  [[nodiscard]] Result<void> start(const std::string& path, OnEvent on_event, Depth depth = Depth::Here);
  // Events not yet told are dropped.
  void stop();

  const std::string& path() const { return root_; }  // as given to the last start()

 private:
  friend class InotifyHub;
  void begin_close() override;

  class InotifyHub* hub_ = nullptr;
  std::string root_;
  std::string base_;  // the same, for finding what is below it: where we were when it was given does not matter later
  Depth depth_ = Depth::Here;
  bool has_moved_ = false;  // the root: what `base_` names is another thing
  std::uint64_t start_ = 0;  // which start() this is, among all of the hub
  Callback<void(const FileEvent&)> on_event_;
};

class FilePoll final : public Handle {
 public:
  // error: 0, or the errno of stat now; the structures are zero where there was no file.
  using OnChange = Function<void(int error, const struct ::statx& before, const struct ::statx& now)>;

  explicit FilePoll(Loop& loop) : Handle(loop, HandleKind::FilePoll), timer_(loop) { timer_.unref(); }
  ~FilePoll() override;

  // The first look only takes note, unless it fails. Each later one that differs from the one before is told.
  void start(const std::string& path, Duration interval, OnChange on_change);
  void stop();

  const std::string& path() const { return path_; }  // as given to the last start()

 private:
  struct Look;
  void begin_close() override;
  void look();
  void looked(std::int64_t result, const struct ::statx& status);

  Look* look_ = nullptr;  // in flight; outlives us
  Timer timer_;
  Duration interval_{};
  std::string path_;
  bool has_looked_ = false;
  int error_ = 0;
  struct ::statx status_{};
  Callback<void(int, const struct ::statx&, const struct ::statx&)> on_change_;
};

}  // namespace rondo
