// Readiness of foreign descriptors over every poller: levels, changes of mind, hang-ups, several watchers, lifetimes.
#include "rondo/poll.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;

class PollTest : public NetTest {
 public:
  void spin() {
    for (int i = 0; i < 10; i++) loop.run(RunMode::NoWait);
  }
};
RONDO_ON_BOTH_POLLERS(PollTest);

TEST_P(PollTest, calls_as_long_as_the_state_lasts) {
  auto pipe = make_pipe();
  Poll poll(loop);
  std::string got;
  ASSERT_TRUE(poll.start(pipe->first.get(), Readiness::Readable, [&](Readiness ready) {
    EXPECT_EQ(ready, Readiness::Readable);
    char byte;
    ASSERT_EQ(::read(pipe->first.get(), &byte, 1), 1);
    got += byte;
  }));
  EXPECT_TRUE(poll.is_active());
  EXPECT_TRUE(loop.alive());
  spin();
  EXPECT_TRUE(got.empty());
  ASSERT_EQ(::write(pipe->second.get(), "abc", 3), 3);
  run_until([&] { return got == "abc"; });
  spin();
  ASSERT_EQ(::write(pipe->second.get(), "d", 1), 1);
  run_until([&] { return got == "abcd"; });
  poll.unref();
  EXPECT_FALSE(loop.alive());
}

TEST_P(PollTest, other_states_may_be_wanted_at_any_time) {
  auto pair = make_socket_pair();
  Poll poll(loop);
  int writable = 0, readable = 0;
  bool wants_write = true;
  ASSERT_TRUE(poll.start(pair->first.get(), Readiness::Readable, [&](Readiness ready) {
    if ((ready & Readiness::Writable) != Readiness::None) {
      EXPECT_TRUE(wants_write);
      if (++writable == 3) poll.want(Readiness::Readable), wants_write = false;
    }
    if ((ready & Readiness::Readable) != Readiness::None) {
      char byte;
      ASSERT_EQ(::read(pair->first.get(), &byte, 1), 1);
      if (++readable == 1) poll.stop();
    }
  }));
  spin();
  EXPECT_EQ(writable, 0);
  poll.want(Readiness::Readable | Readiness::Writable);
  run_until([&] { return writable == 3; });
  spin();
  EXPECT_EQ(writable, 3);
  EXPECT_EQ(poll.wanted(), Readiness::Readable);
  ASSERT_EQ(::write(pair->second.get(), "xy", 2), 2);
  run_until([&] { return readable == 1; });
  spin();
  EXPECT_EQ(readable, 1);
  EXPECT_FALSE(poll.is_active());
  EXPECT_FALSE(loop.run());
}

TEST_P(PollTest, several_handles_watch_one_descriptor) {
  auto pair = make_socket_pair();
  Poll in(loop), out(loop), both(loop);
  int read = 0, written = 0, seen = 0;
  ASSERT_TRUE(in.start(pair->first.get(), Readiness::Readable, [&](Readiness) { in.stop(), read++; }));
  ASSERT_TRUE(out.start(pair->first.get(), Readiness::Writable, [&](Readiness) { out.stop(), written++; }));
  run_until([&] { return written == 1; });
  ASSERT_TRUE(both.start(pair->first.get(), Readiness::Readable, [&](Readiness) { both.stop(), seen++; }));
  ASSERT_EQ(::write(pair->second.get(), "x", 1), 1);
  run_until([&] { return read == 1 && seen == 1; });
  EXPECT_FALSE(loop.run());
}

TEST_P(PollTest, ends_and_hang_ups_are_told) {
  auto pair = make_socket_pair();
  Poll poll(loop);
  Readiness seen{};
  ASSERT_TRUE(
      poll.start(pair->first.get(), Readiness::Disconnected, [&](Readiness ready) { poll.stop(), seen = ready; }));
  spin();
  EXPECT_EQ(seen, Readiness::None);
  ::shutdown(pair->second.get(), SHUT_WR);
  run_until([&] { return seen == Readiness::Disconnected; });

  auto pipe = make_pipe();
  const int size = fcntl(pipe->second.get(), F_GETPIPE_SZ);
  fcntl(pipe->second.get(), F_SETFL, O_NONBLOCK);
  const std::string full(static_cast<std::size_t>(size), 'x');
  ASSERT_EQ(::write(pipe->second.get(), full.data(), full.size()), size);
  Poll writer(loop);
  seen = Readiness::None;
  ASSERT_TRUE(
      writer.start(pipe->second.get(), Readiness::Writable, [&](Readiness ready) { writer.stop(), seen = ready; }));
  spin();
  EXPECT_EQ(seen, Readiness::None);
  pipe->first.reset();
  run_until([&] { return seen == Readiness::Writable; });
}

TEST_P(PollTest, out_of_band_data_is_priority) {
  auto [client, peer] = connected();
  Poll poll(loop);
  Readiness seen{};
  ASSERT_TRUE(poll.start(peer->fd(), Readiness::Priority, [&](Readiness ready) { poll.stop(), seen = ready; }));
  ASSERT_EQ(::send(client->fd(), "plain", 5, 0), 5);
  spin();
  EXPECT_EQ(seen, Readiness::None);
  ASSERT_EQ(::send(client->fd(), "!", 1, MSG_OOB), 1);
  run_until([&] { return seen == Readiness::Priority; });
}

TEST_P(PollTest, the_descriptor_may_be_closed_at_once_and_its_number_used_again) {
  Poll poll(loop);
  for (int round = 0; round < 3; round++) {
    auto pair = make_socket_pair();
    int calls = 0;
    ASSERT_TRUE(poll.start(pair->first.get(), Readiness::Readable, [&](Readiness) { calls++; }));
    if (round % 2 == 0) spin();
    ASSERT_EQ(::write(pair->second.get(), "x", 1), 1);
    run_until([&] { return calls > 0; });
    poll.stop();
    pair->first.reset();
    const int before = calls;
    loop.run();  // lets the duplicate go
    char byte;
    EXPECT_EQ(::recv(pair->second.get(), &byte, 1, 0), -1) << "the unread byte makes it a reset";
    EXPECT_EQ(errno, ECONNRESET);
    EXPECT_EQ(calls, before);
  }
}

TEST_P(PollTest, what_has_no_readiness_is_refused) {
  Poll poll(loop);
  const auto nothing = [](Readiness) {};
  char name[] = "/tmp/rondo-poll-XXXXXX";
  const UniqueFd file(mkstemp(name));
  unlink(name);
  EXPECT_EQ(poll.start(file.get(), Readiness::Readable, nothing).error().number, EPERM);
  EXPECT_EQ(poll.start(-1, Readiness::Readable, nothing).error().number, EBADF);
  auto pipe = make_pipe();
  EXPECT_EQ(poll.start(pipe->first.get(), Readiness::None, nothing).error().number, EINVAL);
  EXPECT_FALSE(poll.is_active());
  EXPECT_FALSE(loop.alive());
  poll.close();
  EXPECT_EQ(poll.start(pipe->first.get(), Readiness::Readable, nothing).error().number, EBADF);
  loop.run();
}

TEST_P(PollTest, may_be_closed_destroyed_or_moved_in_its_own_callback) {
  for (int kind = 0; kind < 4; kind++) {
    auto pair = make_socket_pair(), other = make_socket_pair();
    auto poll = std::make_unique<Poll>(loop);
    int calls = 0, closed = 0, moved = 0;
    ASSERT_TRUE(poll->start(pair->first.get(), Readiness::Writable, [&](Readiness) {
      calls++;
      if (kind == 0) poll.reset();
      if (kind == 1) poll->close([&] { closed++; });
      if (kind == 2) poll->close([&] { closed++, poll.reset(); });
      if (kind < 3) return;
      const int fd = other->first.get();
      ASSERT_TRUE(poll->start(fd, Readiness::Writable, [&](Readiness) { moved++, poll->stop(); }));
    }));
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(closed, kind == 1 || kind == 2 ? 1 : 0);
    EXPECT_EQ(moved, kind == 3 ? 1 : 0);
  }
}

TEST_P(PollTest, an_epoll_instance_can_be_watched) {
  auto pipe = make_pipe();
  const UniqueFd inner(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  ASSERT_EQ(epoll_ctl(inner.get(), EPOLL_CTL_ADD, pipe->first.get(), &event), 0);
  Poll poll(loop);
  int calls = 0;
  ASSERT_TRUE(poll.start(inner.get(), Readiness::Readable, [&](Readiness) { calls++, poll.stop(); }));
  spin();
  EXPECT_EQ(calls, 0);
  ASSERT_EQ(::write(pipe->second.get(), "x", 1), 1);
  run_until([&] { return calls == 1; });
}

}  // namespace
}  // namespace rondo
