// Watching at its edges: folders that change names faster than they are looked at, roots that move, shortages, callbacks that
// restart or destroy, loops that run in another thread than the one they were made in.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <thread>

#include "loop/net/few_descriptors.h"
#include "loop/watch/watch_fixture.h"

namespace rondo {
namespace {

using testing::text;
using Depth = FileWatch::Depth;
using Kind = FileEvent::Kind;

class WatchStatesTest : public testing::WatchTest {
 protected:
  // All that has happened is told, and lines of before are forgotten.
  void settle() {
    write("mark");
    until("created mark");
    unlink(at("mark").c_str());
    until("removed mark");
    seen.clear();
    events.clear();
  }
  // A file made in the folder is told under its name, once.
  void expect_watched(const std::string& folder) {
    settle();
    write(folder + "/probe");
    until("created " + folder + "/probe");
    settle_after_probe(folder);
  }
  void settle_after_probe(const std::string& folder) {
    unlink(at(folder + "/probe").c_str());
    until("removed " + folder + "/probe");
    for (const std::string& line : seen) EXPECT_NE(line.find(folder + "/probe"), std::string::npos) << line;
  }
};
INSTANTIATE_TEST_SUITE_P(Pollers, WatchStatesTest, ::testing::Values("epoll", "uring"));

TEST_P(WatchStatesTest, what_is_found_in_a_new_folder_is_a_folder_or_not) {
  FileWatch watch(loop);
  collect(watch, root, Depth::Recursive);
  std::filesystem::create_directories(at("a/b/c"));
  write("a/b/file");
  until("created a/b/c");
  until("created a/b/file");
  for (const FileEvent& event : events) {
    if (event.kind == Kind::Created) {
      EXPECT_EQ(event.is_directory, event.path != "a/b/file") << event.path;
    }
  }
}

TEST_P(WatchStatesTest, a_folder_renamed_before_it_was_looked_at_is_watched) {
  FileWatch watch(loop);
  collect(watch, root, Depth::Recursive);
  std::filesystem::create_directories(at("a/below"));
  write("a/file");
  rename(at("a").c_str(), at("b").c_str());
  until("renamed a -> b");
  until("created b/file");
  until("created b/below");
  expect_watched("b");
  expect_watched("b/below");
}

TEST_P(WatchStatesTest, a_name_that_another_folder_has_by_now) {
  FileWatch watch(loop);
  collect(watch, root, Depth::Recursive);
  std::filesystem::create_directories(at("a/first"));
  rename(at("a").c_str(), at("b").c_str());
  std::filesystem::create_directories(at("a/second"));
  until("created a/second");
  until("created b/first");
  for (const char* folder : {"a", "b", "a/second", "b/first"}) expect_watched(folder);
}

TEST_P(WatchStatesTest, a_folder_made_in_one_that_has_another_name_by_now) {
  FileWatch watch(loop);
  collect(watch, root, Depth::Recursive);
  std::filesystem::create_directories(at("in/new/below"));
  rename(at("in").c_str(), at("out").c_str());
  until("renamed in -> out");
  until("created out/new/below");
  for (const char* folder : {"out", "out/new", "out/new/below"}) expect_watched(folder);
}

TEST_P(WatchStatesTest, folders_that_change_places_keep_their_watches) {
  mkdir(at("a").c_str(), 0700);
  std::filesystem::create_directories(at("in/below"));
  FileWatch watch(loop);
  collect(watch, root, Depth::Recursive);
  rename(at("a").c_str(), at("t").c_str());
  rename(at("in").c_str(), at("a").c_str());
  rename(at("t").c_str(), at("in").c_str());
  until("renamed t -> in");
  for (const std::string& line : seen) EXPECT_FALSE(line.starts_with("created")) << line;
  for (const char* folder : {"a", "in", "a/below"}) expect_watched(folder);
  // One that replaces an empty one.
  rename(at("a").c_str(), at("in").c_str());
  until("renamed a -> in");
  for (const char* folder : {"in", "in/below"}) expect_watched(folder);
}

TEST_P(WatchStatesTest, a_root_that_moves_is_watched_on_and_its_old_name_is_not) {
  FileWatch watch(loop);
  collect(watch, at("in"), Depth::Recursive);
  rename(at("in").c_str(), at("moved").c_str());
  until("gone ");
  std::filesystem::create_directories(at("in/new"));  // another one of the same name
  mkdir(at("moved/new").c_str(), 0700);
  write("moved/file");
  until("created file");
  write("in/new/strange");
  write("moved/end");
  until("created end");
  EXPECT_FALSE(has_seen("created new/strange"));
}

TEST_P(WatchStatesTest, a_relative_root_stays_what_it_was_in_another_folder) {
  const std::filesystem::path before = std::filesystem::current_path();
  FileWatch watch(loop);
  std::filesystem::current_path(root);
  collect(watch, "in", Depth::Recursive);
  std::filesystem::current_path(before);
  EXPECT_EQ(watch.path(), "in");
  mkdir(at("in/new").c_str(), 0700);
  until("created new");
  write("in/new/file");
  until("created new/file");
}

TEST_P(WatchStatesTest, a_watch_restarted_by_a_callback_hears_nothing_of_before) {
  FileWatch other(loop), watch(loop);
  std::vector<std::string> told;
  collect(other, root);  // keeps the kernel's watch while ours is changed
  ASSERT_TRUE(watch.start(
      root,
      [&](const FileEvent& event) {
        told.push_back("first " + event.path);
        ASSERT_TRUE(watch.start(root, [&](const FileEvent& later) { told.push_back("second " + text(later)); }));
      },
      Depth::Recursive));
  std::filesystem::create_directories(at("a/b"));  // found below, not told of
  write("file");
  until("created file");
  write("end");
  until("created end");
  ASSERT_GE(told.size(), 2u);
  EXPECT_EQ(told[0], "first a");
  EXPECT_EQ(told[1], "second created end");
}

TEST_P(WatchStatesTest, a_new_watch_at_the_place_of_a_destroyed_one_is_another) {
  alignas(FileWatch) std::byte storage[sizeof(FileWatch)];
  auto* second = new (storage) FileWatch(loop);
  FileWatch first(loop);
  int calls = 0;
  ASSERT_TRUE(first.start(root, [&](const FileEvent& event) {
    seen.push_back(text(event));
    if (seen.size() > 1) return;
    second->~FileWatch();
    second = new (storage) FileWatch(loop);
    ASSERT_TRUE(second->start(root, [&](const FileEvent& later) {
      if (later.path == "a") calls++;
    }));
  }));
  ASSERT_TRUE(second->start(root, [](const FileEvent&) { FAIL() << "it is destroyed by the one before"; }));
  mkdir(at("a").c_str(), 0700);
  until("created a");
  write("end");
  until("created end");
  EXPECT_EQ(calls, 0);
  second->~FileWatch();
}

// Made here, run and ended there: nothing of it stays behind.
TEST_P(WatchStatesTest, a_loop_may_be_run_by_another_thread) {
  if (std::string(GetParam()) == "uring") GTEST_SKIP() << "one place is enough";
  alignas(Loop) static std::byte storage[sizeof(Loop)];
  for (int round = 0; round < 3; round++) {
    auto* moving = new (storage) Loop(LoopOptions{.poller = "epoll"});
    auto watch = std::make_unique<FileWatch>(*moving);
    bool is_told = false;
    ASSERT_TRUE(watch->start(root, [&](const FileEvent&) {
      is_told = true;
      watch.reset();
    }));
    write("file");
    std::thread([&] { moving->run(); }).join();
    EXPECT_TRUE(is_told);
    moving->~Loop();
  }
}

// When the loop looks, another folder has the name that the first event tells of.
TEST_P(WatchStatesTest, what_is_removed_after_renames_is_told_though_the_name_is_taken_again) {
  mkdir(at("a").c_str(), 0700);
  write("a/f");
  FileWatch watch(loop);
  collect(watch, root, Depth::Recursive);
  ASSERT_EQ(rename(at("a").c_str(), at("b").c_str()), 0);
  ASSERT_EQ(rename(at("b").c_str(), at("c").c_str()), 0);
  mkdir(at("b").c_str(), 0700);
  ASSERT_EQ(unlink(at("c/f").c_str()), 0);
  write("end");
  until("created end");
  EXPECT_TRUE(has_seen("removed c/f"));
  write("b/g");
  write("c/h");
  until("created b/g");
  until("created c/h");
}

// The kernel gives a user 128 instances.
TEST_P(WatchStatesTest, hundreds_of_watches_may_come_and_go_in_one_turn) {
  for (int i = 0; i < 300; i++) {
    FileWatch watch(loop);
    ASSERT_TRUE(watch.start(root, [](const FileEvent&) { FAIL() << "it was closed"; })) << i;
    write("file");
    watch.close();
  }
  FileWatch last(loop);
  collect(last, root);
  write("end");
  until("created end");
  EXPECT_FALSE(has_seen("created file"));
}

TEST_P(WatchStatesTest, without_descriptors_a_tree_is_watched_whole_or_not_at_all) {
  FileWatch keeper(loop), watch(loop);
  ASSERT_TRUE(keeper.start(at("in"), [](const FileEvent&) {}));  // the instance is there
  testing::FewDescriptors shortage(200);
  shortage.fill();
  const Result<void> started = watch.start(root, [](const FileEvent&) {}, Depth::Recursive);
  shortage.end();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().number, EMFILE);
  EXPECT_FALSE(watch.is_active());
  collect(watch, root, Depth::Recursive);
  expect_watched("in");
}

// In a user namespace of its own a process may lower the number of watches it has.
bool has_few_watches(int most) {
  if (unshare(CLONE_NEWUSER) != 0) return false;
  std::ofstream("/proc/self/uid_map") << "0 " << getuid() << " 1";
  std::ofstream limit("/proc/sys/user/max_inotify_watches");
  limit << most << std::flush;
  return limit.good();
}

TEST_P(WatchStatesTest, fork_without_watches_a_tree_is_an_error_and_a_new_folder_an_overflow) {
  for (int i = 0; i < 8; i++) mkdir(at("in/" + std::to_string(i)).c_str(), 0700);
  enum { Well = 0, Skipped = 3 };
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    if (!has_few_watches(5)) _exit(Skipped);
    Loop own_loop(LoopOptions{.poller = GetParam()});
    FileWatch watch(own_loop);
    const Result<void> started = watch.start(root, [](const FileEvent&) {}, Depth::Recursive);
    if (started || started.error().number != ENOSPC || watch.is_active()) _exit(4);
    bool has_overflow = false;
    if (!watch.start(
            at("in/0"), [&](const FileEvent& event) { has_overflow |= event.kind == Kind::Overflow; },
            Depth::Recursive)) {
      _exit(5);
    }
    for (int i = 0; i < 8; i++) mkdir(at("in/0/" + std::to_string(i)).c_str(), 0700);
    while (!has_overflow) own_loop.run(RunMode::Once);
    _exit(Well);
  }
  int status = -1;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  if (WEXITSTATUS(status) == Skipped) GTEST_SKIP() << "no namespace of our own here";
  EXPECT_EQ(WEXITSTATUS(status), Well);
}

}  // namespace
}  // namespace rondo
