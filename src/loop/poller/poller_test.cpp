// One suite for all real pollers: every operation kind gives the same results, each operation completes exactly once, cancellation
// and re-submission keep the rules of operation.h.
#include "rondo/poller.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "loop/net/net_fixture.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

struct Call {
  Call() {
    operation.then([](Operation& op, const Completion& completion) { static_cast<Call*>(op.owner)->note(completion); },
                   this);
  }
  void note(const Completion& completion) {
    results.push_back(completion.result);
    if (completion.data && completion.result > 0)
      bytes.append(reinterpret_cast<const char*>(completion.data), static_cast<std::size_t>(completion.result));
    if (!completion.more) finals++;
    if (on_note) on_note(completion);
  }
  int last() const { return results.empty() ? INT32_MIN : results.back(); }
  Operation operation;
  std::vector<int> results;
  std::string bytes;
  int finals = 0;
  Function<void(const Completion&)> on_note;
};

class PollerTest : public ::testing::TestWithParam<const char*> {
 protected:
  Loop loop{LoopOptions{.poller = GetParam()}};

  void SetUp() override {
    if (std::string(GetParam()) != loop.poller().name()) GTEST_SKIP() << "refused by this kernel";
  }

  int run(Call& call) {
    loop.submit(call.operation);
    while (call.finals == 0) loop.run(RunMode::Once);
    EXPECT_EQ(call.finals, 1);
    return call.last();
  }

  // A connected pair in the mode this poller wants.
  std::array<UniqueFd, 2> sockets() {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | loop.socket_flags(), 0, fds), 0);
    return {UniqueFd(fds[0]), UniqueFd(fds[1])};
  }

  std::string scratch_path(const char* name) {
    return ::testing::TempDir() + "rondo_" + std::to_string(getpid()) + "_" + GetParam() + "_" + name;
  }
};

TEST_P(PollerTest, S153_has_a_name) { EXPECT_STREQ(loop.poller().name(), GetParam()); }

TEST_P(PollerTest, a_completion_never_comes_from_inside_submit) {
  Call call;
  loop.submit(call.operation);
  EXPECT_TRUE(call.results.empty());
  loop.run();
  EXPECT_EQ(call.results, std::vector<int>{0});
}

TEST_P(PollerTest, send_and_receive) {
  auto pair = sockets();
  Call send, receive;
  char buffer[16] = {};
  receive.operation.recv(pair[1].get(), buffer, sizeof buffer);
  loop.submit(receive.operation);
  send.operation.send(pair[0].get(), "hello", 5);
  EXPECT_EQ(run(send), 5);
  while (receive.finals == 0) loop.run(RunMode::Once);
  EXPECT_EQ(receive.last(), 5);
  EXPECT_STREQ(buffer, "hello");
  for (auto& fd : pair) loop.forget(fd.get());
}

TEST_P(PollerTest, receive_many_into_the_pollers_buffers_until_the_end) {
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get()).repeatedly();
  loop.submit(receive.operation);
  std::string sent;
  for (int i = 0; i < 50; i++) {
    const std::string part(static_cast<std::size_t>(1 + i * 100), static_cast<char>('a' + i % 26));
    sent += part;
    ASSERT_EQ(write(pair[0].get(), part.data(), part.size()), static_cast<ssize_t>(part.size()));
    loop.run(RunMode::Once);
  }
  loop.forget(pair[0].get());
  pair[0].reset();
  while (receive.finals == 0) loop.run(RunMode::Once);
  EXPECT_EQ(receive.bytes, sent);
  EXPECT_EQ(receive.last(), 0) << "end of stream";
  loop.forget(pair[1].get());
}

TEST_P(PollerTest, descriptors_in_non_blocking_mode_work_too) {
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

TEST_P(PollerTest, a_busy_sender_does_not_starve_another) {
  auto busy = sockets();
  auto quiet = sockets();
  fcntl(busy[0].get(), F_SETFL, O_NONBLOCK);
  std::string block(256 * 1024, 'x');
  Call flood, calm;
  flood.operation.recv(busy[1].get()).repeatedly();
  flood.on_note = [&](const Completion&) {
    [[maybe_unused]] auto n = write(busy[0].get(), block.data(), block.size());
  };
  calm.operation.recv(quiet[1].get()).repeatedly();
  loop.submit(flood.operation);
  loop.submit(calm.operation);
  ASSERT_GT(write(busy[0].get(), block.data(), block.size()), 0);
  ASSERT_EQ(write(quiet[0].get(), "hi", 2), 2);
  for (int i = 0; i < 20 && calm.bytes.empty(); i++) loop.run(RunMode::Once);
  EXPECT_EQ(calm.bytes, "hi");
  loop.cancel(flood.operation);
  loop.cancel(calm.operation);
  loop.run();
  for (auto& fd : busy) loop.forget(fd.get());
  for (auto& fd : quiet) loop.forget(fd.get());
}

TEST_P(PollerTest, poll_budget_leaves_the_rest_for_the_next_iteration) {
  loop.set_poll_budget(10);
  std::deque<Call> calls(25);
  for (Call& call : calls) loop.submit(call.operation);
  auto finished = [&] {
    int count = 0;
    for (Call& call : calls) count += call.finals;
    return count;
  };
  loop.run(RunMode::NoWait);
  EXPECT_EQ(finished(), 10);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(finished(), 20);
  loop.run();
  EXPECT_EQ(finished(), 25);
}

TEST_P(PollerTest, tcp_accept_and_connect) {
  if (!testing::can_send(Address::loopback4(9))) GTEST_SKIP() << "the loopback interface is down";
  UniqueFd listener(socket(AF_INET, SOCK_STREAM | loop.socket_flags(), 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(listener.get(), 16), 0);
  getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  Call accept;
  std::vector<UniqueFd> accepted;
  accept.on_note = [&](const Completion& completion) {
    if (completion.result >= 0) accepted.emplace_back(completion.result);
  };
  accept.operation.accept(listener.get()).repeatedly();
  loop.submit(accept.operation);
  std::vector<UniqueFd> clients;
  for (int i = 0; i < 3; i++) {
    clients.emplace_back(socket(AF_INET, SOCK_STREAM | loop.socket_flags(), 0));
    Call connect;
    connect.operation.connect(clients.back().get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    EXPECT_EQ(run(connect), 0);
  }
  while (accepted.size() < 3) loop.run(RunMode::Once);
  EXPECT_TRUE(fcntl(accepted[0].get(), F_GETFD) & FD_CLOEXEC);
  loop.cancel(accept.operation);
  while (accept.finals == 0) loop.run(RunMode::Once);
  EXPECT_EQ(accept.last(), -ECANCELED);
  loop.forget(listener.get());
  listener.reset();
  UniqueFd refused(socket(AF_INET, SOCK_STREAM | loop.socket_flags(), 0));
  Call connect;
  connect.operation.connect(refused.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  EXPECT_EQ(run(connect), -ECONNREFUSED);
  for (auto& fd : clients) loop.forget(fd.get());
  loop.forget(refused.get());
}

TEST_P(PollerTest, cancel_ends_an_operation_exactly_once) {
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get());
  loop.submit(receive.operation);
  loop.run(RunMode::NoWait);
  loop.cancel(receive.operation);
  loop.cancel(receive.operation);
  EXPECT_EQ(receive.finals, 0) << "never from inside cancel";
  loop.run();
  EXPECT_EQ(receive.finals, 1);
  EXPECT_EQ(receive.last(), -ECANCELED);
  // The same operation again, and cancelled before the kernel has seen it.
  loop.submit(receive.operation);
  loop.cancel(receive.operation);
  loop.run();
  EXPECT_EQ(receive.finals, 2);
  for (auto& fd : pair) loop.forget(fd.get());
}

TEST_P(PollerTest, cancellation_races_with_data_and_nothing_is_lost_or_doubled) {
  for (int round = 0; round < 200; round++) {
    auto pair = sockets();
    Call receive;
    receive.operation.recv(pair[1].get());
    loop.submit(receive.operation);
    if (round % 3 == 0) loop.run(RunMode::NoWait);
    ASSERT_EQ(write(pair[0].get(), "x", 1), 1);
    if (round % 2 == 0) loop.run(RunMode::NoWait);
    loop.cancel(receive.operation);
    loop.run();
    ASSERT_EQ(receive.finals, 1);
    const bool got = receive.last() == 1;
    char byte;
    ASSERT_EQ(recv(pair[1].get(), &byte, 1, MSG_DONTWAIT), got ? -1 : 1);
    for (auto& fd : pair) loop.forget(fd.get());
  }
}

TEST_P(PollerTest, poll_once_and_repeatedly) {
  auto pair = sockets();
  Call once, many;
  once.operation.poll(pair[1].get(), POLLIN);
  many.operation.poll(pair[1].get(), POLLIN).repeatedly();
  loop.submit(once.operation);
  loop.submit(many.operation);
  loop.run(RunMode::NoWait);
  EXPECT_TRUE(once.results.empty());
  ASSERT_EQ(write(pair[0].get(), "x", 1), 1);
  while (many.results.empty() || once.finals == 0) loop.run(RunMode::Once);
  EXPECT_TRUE(once.last() & POLLIN);
  const std::size_t before = many.results.size();
  ASSERT_EQ(write(pair[0].get(), "y", 1), 1);
  while (many.results.size() == before) loop.run(RunMode::Once);
  EXPECT_EQ(many.finals, 0);
  Call already;
  already.operation.poll(pair[1].get(), POLLIN);
  EXPECT_TRUE(run(already) & POLLIN);
  loop.cancel(many.operation);
  loop.run();
  EXPECT_EQ(many.finals, 1);
  for (auto& fd : pair) loop.forget(fd.get());
}

TEST_P(PollerTest, pipes_as_streams) {
  int fds[2];
  ASSERT_EQ(pipe2(fds, O_CLOEXEC), 0);
  UniqueFd reader(fds[0]), writer(fds[1]);
  Call read, write;
  char buffer[64 * 1024];
  const std::string big(200 * 1024, 'p');
  std::string got;
  std::size_t sent = 0;
  Operation& input = read.operation;
  read.on_note = [&](const Completion& completion) {
    if (completion.result <= 0) return;
    got.append(buffer, static_cast<std::size_t>(completion.result));
    if (got.size() < big.size()) loop.submit(input);
  };
  write.on_note = [&](const Completion& completion) {
    ASSERT_GT(completion.result, 0);
    sent += static_cast<std::size_t>(completion.result);
    if (sent < big.size()) {
      write.operation.write(writer.get(), big.data() + sent, static_cast<std::uint32_t>(big.size() - sent)).as_stream();
      loop.submit(write.operation);
    }
  };
  input.read(reader.get(), buffer, sizeof buffer).as_stream();
  write.operation.write(writer.get(), big.data(), static_cast<std::uint32_t>(big.size())).as_stream();
  loop.submit(input);
  loop.submit(write.operation);
  loop.run();
  EXPECT_EQ(got, big);
  loop.forget(reader.get());
  loop.forget(writer.get());
}

TEST_P(PollerTest, S157_files) {
  const std::string path = scratch_path("file"), other = path + "2", link = path + "l", soft = path + "s",
                    folder = path + "d";
  auto call = [&](auto&& fill) {
    Call one;
    fill(one.operation);
    return run(one);
  };
  const int fd = call([&](Operation& op) { op.openat(AT_FDCWD, path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644); });
  ASSERT_GE(fd, 0);
  EXPECT_TRUE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  EXPECT_EQ(call([&](Operation& op) { op.write(fd, "0123456789", 10); }), 10);
  EXPECT_EQ(call([&](Operation& op) { op.write(fd, "AB", 2, 4); }), 2);
  iovec parts[2] = {{const_cast<char*>("xy"), 2}, {const_cast<char*>("z"), 1}};
  EXPECT_EQ(call([&](Operation& op) { op.writev(fd, parts, 2, 10); }), 3);
  char buffer[64] = {};
  EXPECT_EQ(call([&](Operation& op) { op.read(fd, buffer, sizeof buffer, 0); }), 13);
  EXPECT_STREQ(buffer, "0123AB6789xyz");
  EXPECT_EQ(call([&](Operation& op) { op.read(fd, buffer, sizeof buffer, 100); }), 0);
  char first[4] = {}, second[4] = {};
  iovec into[2] = {{first, 3}, {second, 3}};
  EXPECT_EQ(call([&](Operation& op) { op.readv(fd, into, 2, 0); }), 6);
  EXPECT_STREQ(second, "3AB");
  EXPECT_EQ(call([&](Operation& op) { op.fsync(fd); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.fsync(fd, true); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.ftruncate(fd, 5); }), 0);
  struct statx info{};
  EXPECT_EQ(call([&](Operation& op) { op.statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &info); }), 0);
  EXPECT_EQ(info.stx_size, 5u);
  EXPECT_EQ(call([&](Operation& op) { op.statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &info); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.close(fd); }), 0);
  EXPECT_EQ(fcntl(fd, F_GETFD), -1);
  EXPECT_EQ(call([&](Operation& op) { op.linkat(AT_FDCWD, path.c_str(), AT_FDCWD, link.c_str()); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.symlinkat(path.c_str(), AT_FDCWD, soft.c_str()); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.renameat(AT_FDCWD, path.c_str(), AT_FDCWD, other.c_str()); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &info); }), -ENOENT);
  EXPECT_EQ(call([&](Operation& op) { op.mkdirat(AT_FDCWD, folder.c_str(), 0755); }), 0);
  EXPECT_EQ(call([&](Operation& op) { op.mkdirat(AT_FDCWD, folder.c_str(), 0755); }), -EEXIST);
  EXPECT_EQ(call([&](Operation& op) { op.unlinkat(AT_FDCWD, folder.c_str(), AT_REMOVEDIR); }), 0);
  for (const std::string& name : {other, link, soft}) {
    EXPECT_EQ(call([&](Operation& op) { op.unlinkat(AT_FDCWD, name.c_str()); }), 0);
  }
}

TEST_P(PollerTest, whole_files_in_one_operation) {
  const std::string path = scratch_path("whole");
  UniqueFd file(open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600));
  ASSERT_EQ(write(file.get(), "whole file", 10), 10);
  std::deque<Call> calls(200);
  std::vector<std::array<char, 32>> buffers(calls.size());
  for (std::size_t i = 0; i < calls.size(); i++) {
    calls[i].operation.read_file(AT_FDCWD, path.c_str(), buffers[i].data(), 32);
    loop.submit(calls[i].operation);
  }
  Call missing;
  char unused[8];
  missing.operation.read_file(AT_FDCWD, "/nowhere/at/all", unused, sizeof unused);
  EXPECT_EQ(run(missing), -ENOENT);
  loop.run();
  for (std::size_t i = 0; i < calls.size(); i++) {
    ASSERT_EQ(calls[i].finals, 1);
    ASSERT_EQ(calls[i].last(), 10);
    ASSERT_EQ(std::string(buffers[i].data(), 10), "whole file");
  }
  unlink(path.c_str());
}

TEST_P(PollerTest, more_operations_than_the_queues_hold) {
  std::deque<Call> calls(20000);
  for (Call& call : calls) loop.submit(call.operation);
  loop.run();
  for (Call& call : calls) ASSERT_EQ(call.finals, 1);
}

TEST_P(PollerTest, the_backend_descriptor_drives_the_loop_from_outside) {
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

// What other threads send reaches a loop that a foreign one sleeps for.
TEST_P(PollerTest, a_foreign_loop_hears_of_posts_and_pool_jobs) {
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

TEST_P(PollerTest, an_idle_loop_sleeps_without_waking) {
  Timer timer(loop);
  timer.start(60ms, [] {});
  rusage before, after;
  getrusage(RUSAGE_THREAD, &before);
  const std::uint64_t first = loop.iterations();
  loop.run();
  getrusage(RUSAGE_THREAD, &after);
  EXPECT_LE(loop.iterations() - first, 5u);  // a stray signal may interrupt a wait
  EXPECT_LE(after.ru_nvcsw - before.ru_nvcsw, 8);
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

TEST_P(PollerTest, works_in_the_child_after_fork_and_stays_whole_in_the_parent) {
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

TEST_P(PollerTest, privileges_dropped_after_the_start_are_gone) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to drop from";
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer allows no new threads after fork";
#endif
#endif
  const std::string path = scratch_path("secret");
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
  unlink(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(Pollers, PollerTest, ::testing::Values("epoll", "uring"));

}  // namespace
}  // namespace rondo
