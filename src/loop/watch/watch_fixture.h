// Shared by the tests of watching: a folder with one in it, and events as lines of text. Tests only.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "loop/temporary_folder.h"
#include "rondo/loop.h"
#include "rondo/watch.h"

namespace rondo::testing {

inline std::string text(const FileEvent& event) {
  static constexpr const char* kNames[] = {"created", "removed", "modified", "attributes",
                                           "renamed", "gone",    "overflow"};
  std::string line = std::string(kNames[static_cast<int>(event.kind)]) + " " + event.path;
  if (!event.new_path.empty()) line += " -> " + event.new_path;
  return line;
}

class WatchTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_EQ(mkdir(at("in").c_str(), 0700), 0); }
  std::string at(const std::string& name) { return root + "/" + name; }
  void write(const std::string& name) { std::ofstream(at(name), std::ios::app) << "x"; }

  void collect(FileWatch& watch, const std::string& path, FileWatch::Depth depth = FileWatch::Depth::Here) {
    const Result<void> started = watch.start(
        path,
        [this](const FileEvent& event) {
          seen.push_back(text(event));
          events.push_back(event);
        },
        depth);
    ASSERT_TRUE(started) << started.error().name();
  }
  bool has_seen(const std::string& line) const { return std::find(seen.begin(), seen.end(), line) != seen.end(); }
  // Runs until the event has come; the suite's own time-out is the limit.
  void until(const std::string& line) {
    while (!has_seen(line)) loop.run(RunMode::Once);
  }

  Loop loop{LoopOptions{.poller = GetParam()}};
  TemporaryFolder own;
  std::string root = own.path();
  std::vector<std::string> seen;
  std::vector<FileEvent> events;
};

}  // namespace rondo::testing
