// Files: every kind of FileRequest, on each poller, by the poller's way and by the pool, and on the spot. S157.
#include "rondo/fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <tuple>

#include "loop/fs/file_fixture.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"
#include "rondo/sim.h"

namespace rondo {
namespace {

using testing::FileTest;

RONDO_FILES_EVERY_WAY(FileTest);

TEST_P(FileTest, S157_open_write_read_close) {
  const auto fd = static_cast<int>(go(r.open(at("a"), O_RDWR | O_CREAT | O_EXCL, 0640)));
  ASSERT_GE(fd, 0);
  EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(go(r.write(fd, "hello world", 11)), 11);
  EXPECT_EQ(go(r.write(fd, "W", 1, 6)), 1);
  char text[32] = {};
  EXPECT_EQ(go(r.read(fd, text, sizeof text)), 0);  // the position is at the end
  EXPECT_EQ(go(r.read(fd, text, sizeof text, 0)), 11);
  EXPECT_STREQ(text, "hello World");
  char one[4] = {}, two[32] = {};
  const iovec parts[] = {{one, 3}, {two, sizeof two}};
  EXPECT_EQ(go(r.readv(fd, parts, 2, 2)), 9);
  EXPECT_STREQ(one, "llo");
  EXPECT_STREQ(two, " World");
  const iovec out[] = {{const_cast<char*>("12"), 2}, {const_cast<char*>("345"), 3}};
  EXPECT_EQ(go(r.writev(fd, out, 2, 0)), 5);
  EXPECT_EQ(go(r.fsync(fd)), 0);
  EXPECT_EQ(go(r.fdatasync(fd)), 0);
  EXPECT_EQ(go(r.ftruncate(fd, 4)), 0);
  EXPECT_EQ(go(r.fstat(fd)), 0);
  EXPECT_EQ(r.status().stx_size, 4u);
  EXPECT_EQ(r.status().stx_mode & 0777, 0640);
  EXPECT_EQ(go(r.close(fd)), 0);
  EXPECT_EQ(content_of(at("a")), "1234");
  EXPECT_EQ(go(r.close(fd)), -EBADF);
}

TEST_P(FileTest, S157_errors_are_exact) {
  EXPECT_EQ(go(r.open(at("missing"), O_RDONLY)), -ENOENT);
  EXPECT_STREQ(r.syscall(), "open");
  EXPECT_EQ(r.outcome().error().number, ENOENT);
  make("file");
  EXPECT_EQ(go(r.open(at("file"), O_WRONLY | O_CREAT | O_EXCL)), -EEXIST);
  EXPECT_EQ(go(r.open(at("file/below"), O_RDONLY)), -ENOTDIR);
  EXPECT_EQ(go(r.open(folder, O_WRONLY)), -EISDIR);
  EXPECT_EQ(go(r.stat(at("missing"))), -ENOENT);
  EXPECT_EQ(go(r.read(9999, folder.data(), 1)), -EBADF);
  EXPECT_EQ(go(r.rmdir(folder)), -ENOTEMPTY);
  EXPECT_EQ(go(r.mkdir(folder)), -EEXIST);
  EXPECT_EQ(go(r.readlink(at("file"))), -EINVAL);
  EXPECT_EQ(go(r.readdir(at("file"))), -ENOTDIR);
  EXPECT_EQ(go(r.read_file(folder)), -EISDIR);
  EXPECT_EQ(go(r.read_file(at("missing"))), -ENOENT);
  EXPECT_EQ(go(r.access(at("missing"), F_OK)), -ENOENT);
  EXPECT_EQ(go(r.realpath(at("missing"))), -ENOENT);
}

TEST_P(FileTest, S157_names) {
  make("a");
  EXPECT_EQ(go(r.rename(at("a"), at("b"))), 0);
  EXPECT_EQ(go(r.link(at("b"), at("hard"))), 0);
  EXPECT_EQ(go(r.symlink("b", at("soft"))), 0);
  EXPECT_EQ(go(r.readlink(at("soft"))), 0);
  EXPECT_EQ(r.text(), "b");
  EXPECT_EQ(go(r.realpath(at("soft"))), 0);
  EXPECT_EQ(r.text(), at("b"));
  EXPECT_EQ(go(r.lstat(at("soft"))), 0);
  EXPECT_TRUE(S_ISLNK(r.status().stx_mode));
  EXPECT_EQ(go(r.stat(at("soft"))), 0);
  EXPECT_TRUE(S_ISREG(r.status().stx_mode));
  EXPECT_EQ(r.status().stx_nlink, 2u);
  EXPECT_EQ(go(r.unlink(at("hard"))), 0);
  EXPECT_EQ(go(r.readdir(folder)), 2);
  std::sort(r.entries().begin(), r.entries().end(), [](auto& a, auto& b) { return a.name < b.name; });
  EXPECT_EQ(r.entries()[0].name, "b");
  EXPECT_EQ(r.entries()[1].name, "soft");
  EXPECT_EQ(r.entries()[1].type, DT_LNK);
}

TEST_P(FileTest, S157_attributes) {
  const std::string path = make("a");
  EXPECT_EQ(go(r.chmod(path, 0600)), 0);
  EXPECT_EQ(go(r.access(path, R_OK | W_OK)), 0);
  EXPECT_EQ(go(r.utimes(path, {1000, 5}, {2000, 7})), 0);
  EXPECT_EQ(go(r.stat(path)), 0);
  EXPECT_EQ(r.status().stx_mode & 0777, 0600);
  EXPECT_EQ(r.status().stx_atime.tv_sec, 1000);
  EXPECT_EQ(r.status().stx_mtime.tv_sec, 2000);
  EXPECT_EQ(r.status().stx_mtime.tv_nsec, 7u);
  const UniqueFd fd(open(path.c_str(), O_RDWR));
  EXPECT_EQ(go(r.futimes(fd.get(), {3000, 0}, {4000, 0})), 0);
  EXPECT_EQ(go(r.fchmod(fd.get(), 0644)), 0);
  EXPECT_EQ(go(r.chown(path, getuid(), getgid())), 0);
  EXPECT_EQ(go(r.fchown(fd.get(), getuid(), getgid())), 0);
  ASSERT_EQ(symlink("nowhere", at("link").c_str()), 0);
  EXPECT_EQ(go(r.lchown(at("link"), getuid(), getgid())), 0);
  EXPECT_EQ(go(r.lutimes(at("link"), {5000, 0}, {6000, 0})), 0);
  EXPECT_EQ(go(r.lstat(at("link"))), 0);
  EXPECT_EQ(r.status().stx_mtime.tv_sec, 6000);
  EXPECT_EQ(go(r.truncate(path, 3)), 0);
  EXPECT_EQ(content_of(path), "con");
  EXPECT_EQ(go(r.statfs(folder)), 0);
  EXPECT_GT(r.file_system().f_bsize, 0);
  const std::int64_t lchmod = go(r.lchmod(at("link"), 0700));
  EXPECT_TRUE(lchmod == 0 || lchmod == -EOPNOTSUPP) << lchmod;
}

TEST_P(FileTest, S157_directories) {
  EXPECT_EQ(go(r.mkdirs(at("x/y//z/"))), 0);
  EXPECT_EQ(r.text(), at("x"));
  EXPECT_EQ(go(r.mkdirs(at("x/y/z"))), 0);
  EXPECT_EQ(r.text(), "");
  EXPECT_EQ(go(r.mkdirs(at("x/y/w"))), 0);
  EXPECT_EQ(r.text(), at("x/y/w"));
  make("x/file");
  EXPECT_EQ(go(r.mkdirs(at("x/file"))), -EEXIST);
  EXPECT_EQ(go(r.mkdirs(at("x/file/y"))), -ENOTDIR);
  EXPECT_EQ(go(r.mkdtemp(at("temp_XXXXXX"))), 0);
  EXPECT_TRUE(r.text().starts_with(at("temp_")));
  EXPECT_TRUE(std::filesystem::is_directory(r.text()));
  EXPECT_EQ(go(r.rmdir(r.text())), 0);

  make("outside");
  ASSERT_EQ(symlink(at("outside").c_str(), at("x/link").c_str()), 0);
  ASSERT_EQ(symlink(folder.c_str(), at("x/y/up").c_str()), 0);
  for (int i = 0; i < 200; i++) make("x/y/z/" + std::to_string(i));
  EXPECT_EQ(go(r.remove_all(at("x"))), 0);
  EXPECT_FALSE(std::filesystem::exists(at("x")));
  EXPECT_TRUE(std::filesystem::exists(at("outside")));
  EXPECT_EQ(go(r.remove_all(at("x"))), -ENOENT);
  EXPECT_EQ(go(r.remove_all(at("outside"))), 0);
}

// Deeper than there are descriptors.
TEST_P(FileTest, a_deep_tree_is_removed) {
  std::filesystem::create_directory(at("deep"));
  UniqueFd level(open(at("deep").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int depth = 0; depth < 140; depth++) {
    ASSERT_EQ(mkdirat(level.get(), "inner", 0755), 0);
    if (depth % 100 == 0) UniqueFd(openat(level.get(), "beside", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    level.reset(openat(level.get(), "inner", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(level);
  }
  level.reset();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{std::min<rlim_t>(before.rlim_cur, 128), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  const std::int64_t result = go(r.remove_all(at("deep")));
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(result, 0);
  EXPECT_FALSE(std::filesystem::exists(at("deep")));
}

TEST_P(FileTest, S157_whole_files) {
  for (const std::size_t size : {0, 1, 32767, 32768, 32769, 5000000}) {
    std::string data(size, 'x');
    for (std::size_t i = 0; i < size; i += 101) data[i] = static_cast<char>(i);
    EXPECT_EQ(go(r.write_file(at("whole"), data.data(), size, O_WRONLY | O_CREAT | O_TRUNC)),
              static_cast<std::int64_t>(size));
    EXPECT_EQ(go(r.read_file(at("whole"))), static_cast<std::int64_t>(size));
    EXPECT_TRUE(r.text() == data) << size;
  }
  EXPECT_EQ(go(r.write_file(at("log"), "one", 3, O_WRONLY | O_CREAT | O_APPEND)), 3);
  EXPECT_EQ(go(r.write_file(at("log"), "two", 3, O_WRONLY | O_CREAT | O_APPEND)), 3);
  EXPECT_EQ(content_of(at("log")), "onetwo");
  EXPECT_GT(go(r.read_file("/proc/self/status")), 100);  // says size 0, has content
}

TEST_P(FileTest, S157_copy) {
  std::string data(3000000, 'c');
  data[1234567] = '!';
  make("from", data);
  chmod(at("from").c_str(), 0750);
  EXPECT_EQ(go(r.copy(at("from"), at("to"))), 0);
  EXPECT_TRUE(content_of(at("to")) == data);
  struct stat status;
  ASSERT_EQ(stat(at("to").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0750u);
  EXPECT_EQ(go(r.copy(at("from"), at("to"), kCopyExclusive)), -EEXIST);
  make("small", "s");
  EXPECT_EQ(go(r.copy(at("small"), at("to"), 0)), 0);
  EXPECT_EQ(content_of(at("to")), "s");
  EXPECT_EQ(go(r.copy(at("small"), at("small"))), 0);
  EXPECT_EQ(content_of(at("small")), "s");
  EXPECT_EQ(go(r.copy(at("missing"), at("new"))), -ENOENT);
  EXPECT_FALSE(std::filesystem::exists(at("new")));
  EXPECT_EQ(go(r.copy("/proc/self/status", at("status"))), 0);
  EXPECT_GT(content_of(at("status")).size(), 100u);
  const std::int64_t forced = go(r.copy(at("small"), at("clone"), kCopyForceClone));
  EXPECT_TRUE(forced == 0 || forced == -ENOTSUP || forced == -EXDEV) << forced;
}

TEST_P(FileTest, S157_sendfile) {
  make("from", "0123456789");
  const UniqueFd from(open(at("from").c_str(), O_RDONLY));
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  EXPECT_EQ(go(r.sendfile(pair[0], from.get(), 4, 3)), -EOPNOTSUPP) << "it could hold a thread for ever";
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  EXPECT_EQ(go(r.sendfile(pair[0], from.get(), 4, 3)), 3);
  char text[8] = {};
  EXPECT_EQ(read(pair[1], text, sizeof text), 3);
  EXPECT_STREQ(text, "456");
  close(pair[0]);
  close(pair[1]);
}

class FileLifeTest : public ::testing::TestWithParam<const char*> {
 protected:
  Loop loop{LoopOptions{.poller = GetParam()}};
};

TEST_P(FileLifeTest, a_callback_may_restart_or_destroy_its_request) {
  auto request = std::make_unique<FileRequest>();
  int steps = 0;
  struct ::statx seen{};
  request->open("/dev/null", O_RDONLY).start(loop, [&](FileRequest& done) {
    const auto fd = static_cast<int>(done.result());
    steps++;
    done.fstat(fd).start(loop, [&, fd](FileRequest& again) {
      seen = again.status();
      steps++;
      again.close(fd).start(loop, [&](FileRequest&) {
        steps++;
        request.reset();
      });
    });
  });
  loop.run();
  EXPECT_EQ(steps, 3);
  EXPECT_TRUE(S_ISCHR(seen.stx_mode));
  EXPECT_EQ(request, nullptr);
}

TEST_P(FileLifeTest, S135_what_ends_first_is_delivered_first_and_cancel_ends_each_once) {
  // A read from an empty pipe on the pool blocks one thread; the file behind it does not wait for it.
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  FileRequest slow, fast;
  char byte;
  std::string order;
  slow.read(ends[0], &byte, 1).start(loop, [&](FileRequest&) { order += "slow "; }, FileRequest::Route::Pool);
  fast.stat("/").start(loop, [&](FileRequest&) {
    order += "fast ";
    ASSERT_EQ(write(ends[1], "x", 1), 1);
  });
  loop.run();
  EXPECT_EQ(order, "fast slow ");
  close(ends[0]);
  close(ends[1]);
}

TEST_P(FileLifeTest, cancelled_requests_end_exactly_once) {
  constexpr int kCount = 200;
  std::vector<std::unique_ptr<FileRequest>> requests;
  int ended = 0;
  for (int i = 0; i < kCount; i++) {
    requests.push_back(std::make_unique<FileRequest>());
    const auto route = i % 2 ? FileRequest::Route::Pool : FileRequest::Route::Automatic;
    requests.back()->stat("/").start(
        loop,
        [&](FileRequest& done) {
          ended++;
          EXPECT_TRUE(done.result() == 0 || done.result() == -ECANCELED) << done.result();  // who wins is chance here
        },
        route);
  }
  for (auto& request : requests) request->cancel();
  loop.run();
  EXPECT_EQ(ended, kCount);
}

INSTANTIATE_TEST_SUITE_P(Pollers, FileLifeTest, ::testing::Values("epoll", "uring"));

// Decides the race between an end and its cancellation, and nothing else.
class RaceDecider : public Decider {
 public:
  std::uint32_t choose(Choice choice, std::uint32_t count) override {
    return choice == Choice::Completion && count == 2 && !cancellation_wins ? 1 : 0;
  }
  bool cancellation_wins = false;
};

TEST(FileCancelTest, cancellation_wins_or_comes_too_late_but_each_request_ends_once) {
  RaceDecider decider;
  SimWorld world(decider);
  Loop loop(world.options());
  Operation make;
  make.openat(AT_FDCWD, "/a", O_CREAT | O_WRONLY).then([](Operation&, const Completion& completion) {
    close_fd(completion.result);
  });
  loop.submit(make);
  loop.run();
  for (const bool wins : {true, false}) {
    decider.cancellation_wins = wins;
    FileRequest request;
    int ended = 0;
    request.stat("/a").start(loop, [&](FileRequest&) { ended++; });
    request.cancel();
    request.cancel();  // asking twice changes nothing
    EXPECT_EQ(ended, 0);
    loop.run();
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(request.result(), wins ? -ECANCELED : 0);
    EXPECT_FALSE(request.is_busy());
  }
  EXPECT_EQ(world.open_descriptors(), 0u);
}

}  // namespace
}  // namespace rondo
