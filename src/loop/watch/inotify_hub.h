// One inotify instance of a loop, shared by its FileWatch handles: who watches which kernel watch, under which name.
// Deletes itself when the last handle has left and its poll operation has ended.
//
//  N1  a kernel watch has at least one entry; when its last entry goes, it is removed.
//  N2  an entry's folder is the path relative to its handle's root, "" for the root itself. A handle knows a kernel watch by one
//      folder: the one it was found at last.
//  N3  events are read in batches; an entry that was made while a batch is told gets nothing of that batch, which is older.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loop/watch/inotify_events.h"
#include "rondo/base/unique_fd.h"
#include "rondo/detail/lingering.h"
#include "rondo/operation.h"
#include "rondo/watch.h"

namespace rondo {

class InotifyHub final : public Lingering {
 public:
  // The loop's hub, made when there is none.
  static Result<InotifyHub*> of(Loop& loop);
  // In the child after fork(2), before its poller starts anew: the instance is shared with the parent, whose events it would take.
  static void after_fork(Loop& loop);

  Result<void> add(FileWatch& watch);
  void remove(FileWatch& watch);

 private:
  struct Entry {
    FileWatch* watch;
    std::string folder;
    std::uint64_t batch;  // which was the last when it was made
    bool operator==(const Entry&) const = default;
  };
  // A folder that was not where its event says it was made: the one it is in has been renamed since, or it is gone.
  struct Missed {
    FileWatch* watch;
    int parent;  // kernel watch
    std::string name;
    bool operator==(const Missed&) const = default;
  };
  struct Found {
    std::string path;
    bool is_directory;
  };

  explicit InotifyHub(Loop& loop) : loop_(loop) {}

  int add_folder(FileWatch& watch, const std::string& folder);
  int add_below(FileWatch& watch, const std::string& folder, std::vector<Found>* found);
  int add_with_below(FileWatch& watch, const std::string& folder, std::vector<Found>& found);
  int follow_rename(FileWatch& watch, const std::string& from, const std::string& to, std::vector<Found>& found);
  void retry_missed();
  void remove_below(FileWatch& watch, const std::string& folder);
  void poll();
  void renew();
  void ready();
  void read_all(std::vector<InotifyEvent>& events);
  void dispatch(const InotifyEvent& event, const InotifyEvent* to);
  void dispatch_to(FileWatch& watch, const std::string& folder, const InotifyEvent& event, const InotifyEvent* to);
  void overflow();
  bool is_current(int number, const Entry& entry) const;
  void tell_folder(FileWatch& watch, FileEvent event, std::vector<Found>& found, int result);
  bool emit(FileWatch& watch, FileEvent event);
  bool is_watching(const FileWatch* watch) const;
  void leave();

  Loop& loop_;
  UniqueFd fd_;
  Operation operation_;
  std::map<int, std::vector<Entry>> entries_;  // by kernel watch
  std::vector<FileWatch*> watches_;
  std::vector<Missed> missed_;
  std::uint64_t starts_ = 0;
  std::uint64_t batch_ = 0;
  bool is_dispatching_ = false;
};

}  // namespace rondo
