// The shared suite on sockets and pipes: transfers, repeated receives, accepts and polls, ends, refusals, fairness.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstring>

#include "loop/poller/poller_fixture.h"

namespace rondo::testing {
namespace {

TEST_P(PollerTest, send_and_receive) {
  auto pair = sockets();
  Call receive;
  char buffer[16] = {};
  receive.operation.recv(pair[1].get(), buffer, sizeof buffer);
  loop.submit(receive.operation);
  EXPECT_EQ(result_of([&](Operation& op) { op.send(pair[0].get(), "hello", 5); }), 5);
  run_until([&] { return receive.finals == 1; });
  EXPECT_EQ(receive.last(), 5);
  EXPECT_STREQ(buffer, "hello");
  // Looking at it leaves it there; what does not fit stays too.
  ASSERT_EQ(world->put(pair[0].get(), "world"), 5);
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(pair[1].get(), buffer, sizeof buffer, MSG_PEEK); }), 5);
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(pair[1].get(), buffer, 2); }), 2);
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(pair[1].get(), buffer, sizeof buffer); }), 3);
  EXPECT_EQ(std::string(buffer, 3), "rld");
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, messages_of_several_parts) {
  auto pair = sockets();
  iovec parts[] = {{const_cast<char*>("big "), 4}, {nullptr, 0}, {const_cast<char*>("world"), 5}};
  msghdr out{};
  out.msg_iov = parts;
  out.msg_iovlen = 3;
  EXPECT_EQ(result_of([&](Operation& op) { op.sendmsg(pair[0].get(), &out); }), 9);
  char first[6] = {}, second[6] = {};
  iovec into[] = {{first, 5}, {second, 5}};
  msghdr in{};
  in.msg_iov = into;
  in.msg_iovlen = 2;
  EXPECT_EQ(result_of([&](Operation& op) { op.recvmsg(pair[1].get(), &in); }), 9);
  EXPECT_STREQ(first, "big w");
  EXPECT_STREQ(second, "orld");
  EXPECT_EQ(in.msg_controllen, 0u);
  EXPECT_EQ(in.msg_flags & (MSG_TRUNC | MSG_CTRUNC), 0);
  // Sockets are streams for read and write, too.
  EXPECT_EQ(result_of([&](Operation& op) { op.writev(pair[1].get(), parts, 3).as_stream(); }), 9);
  EXPECT_EQ(result_of([&](Operation& op) { op.readv(pair[0].get(), into, 2).as_stream(); }), 9);
  EXPECT_STREQ(second, "orld");
  forget(pair[0], pair[1]);
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
    ASSERT_EQ(world->put(pair[0].get(), part), static_cast<long>(part.size()));
    if (i % 3 == 0) run_until([&] { return receive.bytes.size() == sent.size(); });
    loop.run(RunMode::NoWait);
  }
  EXPECT_EQ(receive.finals, 0);
  forget(pair[0]);
  pair[0].reset();
  run_until([&] { return receive.finals == 1; });
  EXPECT_EQ(receive.bytes, sent);
  EXPECT_EQ(receive.last(), 0) << "end of stream";
  forget(pair[1]);
}

TEST_P(PollerTest, a_busy_sender_does_not_starve_another) {
  auto busy = sockets();
  auto quiet = sockets();
  const std::string block(256 * 1024, 'x');
  Call flood, calm;
  flood.operation.recv(busy[1].get()).repeatedly();
  flood.on_note = [&](const Completion&) { world->put(busy[0].get(), block); };
  calm.operation.recv(quiet[1].get()).repeatedly();
  loop.submit(flood.operation);
  loop.submit(calm.operation);
  ASSERT_GT(world->put(busy[0].get(), block), 0);
  ASSERT_EQ(world->put(quiet[0].get(), "hi"), 2);
  int iterations = 0;
  while (calm.bytes.empty() && iterations++ < 200) loop.run(RunMode::Once);
  EXPECT_EQ(calm.bytes, "hi");
  if (answers_at_once()) {
    EXPECT_LE(iterations, 20);
  }
  loop.cancel(flood.operation);
  loop.cancel(calm.operation);
  loop.run();
  EXPECT_EQ(flood.finals + calm.finals, 2);
  forget(busy[0], busy[1], quiet[0], quiet[1]);
}

TEST_P(PollerTest, accept_and_connect_until_refused) {
  Address address;
  UniqueFd listener = world->listen(loop, address);
  if (!listener) GTEST_SKIP() << "the loopback interface is down";
  Call accept;
  std::vector<UniqueFd> accepted;
  accept.on_note = [&](const Completion& completion) {
    if (completion.result >= 0) accepted.emplace_back(completion.result);
  };
  accept.operation.accept(listener.get()).repeatedly();
  loop.submit(accept.operation);
  std::vector<UniqueFd> clients;
  const auto connect = [&](Operation& op) { op.connect(clients.back().get(), address.data(), address.size()); };
  for (int i = 0; i < 3; i++) {
    clients.push_back(world->socket(loop));
    EXPECT_EQ(result_of(connect), 0);
  }
  run_until([&] { return accepted.size() == 3; });
  EXPECT_EQ(accept.finals, 0);
  ASSERT_EQ(world->put(clients[1].get(), "second"), 6);
  char buffer[8] = {};
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(accepted[1].get(), buffer, sizeof buffer); }), 6);
  EXPECT_STREQ(buffer, "second") << "in the order of connecting";
  cancel_and_end(accept);
  EXPECT_EQ(accept.last(), -ECANCELED);
  EXPECT_EQ(result_of([&](Operation& op) { op.accept(clients[0].get()); }), -EINVAL) << "no listener";
  // One at a time, and from the backlog.
  Call late;
  late.operation.accept(listener.get());
  clients.push_back(world->socket(loop));
  EXPECT_EQ(result_of(connect), 0);
  const UniqueFd last(run(late));
  EXPECT_TRUE(last);
  forget(listener);
  listener.reset();
  clients.push_back(world->socket(loop));
  EXPECT_EQ(result_of(connect), -ECONNREFUSED);
  for (auto& fd : clients) forget(fd);
  for (auto& fd : accepted) forget(fd);
  forget(last);
}

TEST_P(PollerTest, half_close_ends_one_direction) {
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get()).repeatedly();
  loop.submit(receive.operation);
  ASSERT_EQ(world->put(pair[0].get(), "last words"), 10);
  ASSERT_EQ(loop.poller().shut_down(pair[0].get(), SHUT_WR), 0);
  run_until([&] { return receive.finals == 1; });
  EXPECT_EQ(receive.bytes, "last words");
  EXPECT_EQ(receive.last(), 0);
  EXPECT_EQ(result_of([&](Operation& op) { op.send(pair[0].get(), "x", 1); }), -EPIPE);
  EXPECT_EQ(result_of([&](Operation& op) { op.send(pair[1].get(), "answer", 6); }), 6);
  char buffer[8] = {};
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(pair[0].get(), buffer, sizeof buffer); }), 6);
  EXPECT_STREQ(buffer, "answer");
  EXPECT_TRUE(result_of([&](Operation& op) { op.poll(pair[1].get(), POLLRDHUP); }) & POLLRDHUP);
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, a_peer_that_has_gone_ends_receives_and_breaks_sends) {
  auto pair = sockets();
  Call receive, watch;
  char buffer[4];
  receive.operation.recv(pair[1].get(), buffer, sizeof buffer);
  watch.operation.poll(pair[1].get(), POLLIN);
  loop.submit(receive.operation);
  loop.submit(watch.operation);
  loop.run(RunMode::NoWait);
  EXPECT_EQ(result_of([&](Operation& op) { op.close(pair[0].release()); }), 0);
  run_until([&] { return receive.finals == 1 && watch.finals == 1; });
  EXPECT_EQ(receive.last(), 0);
  EXPECT_TRUE(watch.last() & POLLIN);
  EXPECT_TRUE(watch.last() & POLLHUP) << "told although not asked for";
  EXPECT_EQ(result_of([&](Operation& op) { op.send(pair[1].get(), "x", 1); }), -EPIPE);
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(pair[1].get()).repeatedly(); }), 0);
  forget(pair[1]);
}

TEST_P(PollerTest, a_full_stream_makes_senders_wait) {
  auto pair = sockets();
  const std::string block(16 * 1024, 'b');
  std::size_t filled = 0;
  for (long count; (count = world->put(pair[0].get(), block)) > 0;) filled += static_cast<std::size_t>(count);
  Call send, writable;
  send.operation.send(pair[0].get(), "end", 3);
  writable.operation.poll(pair[0].get(), POLLOUT);
  loop.submit(send.operation);
  loop.submit(writable.operation);
  for (int i = 0; i < 5; i++) loop.run(RunMode::NoWait);
  EXPECT_EQ(send.finals + writable.finals, 0);
  std::string got;
  std::vector<char> buffer(64 * 1024);
  run_until([&] {
    for (long count; (count = world->take(pair[1].get(), buffer)) > 0;)
      got.append(buffer.data(), static_cast<std::size_t>(count));
    return send.finals == 1 && writable.finals == 1 && got.size() == filled + 3;
  });
  EXPECT_EQ(send.last(), 3);
  EXPECT_EQ(writable.last(), POLLOUT);
  EXPECT_TRUE(got.ends_with("bend"));
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, poll_once_and_repeatedly) {
  auto pair = sockets();
  Call once, many;
  once.operation.poll(pair[1].get(), POLLIN);
  many.operation.poll(pair[1].get(), POLLIN).repeatedly();
  loop.submit(once.operation);
  loop.submit(many.operation);
  for (int i = 0; i < 5; i++) loop.run(RunMode::NoWait);
  EXPECT_TRUE(once.results.empty() && many.results.empty());
  ASSERT_EQ(world->put(pair[0].get(), "x"), 1);
  run_until([&] { return !many.results.empty() && once.finals == 1; });
  EXPECT_TRUE(once.last() & POLLIN);
  const std::size_t before = many.results.size();
  for (int i = 0; i < 5; i++) loop.run(RunMode::NoWait);
  EXPECT_EQ(many.results.size(), before) << "told once, not as long as it lasts";
  ASSERT_EQ(world->put(pair[0].get(), "y"), 1);
  run_until([&] { return many.results.size() > before; });
  EXPECT_EQ(many.finals, 0);
  EXPECT_TRUE(result_of([&](Operation& op) { op.poll(pair[1].get(), POLLIN); }) & POLLIN) << "ready already";
  EXPECT_EQ(result_of([&](Operation& op) { op.poll(pair[1].get(), POLLOUT); }), POLLOUT);
  loop.cancel(many.operation);
  loop.run();
  EXPECT_EQ(many.finals, 1);
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, pipes_as_streams) {
  auto [reader, writer] = world->pipe();
  Call read, write;
  std::vector<char> buffer(64 * 1024);
  const std::string big(200 * 1024, 'p');
  std::string got;
  std::size_t sent = 0;
  const auto go_on = [&, out = writer.get()] {
    write.operation.write(out, big.data() + sent, static_cast<std::uint32_t>(big.size() - sent)).as_stream();
    loop.submit(write.operation);
  };
  read.on_note = [&](const Completion& completion) {
    if (completion.result <= 0) return;
    got.append(buffer.data(), static_cast<std::size_t>(completion.result));
    if (got.size() < big.size()) loop.submit(read.operation);
  };
  write.on_note = [&](const Completion& completion) {
    ASSERT_GT(completion.result, 0);
    sent += static_cast<std::size_t>(completion.result);
    if (sent < big.size()) go_on();
  };
  read.operation.read(reader.get(), buffer.data(), static_cast<std::uint32_t>(buffer.size())).as_stream();
  loop.submit(read.operation);
  go_on();
  loop.run();
  EXPECT_EQ(got, big);
  forget(reader, writer);
}

TEST_P(PollerTest, pipes_have_a_direction_and_an_end) {
  auto [reader, writer] = world->pipe();
  char buffer[8] = {};
  EXPECT_EQ(result_of([&](Operation& op) { op.send(writer.get(), "x", 1); }), -ENOTSOCK);
  ASSERT_EQ(world->put(writer.get(), "-"), 1);
  EXPECT_EQ(result_of([&](Operation& op) { op.recv(reader.get(), buffer, 1); }), -ENOTSOCK);
  ASSERT_EQ(world->take(reader.get(), buffer), 1);
  EXPECT_EQ(result_of([&](Operation& op) { op.fsync(reader.get()); }), -EINVAL);
  iovec parts[] = {{const_cast<char*>("ab"), 2}, {const_cast<char*>("cd"), 2}};
  int written = result_of([&](Operation& op) { op.writev(writer.get(), parts, 2).as_stream(); });
  if (written == 2) written += result_of([&](Operation& op) { op.writev(writer.get(), parts + 1, 1).as_stream(); });
  EXPECT_EQ(written, 4) << "a pipe in blocking mode may be given one part at a time";
  forget(writer);
  writer.reset();
  EXPECT_EQ(result_of([&](Operation& op) { op.read(reader.get(), buffer, sizeof buffer).as_stream(); }), 4);
  EXPECT_EQ(result_of([&](Operation& op) { op.read(reader.get(), buffer, sizeof buffer).as_stream(); }), 0);
  EXPECT_TRUE(result_of([&](Operation& op) { op.poll(reader.get(), POLLIN); }) & POLLHUP);
  forget(reader);
}

TEST_P(PollerTest, a_pipe_without_reader_is_broken) {
  auto [reader, writer] = world->pipe();
  reader.reset();
  EXPECT_TRUE(result_of([&](Operation& op) { op.poll(writer.get(), POLLOUT); }) & POLLERR);
  EXPECT_EQ(result_of([&](Operation& op) { op.write(writer.get(), "x", 1).as_stream(); }), -EPIPE);
  forget(writer);
}

}  // namespace
}  // namespace rondo::testing
