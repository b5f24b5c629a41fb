// File requests on the simulation: whole files read, written and copied, folders, and files written piece by piece, by several clerks at once,
// with short transfers, interruptions, full disks, too few descriptors, and cancellation at any moment; one run for each seed. S153 S157
//
//  RF1 each request ends exactly once; one that was cancelled with -ECANCELED or with its real result
//  RF2 a copy is complete and identical, or tells an error; then a target that it made is gone
//  RF3 a written file is what was given; after an error it is a beginning of that (nothing of an older one behind it), or untouched
//  RF4 what is read is what the file holds; a folder's list is sorted and without doubles
//  RF5 without faults and cancellation nothing fails
//  RF6 at the end nothing is left: no descriptor, no operation; and the loop was never stuck
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/sim/seeds.h"
#include "rondo/fs.h"
#include "rondo/sim.h"
#include "rondo/timer.h"

namespace rondo {
namespace {

class FileWorld {
 public:
  FileWorld(std::uint64_t seed, std::uint32_t faults)
      : decider_(seed, faults),
        world_(decider_, SimLimits{.descriptors = faults ? 3 + random(20) : 200,
                                   .disk_bytes = faults ? 8000 + random(30'000) : 10'000'000,
                                   .pool_threads = 1 + random(4)}),
        loop_(world_.options()),
        chaos_(loop_),
        is_faultless_(faults == 0) {}

  std::string run() {
    if (is_faultless_) make_known();
    for (std::uint32_t count = 1 + random(4); count > 0; count--) {
      clerks_.push_back(std::make_unique<Clerk>());
      clerks_.back()->steps_left = 1 + static_cast<int>(random(12));
      next(*clerks_.back());
    }
    if (!is_faultless_ && random(2)) disturb();
    if (std::string wrong = testing::run_to_the_end(loop_, world_, decider_, breach_); !wrong.empty()) return wrong;
    if (started_ != ended_) return "a request did not end";
    return testing::what_is_left(loop_, world_);
  }
  std::size_t copies() const { return copies_; }
  std::size_t requests() const { return ended_; }

 private:
  // One after the other; a clerk's request is used again and again.
  struct Clerk {
    FileRequest request;
    std::string data, path, from;
    std::optional<std::string> before;  // what the target held
    int steps_left = 0;
    int fd = -1;
    std::size_t written = 0;
    bool is_cancelled = false, may_cancel = false, says_where = false;
  };
  using Then = void (FileWorld::*)(Clerk&, std::int64_t);

  std::uint32_t random(std::uint32_t count) { return decider_.random(count); }
  void breach(const std::string& what) {
    if (breach_.empty()) breach_ = what;
  }

  // Something that is there to be read.
  void make_known() {
    FileRequest make;
    make.write_file("/known", "known", 5, O_WRONLY | O_CREAT).start(loop_, [](FileRequest&) {});
    loop_.run();
  }

  void start(Clerk& clerk, Then then, bool may_cancel = true) {
    started_++;
    clerk.is_cancelled = false;
    clerk.may_cancel = may_cancel;
    auto called = std::make_shared<bool>(false);
    clerk.request.start(
        loop_,
        [this, &clerk, then, called](FileRequest& done) {
          if (std::exchange(*called, true)) breach("a request ended twice");
          ended_++;
          const std::int64_t result = done.result();
          if (result < 0 && is_faultless_) breach(std::string(done.syscall()) + " failed: " + std::to_string(result));
          if (result == -ECANCELED && !clerk.is_cancelled) breach("cancelled by no one");
          if (result == -EINTR || result == -EAGAIN) breach("an interruption was told");
          (this->*then)(clerk, result);
        },
        random(2) ? FileRequest::Route::Pool : FileRequest::Route::Automatic);
  }

  // Now and then one is cancelled.
  void disturb() {
    chaos_.start(Duration(random(60'000)), [this] {
      Clerk& clerk = *clerks_[random(static_cast<std::uint32_t>(clerks_.size()))];
      if (clerk.request.is_busy() && clerk.may_cancel) {
        clerk.is_cancelled = true;
        clerk.request.cancel();
      }
      const bool goes_on =
          std::any_of(clerks_.begin(), clerks_.end(), [](const auto& other) { return other->request.is_busy(); });
      if (goes_on) disturb();
    });
  }

  std::optional<std::string> content(const std::string& path) const {
    const std::string* found = world_.content_of(path);
    return found ? std::optional(*found) : std::nullopt;
  }
  std::string some_data() {
    std::string data(random(4) == 0 ? random(6000) : random(600), '\0');
    for (char& byte : data) byte = static_cast<char>(random(256));
    return data;
  }
  std::string some_path() { return "/" + std::string(1, static_cast<char>('a' + random(5))); }

  void next(Clerk& clerk) {
    if (clerk.steps_left-- <= 0) return;
    clerk.path = some_path();
    switch (random(6)) {
      case 0:
        return write(clerk);
      case 1:
        return read(clerk);
      case 2:
      case 3:
        return copy(clerk);
      case 4:
        return list(clerk);
      default:
        return open(clerk);
    }
  }

  void write(Clerk& clerk) {
    clerk.data = some_data();
    clerk.request.write_file(clerk.path, clerk.data.data(), clerk.data.size(), O_WRONLY | O_CREAT | O_TRUNC);
    start(clerk, &FileWorld::written);
  }
  void written(Clerk& clerk, std::int64_t result) {
    const auto now = content(clerk.path);
    if (result >= 0) {
      if (now != clerk.data) breach("a written file holds something else");
    } else if (result != -ECANCELED && std::string_view(clerk.request.syscall()) == "write") {
      if (!now || clerk.data.compare(0, now->size(), *now) != 0) breach("a failed write left something strange");
    }
    next(clerk);
  }

  void read(Clerk& clerk) {
    clerk.request.read_file(content(clerk.path) || !is_faultless_ ? clerk.path : std::string("/known"));
    start(clerk, &FileWorld::was_read);
  }
  void was_read(Clerk& clerk, std::int64_t result) {
    if (result >= 0 && content(clerk.request.path()) != clerk.request.text()) breach("what was read is not there");
    next(clerk);
  }

  void copy(Clerk& clerk) {
    clerk.from = content(clerk.path) || !is_faultless_ ? clerk.path : std::string("/known");
    const bool to_a_new_one = random(3) > 0;
    clerk.path = to_a_new_one ? "/copy " + std::to_string(++targets_) : some_path();
    clerk.request.copy(clerk.from, clerk.path, to_a_new_one && random(2) ? kCopyExclusive : kCopyTryClone);
    clerk.before = to_a_new_one ? std::nullopt : std::optional<std::string>("perhaps");
    start(clerk, &FileWorld::copied);
  }
  void copied(Clerk& clerk, std::int64_t result) {
    const auto now = content(clerk.path);
    if (result == 0) {
      copies_++;
      if (!now || now != content(clerk.from)) breach("a copy is not like its source");
    } else if (!clerk.before && now) {
      breach("a failed copy is left");
    }
    next(clerk);
  }

  void list(Clerk& clerk) {
    if (random(2)) {
      clerk.request.mkdirs("/folder/" + std::to_string(random(3)) + "/" + std::to_string(random(3)));
      return start(clerk, &FileWorld::listed);
    }
    clerk.request.readdir("/");
    start(clerk, &FileWorld::listed);
  }
  void listed(Clerk& clerk, std::int64_t result) {
    if (clerk.request.kind() == FileKind::ReadDirectory && result >= 0) {
      const auto& entries = clerk.request.entries();
      const auto out_of_order = [](const auto& a, const auto& b) { return a.name >= b.name; };
      if (static_cast<std::size_t>(result) != entries.size()) breach("a list has another length than was told");
      if (std::adjacent_find(entries.begin(), entries.end(), out_of_order) != entries.end())
        breach("a list is unsorted");
    }
    next(clerk);
  }

  // Piece by piece, through the descriptor.
  void open(Clerk& clerk) {
    clerk.path = "/own " + std::to_string(++targets_);
    clerk.data = some_data();
    clerk.written = 0;
    clerk.says_where = random(2) == 0;
    clerk.request.open(clerk.path, O_RDWR | O_CREAT | O_EXCL);
    start(clerk, &FileWorld::opened, false);  // a descriptor that came too late would be lost
  }
  void opened(Clerk& clerk, std::int64_t result) {
    clerk.fd = static_cast<int>(result);
    if (result < 0) return next(clerk);
    write_piece(clerk);
  }
  void write_piece(Clerk& clerk) {
    if (clerk.written == clerk.data.size()) return close(clerk);
    clerk.request.write(clerk.fd, clerk.data.data() + clerk.written, clerk.data.size() - clerk.written,
                        clerk.says_where ? static_cast<std::int64_t>(clerk.written) : -1);
    start(clerk, &FileWorld::wrote_piece);
  }
  void wrote_piece(Clerk& clerk, std::int64_t result) {
    if (result < 0) return close(clerk);
    clerk.written += static_cast<std::size_t>(result);
    if (content(clerk.path) != clerk.data.substr(0, clerk.written)) breach("a piece is not where it belongs");
    write_piece(clerk);
  }
  void close(Clerk& clerk) {
    clerk.request.close(clerk.fd);
    start(clerk, &FileWorld::closed, false);
  }
  void closed(Clerk& clerk, std::int64_t result) {
    if (result != 0) breach("close failed");
    next(clerk);
  }

  SeededDecider decider_;
  SimWorld world_;
  Loop loop_;
  Timer chaos_;
  std::vector<std::unique_ptr<Clerk>> clerks_;
  bool is_faultless_;
  int targets_ = 0;
  std::size_t started_ = 0, ended_ = 0, copies_ = 0;
  std::string breach_;
};

TEST(RandomFiles, S153_every_seed_keeps_the_promises_of_files) {
  const testing::Seeds seeds(10'000);
  std::size_t copies = 0, requests = 0;
  testing::run_seeds(seeds, [&](std::uint64_t seed) {
    FileWorld files(seed, seed % 3 == 0 ? 0 : 48);
    const std::string breach = files.run();
    copies += files.copies();
    requests += files.requests();
    return breach;
  });
  if (!seeds.is_one && !HasFailure()) {
    EXPECT_GT(copies, seeds.count / 2);
    EXPECT_GT(requests, seeds.count * 5);
  }
}

}  // namespace
}  // namespace rondo
