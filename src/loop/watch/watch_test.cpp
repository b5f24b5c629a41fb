// Watching: created, modified, removed, renamed, whole trees, several watchers, and polling.
#include "rondo/watch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "loop/watch/watch_fixture.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

using testing::text;
using testing::WatchTest;

TEST_P(WatchTest, S104_files_in_a_directory) {
  FileWatch watch(loop);
  collect(watch, root);
  EXPECT_TRUE(loop.alive());
  write("a");
  until("modified a");
  EXPECT_EQ(seen.front(), "created a");
  chmod(at("a").c_str(), 0600);
  until("attributes a");
  rename(at("a").c_str(), at("b").c_str());
  until("renamed a -> b");
  unlink(at("b").c_str());
  until("removed b");
  rename(at("in").c_str(), (root + ".elsewhere").c_str());
  until("removed in");
  rename((root + ".elsewhere").c_str(), at("back").c_str());
  until("created back");
  watch.close();
  EXPECT_FALSE(loop.run());
}

TEST_P(WatchTest, one_file) {
  write("file");
  FileWatch watch(loop);
  collect(watch, at("file"));
  write("file");
  until("modified ");
  unlink(at("file").c_str());
  until("gone ");
}

TEST_P(WatchTest, a_tree_with_its_new_and_moved_directories) {
  FileWatch watch(loop);
  collect(watch, root, FileWatch::Depth::Recursive);
  write("in/a");
  until("created in/a");
  std::filesystem::create_directories(at("in/x/y/z"));
  until("created in/x/y/z");
  write("in/x/y/z/deep");
  until("created in/x/y/z/deep");
  rename(at("in/x").c_str(), at("moved").c_str());
  until("renamed in/x -> moved");
  write("moved/y/z/again");
  until("created moved/y/z/again");
  std::filesystem::remove_all(at("moved"));
  until("removed moved");
}

TEST_P(WatchTest, several_watchers_of_one_place_and_one_stopped_in_between) {
  FileWatch first(loop), second(loop);
  auto third = std::make_unique<FileWatch>(loop);
  int second_calls = 0, third_calls = 0;
  ASSERT_TRUE(first.start(root, [&](const FileEvent& event) {
    seen.push_back(text(event));
    third.reset();
  }));
  ASSERT_TRUE(second.start(root, [&](const FileEvent&) { second_calls++; }));
  ASSERT_TRUE(third->start(root, [&](const FileEvent&) { third_calls++; }));
  write("a");
  until("modified a");
  EXPECT_GE(second_calls, 1);
  EXPECT_EQ(third_calls, 0);
  second.stop();
  first.stop();
  EXPECT_FALSE(loop.run());
  collect(second, at("in"));  // after the last one left, a new beginning
  write("in/b");
  until("created b");
}

TEST_P(WatchTest, may_be_destroyed_in_its_callback_and_errors_are_told) {
  auto watch = std::make_unique<FileWatch>(loop);
  EXPECT_EQ(watch->start(at("missing"), [](const FileEvent&) {}).error().number, ENOENT);
  EXPECT_FALSE(watch->is_active());
  ASSERT_TRUE(watch->start(root, [&](const FileEvent&) { watch.reset(); }));
  write("a");
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(watch, nullptr);
}

TEST_P(WatchTest, more_watchers_than_the_system_has_instances) {
  std::vector<std::unique_ptr<FileWatch>> watches;
  for (int i = 0; i < 300; i++) {
    watches.push_back(std::make_unique<FileWatch>(loop));
    collect(*watches.back(), root);
  }
  write("a");
  until("created a");
  watches.clear();
  EXPECT_FALSE(loop.run());
}

TEST_P(WatchTest, polling_tells_of_changes_and_of_absence) {
  FilePoll poll(loop);
  std::string log;
  poll.start(at("file"), 1ms, [&](int error, const struct statx& before, const struct statx& now) {
    log += std::to_string(error == ENOENT) + ":" + std::to_string(before.stx_size) + ">" +
           std::to_string(now.stx_size) + " ";
    if (log == "1:0>0 ")
      write("file");
    else if (now.stx_size == 1 && before.stx_size == 0)
      write("file");
    else if (now.stx_size == 2)
      unlink(at("file").c_str());
    else if (error)
      poll.close();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(log.starts_with("1:0>0 0:0>")) << log;
  EXPECT_TRUE(log.ends_with("1:2>0 ")) << log;
}

TEST_P(WatchTest, polling_can_be_dropped_while_it_looks) {
  auto poll = std::make_unique<FilePoll>(loop);
  poll->start(root, 1ms, [](int, const struct statx&, const struct statx&) { FAIL() << "callback after destruction"; });
  poll.reset();
  EXPECT_FALSE(loop.run());
}

INSTANTIATE_TEST_SUITE_P(Pollers, WatchTest, ::testing::Values("epoll", "uring"));

}  // namespace
}  // namespace rondo
