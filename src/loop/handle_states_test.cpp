// Properties of all kinds of handles, over every poller: active, referenced, closing; nothing after close; pool requests
// that are withdrawn while they wait.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <mutex>
#include <string_view>

#include "loop/net/net_fixture.h"
#include "rondo/async.h"
#include "rondo/dns.h"
#include "rondo/fs.h"
#include "rondo/phase_handles.h"
#include "rondo/poll.h"
#include "rondo/process.h"
#include "rondo/signal.h"
#include "rondo/tty.h"
#include "rondo/udp.h"
#include "rondo/watch.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class HandleStatesTest : public NetTest {
 public:
  using Start = std::function<void(Handle&)>;
  struct Kind {
    std::unique_ptr<Handle> handle;
    Start start;
  };
  template <class H>
  Kind kind(const std::function<void(H&)>& start) {
    return {std::make_unique<H>(loop), [start](Handle& handle) { start(static_cast<H&>(handle)); }};
  }

  // One of each kind, with what makes it active.
  std::vector<Kind> one_of_each() {
    std::vector<Kind> all;
    all.push_back(kind<Timer>([](Timer& timer) { timer.start(1h, [] {}); }));
    all.push_back(kind<Idle>([](Idle& idle) { idle.start([] {}); }));
    all.push_back(kind<Prepare>([](Prepare& prepare) { prepare.start([] {}); }));
    all.push_back(kind<Check>([](Check& check) { check.start([] {}); }));
    all.push_back(kind<Signal>([](Signal& signal) { ASSERT_TRUE(signal.start(SIGUSR2, [](int) {})); }));
    all.push_back(kind<TcpServer>([](TcpServer& server) {
      ASSERT_TRUE(server.bind(Address::loopback4(0)));
      ASSERT_TRUE(server.listen(1, [](Result<UniqueFd>) {}));
    }));
    all.push_back(kind<Udp>([](Udp& udp) {
      ASSERT_TRUE(udp.bind(Address::loopback4(0)));
      ASSERT_TRUE(udp.receive_start([](Result<Datagram>) {}));
    }));
    pair = std::move(*make_socket_pair());
    all.push_back(kind<Pipe>([this](Pipe& pipe) {
      ASSERT_TRUE(pipe.open(UniqueFd(dup(pair.first.get()))));
      ASSERT_TRUE(pipe.read_start([](Result<Bytes>) {}));
    }));
    all.push_back(kind<Poll>(
        [this](Poll& poll) { ASSERT_TRUE(poll.start(pair.first.get(), Readiness::Readable, [](Readiness) {})); }));
    all.push_back(kind<FileWatch>([](FileWatch& watch) { ASSERT_TRUE(watch.start("/tmp", [](const FileEvent&) {})); }));
    all.push_back(kind<FilePoll>(
        [](FilePoll& poll) { poll.start("/tmp", 1h, [](int, const struct ::statx&, const struct ::statx&) {}); }));
    all.push_back(kind<ChildProcess>([](ChildProcess& process) {
      ProcessOptions options;
      options.file = "/bin/sleep";
      options.args = {"sleep", "1000"};
      ASSERT_TRUE(process.spawn(options, [](ExitStatus) {}));
    }));
    return all;
  }
  // A pending look at a file does not make the handle active.
  void settle() {
    for (int i = 0; i < 1000 && loop.active_operations() > 0; i++) loop.run(RunMode::NoWait);
  }
  static void kill_child(Handle& handle) {
    if (handle.kind() != HandleKind::Process) return;
    ASSERT_TRUE(static_cast<ChildProcess&>(handle).kill(SIGKILL));
  }
  std::pair<UniqueFd, UniqueFd> pair;
};
RONDO_ON_BOTH_POLLERS(HandleStatesTest);

TEST_P(HandleStatesTest, active_and_referenced_keeps_the_loop_alive) {
  for (Kind& one : one_of_each()) {
    SCOPED_TRACE(handle_kind_name(one.handle->kind()));
    Handle& handle = *one.handle;
    EXPECT_TRUE(handle.has_ref());
    EXPECT_FALSE(handle.is_active() || handle.is_closing());
    EXPECT_FALSE(loop.alive());
    one.start(handle);
    EXPECT_TRUE(handle.is_active());
    EXPECT_TRUE(loop.alive());
    handle.unref();
    handle.unref();
    EXPECT_TRUE(handle.is_active());
    EXPECT_FALSE(handle.has_ref());
    settle();
    EXPECT_FALSE(loop.alive());
    EXPECT_FALSE(loop.run());
    handle.ref();
    EXPECT_TRUE(loop.alive());
    kill_child(handle);
    int closed = 0;
    handle.close([&] { closed++; });
    handle.close([&] { closed += 100; });
    EXPECT_TRUE(handle.is_closing());
    EXPECT_FALSE(handle.is_active());
    EXPECT_EQ(closed, 0);
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(closed, 1);
    EXPECT_TRUE(handle.is_closing());
    one.handle.reset();
    EXPECT_FALSE(loop.run());
  }
}

TEST_P(HandleStatesTest, inactive_unreferenced_or_active_each_may_be_closed_or_destroyed) {
  for (int how = 0; how < 6; how++) {
    auto all = one_of_each();
    int closed = 0;
    for (Kind& one : all) {
      SCOPED_TRACE(handle_kind_name(one.handle->kind()));
      if (how % 3 > 0) one.start(*one.handle);
      if (how % 3 > 0) kill_child(*one.handle);
      if (how % 3 > 1) one.handle->unref();
      if (how < 3) one.handle->close([&] { closed++; });
      if (how >= 3) one.handle.reset();
    }
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(closed, how < 3 ? static_cast<int>(all.size()) : 0);
  }
}

TEST_P(HandleStatesTest, close_callbacks_come_in_the_order_of_closing_after_the_callbacks_of_the_iteration) {
  Timer first(loop), second(loop);
  Check check(loop);
  std::string order;
  check.start([&] {
    order += 'c';
    check.close([&] { order += 'C'; });
  });
  first.start(0ms, [&] {
    order += '1';
    first.close([&] { order += 'A'; });
    second.close([&] {
      order += 'B';
      Timer* late = new Timer(loop);
      late->close([&order, late] {
        order += 'D';
        delete late;
      });
    });
  });
  second.start(0ms, [&] { order += '2'; });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(order, "1cABCD");
}

TEST_P(HandleStatesTest, handles_without_a_function_do_no_harm) {
  Async async(loop, {});
  Timer timer(loop);
  Check check(loop);
  timer.start(0ms, Function<void()>());
  check.start({});
  async.send();
  for (int i = 0; i < 3; i++) loop.run(RunMode::NoWait);
  EXPECT_FALSE(timer.is_active());
}

TEST_P(HandleStatesTest, idle_handles_starve_neither_timers_nor_io) {
  auto ends = make_socket_pair();
  Pipe pipe(loop);
  ASSERT_TRUE(pipe.open(std::move(ends->first)));
  Idle idle(loop);
  Prepare prepare(loop);
  int idles = 0, prepares = 0;
  idle.start([&] { idles++; });
  prepare.start([&] {
    prepares++;
    prepare.unref();  // in its own callback
  });
  bool fired = false;
  std::string got;
  Timer timer(loop);
  timer.start(5ms, [&] {
    fired = true;
    ASSERT_EQ(::write(ends->second.get(), "x", 1), 1);
  });
  ASSERT_TRUE(pipe.read_start([&](Result<Bytes> piece) {
    got += as_text(*piece);
    pipe.close();
    idle.stop();
  }));
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(fired);
  EXPECT_EQ(got, "x");
  EXPECT_GE(prepares, idles);
}

// All threads of the pool held, so that what follows can only wait.
TEST_P(HandleStatesTest, requests_that_wait_for_a_thread_can_be_withdrawn) {
  const int threads = ThreadPool::shared().size();
  std::mutex gate;
  gate.lock();
  int released = 0, holders = 0;
  std::atomic<int> holding{0};
  for (const JobClass which : {JobClass::User, JobClass::Fs, JobClass::Dns}) {
    for (int i = 0; i < threads + 2; i++, holders++) {
      run_on_pool(
          loop, which,
          [&] {
            holding++;
            const std::lock_guard wait(gate);
          },
          [&] { released++; });
    }
  }
  run_until([&] {
    if (holding < threads) usleep(100), loop.wake();
    return holding >= threads;
  });
  FileRequest file;
  AddressLookup address;
  NameLookup name;
  struct Work : Job {
    int error = -1;
  } work;
  std::int64_t file_result = 0;
  int address_error = 0, name_error = 0;
  file.readlink("/proc/self/exe").start(loop, [&](FileRequest& done) { file_result = done.result(); });
  address.start(loop, "localhost", [&](AddressLookup& done) { address_error = done.error(); });
  name.start(loop, Address::loopback4(80), 0, [&](NameLookup& done) { name_error = done.error(); });
  work.work = [](Job&) { FAIL() << "withdrawn"; };
  work.on_done = [](Job& job, int error) { static_cast<Work&>(job).error = error; };
  ThreadPool::shared().submit(loop, work);
  EXPECT_TRUE(ThreadPool::shared().cancel(work));
  file.cancel();
  address.cancel();
  name.cancel();
  run_until([&] { return file_result && address_error && name_error && work.error >= 0; });
  EXPECT_EQ(file_result, -ECANCELED);
  EXPECT_STREQ(error_name(address_error), "EAI_CANCELED");
  EXPECT_STREQ(error_name(name_error), "EAI_CANCELED");
  EXPECT_EQ(work.error, ECANCELED);
  gate.unlock();
  run_until([&] { return released == holders; });
  file.cancel();  // after the end: nothing
  EXPECT_FALSE(loop.run());
}

}  // namespace
}  // namespace rondo
