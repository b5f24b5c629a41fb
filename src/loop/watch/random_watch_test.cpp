// Random changes of a tree under a recursive watch, by seeds, with the loop looking at random moments. What must hold, however
// late it looks:
//   - when all is told, everything that is there has been told of under the name it has, and nothing else;
//   - every folder is watched, under that name and no other: a file made in it is told of exactly once.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <set>

#include "loop/sim/seeds.h"
#include "loop/watch/watch_fixture.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using Kind = FileEvent::Kind;

class RandomTree {
 public:
  RandomTree(const char* poller, std::uint64_t seed) : loop_(LoopOptions{.poller = poller}), random_(seed) {
    fs::create_directory(folder_.at("tree"));
    fs::create_directory(folder_.at("outside"));
  }

  std::string run() {
    for (int i = 0; i < 5; i++) change();
    FileWatch watch(loop_);
    const auto started =
        watch.start(tree_, [this](const FileEvent& event) { apply(event); }, FileWatch::Depth::Recursive);
    if (!started) return "start: " + std::string(started.error().name());
    known_paths_ = there();
    for (int step = 0; step < 60; step++) {
      change();
      if (random_() % 4 == 0) loop_.run(RunMode::NoWait);
    }
    tell_all();
    for (const std::string& path : there()) {
      if (!known_paths_.contains(path)) return "not told of: " + path + "\n" + log_;
    }
    const std::set<std::string> present = there();
    for (const std::string& path : known_paths_) {
      if (!present.contains(path)) return "not told that it is gone: " + path + "\n" + log_;
    }
    return probe();
  }

 private:
  static constexpr std::size_t kMost = 40;

  std::set<std::string> there() const {
    std::set<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(tree_)) {
      paths.insert(entry.path().string().substr(tree_.size() + 1));
    }
    return paths;
  }
  void change() {
    std::error_code ignored;
    std::vector<std::string> all, folders{tree_};
    for (const auto& entry : fs::recursive_directory_iterator(tree_)) {
      all.push_back(entry.path().string());
      if (entry.is_directory()) folders.push_back(all.back());
    }
    const std::string from = all.empty() ? "" : all[random_() % all.size()];
    // Few names, so that they are used again and again.
    const std::string to = folders[random_() % folders.size()] + "/" + static_cast<char>('a' + random_() % 4);
    switch (all.size() > kMost ? 6 : random_() % 8) {
      case 0:
      case 1:
        fs::create_directory(to, ignored);
        break;
      case 2:
        fs::create_directories(to + "/b/c", ignored);
        break;
      case 3:
        if (!fs::is_directory(to, ignored)) std::ofstream(to) << "x";
        break;
      case 4:
      case 5:
        fs::rename(from, to, ignored);
        break;
      case 6:
        if (!from.empty()) fs::remove_all(from, ignored);
        break;
      default:
        if (const std::string away = folder_.at("outside/x"); fs::exists(away)) {
          fs::rename(away, to, ignored);
        } else {
          fs::rename(from, away, ignored);
        }
    }
  }

  void forget(const std::string& path) {
    std::erase_if(known_paths_, [&](const std::string& each) { return each == path || each.starts_with(path + "/"); });
  }
  void apply(const FileEvent& event) {
    log_ += testing::text(event) + "\n";
    if (event.kind == Kind::Created) {
      known_paths_.insert(event.path);
      told_[event.path]++;
    } else if (event.kind == Kind::Removed) {
      forget(event.path);
    } else if (event.kind == Kind::Renamed) {
      std::set<std::string> moved{event.new_path};
      for (const std::string& each : known_paths_) {
        if (each.starts_with(event.path + "/")) moved.insert(event.new_path + each.substr(event.path.size()));
      }
      forget(event.path);
      forget(event.new_path);
      known_paths_.merge(moved);
    }
  }
  // The kernel keeps the order: when the last change is told, all are.
  void tell_all() {
    const std::string mark = "mark" + std::to_string(marks_++);
    std::ofstream(tree_ + "/" + mark) << "x";
    while (told_[mark] == 0) loop_.run(RunMode::Once);
    fs::remove(tree_ + "/" + mark);
    while (known_paths_.contains(mark)) loop_.run(RunMode::Once);
  }

  std::string probe() {
    std::set<std::string> folders{""};
    for (const std::string& path : there()) {
      if (fs::is_directory(tree_ + "/" + path)) folders.insert(path + "/");
    }
    told_.clear();
    for (const std::string& folder : folders) std::ofstream(tree_ + "/" + folder + "probe") << "x";
    tell_all();
    for (const std::string& folder : folders) {
      const int count = told_[folder + "probe"];
      if (count != 1) return "'" + folder + "' told " + std::to_string(count) + " times\n" + log_;
    }
    for (const auto& [path, count] : told_) {
      const bool is_strange = path.ends_with("probe") && !folders.contains(path.substr(0, path.size() - 5));
      if (is_strange) return "told of " + path + ", which is not there\n" + log_;
    }
    return "";
  }

  testing::TemporaryFolder folder_;
  std::string tree_ = folder_.at("tree");
  Loop loop_;
  std::mt19937_64 random_;
  std::set<std::string> known_paths_;
  std::map<std::string, int> told_;
  std::string log_;
  int marks_ = 0;
};

class RandomWatchTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pollers, RandomWatchTest, ::testing::Values("epoll", "uring"));

TEST_P(RandomWatchTest, S104_a_tree_is_told_of_and_watched_whatever_happens_in_it) {
  testing::run_seeds(testing::Seeds(12), [](std::uint64_t seed) { return RandomTree(GetParam(), seed).run(); });
}

}  // namespace
}  // namespace rondo
