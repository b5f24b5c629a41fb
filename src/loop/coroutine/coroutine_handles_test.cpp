// Awaits of the other handles, on the kernel's pollers: ends, datagrams, children, signals, watches; the buffered reader, generators,
// senders, stop tokens, files to sockets.
#include "rondo/coroutine_handles.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <thread>

#include "loop/net/net_fixture.h"
#include "loop/temporary_folder.h"
#include "rondo/async_generator.h"
#include "rondo/buffered_reader.h"
#include "rondo/send_file.h"
#include "rondo/senders.h"
#include "rondo/stop_token.h"
#include "rondo/task_group.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class CoroutineHandlesTest : public NetTest {};
RONDO_ON_BOTH_POLLERS(CoroutineHandlesTest);
class BufferedReaderTest : public NetTest {};
RONDO_ON_EVERY_POLLER(BufferedReaderTest);

TEST_P(CoroutineHandlesTest, shutdown_and_close_are_awaited) {
  Pair pair = connected();
  auto body = [](Tcp& client, Tcp& peer) -> Coroutine<std::string> {
    const std::string much(4 << 20, 'x');
    (void)client.write_copy(as_bytes(much));
    auto read_all = [](Tcp& from) -> Coroutine<std::size_t> {
      std::size_t total = 0;
      for (;;) {
        const Result<Bytes> piece = co_await from.read();
        if (!piece || piece->empty()) co_return total;
        total += piece->size();
      }
    };
    Coroutine<std::size_t> reading = read_all(peer);
    reading.start();
    const Result<void> flushed = co_await shut_down(client);
    EXPECT_TRUE(flushed);
    EXPECT_EQ(client.queued_bytes(), 0u);
    EXPECT_EQ(co_await std::move(reading), much.size());
    const Result<void> again = co_await shut_down(client);
    EXPECT_FALSE(again);
    const Result<void> closed = co_await close_handle(client);
    EXPECT_TRUE(closed);
    EXPECT_FALSE(client.is_open());
    co_return "over";
  };
  EXPECT_EQ(sync_wait(loop, body(*pair.client, *pair.peer)), "over");
}

TEST_P(CoroutineHandlesTest, a_barrier_is_awaited) {
  Barrier barrier(loop);
  auto stay = [](Loop& on, Barrier::Pass) -> Coroutine<> { co_await on.sleep(2ms); };
  auto body = [&](Loop& on) -> Coroutine<> {
    TaskGroup group(on);
    group.spawn(stay(on, barrier.enter()));
    const Result<void> left = co_await wait_for(barrier, on);
    EXPECT_TRUE(left);
    const Barrier::Pass pass = barrier.enter();
    const Result<void> late = co_await wait_for(barrier, on, 1ms);
    EXPECT_EQ(late.error().number, ETIMEDOUT);
  };
  sync_wait(loop, body(loop));
}

TEST_P(CoroutineHandlesTest, datagrams_are_awaited) {
  Udp receiver(loop), sender(loop);
  ASSERT_TRUE(receiver.bind(Address::loopback4(0)));
  ASSERT_TRUE(sender.bind(Address::loopback4(0)));
  auto body = [&]() -> Coroutine<> {
    UdpMessages messages(receiver);
    EXPECT_TRUE(messages.status());
    const Address to = *receiver.local_address();
    const Result<void> sent = co_await send_to(sender, as_bytes("one message"), to);
    EXPECT_TRUE(sent);
    const auto message = co_await messages.next();
    EXPECT_EQ(message.value()->data, "one message");
    EXPECT_EQ(message.value()->from, *sender.local_address());
  };
  sync_wait(loop, body());
  EXPECT_FALSE(receiver.is_active());
}

TEST_P(CoroutineHandlesTest, children_are_awaited) {
  auto body = [](Loop& on) -> Coroutine<> {
    ChildProcess child(on);
    ExitAwait exit = run_child(child, {.file = "sh",
                                       .args = {"sh", "-c", "echo out; exit 3"},
                                       .stdio = {Stdio::ignore(), Stdio::pipe(), Stdio::inherit(2)}});
    Pipe output(on);
    EXPECT_TRUE(output.open(child.take_pipe(1)));
    BufferedReader lines(output);
    const auto line = co_await lines.read_line();
    EXPECT_EQ(line, "out");
    const Result<ExitStatus> status = co_await exit;
    EXPECT_EQ(status->code, 3);
    ChildProcess none(on);
    const ProcessOptions options{.file = "/nowhere/to/be/found"};
    const Result<ExitStatus> missing = co_await run_child(none, options);
    EXPECT_EQ(missing.error().number, ENOENT);
  };
  sync_wait(loop, body(loop));
}

TEST_P(CoroutineHandlesTest, signals_are_awaited) {
  auto body = [](Loop& on) -> Coroutine<> {
    SignalEvents events(on, SIGUSR2);
    EXPECT_TRUE(events.status());
    raise(SIGUSR2);
    const Result<int> number = co_await events.next();
    EXPECT_EQ(number, SIGUSR2);
    EXPECT_FALSE(SignalEvents(on, SIGKILL).status());
  };
  sync_wait(loop, body(loop));
}

TEST_P(CoroutineHandlesTest, changes_of_files_are_awaited) {
  const testing::TemporaryFolder folder;
  auto body = [&](Loop& on) -> Coroutine<> {
    FileEvents events(on, folder.path());
    EXPECT_TRUE(events.status());
    const Result<void> written = co_await write_file(on, folder.path() + "/made", "text");
    EXPECT_TRUE(written);
    const Result<FileEvent> event = co_await events.next();
    EXPECT_EQ(event->kind, FileEvent::Kind::Created);
    EXPECT_EQ(event->path, "made");
  };
  sync_wait(loop, body(loop));
}

TEST_P(CoroutineHandlesTest, a_handle_that_goes_ends_the_await) {
  auto tcp = connected();
  auto wait = [](Tcp& stream) -> Coroutine<Result<void>> {
    (void)stream.write_copy(as_bytes(std::string(8 << 20, 'x')));
    co_return co_await shut_down(stream);
  };
  Coroutine<Result<void>> task = wait(*tcp.client);
  task.start();
  EXPECT_FALSE(task.is_done());
  tcp.client.reset();
  loop.run();
  ASSERT_TRUE(task.is_done());
  EXPECT_EQ(task.result().error().number, ECANCELED);
}

TEST_P(CoroutineHandlesTest, a_stop_token_cancels_and_is_stopped) {
  std::stop_source outside;
  CancelOnStop limit(loop, outside.get_token());
  auto wait = [](Loop& on, CancelToken token) -> Coroutine<Result<void>> { co_return co_await on.sleep(1h, token); };
  std::thread other([&] { outside.request_stop(); });
  EXPECT_EQ(sync_wait(loop, wait(loop, limit.token())).error().number, ECANCELED);
  other.join();
  EXPECT_TRUE(CancelOnStop(loop, outside.get_token()).token().is_cancelled());

  CancelSource source;
  StopOnCancel stop(source.token());
  EXPECT_FALSE(stop.token().stop_requested());
  source.cancel();
  EXPECT_TRUE(stop.token().stop_requested());
  // A stop that is asked for after the connection has gone reaches no one.
  std::stop_source late;
  {
    CancelOnStop short_lived(loop, late.get_token());
  }
  late.request_stop();
  loop.run();
}

struct Record {
  using receiver_concept = ReceiverTag;
  std::string* log;
  void set_value(int value) && { *log += "value " + std::to_string(value); }
  void set_value() && { *log += "done"; }
  void set_error(Error error) && { *log += error.name(); }
  void set_error(std::exception_ptr) && { *log += "exception"; }
  void set_stopped() && { *log += "stopped"; }
};

TEST_P(CoroutineHandlesTest, tasks_are_senders_and_senders_are_awaited) {
  auto give = [](Loop& on, Result<int> value) -> Coroutine<Result<int>> {
    co_await on.sleep(1ms);
    co_return value;
  };
  const auto outcome = [&](Result<int> value) {
    std::string log;
    auto state = as_sender(give(loop, value)).connect(Record{&log});
    EXPECT_EQ(log, "");
    state.start();
    loop.run();
    return log;
  };
  EXPECT_EQ(outcome(5), "value 5");
  EXPECT_EQ(outcome(failure(EIO)), "EIO");
  EXPECT_EQ(outcome(failure(ECANCELED)), "stopped");
  auto await_one = [&](Loop& on) -> Coroutine<Result<int>> {
    co_return co_await await_sender<int>(on, as_sender(give(on, 6)));
  };
  EXPECT_EQ(sync_wait(loop, await_one(loop)), 6);

  std::string log;
  auto state = LoopScheduler(loop).schedule().connect(Record{&log});
  std::thread([&] { state.start(); }).join();
  loop.run();
  EXPECT_EQ(log, "done");
}

AsyncGenerator<int> count_up(Loop& loop, int limit) {
  for (int i = 0; i < limit; i++) {
    if (i % 2 == 0) co_await loop.sleep(0ms);
    co_yield i;
  }
}
AsyncGenerator<int> throw_at_last(Loop& loop) {
  co_yield 1;
  co_await loop.sleep(0ms);
  throw 7;
}

TEST_P(CoroutineHandlesTest, generators_give_values_one_by_one) {
  auto body = [](Loop& on) -> Coroutine<int> {
    auto numbers = count_up(on, 10);
    int sum = 0;
    while (const std::optional<int> number = co_await numbers.next()) sum += *number;
    EXPECT_FALSE(co_await numbers.next());
    auto abandoned = count_up(on, 10);
    EXPECT_EQ(co_await abandoned.next(), 0);
    auto throwing = throw_at_last(on);
    EXPECT_EQ(co_await throwing.next(), 1);
    try {
      (void)co_await throwing.next();
      ADD_FAILURE();
    } catch (int thrown) {
      EXPECT_EQ(thrown, 7);
    }
    co_return sum;
  };
  EXPECT_EQ(sync_wait(loop, body(loop)), 45);
}

TEST_P(BufferedReaderTest, reads_by_length_delimiter_and_line) {
  Pair pair = connected();
  auto body = [](Tcp& client, Tcp& peer) -> Coroutine<> {
    auto send = [](Tcp& to) -> Coroutine<> {
      for (const char* part : {"first li", "ne\r\nsecond\n12", "345rest", "--end--tail"}) {
        const Result<void> written = co_await to.write_all(as_bytes(std::string_view(part)));
        EXPECT_TRUE(written);
        co_await yield(to.loop());
      }
      (void)to.shutdown();
    };
    Coroutine<> sending = send(peer);
    sending.start();
    BufferedReader reader(client);
    auto text = co_await reader.read_line();
    EXPECT_EQ(text, "first line");
    text = co_await reader.read_line();
    EXPECT_EQ(text, "second");
    text = co_await reader.read_exactly(5);
    EXPECT_EQ(text, "12345");
    text = co_await reader.read_until("--end--");
    EXPECT_EQ(text, "rest");
    text = co_await reader.read_exactly(100);
    EXPECT_EQ(text.error().number, EPIPE);
    EXPECT_EQ(reader.buffered(), "tail") << "nothing is consumed";
    text = co_await reader.read_line();
    EXPECT_EQ(text, "tail") << "a last line without its end";
    text = co_await reader.read_line();
    EXPECT_EQ(text.error().number, kEndOfFile);
  };
  sync_wait(loop, body(*pair.client, *pair.peer));
}

TEST_P(BufferedReaderTest, limits_and_cancels) {
  Pair pair = connected();
  auto body = [](Loop& on, Tcp& client, Tcp& peer) -> Coroutine<> {
    BufferedReader reader(client, 10);
    CancelSource source;
    Timer timer(on);
    (void)peer.write_copy(as_bytes("abc"));
    timer.start(5ms, [&] { source.cancel(); });
    auto text = co_await reader.read_exactly(4, source.token());
    EXPECT_EQ(text.error().number, ECANCELED);
    (void)peer.write_copy(as_bytes("d"));
    text = co_await reader.read_exactly(4);
    EXPECT_EQ(text, "abcd");
    (void)peer.write_copy(as_bytes("no end of the line in here"));
    text = co_await reader.read_line();
    EXPECT_EQ(text.error().number, EMSGSIZE);
  };
  sync_wait(loop, body(loop, *pair.client, *pair.peer));
}

TEST_P(CoroutineHandlesTest, a_file_goes_to_a_socket_at_the_pace_of_its_reader) {
  const testing::TemporaryFolder folder;
  std::string content(3'000'001, 0);
  std::iota(content.begin(), content.end(), 0);
  Pair pair = connected();
  auto body = [&](Loop& on, Tcp& from, Tcp& to) -> Coroutine<> {
    const Result<void> written = co_await write_file(on, folder.path() + "/file", content);
    EXPECT_TRUE(written);
    const UniqueFd file(open((folder.path() + "/file").c_str(), O_RDONLY | O_CLOEXEC));
    // No one reads at first: the loop is free meanwhile, and so is the pool.
    Coroutine<Result<std::uint64_t>> sending = send_file(from, file.get(), 1, content.size());
    sending.start();
    co_await on.sleep(2ms);
    FileRequest request;
    for (int i = 0; i < 8; i++) {
      const Result<std::int64_t> listed = co_await perform(on, request.readdir("/"));
      EXPECT_TRUE(listed);
    }
    EXPECT_FALSE(sending.is_done());
    std::string received;
    while (received.size() < content.size() - 1) {
      const Result<Bytes> piece = co_await to.read();
      if (!piece || piece->empty()) break;
      received += as_text(*piece);
    }
    EXPECT_TRUE(received == content.substr(1)) << received.size();
    const Result<std::uint64_t> sent = co_await std::move(sending);
    EXPECT_EQ(sent, content.size() - 1) << "less than asked for: the file has ended";
    EXPECT_EQ(from.bytes_written(), content.size() - 1);
    // The socket still waits for readers and writers as it did.
    const Result<void> after = co_await from.write_all(as_bytes("after"));
    EXPECT_TRUE(after);
    const Result<Bytes> last = co_await to.read();
    EXPECT_EQ(as_text(*last), "after");
  };
  sync_wait(loop, body(loop, *pair.client, *pair.peer));
}

TEST_P(CoroutineHandlesTest, a_file_goes_to_a_pipe_and_a_cancelled_one_stops) {
  const testing::TemporaryFolder folder;
  auto body = [&](Loop& on, Tcp& stalled) -> Coroutine<> {
    const std::string content(10'000'000, 'x');
    const Result<void> written = co_await write_file(on, folder.path() + "/file", content);
    EXPECT_TRUE(written);
    const UniqueFd file(open((folder.path() + "/file").c_str(), O_RDONLY | O_CLOEXEC));
    auto ends = *make_pipe();
    Pipe reader(on), writer(on);
    EXPECT_TRUE(reader.open(std::move(ends.first)));
    EXPECT_TRUE(writer.open(std::move(ends.second)));
    Coroutine<Result<std::uint64_t>> sending = send_file(writer, file.get(), 0, 500'000);
    sending.start();
    std::size_t received = 0;
    while (received < 500'000) {
      const Result<Bytes> piece = co_await reader.read();
      if (!piece || piece->empty()) break;
      received += piece->size();
    }
    EXPECT_EQ(received, 500'000u);
    EXPECT_EQ(co_await std::move(sending), 500'000u);
    const auto late = co_await with_timeout(on, 5ms, send_file(stalled, file.get(), 0, content.size()));
    EXPECT_EQ(late.error().number, ETIMEDOUT);
  };
  Pair pair = connected();
  sync_wait(loop, body(loop, *pair.client));
}

TEST_P(CoroutineHandlesTest, the_pool_is_not_held_by_sockets) {
  Pair pair = connected();
  const UniqueFd file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const int flags = fcntl(pair.client->fd(), F_GETFL);
  FileRequest request;
  const std::int64_t sent = request.sendfile(pair.client->fd(), file.get(), 0, 1000).run();
  EXPECT_EQ(sent, (flags & O_NONBLOCK) ? 1000 : -EOPNOTSUPP);
}

}  // namespace
}  // namespace rondo
