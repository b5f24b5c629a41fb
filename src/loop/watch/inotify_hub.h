// One inotify instance of a loop, shared by its FileWatch handles: who watches which kernel watch, under which name.
// It stays with the loop when the last handle has left: the kernel gives a user 128 instances, and many watches may come and go
// before an operation that was cancelled has ended.
//
//  N1  a kernel watch has at least one entry; when its last entry goes, it is removed.
//  N2  an entry's folder is the path relative to its handle's root, "" for the root itself. A handle knows a kernel watch by one
//      folder: the one that the events told so far leave it at. It is where it was found first, and moves with renames; only
//      when events were lost is it looked for again.
//  N3  events are read in batches; an entry that was made while a batch is told gets nothing of that batch, which is older.
//  N4  events tell what was. Where that and what is there now cannot be brought together (a folder is gone again, or another has its
//      name by now), the hub is in doubt; when all events are told, places are looked at and what does not fit is told anew.
#pragma once

#include <climits>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
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
  struct Found {
    std::string path;
    bool is_directory;
  };

  InotifyHub(Loop& loop, UniqueFd instance) : loop_(loop), fd_(std::move(instance)) {}

  enum class Names : std::uint8_t { AsTold, AsFound };  // which count for folders that are known by another one
  static constexpr int kUnwatched = INT_MAX;

  int kernel_watch(const FileWatch& watch, const std::string& folder);
  int kernel_watch_if_any(const FileWatch& watch, const std::string& folder);
  int number_of(const FileWatch& watch, const std::string& folder) const;
  int add_folder(FileWatch& watch, const std::string& folder, Names names = Names::AsTold);
  int folders_in(const FileWatch& watch, const std::string& folder, std::vector<Found>* found,
                 std::vector<std::string>& folders);
  int add_below(FileWatch& watch, const std::string& folder, std::vector<Found>* found, Names names = Names::AsTold);
  int add_with_below(FileWatch& watch, const std::string& folder, std::vector<Found>& found);
  int follow_rename(FileWatch& watch, const std::string& from, const std::string& to, std::vector<Found>& found,
                    FileEvent::Kind& kind);
  void settle();
  bool forget_misplaced(FileWatch& watch);
  bool find_unwatched(FileWatch& watch);
  bool has_more() const;
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

  Loop& loop_;
  UniqueFd fd_;
  Operation operation_;
  std::map<int, std::vector<Entry>> entries_;  // by kernel watch
  // The kernel watches under which a handle may have entries, and some that the kernel has ended since: a handle that ends looks at no others.
  std::unordered_map<const FileWatch*, std::set<int>> numbers_;
  std::vector<FileWatch*> watches_;
  std::uint64_t starts_ = 0;
  std::uint64_t batch_ = 0;
  bool is_doubtful_ = false;  // N4
};

}  // namespace rondo
