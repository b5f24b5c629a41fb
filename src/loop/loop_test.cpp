// The iteration on a manual clock: order of phases, run modes, alive rule, poll timeout. Each test names the
// acceptance rows it covers.
#include "rondo/loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rondo {
namespace {

using namespace std::chrono_literals;

class LoopTest : public ::testing::Test {
 public:
  ManualClock clock{ManualClock::Mode::Manual, 1'000'000'000};
  Loop loop{LoopOptions{.clock = &clock, .poller = "epoll"}};
  std::vector<std::string> log;

  auto say(const std::string& word) {
    return [this, word] { log.push_back(word); };
  }
  using Words = std::vector<std::string>;
};

TEST_F(LoopTest, S137_not_alive_updates_time_only_and_returns_false) {
  const Nanoseconds before = loop.now();
  clock.advance(5ms);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(loop.now(), before + 5'000'000);
  EXPECT_EQ(loop.iterations(), 0u);
}

TEST_F(LoopTest, S139_S133_S134_phases_run_in_order) {
  Timer timer(loop);
  Idle idle(loop);
  Prepare prepare(loop);
  Check check(loop);
  Timer closed(loop);
  Operation operation;
  operation.then([](Operation& op, const Completion&) { static_cast<LoopTest*>(op.owner)->log.push_back("poll"); },
                 this);
  // Started in another order than they run.
  check.start(say("check"));
  closed.close(say("closing"));
  loop.submit(operation);
  prepare.start(say("prepare"));
  idle.start(say("idle"));
  loop.defer(say("pending"));
  timer.start(0ms, say("timer"));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(log, (Words{"timer", "pending", "idle", "prepare", "poll", "check", "closing"}));
}

TEST_F(LoopTest, S129_now_is_constant_within_a_batch) {
  Timer first(loop), second(loop);
  std::vector<Nanoseconds> seen;
  first.start(1ms, [&] {
    seen.push_back(loop.now());
    clock.advance(10ms);
  });
  second.start(1ms, [&] {
    seen.push_back(loop.now());
    loop.update_time();
    seen.push_back(loop.now());
  });
  clock.advance(1ms);
  loop.run(RunMode::NoWait);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[2], seen[1] + 10'000'000);
}

TEST_F(LoopTest, S130_alive_matrix) {
  EXPECT_FALSE(loop.alive());
  {
    Timer timer(loop);
    EXPECT_FALSE(loop.alive()) << "inactive";
    timer.start(1s, [] {});
    EXPECT_TRUE(loop.alive()) << "active, ref'd";
    timer.unref();
    EXPECT_FALSE(loop.alive()) << "active, not ref'd";
    timer.ref();
    EXPECT_TRUE(loop.alive());
    timer.stop();
    EXPECT_FALSE(loop.alive()) << "stopped";
    timer.close();
    EXPECT_TRUE(loop.alive()) << "closing";
    loop.run();
    EXPECT_FALSE(loop.alive()) << "closed";
  }
  Operation operation;
  operation.then([](Operation&, const Completion&) {});
  loop.submit(operation);
  EXPECT_TRUE(loop.alive()) << "operation";
  loop.run();
  EXPECT_FALSE(loop.alive());
  {
    Loop::KeepAlive token(loop);
    EXPECT_TRUE(loop.alive()) << "token";
  }
  EXPECT_FALSE(loop.alive());
}

TEST_F(LoopTest, S132_deferred_functions_run_in_the_next_iteration) {
  loop.defer([&] {
    log.push_back("first");
    loop.defer(say("second"));
  });
  EXPECT_TRUE(loop.run(RunMode::NoWait));
  EXPECT_EQ(log, Words{"first"});
  EXPECT_FALSE(loop.run(RunMode::NoWait));
  EXPECT_EQ(log, (Words{"first", "second"}));
}

TEST_F(LoopTest, S138_S144_S145_stop_ends_the_run_and_is_reset) {
  Check check(loop);
  int runs = 0;
  Idle idle(loop);
  idle.start([] {});
  check.start([&] {
    runs++;
    loop.stop();
  });
  EXPECT_TRUE(loop.run());
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(loop.run());
  EXPECT_EQ(runs, 2);
  loop.stop();
  EXPECT_TRUE(loop.run()) << "stopped before: no iteration";
  EXPECT_EQ(runs, 2);
  idle.stop();
  check.stop();
  EXPECT_FALSE(loop.run());
}

TEST_F(LoopTest, S141_once_fires_a_single_timer_and_returns) {
  ManualClock virtual_clock(ManualClock::Mode::AutoAdvance);
  Loop once(LoopOptions{.clock = &virtual_clock, .poller = "epoll"});
  Timer timer(once);
  bool fired = false;
  timer.start(10ms, [&] { fired = true; });
  EXPECT_FALSE(once.run(RunMode::Once));
  EXPECT_TRUE(fired);
  EXPECT_EQ(once.iterations(), 1u);
}

TEST_F(LoopTest, S142_S143_nowait_runs_nothing_when_nothing_is_ready) {
  Timer timer(loop);
  timer.start(10ms, say("timer"));
  EXPECT_TRUE(loop.run(RunMode::NoWait));
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(loop.iterations(), 1u);
}

struct WaitLog final : Observer {
  std::vector<Nanoseconds> timeouts;
  void wait_begin(Nanoseconds timeout) override { timeouts.push_back(timeout); }
};

TEST_F(LoopTest, S140_poll_timeout_by_mode_and_pending) {
  struct Row {
    RunMode mode;
    bool pending;
    Nanoseconds timeout;
  };
  const Nanoseconds wait = 10'000'000;
  for (const Row row :
       {Row{RunMode::Default, false, wait}, Row{RunMode::Default, true, wait}, Row{RunMode::Once, false, wait},
        Row{RunMode::Once, true, 0}, Row{RunMode::NoWait, false, 0}, Row{RunMode::NoWait, true, 0}}) {
    ManualClock virtual_clock(ManualClock::Mode::AutoAdvance);
    WaitLog waits;
    Loop table(LoopOptions{.clock = &virtual_clock, .observer = &waits, .poller = "epoll"});
    Timer timer(table);
    timer.start(10ms, [] {});
    if (row.pending) table.defer([] {});
    table.run(row.mode);
    ASSERT_FALSE(waits.timeouts.empty());
    EXPECT_EQ(waits.timeouts[0], row.timeout) << static_cast<int>(row.mode) << row.pending;
  }
}

TEST_F(LoopTest, S146_to_S151_backend_timeout_rules) {
  EXPECT_EQ(loop.backend_timeout(), 0) << "S147: nothing active";
  Operation operation;
  operation.poll(loop.backend_fd(), 0).then([](Operation&, const Completion&) {});
  Async keeper(loop, [] {});
  EXPECT_EQ(loop.backend_timeout(), kNever) << "S151: no timer";
  Timer timer(loop);
  timer.start(7ms, [] {});
  EXPECT_EQ(loop.backend_timeout(), 7'000'000) << "S151: distance";
  loop.stop();
  EXPECT_EQ(loop.backend_timeout(), 0) << "S146: stopped";
  loop.run();
  Idle idle(loop);
  idle.start([] {});
  EXPECT_EQ(loop.backend_timeout(), 0) << "S148: idle handle";
  idle.stop();
  EXPECT_EQ(loop.backend_timeout(), 7'000'000);
  loop.defer([] {});
  EXPECT_EQ(loop.backend_timeout(), 0) << "S149: pending queue";
  loop.run(RunMode::NoWait);
  idle.close();
  EXPECT_EQ(loop.backend_timeout(), 0) << "S150: closing handle";
  loop.run(RunMode::NoWait);
  EXPECT_EQ(loop.backend_timeout(), 7'000'000);
  clock.advance(8ms);
  loop.update_time();
  EXPECT_EQ(loop.backend_timeout(), 0) << "S151: due";
}

TEST_F(LoopTest, S152_one_timer_means_few_iterations) {
  Loop real(LoopOptions{.poller = "epoll"});
  Timer timer(real);
  timer.start(30ms, [] {});
  real.run();
  EXPECT_LE(real.iterations(), 3u);
}

TEST_F(LoopTest, phase_handles_run_in_start_order_and_may_be_started_while_running) {
  Check first(loop), second(loop), late(loop);
  first.start([&] {
    log.push_back("first");
    late.start(say("late"));
  });
  second.start(say("second"));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(log, (Words{"first", "second"}));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(log, (Words{"first", "second", "first", "second", "late"}));
  first.stop();
  second.stop();
  late.stop();
}

TEST_F(LoopTest, a_callback_may_destroy_its_own_handle_and_others) {
  auto own = std::make_unique<Check>(loop);
  auto other = std::make_unique<Check>(loop);
  auto big = std::make_shared<std::string>("still here");
  own->start([&own, &other, big, this] {
    own.reset();
    other.reset();
    log.push_back(*big);
  });
  other->start(say("never"));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(log, Words{"still here"});
  EXPECT_EQ(big.use_count(), 1);
}

TEST_F(LoopTest, a_callback_may_replace_itself) {
  Timer timer(loop);
  auto token = std::make_shared<int>(1);
  timer.start(0ms, [&, token] {
    timer.start(0ms, say("second"));
    log.push_back(token ? "first" : "lost");
  });
  loop.run();
  EXPECT_EQ(log, (Words{"first", "second"}));
  EXPECT_EQ(token.use_count(), 1);
}

TEST_F(LoopTest, close_callback_runs_once_and_nothing_after_it) {
  auto timer = std::make_unique<Timer>(loop);
  timer->start(0ms, say("timer"));
  timer->close([&] {
    log.push_back("closed");
    timer.reset();
  });
  timer->close(say("again"));
  timer->start(0ms, say("zombie"));
  loop.run();
  EXPECT_EQ(log, Words{"closed"});
}

struct EventLog final : Observer {
  std::vector<std::string> events;
  void phase_begin(Phase phase) override { events.push_back(std::string("+") + phase_name(phase)); }
  void phase_end(Phase phase) override { events.push_back(std::string("-") + phase_name(phase)); }
  void callback_begin(HandleKind kind, std::uint32_t) override { events.push_back(handle_kind_name(kind)); }
  void handle_start(HandleKind, std::uint32_t id) override { events.push_back("start " + std::to_string(id)); }
  void handle_stop(HandleKind, std::uint32_t id) override { events.push_back("stop " + std::to_string(id)); }
};

TEST_F(LoopTest, observer_sees_phases_and_callbacks) {
  EventLog seen;
  loop.add_observer(seen);
  Timer timer(loop);
  timer.start(0ms, [] {});
  loop.run();
  const std::string id = std::to_string(timer.id());
  EXPECT_EQ(seen.events, (Words{"start " + id, "+timers", "stop " + id, "timer", "-timers", "+poll", "-poll"}));
  loop.remove_observer(seen);
}

TEST_F(LoopTest, metrics_count_what_happened) {
  ManualClock virtual_clock(ManualClock::Mode::AutoAdvance, 1);
  Loop counted(LoopOptions{.clock = &virtual_clock, .poller = "epoll"});
  counted.measure_phases();
  Timer timer(counted), far(counted);
  timer.start(10ms, [&] { virtual_clock.advance(3ms); });
  far.start(1s, [] {});
  far.unref();
  counted.post([] {});
  counted.run();
  const LoopMetrics metrics = counted.metrics();
  EXPECT_EQ(metrics.idle_time, 10'000'000);
  EXPECT_EQ(metrics.time_in(Phase::Timers), 3'000'000);
  EXPECT_EQ(metrics.time_in(Phase::Poll), 10'000'000);
  EXPECT_EQ(metrics.events, 1u);
  EXPECT_EQ(metrics.timers, 1u);
  EXPECT_EQ(metrics.active_handles, 0u);
}

}  // namespace
}  // namespace rondo
