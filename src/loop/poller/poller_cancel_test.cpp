// The shared suite on cancellation: exactly one end, never inside cancel, nothing lost or doubled in races, and again afterwards.
#include <fcntl.h>
#include <poll.h>

#include <deque>

#include "loop/poller/poller_fixture.h"

namespace rondo::testing {
namespace {

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
  loop.cancel(receive.operation);  // no effect: not in flight
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(receive.finals, 1);
  // The same operation again, and cancelled before the kernel has seen it.
  loop.submit(receive.operation);
  loop.cancel(receive.operation);
  loop.run();
  EXPECT_EQ(receive.finals, 2);
  EXPECT_EQ(receive.last(), -ECANCELED);
  // And once more, not cancelled.
  loop.submit(receive.operation);
  ASSERT_EQ(world->put(pair[0].get(), "z"), 1);
  loop.run();
  EXPECT_EQ(receive.finals, 3);
  EXPECT_EQ(receive.bytes, "z");
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, cancel_ends_every_kind_that_waits) {
  Address address;
  UniqueFd listener = world->listen(loop, address);
  auto pair = sockets();
  auto [reader, writer] = world->pipe();
  const std::string block(16 * 1024, 'b');
  while (world->put(pair[0].get(), block) > 0) {
  }
  char buffer[8];
  msghdr message{};
  iovec part{buffer, sizeof buffer};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  std::deque<Call> calls(listener ? 8 : 7);
  calls[0].operation.recv(pair[0].get()).repeatedly();
  calls[1].operation.recvmsg(pair[0].get(), &message);
  calls[2].operation.send(pair[0].get(), "x", 1);
  calls[3].operation.poll(pair[0].get(), POLLIN);
  calls[4].operation.poll(pair[0].get(), POLLIN).repeatedly();
  calls[5].operation.read(reader.get(), buffer, sizeof buffer).as_stream();
  calls[6].operation.poll(reader.get(), POLLIN);
  if (listener) calls[7].operation.accept(listener.get()).repeatedly();
  for (Call& call : calls) loop.submit(call.operation);
  for (int i = 0; i < 5; i++) loop.run(RunMode::NoWait);
  for (Call& call : calls) EXPECT_TRUE(call.results.empty());
  for (Call& call : calls) loop.cancel(call.operation);
  for (Call& call : calls) EXPECT_TRUE(call.results.empty());
  EXPECT_FALSE(loop.run());
  for (Call& call : calls) EXPECT_EQ(call.results, std::vector<int>{-ECANCELED});
  forget(pair[0], pair[1], reader, writer);
  if (listener) forget(listener);
}

TEST_P(PollerTest, cancellation_races_with_data_and_nothing_is_lost_or_doubled) {
  for (int round = 0; round < 200; round++) {
    auto pair = sockets();
    Call receive;
    receive.operation.recv(pair[1].get());
    loop.submit(receive.operation);
    if (round % 3 == 0) loop.run(RunMode::NoWait);
    ASSERT_EQ(world->put(pair[0].get(), "x"), 1);
    if (round % 2 == 0) loop.run(RunMode::NoWait);
    loop.cancel(receive.operation);
    loop.run();
    ASSERT_EQ(receive.finals, 1);
    const bool got = receive.last() == 1;
    ASSERT_TRUE(got || receive.last() == -ECANCELED) << receive.last();
    char byte;
    ASSERT_EQ(world->take(pair[1].get(), {&byte, 1}), got ? -EAGAIN : 1);
    forget(pair[0], pair[1]);
  }
}

TEST_P(PollerTest, cancelled_repeated_receives_lose_nothing) {
  for (int round = 0; round < 50; round++) {
    auto pair = sockets();
    Call receive;
    receive.operation.recv(pair[1].get()).repeatedly();
    loop.submit(receive.operation);
    ASSERT_EQ(world->put(pair[0].get(), "before"), 6);
    if (round % 2) loop.run(RunMode::Once);
    ASSERT_EQ(world->put(pair[0].get(), "after"), 5);
    loop.cancel(receive.operation);
    loop.run();
    ASSERT_EQ(receive.finals, 1);
    ASSERT_FALSE(receive.operation.is_in_flight());
    char buffer[16];
    const long left = world->take(pair[1].get(), buffer);
    const std::string rest(buffer, left > 0 ? static_cast<std::size_t>(left) : 0);
    ASSERT_EQ(receive.bytes + rest, "beforeafter");
    forget(pair[0], pair[1]);
  }
}

TEST_P(PollerTest, a_callback_may_cancel_another_operation) {
  auto one = sockets(), two = sockets();
  Call first, second;
  first.operation.recv(one[1].get());
  second.operation.recv(two[1].get()).repeatedly();
  first.on_note = [&](const Completion&) { loop.cancel(second.operation); };
  loop.submit(first.operation);
  loop.submit(second.operation);
  ASSERT_EQ(world->put(one[0].get(), "x"), 1);
  loop.run();
  EXPECT_EQ(first.bytes, "x");
  EXPECT_EQ(second.results, std::vector<int>{-ECANCELED});
  forget(one[0], one[1], two[0], two[1]);
}

TEST_P(PollerTest, cancelled_file_operations_end_once_with_either_result) {
  const std::string path = world->folder() + "/cancelled";
  for (int round = 0; round < 50; round++) {
    Call open;
    open.operation.openat(AT_FDCWD, path.c_str(), O_RDWR | O_CREAT, 0600);
    loop.submit(open.operation);
    if (round % 2) loop.run(RunMode::NoWait);
    loop.cancel(open.operation);
    loop.run();
    ASSERT_EQ(open.finals, 1);
    const UniqueFd fd(open.last() >= 0 ? open.last() : -1);
    ASSERT_TRUE(fd || open.last() == -ECANCELED) << open.last();
  }
}

}  // namespace
}  // namespace rondo::testing
