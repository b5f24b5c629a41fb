// Whole-file requests on a simulated world, step by step: faults exactly where they hurt. Random ones are in random_files_test.cpp. S157
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>

#include "rondo/fs.h"
#include "rondo/sim.h"

namespace rondo {
namespace {

// Whole transfers, no faults, until told otherwise: `fault` comes as the answer to the question number `at`.
class StepDecider final : public Decider {
 public:
  std::uint32_t choose(Choice choice, std::uint32_t count) override {
    if (choice == Choice::Fault) return ++questions == at ? fault : 0;
    if (choice == Choice::TransferSize) return is_short ? 0 : count - 1;
    return 0;
  }
  std::uint32_t questions = 0, at = 0, fault = 0;
  bool is_short = false;
};
constexpr std::uint32_t kNoMemory = 2, kNoSpace = 3, kNoDescriptor = 4, kInterrupted = 5;  // as SimWorld numbers them

class SimFileTest : public ::testing::Test {
 protected:
  std::int64_t go(FileRequest& described) {
    int calls = 0;
    described.start(loop, [&](FileRequest&) { calls++; });
    EXPECT_EQ(calls, 0) << "never from inside start";
    loop.run();
    EXPECT_EQ(calls, 1);
    EXPECT_FALSE(world.is_stuck());
    EXPECT_EQ(world.open_descriptors(), 0u);
    return described.result();
  }
  void make(const std::string& path, const std::string& content) {
    ASSERT_EQ(go(r.write_file(path, content.data(), content.size(), O_WRONLY | O_CREAT | O_TRUNC)),
              static_cast<std::int64_t>(content.size()));
  }
  std::string content_of(const std::string& path) {
    const std::string* found = world.content_of(path);
    return found ? *found : "none";
  }

  StepDecider decider;
  SimWorld world{decider, SimLimits{.disk_bytes = 1000}};
  Loop loop{world.options()};
  FileRequest r;
};

TEST_F(SimFileTest, whole_files) {
  make("/a", "content");
  EXPECT_EQ(content_of("/a"), "content");
  EXPECT_EQ(go(r.read_file("/a")), 7);
  EXPECT_EQ(r.text(), "content");
  EXPECT_EQ(go(r.read_file("/a", O_RDONLY, 3)), -EFBIG);
  EXPECT_EQ(go(r.read_file("/missing")), -ENOENT);
  EXPECT_STREQ(r.syscall(), "open");
  EXPECT_EQ(go(r.write_file("/a", "xy", 2, O_WRONLY | O_CREAT | O_TRUNC)), 2);
  EXPECT_EQ(content_of("/a"), "xy") << "the longer content before is gone";
  EXPECT_EQ(go(r.write_file("/a", "z", 1, O_WRONLY | O_APPEND)), 1);
  EXPECT_EQ(content_of("/a"), "xyz");
  EXPECT_EQ(go(r.copy("/a", "/b")), 0);
  EXPECT_EQ(content_of("/b"), "xyz");
  EXPECT_EQ(go(r.copy("/a", "/b", kCopyExclusive)), -EEXIST);
  EXPECT_EQ(go(r.copy("/a", "/a")), 0);
  EXPECT_EQ(content_of("/a"), "xyz");
  EXPECT_EQ(go(r.copy("/a", "/c", kCopyForceClone)), -ENOTSUP);
  EXPECT_EQ(content_of("/c"), "none");
}

TEST_F(SimFileTest, folders) {
  EXPECT_EQ(go(r.mkdirs("/x/y//z/")), 0);
  EXPECT_EQ(r.text(), "/x");
  make("/x/file", "f");
  EXPECT_EQ(go(r.readdir("/x")), 2);
  EXPECT_EQ(r.entries()[0].name, "file");
  EXPECT_EQ(r.entries()[0].type, DT_REG);
  EXPECT_EQ(r.entries()[1].type, DT_DIR);
  EXPECT_EQ(go(r.readdir("/x/file")), -ENOTDIR);
  EXPECT_EQ(go(r.mkdirs("/x/file/y")), -ENOTDIR);
  EXPECT_EQ(go(r.copy("/x", "/y")), -EISDIR);
  EXPECT_EQ(go(r.truncate("/x/file", 4)), 0);
  EXPECT_EQ(content_of("/x/file"), std::string("f\0\0\0", 4));
  EXPECT_EQ(go(r.access("/x/none", F_OK)), -ENOENT);
}

// The host's files are out of reach: what the world has not, it refuses.
TEST_F(SimFileTest, what_is_not_simulated_touches_nothing) {
  EXPECT_EQ(go(r.remove_all("/tmp")), -ENOSYS);
  EXPECT_EQ(go(r.readdir("/proc")), -ENOENT);
  EXPECT_EQ(go(r.read_file("/proc/self/status")), -ENOENT);
  EXPECT_EQ(go(r.chown("/", 0, 0)), -ENOSYS);
  EXPECT_EQ(go(r.sendfile(1, 0, 0, 1)), -ENOSYS);
}

// A fault at each question that a copy asks, one after the other.
TEST_F(SimFileTest, a_copy_is_whole_or_not_there) {
  const std::string content(300, 'c');
  make("/from", content);
  for (const std::uint32_t fault : {kNoMemory, kNoSpace, kNoDescriptor, kInterrupted}) {
    for (const bool is_short : {false, true}) {
      int failed = 0;
      for (std::uint32_t at = 1;; at++) {
        decider.questions = 0;
        decider.fault = fault;
        decider.at = at;
        decider.is_short = is_short;
        const std::int64_t result = go(r.copy("/from", "/to"));
        const bool was_asked = decider.questions >= at;
        if (result == 0) {
          EXPECT_EQ(content_of("/to"), content);
        } else {
          EXPECT_EQ(content_of("/to"), "none") << result;
          failed++;
        }
        decider.at = 0;
        if (result == 0) {
          EXPECT_EQ(go(r.unlink("/to")), 0);
        }
        if (!was_asked) break;
      }
      EXPECT_EQ(failed == 0, fault == kInterrupted) << fault << is_short;
    }
  }
}

TEST_F(SimFileTest, a_full_disk) {
  const std::string content(600, 'c');
  make("/from", content);
  EXPECT_EQ(go(r.copy("/from", "/to")), -ENOSPC);
  EXPECT_EQ(content_of("/to"), "none");
  EXPECT_EQ(go(r.write_file("/other", content.data(), content.size(), O_WRONLY | O_CREAT | O_TRUNC)), -ENOSPC);
  EXPECT_STREQ(r.syscall(), "write");
  EXPECT_EQ(content_of("/from"), content);
}

TEST_F(SimFileTest, a_cancelled_copy_leaves_nothing) {
  make("/from", std::string(300, 'c'));
  int calls = 0;
  r.copy("/from", "/to").start(loop, [&](FileRequest& done) {
    calls++;
    EXPECT_EQ(done.result(), -ECANCELED);
  });
  r.cancel();
  r.cancel();
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(content_of("/to"), "none");
  EXPECT_EQ(world.open_descriptors(), 0u);
}

}  // namespace
}  // namespace rondo
