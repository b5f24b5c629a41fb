// The shared suite on files: the same results and the same errors, whether a ring, a pool or a simulated disk does the work. S157
#include <fcntl.h>
#include <linux/falloc.h>
#include <poll.h>
#include <sys/stat.h>

#include <deque>

#include "loop/poller/poller_fixture.h"

namespace rondo::testing {
namespace {

class PollerFileTest : public PollerTest {
 protected:
  std::string path(const char* name) { return world->folder() + "/" + name; }
  int open(const std::string& name, int flags, std::uint32_t mode = 0644) {
    return result_of([&](Operation& op) { op.openat(AT_FDCWD, name.c_str(), flags, mode); });
  }
  int close(int fd) {
    return result_of([&](Operation& op) { op.close(fd); });
  }
  int write(int fd, std::string_view text, std::int64_t at = -1) {
    return result_of([&](Operation& op) { op.write(fd, text.data(), static_cast<std::uint32_t>(text.size()), at); });
  }
  std::string read(int fd, std::int64_t at = -1) {
    char buffer[64];
    const int size = result_of([&](Operation& op) { op.read(fd, buffer, sizeof buffer, at); });
    return size >= 0 ? std::string(buffer, static_cast<std::size_t>(size)) : "error " + std::to_string(size);
  }
  int stat(const std::string& name, struct statx& out, int flags = 0) {
    return result_of([&](Operation& op) { op.statx(AT_FDCWD, name.c_str(), flags, STATX_BASIC_STATS, &out); });
  }
  int mkdir(const std::string& name) {
    return result_of([&](Operation& op) { op.mkdirat(AT_FDCWD, name.c_str(), 0755); });
  }
  int unlink(const std::string& name, int flags = 0) {
    return result_of([&](Operation& op) { op.unlinkat(AT_FDCWD, name.c_str(), flags); });
  }
  int rename(const std::string& from, const std::string& to, std::uint32_t flags = 0) {
    return result_of([&](Operation& op) { op.renameat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags); });
  }
  int link(const std::string& from, const std::string& to, int flags = 0) {
    return result_of([&](Operation& op) { op.linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags); });
  }
  int symlink(const std::string& target, const std::string& name) {
    return result_of([&](Operation& op) { op.symlinkat(target.c_str(), AT_FDCWD, name.c_str()); });
  }
  int read_file(const std::string& name, char* buffer, std::uint32_t size) {
    return result_of([&](Operation& op) { op.read_file(AT_FDCWD, name.c_str(), buffer, size); });
  }
  void make(const std::string& name, std::string_view content = "") {
    const int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY);
    ASSERT_GE(fd, 0);
    if (!content.empty()) {
      ASSERT_EQ(write(fd, content), static_cast<int>(content.size()));
    }
    ASSERT_EQ(close(fd), 0);
  }
};
INSTANTIATE_TEST_SUITE_P(Pollers, PollerFileTest, every_poller(), name_of);

TEST_P(PollerFileTest, S157_open_write_read_close) {
  const int fd = open(path("file"), O_RDWR | O_CREAT | O_TRUNC);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(write(fd, "0123456789"), 10);
  EXPECT_EQ(write(fd, "AB", 4), 2);
  iovec parts[2] = {{const_cast<char*>("xy"), 2}, {const_cast<char*>("z"), 1}};
  EXPECT_EQ(result_of([&](Operation& op) { op.writev(fd, parts, 2, 10); }), 3);
  EXPECT_EQ(read(fd, 0), "0123AB6789xyz");
  EXPECT_EQ(read(fd, 100), "");
  EXPECT_EQ(read(fd), "xyz") << "positioned transfers leave the position alone";
  char first[4] = {}, second[4] = {};
  iovec into[2] = {{first, 3}, {second, 3}};
  EXPECT_EQ(result_of([&](Operation& op) { op.readv(fd, into, 2, 0); }), 6);
  EXPECT_STREQ(second, "3AB");
  EXPECT_EQ(write(fd, "!", 15), 1);
  EXPECT_EQ(read(fd, 12), std::string("z\0\0!", 4));
  EXPECT_EQ(result_of([&](Operation& op) { op.fsync(fd); }), 0);
  EXPECT_EQ(result_of([&](Operation& op) { op.fsync(fd, true); }), 0);
  EXPECT_EQ(result_of([&](Operation& op) { op.ftruncate(fd, 5); }), 0);
  EXPECT_EQ(read(fd, 0), "0123A");
  EXPECT_EQ(result_of([&](Operation& op) { op.ftruncate(fd, 7); }), 0);
  EXPECT_EQ(read(fd, 0), std::string("0123A\0\0", 7));
  EXPECT_EQ(write(fd, "", 0), 0);
  EXPECT_TRUE(world->is_open(fd));
  EXPECT_EQ(close(fd), 0);
  EXPECT_FALSE(world->is_open(fd));
}

TEST_P(PollerFileTest, S157_transfers_at_the_position_go_on_where_the_last_ended) {
  make(path("file"), "abcdef");
  const int fd = open(path("file"), O_RDWR);
  char two[3] = {};
  iovec parts[2] = {{two, 1}, {two + 1, 1}};
  EXPECT_EQ(result_of([&](Operation& op) { op.readv(fd, parts, 2); }), 2);
  EXPECT_STREQ(two, "ab");
  EXPECT_EQ(result_of([&](Operation& op) { op.read(fd, two, 2); }), 2);
  EXPECT_STREQ(two, "cd");
  EXPECT_EQ(write(fd, "E"), 1);
  EXPECT_EQ(read(fd), "f");
  EXPECT_EQ(read(fd), "");
  EXPECT_EQ(close(fd), 0);
  const int end = open(path("file"), O_WRONLY | O_APPEND);
  EXPECT_EQ(write(end, "+"), 1);
  EXPECT_EQ(write(end, "++"), 2);
  EXPECT_EQ(close(end), 0);
  char all[16] = {};
  EXPECT_EQ(read_file(path("file"), all, sizeof all), 9);
  EXPECT_STREQ(all, "abcdEf+++");
}

TEST_P(PollerFileTest, S157_stat_describes) {
  make(path("file"), "12345");
  struct statx info{}, same{};
  ASSERT_EQ(stat(path("file"), info), 0);
  EXPECT_EQ(info.stx_size, 5u);
  EXPECT_EQ(info.stx_nlink, 1u);
  EXPECT_TRUE(S_ISREG(info.stx_mode));
  EXPECT_EQ(info.stx_mode & 0777, 0644);
  EXPECT_EQ(info.stx_mask & STATX_BASIC_STATS, static_cast<std::uint32_t>(STATX_BASIC_STATS));
  const int fd = open(path("file"), O_RDONLY);
  ASSERT_EQ(result_of([&](Operation& op) { op.statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &same); }), 0);
  EXPECT_EQ(same.stx_ino, info.stx_ino);
  EXPECT_EQ(same.stx_size, 5u);
  EXPECT_EQ(result_of([&](Operation& op) { op.statx(fd, "", 0, STATX_BASIC_STATS, &same); }), -ENOENT);
  EXPECT_EQ(close(fd), 0);
  ASSERT_EQ(mkdir(path("folder")), 0);
  ASSERT_EQ(stat(path("folder"), info), 0);
  EXPECT_TRUE(S_ISDIR(info.stx_mode));
  EXPECT_EQ(info.stx_mode & 0777, 0755);
  auto pair = sockets();
  auto [reader, writer] = world->pipe();
  ASSERT_EQ(result_of([&](Operation& op) { op.statx(pair[0].get(), "", AT_EMPTY_PATH, STATX_TYPE, &info); }), 0);
  EXPECT_TRUE(S_ISSOCK(info.stx_mode));
  ASSERT_EQ(result_of([&](Operation& op) { op.statx(writer.get(), "", AT_EMPTY_PATH, STATX_TYPE, &info); }), 0);
  EXPECT_TRUE(S_ISFIFO(info.stx_mode));
}

TEST_P(PollerFileTest, S157_names_links_and_folders) {
  const std::string file = path("file"), other = path("other"), hard = path("hard"), soft = path("soft"),
                    folder = path("folder"), inside = folder + "/inside";
  make(file, "content");
  struct statx info{}, second{};
  EXPECT_EQ(link(file, hard), 0);
  EXPECT_EQ(link(file, hard), -EEXIST);
  EXPECT_EQ(stat(hard, info), 0);
  EXPECT_EQ(info.stx_nlink, 2u);
  EXPECT_EQ(symlink(file, soft), 0);
  EXPECT_EQ(symlink(file, soft), -EEXIST);
  EXPECT_EQ(stat(soft, info), 0);
  EXPECT_EQ(stat(file, second), 0);
  EXPECT_EQ(info.stx_ino, second.stx_ino);
  EXPECT_EQ(stat(soft, info, AT_SYMLINK_NOFOLLOW), 0);
  EXPECT_TRUE(S_ISLNK(info.stx_mode));
  EXPECT_EQ(info.stx_size, file.size());
  EXPECT_EQ(rename(file, other), 0);
  EXPECT_EQ(stat(file, info), -ENOENT);
  EXPECT_EQ(stat(soft, info), -ENOENT) << "the link leads nowhere now";
  EXPECT_EQ(stat(other, info), 0);
  EXPECT_EQ(mkdir(folder), 0);
  EXPECT_EQ(mkdir(folder), -EEXIST);
  make(inside, "deep");
  EXPECT_EQ(unlink(folder, AT_REMOVEDIR), -ENOTEMPTY);
  EXPECT_EQ(unlink(folder), -EISDIR);
  EXPECT_EQ(unlink(other, AT_REMOVEDIR), -ENOTDIR);
  const int at = open(folder, O_RDONLY | O_DIRECTORY);
  ASSERT_GE(at, 0);
  char buffer[8] = {};
  EXPECT_EQ(result_of([&](Operation& op) { op.read_file(at, "inside", buffer, sizeof buffer); }), 4);
  EXPECT_STREQ(buffer, "deep");
  EXPECT_EQ(result_of([&](Operation& op) { op.statx(at, "../hard", 0, STATX_BASIC_STATS, &info); }), 0);
  EXPECT_EQ(result_of([&](Operation& op) { op.renameat(at, "inside", AT_FDCWD, file.c_str()); }), 0);
  EXPECT_EQ(result_of([&](Operation& op) { op.symlinkat("nothing", at, "inside"); }), 0);
  EXPECT_EQ(result_of([&](Operation& op) { op.unlinkat(at, "inside"); }), 0);
  EXPECT_EQ(close(at), 0);
  EXPECT_EQ(unlink(folder, AT_REMOVEDIR), 0);
  for (const std::string& name : {file, other, hard, soft}) EXPECT_EQ(unlink(name), 0);
  EXPECT_EQ(unlink(file), -ENOENT);
}

TEST_P(PollerFileTest, S157_renaming_replaces_or_refuses) {
  const std::string a = path("a"), b = path("b"), one = path("one"), two = path("two");
  make(a, "a");
  make(b, "b");
  ASSERT_EQ(mkdir(one), 0);
  ASSERT_EQ(mkdir(two), 0);
  make(two + "/full");
  EXPECT_EQ(rename(path("missing"), b), -ENOENT);
  EXPECT_EQ(rename(a, b, RENAME_NOREPLACE), -EEXIST);
  EXPECT_EQ(rename(a, one), -EISDIR);
  EXPECT_EQ(rename(one, a), -ENOTDIR);
  EXPECT_EQ(rename(one, two), -ENOTEMPTY);
  EXPECT_EQ(rename(two, two + "/below"), -EINVAL);
  EXPECT_EQ(rename(a, path("missing") + "/x"), -ENOENT);
  EXPECT_EQ(rename(a, a), 0);
  EXPECT_EQ(rename(a, b), 0);
  char byte = 0;
  EXPECT_EQ(read_file(b, &byte, 1), 1);
  EXPECT_EQ(byte, 'a');
  EXPECT_EQ(rename(two, one), 0) << "an empty folder may be replaced";
  struct statx info{};
  EXPECT_EQ(stat(one + "/full", info), 0);
  EXPECT_EQ(unlink(one + "/full"), 0);
  EXPECT_EQ(unlink(one, AT_REMOVEDIR), 0);
  EXPECT_EQ(unlink(b), 0);
}

TEST_P(PollerFileTest, S157_wrong_paths_and_modes_are_told_alike) {
  const std::string file = path("file"), soft = path("soft"), loop_link = path("loop");
  char buffer[4];
  make(file, "x");
  EXPECT_EQ(open(path("missing"), O_RDONLY), -ENOENT);
  EXPECT_EQ(open(path("missing") + "/x", O_CREAT | O_WRONLY), -ENOENT);
  EXPECT_EQ(open(file + "/x", O_RDONLY), -ENOTDIR);
  EXPECT_EQ(open(file, O_RDONLY | O_DIRECTORY), -ENOTDIR);
  EXPECT_EQ(open(file, O_CREAT | O_EXCL | O_WRONLY), -EEXIST);
  EXPECT_EQ(open("", O_RDONLY), -ENOENT);
  EXPECT_EQ(open(path(std::string(300, 'n').c_str()), O_CREAT | O_WRONLY), -ENAMETOOLONG);
  EXPECT_EQ(open(world->folder() + "/", O_WRONLY), -EISDIR);
  ASSERT_EQ(symlink(file, soft), 0);
  EXPECT_EQ(open(soft, O_RDONLY | O_NOFOLLOW), -ELOOP);
  ASSERT_EQ(symlink(loop_link, loop_link), 0);
  EXPECT_EQ(open(loop_link, O_RDONLY), -ELOOP);
  EXPECT_EQ(mkdir(path("missing") + "/x"), -ENOENT);
  EXPECT_EQ(mkdir(file + "/x"), -ENOTDIR);
  EXPECT_EQ(link(path("missing"), path("y")), -ENOENT);
  EXPECT_EQ(symlink("", path("y")), -ENOENT);
  EXPECT_EQ(unlink(file + "/"), -ENOTDIR);
  EXPECT_EQ(read_file(path("missing"), buffer, 1), -ENOENT);
  EXPECT_EQ(read_file(world->folder() + "/", buffer, 1), -EISDIR);
  const int reads = open(file, O_RDONLY), writes = open(file, O_WRONLY);
  EXPECT_EQ(write(reads, "y"), -EBADF);
  EXPECT_EQ(read(writes), "error " + std::to_string(-EBADF));
  EXPECT_EQ(result_of([&](Operation& op) { op.ftruncate(reads, 0); }), -EINVAL);
  EXPECT_EQ(result_of([&](Operation& op) { op.ftruncate(writes, -1); }), -EINVAL);
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(reads, buffer, 1); }), -ENOTSOCK);
  EXPECT_EQ(result_of([&](Operation& op) { op.openat(reads, "x", O_RDONLY); }), -ENOTDIR);
  EXPECT_EQ(result_of([&](Operation& op) { op.openat(9999, "x", O_RDONLY); }), -EBADF);
  EXPECT_EQ(close(reads), 0);
  EXPECT_EQ(close(writes), 0);
  EXPECT_EQ(close(writes), -EBADF);
}

TEST_P(PollerFileTest, S157_a_removed_file_lives_while_it_is_open) {
  make(path("file"), "still here");
  const int fd = open(path("file"), O_RDONLY);
  EXPECT_EQ(unlink(path("file")), 0);
  EXPECT_EQ(read(fd), "still here");
  struct statx info{};
  EXPECT_EQ(result_of([&](Operation& op) { op.statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &info); }), 0);
  EXPECT_EQ(info.stx_nlink, 0u);
  EXPECT_EQ(close(fd), 0);
}

TEST_P(PollerFileTest, S157_allocation) {
  const int fd = open(path("file"), O_RDWR | O_CREAT);
  const int result = result_of([&](Operation& op) { op.fallocate(fd, 0, 0, 100); });
  if (result != -EOPNOTSUPP) {  // not every file system can
    EXPECT_EQ(result, 0);
    struct statx info{};
    EXPECT_EQ(stat(path("file"), info), 0);
    EXPECT_EQ(info.stx_size, 100u);
    EXPECT_EQ(result_of([&](Operation& op) { op.fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 200); }), 0);
    EXPECT_EQ(stat(path("file"), info), 0);
    EXPECT_EQ(info.stx_size, 100u);
  }
  EXPECT_EQ(result_of([&](Operation& op) { op.fallocate(fd, 0, 0, 0); }), -EINVAL);
  EXPECT_EQ(close(fd), 0);
}

TEST_P(PollerFileTest, S157_whole_files_in_one_operation) {
  const std::string name = path("whole");
  make(name, "whole file");
  std::deque<Call> calls(200);
  std::vector<std::array<char, 32>> buffers(calls.size());
  for (std::size_t i = 0; i < calls.size(); i++) {
    calls[i].operation.read_file(AT_FDCWD, name.c_str(), buffers[i].data(), 32);
    loop.submit(calls[i].operation);
  }
  char unused[8];
  EXPECT_EQ(read_file("/nowhere/at/all", unused, sizeof unused), -ENOENT);
  loop.run();
  for (std::size_t i = 0; i < calls.size(); i++) {
    ASSERT_EQ(calls[i].finals, 1);
    ASSERT_EQ(calls[i].last(), 10);
    ASSERT_EQ(std::string(buffers[i].data(), 10), "whole file");
  }
  EXPECT_EQ(read_file(name, unused, 5), 5) << "no more than there is room for";
}

TEST_P(PollerFileTest, S157_files_are_always_ready) {
  const int fd = open(path("file"), O_RDWR | O_CREAT);
  EXPECT_EQ(result_of([&](Operation& op) { op.poll(fd, POLLIN | POLLOUT); }), POLLIN | POLLOUT);
  EXPECT_EQ(result_of([&](Operation& op) { op.write(fd, "x", 1).as_stream(); }), 1) << "a stream into a file";
  EXPECT_EQ(close(fd), 0);
}

}  // namespace
}  // namespace rondo::testing
