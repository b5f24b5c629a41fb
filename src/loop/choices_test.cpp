// Choices by environment and kernel when a loop or the pool begins: which poller, how many threads; and that the
// ring is not asked in vain. Each case runs in a child of its own (fork), since the choice is made once and the kernel's
// refusal cannot be taken back.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <vector>

#include "rondo/loop.h"
#include "rondo/pipe.h"
#include "rondo/process.h"
#include "rondo/thread_pool.h"

namespace rondo {
namespace {

constexpr int kCannotTry = 77;

// 0 when `body` returns true.
template <class Body>
int in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    ThreadPool::after_fork();
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// From here on `action` answers those system calls of this process.
bool filter_calls(std::initializer_list<int> numbers, std::uint32_t action) {
  std::vector<sock_filter> program;
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const int number : numbers) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, action));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// As a container that forbids them does it.
bool refuse(std::initializer_list<int> calls) { return filter_calls(calls, SECCOMP_RET_ERRNO | EPERM); }

bool is_poller(Loop& loop, const char* name) { return std::strcmp(loop.poller().name(), name) == 0; }

// A byte goes from one end of a socket pair to the other.
bool carries_data(Loop& loop) {
  auto pair = make_socket_pair();
  if (!pair) return false;
  Pipe one(loop), two(loop);
  bool has_come = false;
  if (!one.open(std::move(pair->first)) || !two.open(std::move(pair->second))) return false;
  (void)two.read_start([&](Result<Bytes> piece) {
    has_come = piece && as_text(*piece) == "x";
    one.close();
    two.close();
  });
  (void)one.write_copy(as_bytes("x"));
  loop.run();
  return has_come;
}

TEST(PollerChoiceTest, epoll_takes_over_where_the_ring_or_one_of_its_calls_is_refused_fork) {
  for (const int call : {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register}) {
    const int code = in_child([call] {
      unsetenv("RONDO_POLLER");
      if (!refuse({call})) _exit(kCannotTry);
      Loop loop, asked(LoopOptions{.poller = "uring"});
      return is_poller(loop, "epoll") && is_poller(asked, "epoll") && carries_data(loop) && carries_data(asked);
    });
    if (code == kCannotTry) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(code, 0) << "system call " << call;
  }
}

ProcessOptions shell(const char* script) { return {.file = "/bin/sh", .args = {"sh", "-c", script}}; }

// Several children of one loop: at once over, killed, closed early, one that ends after another loop's has.
bool runs_children(const char* poller) {
  Loop loop(LoopOptions{.poller = poller});
  ChildProcess quick(loop), killed(loop), failing(loop);
  int code = -1, signal = 0, ends = 0;
  if (!quick.spawn(shell("exit 0"), [&](ExitStatus) { ends++; })) return false;
  if (!killed.spawn(shell("exec sleep 100"), [&](ExitStatus status) { ends++, signal = status.signal; })) return false;
  if (!failing.spawn(shell("exit 7"), [&](ExitStatus status) { ends++, code = status.code; })) return false;
  auto forgotten = std::make_unique<ChildProcess>(loop);
  if (!forgotten->spawn(shell("exit 1"), [](ExitStatus) {})) return false;
  forgotten.reset();
  if (!killed.kill(SIGKILL)) return false;
  loop.run();
  return ends == 3 && signal == SIGKILL && code == 7 && killed.kill(0) == failure(ESRCH, "kill");
}

TEST(ChildChoiceTest, children_are_heard_of_by_signal_where_pidfds_are_refused_fork) {
  for (const char* poller : {"epoll", "uring"}) {
    for (const int call : {SYS_pidfd_open, SYS_pidfd_send_signal}) {
      const int code = in_child([=] {
        if (!refuse({call})) _exit(kCannotTry);
        const auto outcome = run_process({.process = shell("exit 3")});
        return runs_children(poller) && outcome && outcome->status.code == 3;
      });
      if (code == kCannotTry) GTEST_SKIP() << "no seccomp here";
      EXPECT_EQ(code, 0) << poller << ", system call " << call;
    }
  }
}

// The handle is gone, then the loop: the child is no zombie for good.
TEST(ChildChoiceTest, forgotten_children_are_reaped_without_pidfds_fork) {
  const int code = in_child([] {
    if (!refuse({SYS_pidfd_open})) _exit(kCannotTry);
    pid_t pid = 0;
    {
      Loop loop;
      ChildProcess forgotten(loop);
      if (!forgotten.spawn(shell("exit 0"), [](ExitStatus) {})) return false;
      pid = forgotten.pid();
    }
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0) return false;
    Loop loop;
    ChildProcess next(loop);
    if (!next.spawn(shell("exit 0"), [](ExitStatus) {})) return false;
    loop.run();
    return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | WNOHANG) < 0 && errno == ECHILD;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(code, 0);
}

TEST(PollerChoiceTest, the_environment_chooses_fork) {
  EXPECT_EQ(in_child([] {
              setenv("RONDO_POLLER", "epoll", 1);
              Loop loop;
              return is_poller(loop, "epoll") && carries_data(loop);
            }),
            0);
}

// A process that makes one of these calls dies.
TEST(PollerChoiceTest, with_work_at_hand_the_ring_is_asked_without_a_system_call_fork) {
  const int code = in_child([] {
    Loop loop(LoopOptions{.poller = "uring"});
    if (!is_poller(loop, "uring")) _exit(kCannotTry);
    Idle idle(loop);
    Check check(loop);
    int turns = 0;
    idle.start([] {});
    check.start([&] {
      turns++;
      if (turns == 10 && !filter_calls({SYS_io_uring_enter, SYS_epoll_pwait, SYS_ppoll, SYS_read, SYS_write},
                                       SECCOMP_RET_KILL_PROCESS))
        _exit(kCannotTry);
      if (turns == 1000) _exit(0);
    });
    loop.run();
    return false;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no io_uring or no seccomp here";
  EXPECT_EQ(code, 0);
}

TEST(PoolChoiceTest, the_environment_sets_the_number_of_threads_fork) {
  const auto size_with = [](const char* value) {
    if (value) {
      setenv("UV_THREADPOOL_SIZE", value, 1);
    } else {
      unsetenv("UV_THREADPOOL_SIZE");
    }
    return ThreadPool::shared().size();
  };
  EXPECT_EQ(in_child([&] { return size_with(nullptr) == 4; }), 0);
  EXPECT_EQ(in_child([&] { return size_with("7") == 7; }), 0);
  EXPECT_EQ(in_child([&] { return size_with("1024") == 1024; }), 0);
  for (const char* wrong : {"0", "1025", "-1", "many", ""}) {
    EXPECT_EQ(in_child([&] {
                close(2);  // the warning
                return size_with(wrong) == 4;
              }),
              0)
        << wrong;
  }
}

}  // namespace
}  // namespace rondo
