// The poll phase on a virtual clock: what decides how long it waits, what it runs, and who comes next. Each test names the
// acceptance rows it covers. Rules of the timeout one by one are in loop_test.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "rondo/loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// Notes waits with their timeouts, the callbacks of poll, and phases with something in them.
class PollLog : public Observer {
 public:
  void wait_begin(Nanoseconds timeout) override {
    note("wait " + (timeout == kNever ? "ever" : std::to_string(timeout)));
  }
  void wait_end(std::size_t) override { note("end"); }
  void note(const std::string& word) { words.push_back(word); }
  std::vector<std::string> words;
};
using Words = std::vector<std::string>;

class PollPhaseTest : public ::testing::Test {
 protected:
  // An operation that is over as soon as poll asks.
  void submit(Function<void()> then) {
    struct Ready {
      Operation operation;
      Function<void()> then;
    };
    auto* ready = new Ready{{}, std::move(then)};
    ready->operation.then(
        [](Operation& operation, const Completion&) {
          const std::unique_ptr<Ready> ended(static_cast<Ready*>(operation.owner));
          ended->then();
        },
        ready);
    loop.submit(ready->operation);
  }

  ManualClock clock{ManualClock::Mode::AutoAdvance, 1'000'000'000};
  PollLog log;
  Loop loop{LoopOptions{.clock = &clock, .observer = &log, .poller = "epoll"}};
};

TEST_F(PollPhaseTest, S41_long_callbacks_of_poll_delay_a_timer) {
  const Nanoseconds start = loop.now();
  Nanoseconds fired = 0;
  Timer timer(loop);
  timer.start(10ms, [&] { fired = loop.now(); });
  for (int i = 0; i < 5; i++) submit([&] { clock.advance(20ms); });
  loop.run();
  EXPECT_EQ(fired - start, 100'000'000);
}

TEST_F(PollPhaseTest, S44_idle_runs_once_an_iteration_and_prepare_before_every_poll) {
  Idle idle(loop);
  Prepare prepare(loop);
  int idles = 0, prepares = 0;
  idle.start([&] {
    if (++idles == 10) idle.stop(), prepare.stop();
  });
  prepare.start([&] { prepares++; });
  const std::uint64_t first = loop.iterations();
  loop.run();
  EXPECT_EQ(idles, 10);
  EXPECT_EQ(prepares, 9);  // the tenth iteration stopped it before its turn
  EXPECT_EQ(loop.iterations() - first, 10u);
}

TEST_F(PollPhaseTest, S54_S55_poll_waits_then_runs_its_queue_until_empty) {
  for (int i = 0; i < 3; i++) submit([&] { log.note("callback"); });
  loop.run();
  EXPECT_EQ(log.words, (Words{"wait 0", "end", "callback", "callback", "callback"}));
}

TEST_F(PollPhaseTest, S55_the_budget_is_the_limit) {
  loop.set_poll_budget(2);
  Check check(loop);
  check.start([&] { log.note("check"); });
  check.unref();
  for (int i = 0; i < 3; i++) submit([&] { log.note("callback"); });
  loop.run();
  EXPECT_EQ(log.words, (Words{"wait 0", "end", "callback", "callback", "check", "wait 0", "end", "callback", "check"}));
}

// On the real clock: a wake-up from outside ends a wait without limit, and its callback runs in the same visit of poll.
TEST(PollPhaseRealTest, S57_with_nothing_else_poll_waits_without_limit_and_runs_what_wakes_it) {
  PollLog log;
  Loop loop(LoopOptions{.observer = &log});
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Operation readable;
  readable.poll(ends[0], 1 /* POLLIN */)
      .then([](Operation& done, const Completion&) { static_cast<PollLog*>(done.owner)->note("callback"); }, &log);
  loop.submit(readable);
  Prepare once(loop);
  once.unref();
  once.start([&] {
    once.stop();
    ASSERT_EQ(write(ends[1], "x", 1), 1);
  });
  loop.run();
  EXPECT_EQ(log.words, (Words{"wait ever", "end", "callback"}));
  loop.forget(ends[0]);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(PollPhaseTest, S58_after_poll_due_timers_run_with_no_wait_between) {
  Timer timer(loop);
  timer.start(10ms, [&] { log.note("timer"); });
  submit([&] {
    clock.advance(15ms);
    log.note("callback");
  });
  loop.run();
  EXPECT_EQ(log.words, (Words{"wait 0", "end", "callback", "timer", "wait 0", "end"}));
}

TEST_F(PollPhaseTest, S59_what_else_there_is_decides_the_wait) {
  const auto first_wait = [this] {
    log.words.clear();
    loop.run(RunMode::Default);
    return log.words.empty() ? std::string("none") : log.words[0];
  };
  loop.defer([this] { loop.defer([] {}); });
  EXPECT_EQ(first_wait(), "wait 0") << "pending";
  Check closing(loop);
  loop.defer([&] { closing.close(); });
  EXPECT_EQ(first_wait(), "wait 0") << "closing";
  Idle idle(loop);
  Check check(loop);
  idle.start([] {});
  check.start([&] { idle.stop(), check.stop(); });
  EXPECT_EQ(first_wait(), "wait 0") << "check, as immediates use it";
  Timer timer(loop);
  timer.start(7ms, [] {});
  EXPECT_EQ(first_wait(), "wait 7000000") << "a timer";
}

// As the runtime drives immediates: one check handle runs them, one idle handle keeps poll from waiting.
TEST_F(PollPhaseTest, S61_S62_an_idle_poll_goes_on_to_check) {
  Timer far(loop);
  far.start(1h, [&] { log.note("timer"); });
  Idle keeps_awake(loop);
  Check check(loop);
  std::deque<std::string> immediates{"one", "two"};
  keeps_awake.start([] {});
  check.start([&] {
    for (; !immediates.empty(); immediates.pop_front()) log.note(immediates.front());
    keeps_awake.stop();
    check.stop();
    far.stop();
  });
  loop.run();
  EXPECT_EQ(log.words, (Words{"wait 0", "end", "one", "two"}));
}

}  // namespace
}  // namespace rondo
