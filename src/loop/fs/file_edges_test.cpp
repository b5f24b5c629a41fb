// Files at their edges, in every way: names of any bytes, thousands of entries or parts, positions, nothing to move, temporaries, signals.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "loop/fs/file_fixture.h"
#include "rondo/base/unique_fd.h"

namespace rondo {
namespace {

using testing::FileTest;

class FileEdgesTest : public FileTest {
 public:
  // Made once: that is slow on some disks.
  static void SetUpTestSuite() {
    char name[] = "/tmp/rondo_large_XXXXXX";
    large = mkdtemp(name);
    for (int i = 0; i < kLarge; i++) {
      std::filesystem::create_symlink("x", large + "/a name of some length, number " + std::to_string(i));
    }
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(large); }

  static constexpr int kLarge = 1000;
  static inline std::string large;
};
RONDO_FILES_EVERY_WAY(FileEdgesTest);

TEST_P(FileEdgesTest, S157_errors_of_names) {
  EXPECT_EQ(go(r.stat("")), -ENOENT);
  EXPECT_EQ(go(r.open(at(std::string(300, 'x')), O_RDONLY)), -ENAMETOOLONG);
  EXPECT_EQ(go(r.open(std::string(5000, 'x'), O_RDONLY)), -ENAMETOOLONG);
  ASSERT_EQ(symlink("loop", at("loop").c_str()), 0);
  EXPECT_EQ(go(r.open(at("loop"), O_RDONLY)), -ELOOP);
  EXPECT_EQ(go(r.stat(at("loop"))), -ELOOP);
  EXPECT_EQ(go(r.realpath(at("loop"))), -ELOOP);
  EXPECT_EQ(go(r.lstat(at("loop"))), 0);
  EXPECT_EQ(go(r.mkdir(at("missing/x"))), -ENOENT);
  EXPECT_EQ(go(r.rmdir(make("file"))), -ENOTDIR);
  EXPECT_EQ(go(r.unlink(at("missing"))), -ENOENT);
  const std::int64_t unlink_folder = go(r.unlink(folder));
  EXPECT_TRUE(unlink_folder == -EISDIR || unlink_folder == -EPERM) << unlink_folder;
  EXPECT_EQ(go(r.link(at("missing"), at("x"))), -ENOENT);
  EXPECT_EQ(go(r.symlink("x", at("file"))), -EEXIST);
  EXPECT_EQ(go(r.readlink(at("missing"))), -ENOENT);
  EXPECT_EQ(go(r.chmod(at("missing"), 0600)), -ENOENT);
  EXPECT_EQ(go(r.utimes(at("missing"), {}, {})), -ENOENT);
  EXPECT_EQ(go(r.truncate(at("missing"), 0)), -ENOENT);
  EXPECT_EQ(go(r.truncate(at("file"), -1)), -EINVAL);
  EXPECT_EQ(go(r.readdir(at("missing"))), -ENOENT);
  EXPECT_STREQ(r.syscall(), "scandir");
  EXPECT_EQ(go(r.statfs(at("missing"))), -ENOENT);
  EXPECT_EQ(go(r.mkdtemp(at("no_pattern"))), -EINVAL);
  EXPECT_EQ(go(r.mkdtemp(at("missing/XXXXXX"))), -ENOENT);
  EXPECT_EQ(go(r.rename(at("missing"), at("x"))), -ENOENT);
  EXPECT_EQ(go(r.rename(folder, at("inside"))), -EINVAL);
  EXPECT_EQ(go(r.copy(folder, at("x"))), -EISDIR);
  EXPECT_EQ(go(r.write_file(at("missing/x"), "x", 1, O_WRONLY | O_CREAT)), -ENOENT);
  EXPECT_STREQ(r.syscall(), "open");
}

TEST_P(FileEdgesTest, S157_errors_of_descriptors) {
  const UniqueFd file(open(make("file").c_str(), O_RDONLY | O_CLOEXEC));
  const UniqueFd directory(open(folder.c_str(), O_RDONLY | O_CLOEXEC));
  char byte = 0;
  EXPECT_EQ(go(r.write(file.get(), "x", 1)), -EBADF) << "open for reading only";
  EXPECT_EQ(go(r.write(file.get(), "x", 1, 0)), -EBADF);
  EXPECT_EQ(go(r.read(directory.get(), &byte, 1)), -EISDIR);
  EXPECT_EQ(go(r.read(directory.get(), &byte, 1, 0)), -EISDIR);
  EXPECT_EQ(go(r.ftruncate(file.get(), 0)), -EINVAL);
  for (FileRequest* request : {&r.fstat(9999)}) EXPECT_EQ(go(*request), -EBADF);
  EXPECT_EQ(go(r.fsync(9999)), -EBADF);
  EXPECT_EQ(go(r.fdatasync(9999)), -EBADF);
  EXPECT_EQ(go(r.ftruncate(9999, 0)), -EBADF);
  EXPECT_EQ(go(r.fchmod(9999, 0600)), -EBADF);
  EXPECT_EQ(go(r.fchown(9999, 0, 0)), -EBADF);
  EXPECT_EQ(go(r.futimes(9999, {}, {})), -EBADF);
  EXPECT_EQ(go(r.write(9999, "x", 1, 0)), -EBADF);
  EXPECT_EQ(go(r.sendfile(9999, file.get(), 0, 1)), -EBADF);
  EXPECT_EQ(go(r.read_file(9999)), -EBADF);
  EXPECT_EQ(go(r.close(-1)), -EBADF);
}

TEST_P(FileEdgesTest, a_zero_byte_does_not_end_a_name) {
  const std::string whole = make("file");
  const std::string cut = whole + std::string("\0.txt", 5);
  EXPECT_EQ(go(r.stat(cut)), -EINVAL);
  EXPECT_EQ(go(r.unlink(cut)), -EINVAL);
  EXPECT_EQ(go(r.read_file(cut)), -EINVAL);
  EXPECT_EQ(go(r.rename(whole, at("new") + std::string("\0x", 2))), -EINVAL);
  EXPECT_EQ(go(r.remove_all(cut)), -EINVAL);
  EXPECT_EQ(go(r.stat(whole)), 0);
}

TEST_P(FileEdgesTest, a_file_that_memory_cannot_hold_is_an_error) {
  int overcommits = 0;
  std::ifstream("/proc/sys/vm/overcommit_memory") >> overcommits;
  if (overcommits == 1) GTEST_SKIP() << "the system promises any amount of memory";
  const std::string path = make("huge");
  if (truncate(path.c_str(), std::int64_t{1} << 43) != 0) GTEST_SKIP() << "no such files here";
  EXPECT_EQ(go(r.read_file(path)), -ENOMEM);
  EXPECT_STREQ(r.syscall(), "read");
}

TEST_P(FileEdgesTest, names_are_bytes) {
  const std::string longest(255, 'n');
  for (const std::string& name : {std::string("ünïcödé 文件 🎉"), std::string("\xff\xfe not utf-8"),
                                  std::string("line\nbreak"), std::string(" "), std::string("-rf"), longest}) {
    EXPECT_EQ(go(r.write_file(at(name), name.data(), name.size(), O_WRONLY | O_CREAT | O_TRUNC)),
              static_cast<std::int64_t>(name.size()));
    EXPECT_EQ(go(r.read_file(at(name))), static_cast<std::int64_t>(name.size()));
    EXPECT_EQ(r.text(), name);
    EXPECT_EQ(go(r.realpath(at(name))), 0);
    EXPECT_EQ(r.text(), at(name));
    EXPECT_EQ(go(r.readdir(folder)), 1);
    EXPECT_EQ(r.entries()[0].name, name);
    EXPECT_EQ(go(r.unlink(at(name))), 0);
  }
}

TEST_P(FileEdgesTest, folders_empty_and_large) {
  EXPECT_EQ(go(r.mkdir(at("empty"))), 0);
  EXPECT_EQ(go(r.readdir(at("empty"))), 0);
  EXPECT_TRUE(r.entries().empty());
  EXPECT_EQ(go(r.readdir(large)), kLarge);
  ASSERT_EQ(r.entries().size(), static_cast<std::size_t>(kLarge));
  EXPECT_TRUE(std::is_sorted(r.entries().begin(), r.entries().end(), [](auto& a, auto& b) { return a.name < b.name; }));
  EXPECT_TRUE(r.entries()[0].type == DT_LNK || r.entries()[0].type == DT_UNKNOWN);
}

// More parts than one system call takes.
TEST_P(FileEdgesTest, any_number_of_parts) {
  constexpr std::size_t kParts = 5000;
  std::string source(kParts * 3, '\0');
  std::iota(source.begin(), source.end(), 'a');
  std::vector<iovec> parts;
  for (std::size_t i = 0; i < kParts; i++) parts.push_back({source.data() + i * 3, 3});
  const auto size = static_cast<std::int64_t>(source.size());
  for (const std::int64_t offset : {-1, 7}) {
    const UniqueFd file(open(at("parts").c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    EXPECT_EQ(go(r.writev(file.get(), parts.data(), parts.size(), offset)), size);
    std::string target(source.size(), '\0');
    std::vector<iovec> into;
    for (std::size_t i = 0; i < kParts; i++) into.push_back({target.data() + i * 3, 3});
    lseek(file.get(), 0, SEEK_SET);
    EXPECT_EQ(go(r.readv(file.get(), into.data(), into.size(), offset)), size);
    EXPECT_TRUE(target == source);
    EXPECT_EQ(go(r.readv(file.get(), into.data(), into.size(), offset < 0 ? size - 10 : offset + size - 10)), 10);
  }
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd in(ends[0]), out(ends[1]);
  const std::int64_t moved = go(r.writev(out.get(), parts.data(), parts.size()));
  ASSERT_GT(moved, 0) << "as much as a pipe takes";
  std::string target(source.size(), '\0');
  EXPECT_EQ(go(r.read(in.get(), target.data(), target.size())), moved);
  EXPECT_EQ(source.substr(0, static_cast<std::size_t>(moved)), target.substr(0, static_cast<std::size_t>(moved)));
}

TEST_P(FileEdgesTest, nothing_to_move) {
  const UniqueFd file(open(at("file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  EXPECT_EQ(go(r.write(file.get(), nullptr, 0)), 0);
  EXPECT_EQ(go(r.write(file.get(), nullptr, 0, 5)), 0);
  EXPECT_EQ(go(r.read(file.get(), nullptr, 0)), 0);
  EXPECT_EQ(go(r.read(file.get(), nullptr, 0, 0)), 0);
  EXPECT_EQ(go(r.writev(file.get(), nullptr, 0)), 0);
  EXPECT_EQ(go(r.readv(file.get(), nullptr, 0, 0)), 0);
  char byte;
  EXPECT_EQ(go(r.read(file.get(), &byte, 1)), 0) << "the end of an empty file";
  EXPECT_EQ(go(r.read(file.get(), &byte, 1, 1 << 20)), 0) << "beyond the end";
  EXPECT_EQ(go(r.fstat(file.get())), 0);
  EXPECT_EQ(r.status().stx_size, 0u);
  EXPECT_EQ(go(r.write_file(at("file"), "", 0, O_WRONLY | O_CREAT | O_TRUNC)), 0);
  EXPECT_EQ(go(r.copy(at("file"), at("copy"))), 0);
  EXPECT_EQ(go(r.sendfile(file.get(), file.get(), 0, 0)), 0);
}

TEST_P(FileEdgesTest, positions) {
  const UniqueFd file(open(make("file", "0123456789").c_str(), O_RDWR | O_CLOEXEC));
  char text[4] = {};
  EXPECT_EQ(go(r.read(file.get(), text, 2)), 2);
  EXPECT_EQ(go(r.read(file.get(), text, 3, 5)), 3);
  EXPECT_STREQ(text, "567");
  EXPECT_EQ(go(r.write(file.get(), "X", 1, 9)), 1);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 2) << "transfers with an offset move nothing";
  EXPECT_EQ(go(r.write(file.get(), "YY", 2)), 2);
  EXPECT_EQ(content_of(at("file")), "01YY45678X");
  const UniqueFd log(open(at("file").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  EXPECT_EQ(go(r.write(log.get(), "!", 1)), 1);
  EXPECT_EQ(go(r.write(log.get(), "?", 1, 0)), 1) << "O_APPEND wins over the offset on Linux";
  EXPECT_EQ(content_of(at("file")), "01YY45678X!?");
  EXPECT_EQ(go(r.write(file.get(), "far", 3, 1 << 16)), 3);
  EXPECT_EQ(go(r.fstat(file.get())), 0);
  EXPECT_EQ(r.status().stx_size, (1u << 16) + 3);
}

TEST_P(FileEdgesTest, temporary_files_and_folders) {
  const auto fd = static_cast<int>(go(r.mkstemp(at("temp_XXXXXX"))));
  ASSERT_GE(fd, 0);
  const UniqueFd file(fd);
  const std::string path = r.text();
  EXPECT_TRUE(path.starts_with(at("temp_")) && path != at("temp_XXXXXX")) << path;
  EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(go(r.fstat(fd)), 0);
  EXPECT_EQ(r.status().stx_mode & 07777, 0600);
  EXPECT_EQ(go(r.write(fd, "temporary", 9)), 9);
  EXPECT_EQ(content_of(path), "temporary");
  EXPECT_EQ(go(r.mkstemp(at("no_pattern"))), -EINVAL);
  EXPECT_STREQ(r.syscall(), "mkstemp");
  EXPECT_EQ(go(r.mkstemp(at("missing/XXXXXX"))), -ENOENT);
}

TEST_P(FileEdgesTest, renaming_replaces) {
  make("from", "new");
  make("to", "old");
  EXPECT_EQ(go(r.rename(at("from"), at("to"))), 0);
  EXPECT_EQ(content_of(at("to")), "new");
  EXPECT_EQ(go(r.mkdir(at("folder"))), 0);
  EXPECT_EQ(go(r.rename(at("to"), at("folder"))), -EISDIR);
  EXPECT_EQ(go(r.rename(at("folder"), at("to"))), -ENOTDIR);
  make("folder/file");
  EXPECT_EQ(go(r.mkdir(at("other"))), 0);
  EXPECT_EQ(go(r.rename(at("other"), at("folder"))), -ENOTEMPTY);
}

// Handlers without SA_RESTART interrupt what waits; nobody is told.
TEST_P(FileEdgesTest, signals_interrupt_nothing) {
  struct sigaction action{}, before{};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, &before);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd in(ends[0]), out(ends[1]);
  const pthread_t target = pthread_self();
  std::thread disturber([&] {
    for (int i = 0; i < 20; i++) {
      pthread_kill(target, SIGUSR1);
      std::this_thread::yield();
    }
    ASSERT_EQ(::write(out.get(), "data", 4), 4);
  });
  char text[8] = {};
  EXPECT_EQ(go(r.read(in.get(), text, sizeof text)), 4);
  disturber.join();
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace rondo
