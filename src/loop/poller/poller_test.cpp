// The shared suite, first part: what holds for operations of every kind (O1-O6 in operation.h), many of them, other threads, timers.
// Rows of the acceptance list about phases are in phase_rows_test.cpp.
#include "rondo/poller.h"

#include <chrono>
#include <deque>
#include <thread>

#include "loop/poller/poller_fixture.h"

namespace rondo::testing {
namespace {

using namespace std::chrono_literals;

TEST_P(PollerTest, S153_has_a_name) { EXPECT_STREQ(loop.poller().name(), world->is_simulated() ? "sim" : GetParam()); }

TEST_P(PollerTest, a_completion_never_comes_from_inside_submit) {
  Call call;
  loop.submit(call.operation);
  EXPECT_TRUE(call.operation.is_in_flight());
  EXPECT_EQ(loop.active_operations(), 1u);
  EXPECT_TRUE(call.results.empty());
  loop.run();
  EXPECT_EQ(call.results, std::vector<int>{0});
  EXPECT_FALSE(call.operation.is_in_flight());
  EXPECT_EQ(loop.active_operations(), 0u);
}

class PhaseWatch : public Observer {
 public:
  void phase_begin(Phase phase) override { current = phase; }
  Phase current = Phase::UpdateTime;
};

TEST_P(PollerTest, completions_come_in_the_poll_phase_only) {
  PhaseWatch watch;
  loop.add_observer(watch);
  Call call;
  call.on_note = [&](const Completion&) { EXPECT_EQ(watch.current, Phase::Poll); };
  Timer timer(loop);
  timer.start(0ms, [&] { loop.submit(call.operation); });
  loop.run();
  EXPECT_EQ(call.finals, 1);
  loop.remove_observer(watch);
}

TEST_P(PollerTest, an_operation_may_be_submitted_again_or_freed_in_its_callback) {
  Call again;
  int left = 100;
  again.on_note = [&](const Completion&) {
    if (--left > 0) loop.submit(again.operation);
  };
  loop.submit(again.operation);
  auto freed = std::make_unique<Call>();
  freed->on_note = [&](const Completion&) { loop.post([&] { freed.reset(); }); };
  loop.submit(freed->operation);
  struct Own : Operation {};
  auto* own = new Own;
  own->then([](Operation& operation, const Completion&) { delete static_cast<Own*>(&operation); });
  loop.submit(*own);
  loop.run();
  EXPECT_EQ(again.finals, 100);
  EXPECT_EQ(freed, nullptr);
}

TEST_P(PollerTest, a_callback_may_stop_the_loop_and_what_is_left_goes_on_later) {
  std::deque<Call> calls(5);
  for (Call& call : calls) {
    call.on_note = [&](const Completion&) { loop.stop(); };
    loop.submit(call.operation);
  }
  for (int rounds = 0; rounds < 1000 && loop.run(); rounds++) {
  }
  for (Call& call : calls) EXPECT_EQ(call.finals, 1);
}

TEST_P(PollerTest, operations_of_handles_do_not_keep_the_loop_alive) {
  auto pair = sockets();
  Call receive;
  receive.operation.keeps_loop_alive = false;
  receive.operation.recv(pair[1].get());
  loop.submit(receive.operation);
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
  const Loop::KeepAlive waiting(loop);
  loop.cancel(receive.operation);
  run_until([&] { return receive.finals == 1; });
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, wrong_descriptors_are_told_in_a_completion) {
  char buffer[4];
  for (const int fd : {-1, 9999}) {
    EXPECT_EQ(result_of([&](Operation& op) { op.recv(fd, buffer, sizeof buffer); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.recv(fd).repeatedly(); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.send(fd, "x", 1); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.accept(fd).repeatedly(); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.read(fd, buffer, sizeof buffer); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.write(fd, "x", 1).as_stream(); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.poll(fd, 1); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.fsync(fd); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.close(fd); }), -EBADF);
  }
}

TEST_P(PollerTest, S61_poll_budget_leaves_the_rest_for_the_next_iteration) {
  loop.set_poll_budget(10);
  std::deque<Call> calls(25);
  for (Call& call : calls) loop.submit(call.operation);
  auto finished = [&] {
    int count = 0;
    for (Call& call : calls) count += call.finals;
    return count;
  };
  int before = 0;
  while (before < 25) {
    loop.run(RunMode::Once);
    const int now = finished();
    EXPECT_LE(now - before, 10);
    if (answers_at_once()) {
      EXPECT_EQ(now, std::min(before + 10, 25));
    }
    before = now;
  }
  EXPECT_FALSE(loop.alive());
}

TEST_P(PollerTest, more_operations_than_the_queues_hold) {
  std::deque<Call> calls(20000);
  for (Call& call : calls) loop.submit(call.operation);
  loop.run();
  for (Call& call : calls) ASSERT_EQ(call.finals, 1);
}

TEST_P(PollerTest, timers_and_operations_share_the_loop) {
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get()).repeatedly();
  loop.submit(receive.operation);
  Timer ticks(loop);
  std::string sent;
  Nanoseconds deadline = loop.now();
  ticks.start(
      1ms,
      [&] {
        deadline += 1'000'000;
        EXPECT_GE(loop.now(), deadline) << "never early";
        sent += static_cast<char>('a' + sent.size() % 26);
        EXPECT_EQ(world->put(pair[0].get(), std::string_view(sent).substr(sent.size() - 1)), 1);
        if (sent.size() == 20) ticks.stop();
      },
      1ms);
  run_until([&] { return receive.bytes.size() == 20; });
  EXPECT_EQ(receive.bytes, sent);
  cancel_and_end(receive);
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, posts_of_another_thread_reach_a_loop_that_waits_for_a_socket) {
  world->expect_threads();
  auto pair = sockets();
  Call receive;
  receive.operation.recv(pair[1].get());
  loop.submit(receive.operation);
  std::thread other([&] {
    for (int i = 0; i < 100; i++) loop.post([] {});
    loop.post([&] { EXPECT_EQ(world->put(pair[0].get(), "x"), 1); });
  });
  run_until([&] { return receive.finals == 1; });
  other.join();
  EXPECT_EQ(receive.bytes, "x");
  forget(pair[0], pair[1]);
}

TEST_P(PollerTest, wake_returns_a_wait_in_progress_or_the_next) {
  world->expect_threads();
  const Loop::KeepAlive waiting(loop);
  for (int i = 0; i < 50; i++) {
    std::thread other([&] { loop.wake(); });
    loop.run(RunMode::Once);
    other.join();
  }
}

TEST_P(PollerTest, jobs_of_the_pool_end_while_the_loop_waits_for_nothing_else) {
  int done = 0;
  for (int i = 0; i < 50; i++) run_on_pool(loop, JobClass::User, [] {}, [&] { done++; });
  loop.run();
  EXPECT_EQ(done, 50);
}

INSTANTIATE_TEST_SUITE_P(Pollers, PollerTest, every_poller(), name_of);

}  // namespace
}  // namespace rondo::testing
