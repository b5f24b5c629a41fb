// One inotify instance of a loop, shared by its FileWatch handles: who watches which kernel watch, under which name.
// Deletes itself when the last handle has left and its poll operation has ended.
//
//  N1  a kernel watch has at least one entry; when its last entry goes, it is removed.
//  N2  an entry's folder is the path relative to its handle's root, "" for the root itself.
#pragma once

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
  // This thread's hub for the loop, made when there is none.
  static Result<InotifyHub*> of(Loop& loop);
  // In the child after fork(2), before its poller starts anew: the instance is shared with the parent, whose events it would take.
  static void after_fork(Loop& loop);

  Result<void> add(FileWatch& watch);
  void remove(FileWatch& watch);

 private:
  struct Entry {
    FileWatch* watch;
    std::string folder;
  };

  explicit InotifyHub(Loop& loop) : loop_(loop) {}

  int add_folder(FileWatch& watch, const std::string& folder);
  void add_below(FileWatch& watch, const std::string& folder, std::vector<std::string>* found);
  void remove_below(FileWatch& watch, const std::string& folder);
  void rename_below(FileWatch& watch, const std::string& from, const std::string& to);
  void poll();
  void renew();
  void ready();
  void read_all(std::vector<InotifyEvent>& events);
  void dispatch(const InotifyEvent& event, const InotifyEvent* to);
  void dispatch_to(FileWatch& watch, const std::string& folder, const InotifyEvent& event, const InotifyEvent* to);
  void overflow();
  bool emit(FileWatch& watch, FileEvent event);
  bool is_watching(const FileWatch* watch) const;
  void leave();

  Loop& loop_;
  UniqueFd fd_;
  Operation operation_;
  std::map<int, std::vector<Entry>> entries_;  // by kernel watch
  std::vector<FileWatch*> watches_;
  bool is_dispatching_ = false;
};

}  // namespace rondo
