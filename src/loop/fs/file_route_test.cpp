// The ways a request can take, where they could differ: named pipes, descriptors' own positions, whole files of every
// kind, results that are known at once.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "loop/temporary_folder.h"
#include "rondo/base/unique_fd.h"
#include "rondo/fs.h"
#include "rondo/loop.h"
#include "rondo/timer.h"

namespace rondo {
namespace {

class FileRouteTest : public ::testing::TestWithParam<const char*> {
 protected:
  std::string at(const std::string& name) { return folder.at(name); }
  void make(const std::string& name, const std::string& content) { folder.make(name, content); }
  std::string content_of(const std::string& name) { return folder.content_of(at(name)); }
  std::int64_t go(FileRequest& request) {
    request.start(loop, [](FileRequest&) {});
    loop.run();
    return request.result();
  }

  Loop loop{LoopOptions{.poller = GetParam()}};
  FileRequest r;
  testing::TemporaryFolder folder;
};

TEST_P(FileRouteTest, S157_a_named_pipe_is_read_to_its_end) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    const UniqueFd end(open(at("pipe").c_str(), O_WRONLY));  // waits for a reader
    for (int i = 0; i < 3; i++) {
      EXPECT_EQ(write(end.get(), "part ", 5), 5);
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(go(r.read_file(at("pipe"))), 15);
  EXPECT_EQ(r.text(), "part part part ");
  writer.join();
}

TEST_P(FileRouteTest, S157_opening_a_named_pipe_waits_for_the_other_end) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  bool opened = false;
  r.open(at("pipe"), O_WRONLY).start(loop, [&](FileRequest& done) {
    opened = true;
    EXPECT_GE(done.result(), 0) << done.result();
  });
  std::thread reader([&] {
    const UniqueFd end(open(at("pipe").c_str(), O_RDONLY));
    EXPECT_TRUE(static_cast<bool>(end));
  });
  loop.run();
  reader.join();
  EXPECT_TRUE(opened);
  close(static_cast<int>(r.result()));
}

TEST_P(FileRouteTest, S157_transfers_at_the_own_position_do_not_overlap) {
  const UniqueFd file(open(at("log").c_str(), O_RDWR | O_CREAT, 0600));
  std::vector<std::unique_ptr<FileRequest>> requests;
  for (int i = 0; i < 32; i++) {
    requests.push_back(std::make_unique<FileRequest>());
    requests.back()->write(file.get(), "0123456789", 10).start(loop, [](FileRequest& done) {
      EXPECT_EQ(done.result(), 10);
    });
  }
  loop.run();
  EXPECT_EQ(content_of("log").size(), 320u);

  ASSERT_EQ(lseek(file.get(), 0, SEEK_SET), 0);
  std::vector<std::string> pieces(32, std::string(10, ' '));
  for (std::size_t i = 0; i < 32; i++) {
    requests[i]->read(file.get(), pieces[i].data(), 10).start(loop, [](FileRequest& done) {
      EXPECT_EQ(done.result(), 10);
    });
  }
  loop.run();
  for (const std::string& piece : pieces) EXPECT_EQ(piece, "0123456789");
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 320);
}

TEST_P(FileRouteTest, S157_whole_files_of_every_size) {
  for (const std::size_t size : {0, 1, 4096, 32768, 262144, 262145, 3'000'000}) {
    const std::string content(size, 'x');
    make("file", content);
    EXPECT_EQ(go(r.read_file(at("file"))), static_cast<std::int64_t>(size));
    EXPECT_EQ(r.text(), content);
  }
  EXPECT_GT(go(r.read_file("/proc/self/maps")), 0);  // says that it is empty, gives a page at a time
  EXPECT_NE(r.text().find("[stack]"), std::string::npos);
  make("file", "0123456789");
  EXPECT_EQ(go(r.read_file(at("file"), O_RDONLY, 9)), -EFBIG);
  EXPECT_EQ(r.status().stx_size, 10u);
  // Files that tell no size, or a false one, are limited too.
  EXPECT_EQ(go(r.read_file("/dev/zero", O_RDONLY, 1000)), -EFBIG);
  EXPECT_EQ(go(r.read_file("/dev/zero", O_RDONLY, 1'000'000)), -EFBIG);
  EXPECT_GT(r.status().stx_size, 1'000'000u);
  EXPECT_EQ(go(r.read_file("/proc/self/maps", O_RDONLY, 5)), -EFBIG);
  EXPECT_EQ(go(r.read_file("/dev/null", O_RDONLY, 0)), 0);
  const UniqueFd file(open(at("file").c_str(), O_RDONLY));
  ASSERT_EQ(lseek(file.get(), 4, SEEK_SET), 4);
  EXPECT_EQ(go(r.read_file(file.get())), 6);
  EXPECT_EQ(r.text(), "456789");
}

TEST_P(FileRouteTest, S157_a_whole_file_is_replaced) {
  make("file", std::string(10'000, 'o'));
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  EXPECT_EQ(go(r.write_file(at("file"), "new", 3, kNew)), 3);
  EXPECT_EQ(content_of("file"), "new");
  EXPECT_EQ(go(r.write_file(at("file"), "", 0, kNew)), 0);
  EXPECT_EQ(content_of("file"), "");
  EXPECT_EQ(go(r.write_file(at("file"), "ab", 2, O_WRONLY | O_CREAT | O_APPEND)), 2);
  EXPECT_EQ(go(r.write_file(at("file"), "cd", 2, O_WRONLY | O_CREAT | O_APPEND)), 2);
  EXPECT_EQ(content_of("file"), "abcd");
  EXPECT_EQ(go(r.write_file(at("file"), "x", 1, kNew | O_EXCL)), -EEXIST);
  EXPECT_STREQ(r.syscall(), "open");
  EXPECT_EQ(go(r.write_file("/dev/full", "x", 1, kNew)), -ENOSPC);
  EXPECT_STREQ(r.syscall(), "write");
  EXPECT_EQ(go(r.read_file(folder.path())), -EISDIR);
  EXPECT_STREQ(r.syscall(), "read");
}

// A request that is answered from memory at once, again and again, must not keep others from their turn.
TEST_P(FileRouteTest, S157_known_results_starve_nobody) {
  constexpr int kStarved = 1'000'000;
  int looks = 0;
  bool is_over = false;
  std::function<void(FileRequest&)> again = [&](FileRequest& done) {
    looks++;
    if (!is_over && looks < kStarved) done.stat(folder.path()).start(loop, again);
  };
  r.stat(folder.path()).start(loop, again);
  Timer timer(loop);
  std::function<void()> turn = [&] {
    is_over = looks > 1;
    if (!is_over) timer.start(Duration(1'000'000), turn);
  };
  timer.start(Duration(1'000'000), turn);
  loop.run();
  EXPECT_LT(looks, kStarved);
}

// Opening a file that another holds a lease on waits until it is given back. The loop does not wait.
TEST_P(FileRouteTest, S157_a_lease_does_not_hold_the_loop) {
  make("leased", "content");
  UniqueFd holder(open(at("leased").c_str(), O_RDWR | O_CLOEXEC));
  struct sigaction before{};
  sigaction(SIGIO, nullptr, &before);
  signal(SIGIO, SIG_IGN);  // how the holder is asked to give it back
  if (fcntl(holder.get(), F_SETLEASE, F_WRLCK) != 0) GTEST_SKIP() << "no leases here";
  bool is_over = false;
  r.read_file(at("leased")).start(loop, [&](FileRequest&) { is_over = true; });
  loop.run(RunMode::NoWait);
  EXPECT_FALSE(is_over);
  holder.reset();
  loop.run();
  sigaction(SIGIO, &before, nullptr);
  EXPECT_EQ(r.result(), 7);
}

// A cancelled request does not begin anew.
TEST_P(FileRouteTest, S157_a_cancelled_file_that_has_changed_is_not_read_again) {
  if (!loop.poller().has_file_operations()) GTEST_SKIP() << "known at once";
  make("file", "short");
  r.read_file(at("file")).start(loop, [](FileRequest&) {});
  make("file", "");
  r.cancel();
  loop.run();
  EXPECT_EQ(r.result(), -ECANCELED);
}

INSTANTIATE_TEST_SUITE_P(Pollers, FileRouteTest, ::testing::Values("epoll", "uring"));

}  // namespace
}  // namespace rondo
