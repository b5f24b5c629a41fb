// What the environment and the kernel decide when a loop or the pool begins: which poller, how many threads; and that the
// ring is not asked in vain. Each case runs in a child of its own (fork), since the choice is made once and the kernel's
// refusal cannot be taken back.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
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
#include <vector>

#include "rondo/loop.h"
#include "rondo/pipe.h"
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

// As a container that forbids io_uring does it.
bool refuse_io_uring() { return filter_calls({SYS_io_uring_setup}, SECCOMP_RET_ERRNO | EPERM); }

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

TEST(PollerChoiceTest, epoll_takes_over_where_the_ring_is_refused_fork) {
  const int code = in_child([] {
    unsetenv("RONDO_POLLER");
    if (!refuse_io_uring()) _exit(kCannotTry);
    Loop loop, asked(LoopOptions{.poller = "uring"});
    return is_poller(loop, "epoll") && is_poller(asked, "epoll") && carries_data(loop) && carries_data(asked);
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

// Who makes one of them dies.
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
