// Large pieces through receives that use the poller's buffers: io_uring changes its way of receiving there and back, epoll trusts short
// reads. Whatever comes when, every byte arrives once and in order, and each operation ends once.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>
#include <tuple>

#include "loop/net/net_fixture.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"
#include "rondo/sim.h"

namespace rondo {
namespace {

class BulkTest : public ::testing::TestWithParam<std::tuple<const char*, int>> {
 protected:
  BulkTest() : loop(LoopOptions{.poller = std::get<0>(GetParam())}) {
    receive.recv(-1).repeatedly();
    receive.then(
        [](Operation& op, const Completion& completion) { static_cast<BulkTest*>(op.owner)->note(completion); }, this);
  }
  void SetUp() override {
    if (std::strcmp(loop.poller().name(), std::get<0>(GetParam())) != 0) GTEST_SKIP() << "refused by this kernel";
    if (is_tcp() && !testing::can_send(Address::loopback4(9))) GTEST_SKIP() << "the loopback interface is down";
    is_tcp() ? connect_tcp() : connect_unix();
    fcntl(sender.get(), F_SETFL, O_NONBLOCK);
    receive.fd = receiver.get();
    loop.submit(receive);
  }
  void TearDown() override {
    if (receive.is_in_flight()) cancel();
    if (receiver) loop.forget(receiver.get());
  }

  static bool is_tcp() { return std::get<1>(GetParam()) == AF_INET; }

  void connect_unix() {
    int fds[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | loop.socket_flags(), 0, fds), 0);
    sender.reset(fds[0]);
    receiver.reset(fds[1]);
  }
  void connect_tcp() {
    UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(listen(listener.get(), 1), 0);
    getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
    sender.reset(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(connect(sender.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    receiver.reset(accept4(listener.get(), nullptr, nullptr, loop.socket_flags()));
    ASSERT_TRUE(receiver);
  }

  void note(const Completion& completion) {
    if (completion.result > 0 && completion.data) {
      got.append(reinterpret_cast<const char*>(completion.data), static_cast<std::size_t>(completion.result));
    } else {
      last = completion.result;
    }
    pieces++;
    if (!completion.more) finals++;
    if (on_note) on_note();
  }

  // Bytes that tell their place in the stream.
  std::string bytes(std::size_t count) {
    std::string text(count, '\0');
    for (char& byte : text) byte = static_cast<char>((written_++ * 2654435761u) >> 13);
    return text;
  }
  void send(std::size_t count) {
    const std::string text = bytes(count);
    sent += text;
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = write(sender.get(), text.data() + done, text.size() - done);
      if (n > 0) done += static_cast<std::size_t>(n);
      if (done < text.size()) loop.run(RunMode::NoWait);
    }
  }
  void receive_all() {
    while (got.size() < sent.size() && finals == 0) loop.run(RunMode::Once);
    ASSERT_TRUE(got == sent) << got.size() << " of " << sent.size() << " bytes";
  }
  void receive_end() {
    while (finals == 0) loop.run(RunMode::Once);
    loop.run(RunMode::NoWait);
    EXPECT_EQ(finals, 1);
  }
  void cancel() {
    loop.cancel(receive);
    receive_end();
  }

  Loop loop;
  UniqueFd sender, receiver;
  Operation receive;
  std::string sent, got;
  int last = INT32_MIN, finals = 0, pieces = 0;
  Function<void()> on_note;

 private:
  std::uint32_t written_ = 0;
};

TEST_P(BulkTest, sizes_change_from_large_to_small_and_back) {
  for (int round = 0; round < 6; round++) {
    send(300'000);
    receive_all();
    for (int i = 0; i < 40; i++) {
      send(1 + static_cast<std::size_t>(i) * 7);
      if (i % 3 == 0) receive_all();
    }
    receive_all();
  }
  cancel();
  EXPECT_EQ(last, -ECANCELED);
}

TEST_P(BulkTest, any_sequence_of_sizes) {
  SeededDecider chance(7);
  for (int i = 0; i < 400; i++) {
    send(1 + chance.random(chance.random(4) == 0 ? 200'000 : 20'000));
    for (std::uint32_t turns = chance.random(3); turns > 0; turns--) loop.run(RunMode::NoWait);
  }
  receive_all();
  cancel();
  EXPECT_EQ(last, -ECANCELED);
}

// Bytes that were not received then are still there for the next one.
TEST_P(BulkTest, cancelled_after_any_piece) {
  for (int stop = 1; stop <= 24; stop++) {
    int until = stop, ends = 0;
    on_note = [&] {
      if (finals > 0) {
        EXPECT_EQ(last, -ECANCELED);
        ends++;
        finals = 0;
        loop.submit(receive);
      } else if (--until == 0) {
        loop.cancel(receive);
      }
    };
    send(40'000 * static_cast<std::size_t>(1 + stop % 3));
    while (ends == 0) {
      send(1 + static_cast<std::size_t>(stop % 2) * 100'000);
      loop.run(RunMode::NoWait);
    }
    receive_all();
    ASSERT_EQ(ends, 1);
  }
  on_note = nullptr;
  cancel();
}

TEST_P(BulkTest, cancelled_between_visits) {
  for (int turns = 0; turns < 30; turns++) {
    send(200'000 + static_cast<std::size_t>(turns) * 999);
    for (int i = 0; i < turns % 6; i++) loop.run(RunMode::NoWait);
    loop.cancel(receive);
    loop.cancel(receive);
    while (finals == 0) loop.run(RunMode::Once);
    ASSERT_EQ(finals, 1);
    ASSERT_EQ(last, -ECANCELED);
    finals = 0;
    loop.submit(receive);
    receive_all();
  }
  cancel();
}

TEST_P(BulkTest, the_end_comes_right_behind_the_data) {
  send(500'000);
  receive_all();
  send(5);
  sender.reset();
  receive_end();
  EXPECT_EQ(got.size(), sent.size());
  EXPECT_EQ(last, 0);
}

TEST_P(BulkTest, the_end_comes_later) {
  send(500'000);
  receive_all();
  for (int i = 0; i < 3; i++) loop.run(RunMode::NoWait);
  shutdown(sender.get(), SHUT_WR);
  receive_end();
  EXPECT_EQ(last, 0);
}

TEST_P(BulkTest, a_reset_is_an_error) {
  if (!is_tcp()) GTEST_SKIP() << "TCP only";
  send(500'000);
  receive_all();
  const linger now{1, 0};
  setsockopt(sender.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  sender.reset();
  receive_end();
  EXPECT_EQ(last, -ECONNRESET);
}

TEST_P(BulkTest, urgent_data_parts_the_stream_and_nothing_stays_behind) {
  if (!is_tcp()) GTEST_SKIP() << "TCP only";
  for (const std::size_t before : {std::size_t{3}, std::size_t{500'000}}) {
    if (before > 1000) send(before);
    receive_all();
    for (int i = 0; i < 5; i++) {  // all of it is there before the loop looks
      sent += "before";
      ASSERT_EQ(write(sender.get(), "before", 6), 6);
      ASSERT_EQ(::send(sender.get(), "!", 1, MSG_OOB), 1);
      sent += "after";
      ASSERT_EQ(write(sender.get(), "after", 5), 5);
      receive_all();
    }
  }
  cancel();
}

TEST_P(BulkTest, passed_descriptors_part_the_stream_and_nothing_stays_behind) {
  if (is_tcp()) GTEST_SKIP() << "Unix sockets only";
  for (const std::size_t before : {std::size_t{3}, std::size_t{500'000}}) {
    send(before);
    receive_all();
    for (int i = 0; i < 5; i++) {
      alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
      char byte = 'd';
      iovec part{&byte, 1};
      msghdr message{};
      message.msg_iov = &part;
      message.msg_iovlen = 1;
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      *header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
      const int passed = sender.get();
      std::memcpy(CMSG_DATA(header), &passed, sizeof passed);
      ASSERT_EQ(sendmsg(sender.get(), &message, 0), 1);
      sent += "d";
    }
    sent += "tail";
    ASSERT_EQ(write(sender.get(), "tail", 4), 4);
    receive_all();
  }
  cancel();
}

TEST_P(BulkTest, fork_goes_on_receiving) {
  send(500'000);
  receive_all();
  const pid_t child = fork();
  if (child == 0) {
    loop.after_fork();
    send(300'000);
    while (got.size() < sent.size() && finals == 0) loop.run(RunMode::Once);
    loop.cancel(receive);
    while (finals == 0) loop.run(RunMode::Once);
    _exit(got == sent && finals == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  cancel();
}

INSTANTIATE_TEST_SUITE_P(Pollers, BulkTest,
                         ::testing::Combine(::testing::Values("epoll", "uring"), ::testing::Values(AF_INET, AF_UNIX)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) == AF_INET ? "_tcp" : "_unix");
                         });

}  // namespace
}  // namespace rondo
