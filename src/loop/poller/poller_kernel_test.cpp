// Behaviour that only a poller over a real kernel can show: descriptors in either blocking mode, the descriptor that foreign loops sleep
// on, rest, fork, privileges, more completions than the kernel's queue holds. A simulation has no kernel objects, so it has none of these.
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

#include "loop/poller/poller_fixture.h"

namespace rondo::testing {
namespace {

using namespace std::chrono_literals;

class KernelPollerTest : public PollerTest {};
INSTANTIATE_TEST_SUITE_P(Pollers, KernelPollerTest, ::testing::Values("epoll", "uring"), name_of);

TEST_P(KernelPollerTest, descriptors_in_non_blocking_mode_work_too) {
  auto pair = sockets();
  for (auto& fd : pair) fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
  Call receive;
  receive.operation.recv(pair[1].get()).repeatedly();
  loop.submit(receive.operation);
  loop.run(RunMode::NoWait);
  EXPECT_TRUE(receive.results.empty()) << "EAGAIN never reaches a completion";
  ASSERT_EQ(write(pair[0].get(), "late", 4), 4);
  while (receive.bytes.size() < 4) loop.run(RunMode::Once);
  EXPECT_EQ(receive.bytes, "late");
  loop.cancel(receive.operation);
  while (receive.finals == 0) loop.run(RunMode::Once);
  for (auto& fd : pair) loop.forget(fd.get());
}

TEST_P(KernelPollerTest, the_backend_descriptor_drives_the_loop_from_outside) {
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get());
  loop.submit(receive.operation);
  Timer timer(loop);
  bool fired = false;
  timer.start(1ms, [&] { fired = true; });
  ASSERT_EQ(write(pair[0].get(), "x", 1), 1);
  while (loop.alive()) {
    const Nanoseconds deadline = loop.next_deadline();
    pollfd query{loop.backend_fd(), POLLIN, 0};
    const Nanoseconds left =
        deadline == kNever ? -1 : std::max<Nanoseconds>(0, (deadline - loop.now() + 999'999) / 1'000'000);
    ::poll(&query, 1, static_cast<int>(left));
    loop.run(RunMode::NoWait);
  }
  EXPECT_TRUE(fired);
  EXPECT_EQ(receive.last(), 1);
  for (auto& fd : pair) loop.forget(fd.get());
}

// A function sent by another thread reaches a loop that a foreign one sleeps for.
TEST_P(KernelPollerTest, a_foreign_loop_hears_of_posts_and_pool_jobs) {
  loop.run(RunMode::NoWait);
  const Loop::KeepAlive awaited(loop);
  for (int round = 0; round < 20; round++) {
    bool posted = false, worked = false;
    run_on_pool(loop, JobClass::User, [] {}, [&] { worked = true; });
    std::thread other([&] { loop.post([&] { posted = true; }); });
    while (!posted || !worked) {
      const Nanoseconds deadline = loop.next_deadline();
      pollfd query{loop.backend_fd(), POLLIN, 0};
      ASSERT_GE(::poll(&query, 1, deadline == kNever ? 20'000 : 0), deadline == kNever ? 1 : 0) << "no one rang";
      loop.run(RunMode::NoWait);
    }
    other.join();
  }
}

TEST_P(KernelPollerTest, an_idle_loop_sleeps_without_waking) {
  // The kernel has reasons of its own to put a thread to sleep (a page to be read), so the quietest of some rounds counts.
  long fewest_sleeps = INT32_MAX;
  for (int round = 0; round < 10 && fewest_sleeps > 2; round++) {
    Timer timer(loop);
    timer.start(60ms, [] {});
    rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    const std::uint64_t first = loop.iterations();
    loop.run();
    getrusage(RUSAGE_THREAD, &after);
    EXPECT_LE(loop.iterations() - first, 5u);  // a stray signal may interrupt a wait
    fewest_sleeps = std::min(fewest_sleeps, after.ru_nvcsw - before.ru_nvcsw);
  }
  EXPECT_LE(fewest_sleeps, 8);
}

// A child that returns from `body` true ends with 0.
template <class Body>
bool in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(KernelPollerTest, works_in_the_child_after_fork_and_stays_whole_in_the_parent) {
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get());
  loop.submit(receive.operation);
  loop.run(RunMode::NoWait);
  EXPECT_TRUE(in_child([&] {
    alarm(20);
    loop.after_fork();
    Timer timer(loop);
    bool fired = false;
    timer.start(1ms, [&] { fired = true; });
    while (!fired) loop.run(RunMode::Once);
    if (write(pair[0].get(), "c", 1) != 1) return false;
    while (receive.finals == 0) loop.run(RunMode::Once);
    return receive.last() == 1;
  }));
  ASSERT_EQ(write(pair[0].get(), "p", 1), 1);
  loop.run();
  EXPECT_EQ(receive.finals, 1);
  EXPECT_EQ(receive.last(), 1);
  for (auto& fd : pair) loop.forget(fd.get());
}

TEST_P(KernelPollerTest, privileges_dropped_after_the_start_are_gone) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to drop from";
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer allows no new threads after fork";
#endif
#endif
  const std::string path = world->folder() + "/secret";
  UniqueFd file(open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600));
  const char* poller = GetParam();
  EXPECT_TRUE(in_child([&] {
    alarm(20);
    ThreadPool::after_fork();
    Loop own(LoopOptions{.poller = poller});
    Call warm;
    own.submit(warm.operation);
    own.run();
    if (setgid(65534) != 0 || setuid(65534) != 0) return false;
    Call secret;
    secret.operation.openat(AT_FDCWD, path.c_str(), O_RDONLY);
    own.submit(secret.operation);
    own.run();
    return secret.last() == -EACCES;
  }));
}

TEST_P(KernelPollerTest, what_is_accepted_and_opened_is_closed_on_exec) {
  Address address;
  UniqueFd listener = world->listen(loop, address);
  if (!listener) GTEST_SKIP() << "the loopback interface is down";
  Call accept;
  accept.operation.accept(listener.get());
  loop.submit(accept.operation);
  UniqueFd client = world->socket(loop);
  EXPECT_EQ(result_of([&](Operation& op) { op.connect(client.get(), address.data(), address.size()); }), 0);
  run_until([&] { return accept.finals == 1; });
  const UniqueFd accepted(accept.last());
  EXPECT_TRUE(fcntl(accepted.get(), F_GETFD) & FD_CLOEXEC);
  const std::string path = world->folder() + "/opened";
  const UniqueFd opened(result_of([&](Operation& op) { op.openat(AT_FDCWD, path.c_str(), O_CREAT | O_WRONLY, 0600); }));
  EXPECT_TRUE(fcntl(opened.get(), F_GETFD) & FD_CLOEXEC);
  forget(listener, client);
}

// Thousands of completions arrive between two polls: more than the ring's completion queue holds.
TEST_P(KernelPollerTest, more_completions_than_the_queue_holds) {
  auto pair = sockets();
  std::deque<Call> polls(20000);
  for (Call& call : polls) {
    call.operation.poll(pair[1].get(), POLLIN);
    loop.submit(call.operation);
  }
  loop.run(RunMode::NoWait);
  ASSERT_EQ(world->put(pair[0].get(), "x"), 1);
  loop.run();
  for (Call& call : polls) {
    ASSERT_EQ(call.finals, 1);
    ASSERT_EQ(call.last(), POLLIN);
  }
  forget(pair[0], pair[1]);
}

}  // namespace
}  // namespace rondo::testing
