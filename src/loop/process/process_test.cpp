// Child processes: exit codes, stdio, environment, errors of exec, signals, identity, no leaks, no zombies.
#include "rondo/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>

#include "loop/process/process_tree.h"
#include "rondo/loop.h"
#include "rondo/pipe.h"
#include "rondo/timer.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class ProcessTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    char name[] = "/tmp/rondo_process_XXXXXX";
    folder = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  ProcessOptions shell(const std::string& script) {
    ProcessOptions options;
    options.file = "/bin/sh";
    options.args = {"sh", "-c", script};
    return options;
  }

  // Runs to the end; returns what it wrote to descriptor 1.
  std::string output(ProcessOptions options) {
    options.stdio.resize(3);
    options.stdio[1] = Stdio::pipe();
    ChildProcess child(loop);
    const Result<void> spawned = child.spawn(options, [&](ExitStatus result) { status = result; });
    EXPECT_TRUE(spawned) << spawned.error().name();
    const UniqueFd pipe = child.take_pipe(1);
    loop.run();
    fcntl(pipe.get(), F_SETFL, 0);
    std::string text;
    char part[4096];
    for (ssize_t got; (got = read(pipe.get(), part, sizeof part)) > 0;)
      text.append(part, static_cast<std::size_t>(got));
    return text;
  }

  ExitStatus run(const ProcessOptions& options) {
    ChildProcess child(loop);
    EXPECT_TRUE(child.spawn(options, [&](ExitStatus result) { status = result; }));
    EXPECT_FALSE(loop.run());
    return status;
  }

  int error_of(const ProcessOptions& options) {
    ChildProcess child(loop);
    const Result<void> spawned = child.spawn(options, [](ExitStatus) {});
    return spawned ? 0 : spawned.error().number;
  }

  Loop loop{LoopOptions{.poller = GetParam()}};
  ExitStatus status{-1, -1};
  std::string folder;
};

TEST_P(ProcessTest, S104_a_childs_end_is_an_event_of_the_loop) {
  EXPECT_EQ(run(shell("exit 7")).code, 7);
  EXPECT_EQ(status.signal, 0);
}

TEST_P(ProcessTest, ended_by_a_signal) {
  run(shell("kill -TERM $$"));
  EXPECT_EQ(status.signal, SIGTERM);
  EXPECT_EQ(status.code, 0);
}

// Both are ready when the loop looks; the order in which they were told to the kernel must not matter.
TEST_P(ProcessTest, the_end_comes_behind_the_ends_of_its_pipes) {
  for (int round = 0; round < 8; round++) {
    ProcessOptions options = shell("exit 0");
    options.stdio = {Stdio::pipe(), Stdio::pipe(), Stdio::pipe()};
    ChildProcess child(loop);
    std::string order;
    ASSERT_TRUE(child.spawn(options, [&](ExitStatus) { order += 'x'; }));
    Pipe out(loop), err(loop);
    ASSERT_TRUE(out.open(child.take_pipe(1)));
    ASSERT_TRUE(err.open(child.take_pipe(2)));
    ASSERT_TRUE(out.read_start([&](Result<Bytes>) { order += 'o', out.close(); }));
    ASSERT_TRUE(err.read_start([&](Result<Bytes>) { order += 'e', err.close(); }));
    siginfo_t info;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT), 0);
    loop.run();
    EXPECT_EQ(order.size(), 3u);
    EXPECT_EQ(order.back(), 'x');
  }
}

TEST_P(ProcessTest, pipes_carry_data_both_ways) {
  ProcessOptions options = shell("read line; echo \"got $line\"");
  options.stdio = {Stdio::pipe(), Stdio::pipe(), Stdio::inherit(2)};
  ChildProcess child(loop);
  ASSERT_TRUE(child.spawn(options, [](ExitStatus) {}));
  UniqueFd in = child.take_pipe(0), out = child.take_pipe(1);
  EXPECT_FALSE(child.take_pipe(1));
  EXPECT_FALSE(child.take_pipe(9));
  ASSERT_EQ(write(in.get(), "word\n", 5), 5);
  loop.run();
  char text[32] = {};
  EXPECT_EQ(read(out.get(), text, sizeof text), 9);
  EXPECT_STREQ(text, "got word\n");
}

TEST_P(ProcessTest, argv0_cwd_and_environment) {
  ProcessOptions options = shell("");
  options.args = {"called", "-c", "echo $0 $PWD $NAME; env | wc -l"};
  options.cwd = folder;
  options.env = {{"NAME=value", "PATH=/usr/bin:/bin"}};
  EXPECT_TRUE(output(options).starts_with("called " + folder + " value\n"));
}

TEST_P(ProcessTest, path_of_the_childs_environment_is_searched) {
  const std::string tool = folder + "/our_tool";
  std::ofstream(tool) << "#!/bin/sh\necho found\n";
  chmod(tool.c_str(), 0755);
  ProcessOptions options;
  options.file = "our_tool";
  options.env = {{"PATH=/nowhere:/nowhere/else"}};
  EXPECT_EQ(error_of(options), ENOENT);
  options.env = {{"PATH=/nowhere:" + folder}};
  EXPECT_EQ(output(options), "found\n");
}

TEST_P(ProcessTest, a_script_without_a_first_line_is_run_by_the_shell) {
  const std::string tool = folder + "/plain";
  std::ofstream(tool) << "echo $1\n";
  chmod(tool.c_str(), 0755);
  ProcessOptions options;
  options.file = tool;
  options.args = {tool, "argument"};
  EXPECT_EQ(output(options), "argument\n");
}

TEST_P(ProcessTest, errors_of_exec_are_exact) {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }  // children of the process that called exec
  ProcessOptions options;
  options.file = "/does/not/exist";
  EXPECT_EQ(error_of(options), ENOENT);
  options.file = "/etc/passwd/x";
  EXPECT_EQ(error_of(options), ENOTDIR);
  std::ofstream(folder + "/text") << "no program";
  options.file = folder + "/text";
  EXPECT_EQ(error_of(options), EACCES);
  options = shell("exit 0");
  options.cwd = folder + "/missing";
  EXPECT_EQ(error_of(options), ENOENT);
  options.cwd.clear();
  options.stdio = {Stdio::inherit(9999)};
  EXPECT_EQ(error_of(options), EBADF);
  EXPECT_FALSE(loop.alive());
  EXPECT_LE(waitpid(-1, nullptr, WNOHANG), 0);  // no zombie
}

TEST_P(ProcessTest, descriptors_may_be_swapped_and_nothing_else_leaks) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // without close-on-exec, on purpose
  ProcessOptions options = shell("echo out; echo err >&2; echo three >&3; ls /proc/self/fd | tr '\\n' ' ' >&3");
  const UniqueFd out(open((folder + "/1").c_str(), O_RDWR | O_CREAT, 0600));
  const UniqueFd err(open((folder + "/2").c_str(), O_RDWR | O_CREAT, 0600));
  const UniqueFd three(open((folder + "/3").c_str(), O_RDWR | O_CREAT, 0600));
  options.stdio = {Stdio::ignore(), Stdio::inherit(out.get()), Stdio::inherit(err.get()), Stdio::inherit(three.get())};
  run(options);
  close(ends[0]);
  close(ends[1]);
  std::string line, rest;
  std::getline(std::ifstream(folder + "/1"), line);
  EXPECT_EQ(line, "out");
  std::getline(std::ifstream(folder + "/2"), line);
  EXPECT_EQ(line, "err");
  std::ifstream third(folder + "/3");
  std::getline(third, line);
  std::getline(third, rest);
  EXPECT_EQ(line, "three");
  EXPECT_EQ(rest, "0 1 2 3 4 ");  // 4 is ls's own look at the folder
}

TEST_P(ProcessTest, standard_streams_two_and_one_exchanged) {
  int saved[2] = {dup(1), dup(2)};
  int file = open((folder + "/two").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  dup2(file, 2);
  ProcessOptions options = shell("echo to_one");
  options.stdio = {Stdio::ignore(), Stdio::inherit(2), Stdio::inherit(1)};
  run(options);
  dup2(saved[1], 2);
  std::string line;
  std::getline(std::ifstream(folder + "/two"), line);
  EXPECT_EQ(line, "to_one");
  for (int fd : {saved[0], saved[1], file}) close(fd);
}

TEST_P(ProcessTest, kill_and_kill_after_the_end) {
  ChildProcess child(loop);
  ProcessOptions options = shell("exec sleep 100");
  ASSERT_TRUE(child.spawn(options, [&](ExitStatus result) { status = result; }));
  EXPECT_TRUE(child.kill(0));
  EXPECT_TRUE(child.kill(SIGKILL));
  loop.run();
  EXPECT_EQ(status.signal, SIGKILL);
  EXPECT_EQ(child.kill(SIGKILL).error().number, ESRCH);
}

TEST_P(ProcessTest, detached_leads_its_own_session) {
  ProcessOptions options = shell("cut -d' ' -f1,5,6 /proc/$$/stat");
  options.detached = true;
  const std::string text = output(options);
  int pid = 0, group = 0, session = 0;
  ASSERT_EQ(sscanf(text.c_str(), "%d %d %d", &pid, &group, &session), 3) << text;
  EXPECT_EQ(pid, group);
  EXPECT_EQ(pid, session);
}

TEST_P(ProcessTest, identity) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  ProcessOptions options = shell("id -u; id -g; id -G");
  options.uid = 65534;
  options.gid = 65533;
  EXPECT_EQ(output(options), "65534\n65533\n65533\n");
}

// A signal made ignored and blocked, by the kernel's own call: the C library keeps 32 and 33 to itself.
class IgnoredAndBlocked {
 public:
  explicit IgnoredAndBlocked(int number) : number_(number) {
    const unsigned long ignore[5] = {1};  // the handler is SIG_IGN, no flags
    const std::uint64_t mask = 1ULL << (number - 1);
    syscall(SYS_rt_sigaction, number, ignore, action_, sizeof mask);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, &mask_, sizeof mask);
  }
  ~IgnoredAndBlocked() {
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask_, nullptr, sizeof mask_);
    syscall(SYS_rt_sigaction, number_, action_, nullptr, sizeof mask_);
  }

 private:
  int number_;
  unsigned long action_[5] = {};
  std::uint64_t mask_ = 0;
};

TEST_P(ProcessTest, ignored_and_blocked_signals_are_not_inherited) {
  for (const int number : {SIGHUP, SIGPIPE, SIGUSR2, 32, 33, 64}) {
    const IgnoredAndBlocked parent(number);
    ExitStatus ended = run(shell("kill -" + std::to_string(number) + " $$; exit 7"));
    EXPECT_EQ(ended.signal, number) << "exit code " << ended.code;
  }
}

TEST_P(ProcessTest, unref_and_close_do_not_wait_and_leave_no_zombie) {
  {
    ChildProcess child(loop);
    ASSERT_TRUE(child.spawn(shell("exit 0"), [](ExitStatus) { FAIL() << "callback after close"; }));
    child.close();
    EXPECT_FALSE(loop.run());
  }
  {
    ChildProcess child(loop);
    ASSERT_TRUE(child.spawn(shell("exit 0"), [](ExitStatus) {}));
    child.unref();
    EXPECT_FALSE(loop.run(RunMode::NoWait));
  }
  // The loop still reaps them.
  Timer timer(loop);
  timer.start(
      1ms,
      [&] {
        siginfo_t info{};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD) timer.stop();
      },
      1ms);
  loop.run();
  EXPECT_LT(waitpid(-1, nullptr, WNOHANG), 0);
}

TEST_P(ProcessTest, many_at_once_all_end_once) {
  constexpr int kCount = 50;
  std::vector<std::unique_ptr<ChildProcess>> children;
  int ended = 0, sum = 0;
  for (int i = 0; i < kCount; i++) {
    children.push_back(std::make_unique<ChildProcess>(loop));
    ASSERT_TRUE(children.back()->spawn(shell("exit " + std::to_string(i)), [&, i](ExitStatus result) {
      ended++;
      sum += result.code;
      children[static_cast<std::size_t>(i)].reset();  // its own handle, inside its callback
    }));
  }
  loop.run();
  EXPECT_EQ(ended, kCount);
  EXPECT_EQ(sum, kCount * (kCount - 1) / 2);
}

TEST_P(ProcessTest, kill_tree_ends_grandchildren) {
  ProcessOptions options = shell("sh -c 'sleep 1000 & echo $!; wait' & wait");
  options.stdio = {Stdio::ignore(), Stdio::pipe(), Stdio::inherit(2)};
  ChildProcess child(loop);
  ASSERT_TRUE(child.spawn(options, [&](ExitStatus result) { status = result; }));
  const UniqueFd pipe = child.take_pipe(1);
  fcntl(pipe.get(), F_SETFL, 0);
  char text[32] = {};
  ASSERT_GT(read(pipe.get(), text, sizeof text - 1), 0);
  const pid_t grandchild = atoi(text);
  EXPECT_EQ(kill(grandchild, 0), 0);
  ASSERT_TRUE(kill_tree(child.pid(), SIGKILL));
  loop.run();
  EXPECT_EQ(status.signal, SIGKILL);
  EXPECT_EQ(read(pipe.get(), text, 1), 0);  // every holder of the other end is gone
  EXPECT_EQ(kill_tree(child.pid(), SIGKILL).error().number, ESRCH);
}

// The process that ends the tree may be in it: it goes last, and is not stopped before.
TEST_P(ProcessTest, kill_tree_may_be_asked_for_by_a_member) {
  for (const int signal : {SIGKILL, SIGTERM}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    UniqueFd reader(ends[0]), writer(ends[1]);
    const pid_t root = fork();
    if (root == 0) {
      if (fork() == 0) {
        for (;;) pause();
      }
      (void)kill_tree(getpid(), signal);
      _exit(1);
    }
    writer.reset();
    int result = 0;
    ASSERT_EQ(waitpid(root, &result, WUNTRACED), root);
    EXPECT_TRUE(WIFSIGNALED(result) && WTERMSIG(result) == signal) << result;
    if (WIFSTOPPED(result)) (void)kill_tree(root, SIGKILL), waitpid(root, nullptr, 0);
    char byte;
    EXPECT_EQ(read(reader.get(), &byte, 1), 0) << "the grandchild is gone too";
  }
}

TEST(ProcessTree, parent_is_found_behind_any_name) {
  EXPECT_EQ(parent_in_stat("12 (a) S 34 12 12 0"), 34);
  EXPECT_EQ(parent_in_stat("12 (a) b) (c) S 34 12"), 34);
  EXPECT_FALSE(parent_in_stat("12 (a"));
  EXPECT_FALSE(parent_in_stat("12 (a)"));
  EXPECT_FALSE(parent_in_stat("12 (a) S -1"));
  EXPECT_FALSE(parent_in_stat(""));
}

INSTANTIATE_TEST_SUITE_P(Pollers, ProcessTest, ::testing::Values("epoll", "uring"));

}  // namespace
}  // namespace rondo
