// Child processes at their edges, over every poller: no descriptors, no permission, streams closed or kept open, signals, retries.
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "loop/net/few_descriptors.h"
#include "loop/net/net_fixture.h"
#include "rondo/process.h"

namespace rondo {
namespace {

using testing::NetTest;

ProcessOptions shell(const std::string& script, std::vector<Stdio> stdio = {}) {
  ProcessOptions options;
  options.file = "/bin/sh";
  options.args = {"sh", "-c", script};
  options.stdio = std::move(stdio);
  return options;
}

class ProcessStatesTest : public NetTest {
 public:
  void SetUp() override {
    NetTest::SetUp();
    char name[] = "/tmp/rondo-children-XXXXXX";
    folder = mkdtemp(name);
  }
  void TearDown() override {
    if (!folder.empty()) std::filesystem::remove_all(folder);
  }
  int error_of(const ProcessOptions& options) {
    ChildProcess child(loop);
    const Result<void> spawned = child.spawn(options, [](ExitStatus) {});
    if (!spawned) return spawned.error().number;
    loop.run();
    return 0;
  }
  std::string content_of(const std::string& name) {
    std::ifstream in(folder + "/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder;
};
RONDO_ON_BOTH_POLLERS(ProcessStatesTest);

// Everything a child writes and its end, with a Pipe in each of three places.
TEST_P(ProcessStatesTest, all_streams_are_pipes_of_the_loop) {
  ChildProcess child(loop);
  std::optional<ExitStatus> status;
  ASSERT_TRUE(child.spawn(shell("cat; echo problem >&2; echo extra >&4; exit 3",
                                {Stdio::pipe(), Stdio::pipe(), Stdio::pipe(), Stdio::ignore(), Stdio::pipe()}),
                          [&](ExitStatus result) { status = result; }));
  Pipe in(loop), out(loop), err(loop), extra(loop);
  ASSERT_TRUE(in.open(child.take_pipe(0)));
  std::string texts[3];
  int ends = 0;
  std::size_t i = 0;
  for (auto [pipe, number] : {std::pair(&out, 1u), std::pair(&err, 2u), std::pair(&extra, 4u)}) {
    ASSERT_TRUE(pipe->open(child.take_pipe(number)));
    ASSERT_TRUE(pipe->read_start([&, i](Result<Bytes> piece) {
      ASSERT_TRUE(piece);
      texts[i] += as_text(*piece);
      if (piece->empty()) ends++;
    }));
    i++;
  }
  const std::string big(500'000, 'b');
  ASSERT_TRUE(in.write(as_bytes(big)));
  ASSERT_TRUE(in.shutdown());
  run_until([&] { return status && ends == 3; });
  EXPECT_EQ(status->code, 3);
  EXPECT_TRUE(texts[0] == big);
  EXPECT_EQ(texts[1], "problem\n");
  EXPECT_EQ(texts[2], "extra\n");
}

TEST_P(ProcessStatesTest, closing_its_input_ends_a_reader) {
  ChildProcess child(loop);
  std::optional<ExitStatus> status;
  ASSERT_TRUE(child.spawn(shell("cat", {Stdio::pipe()}), [&](ExitStatus result) { status = result; }));
  Pipe in(loop);
  ASSERT_TRUE(in.open(child.take_pipe(0)));
  in.close();
  run_until([&] { return status.has_value(); });
  EXPECT_EQ(status->code, 0);
}

TEST_P(ProcessStatesTest, a_grandchild_may_keep_a_pipe_open_beyond_the_end) {
  ChildProcess child(loop);
  std::optional<ExitStatus> status;
  ASSERT_TRUE(child.spawn(shell("exec 3<&0; (read line <&3; echo late) & exit 5", {Stdio::pipe(), Stdio::pipe()}),
                          [&](ExitStatus result) { status = result; }));
  Pipe in(loop), out(loop);
  ASSERT_TRUE(in.open(child.take_pipe(0)));
  ASSERT_TRUE(out.open(child.take_pipe(1)));
  std::string text;
  bool ended = false;
  ASSERT_TRUE(out.read_start([&](Result<Bytes> piece) {
    ended = piece && piece->empty();
    text += as_text(*piece);
  }));
  run_until([&] { return status.has_value(); });
  EXPECT_EQ(status->code, 5);
  EXPECT_FALSE(ended);
  ASSERT_TRUE(in.write(as_bytes("go\n")));
  run_until([&] { return ended; });
  EXPECT_EQ(text, "late\n");
}

TEST_P(ProcessStatesTest, output_and_errors_in_one_file) {
  const UniqueFd file(open((folder + "/both").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  EXPECT_EQ(error_of(shell("echo out; echo err >&2; echo out again",
                           {Stdio::ignore(), Stdio::inherit(file.get()), Stdio::inherit(file.get())})),
            0);
  EXPECT_EQ(content_of("both"), "out\nerr\nout again\n");
}

TEST_P(ProcessStatesTest, an_empty_environment_is_empty) {
  const UniqueFd file(open((folder + "/env").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ProcessOptions options;
  options.file = "/usr/bin/env";
  options.env.emplace();
  options.stdio = {Stdio::ignore(), Stdio::inherit(file.get())};
  EXPECT_EQ(error_of(options), 0);
  EXPECT_EQ(content_of("env"), "");
}

TEST_P(ProcessStatesTest, folders_that_cannot_be_entered) {
  std::ofstream(folder + "/file") << "x";
  ProcessOptions options = shell("exit 0");
  options.cwd = folder + "/file";
  EXPECT_EQ(error_of(options), ENOTDIR);
  options.cwd = folder;
  options.file = "./file";
  EXPECT_EQ(error_of(options), EACCES) << "a relative program is looked for in the child's folder";
}

TEST_P(ProcessStatesTest, after_a_failure_the_handle_may_try_again) {
  ChildProcess child(loop);
  std::optional<ExitStatus> status;
  ProcessOptions options;
  EXPECT_EQ(child.spawn(options, [](ExitStatus) {}).error().number, ENOENT);
  options.file = folder + "/missing";
  EXPECT_EQ(child.spawn(options, [](ExitStatus) {}).error().number, ENOENT);
  EXPECT_EQ(child.pid(), 0);
  EXPECT_FALSE(child.is_active());
  EXPECT_EQ(child.kill(SIGTERM).error().number, ESRCH);
  ASSERT_TRUE(child.spawn(shell("exit 4"), [&](ExitStatus result) { status = result; }));
  EXPECT_EQ(child.spawn(options, [](ExitStatus) {}).error().number, EINVAL) << "one child a handle";
  EXPECT_EQ(child.kill(999).error().number, EINVAL);
  run_until([&] { return status.has_value(); });
  EXPECT_EQ(status->code, 4);
}

TEST_P(ProcessStatesTest, without_descriptors_spawn_says_so_and_leaves_nothing) {
  testing::FewDescriptors shortage(200);
  shortage.fill();
  const ProcessOptions options = shell("exit 0", {Stdio::pipe(), Stdio::pipe(), Stdio::pipe()});
  std::vector<int> errors;
  // At each number of descriptors left, until it works: whatever step fails takes back those before it.
  while (errors.empty() || errors.back() != 0) {
    errors.push_back(error_of(options));
    shortage.spare_one();
  }
  shortage.end();
  EXPECT_GT(errors.size(), 5u);
  for (std::size_t i = 0; i + 1 < errors.size(); i++) EXPECT_EQ(errors[i], EMFILE);
  EXPECT_LE(waitpid(-1, nullptr, WNOHANG), 0) << "no zombie";
}

// Raw calls change the identity of one thread only.
TEST_P(ProcessStatesTest, becoming_someone_else_needs_the_right_to) {
  int uid_error = -1, gid_error = -1;
  std::thread([&] {
    if (geteuid() == 0) {
      syscall(SYS_setresgid, 65533, 65533, 65533);
      syscall(SYS_setresuid, 65534, 65534, 65534);
    }
    Loop own(LoopOptions{.poller = "epoll"});
    ProcessOptions options = shell("exit 0");
    for (int* error : {&uid_error, &gid_error}) {
      options.uid.reset(), options.gid.reset();
      if (error == &uid_error) options.uid = 0;
      if (error == &gid_error) options.gid = 0;
      ChildProcess child(own);
      const auto spawned = child.spawn(options, [](ExitStatus) {});
      *error = spawned ? 0 : spawned.error().number;
      own.run();
    }
  }).join();
  EXPECT_EQ(uid_error, EPERM);
  EXPECT_EQ(gid_error, EPERM);
}

TEST_P(ProcessStatesTest, children_of_a_program_that_ignores_SIGCHLD_are_told_too) {
  struct sigaction before{};
  sigaction(SIGCHLD, nullptr, &before);
  signal(SIGCHLD, SIG_IGN);
  ChildProcess child(loop);
  std::optional<ExitStatus> status;
  ASSERT_TRUE(child.spawn(shell("exit 9"), [&](ExitStatus result) { status = result; }));
  run_until([&] { return status.has_value(); });
  sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(status->code, 9);
}

// A daemon has no standard streams: their numbers are then the first that anything gets.
TEST_P(ProcessStatesTest, a_parent_without_standard_streams) {
  const std::string path = folder + "/result";
  const pid_t daemon = fork();
  if (daemon == 0) {
    alarm(20);
    for (int fd : {0, 1, 2}) close(fd);
    Loop own(LoopOptions{.poller = "epoll"});
    ChildProcess child(own);
    const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ProcessOptions options = shell("cat; echo err >&2", {Stdio::pipe(), Stdio::inherit(file.get()), Stdio::pipe()});
    int code = -1;
    if (!child.spawn(options, [&](ExitStatus status) { code = status.code; })) _exit(2);
    {
      const UniqueFd in = child.take_pipe(0);
      if (write(in.get(), "in\n", 3) != 3) _exit(3);
    }
    const UniqueFd err = child.take_pipe(2);
    own.run();
    char text[8] = {};
    if (read(err.get(), text, sizeof text) != 4) _exit(4);
    _exit(code == 0 ? 0 : 5);
  }
  int status = -1;
  waitpid(daemon, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(content_of("result"), "in\n");
}

TEST_P(ProcessStatesTest, a_descriptor_that_is_none_is_an_error) {
  EXPECT_EQ(error_of(shell("exit 0", {Stdio::inherit(-1)})), EBADF);
  EXPECT_EQ(error_of(shell("exit 0", {Stdio::ignore(), Stdio::ignore(), Stdio::ignore(), Stdio::inherit(12345)})),
            EBADF);
}

// As for the child itself: of two entries of one name the first counts.
TEST_P(ProcessStatesTest, the_first_of_two_paths_is_searched) {
  ProcessOptions options = shell("exit 0");
  options.file = "sh";
  options.env = {{"PATH=/bin:/usr/bin", "PATH=/nowhere"}};
  EXPECT_EQ(error_of(options), 0);
  options.env = {{"PATH=/nowhere", "PATH=/bin:/usr/bin"}};
  EXPECT_EQ(error_of(options), ENOENT);
}

// A string is handed over whole or not at all.
TEST_P(ProcessStatesTest, strings_that_end_early_are_refused) {
  using namespace std::string_literals;
  const ProcessOptions good = shell("exit 0");
  for (int place = 0; place < 4; place++) {
    ProcessOptions options = good;
    if (place == 0) options.file += "\0x"s;
    if (place == 1) options.args[2] += "\0; exit 1"s;
    if (place == 2) options.env = {{"A=b\0C=d"s}};
    if (place == 3) options.cwd = "/\0tmp"s;
    EXPECT_EQ(error_of(options), EINVAL) << place;
  }
}

TEST_P(ProcessStatesTest, a_detached_child_that_no_one_waits_for) {
  auto child = std::make_unique<ChildProcess>(loop);
  ProcessOptions options = shell("read line; echo $line", {Stdio::pipe(), Stdio::pipe()});
  options.detached = true;
  ASSERT_TRUE(child->spawn(options, [](ExitStatus) { FAIL() << "its handle is gone"; }));
  Pipe in(loop), out(loop);
  ASSERT_TRUE(in.open(child->take_pipe(0)));
  ASSERT_TRUE(out.open(child->take_pipe(1)));
  child.reset();
  EXPECT_FALSE(loop.run()) << "nothing keeps the loop";
  std::string text;
  ASSERT_TRUE(out.read_start([&](Result<Bytes> piece) { text += as_text(*piece); }));
  ASSERT_TRUE(in.write(as_bytes("still here\n")));
  run_until([&] { return text == "still here\n"; });
  loop.run();
}

}  // namespace
}  // namespace rondo
