// Guarantees of the phases about their queues, on every poller: one row of the acceptance list a test, asserting that row's statement.
#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <utility>

#include "loop/poller/poller_fixture.h"
#include "rondo/phase_handles.h"
#include "rondo/timer.h"

namespace rondo::testing {
namespace {

using namespace std::chrono_literals;

TEST_P(PollerTest, S38_a_phase_runs_its_queue_until_it_is_empty_or_the_limit_is_reached) {
  constexpr int kLimit = 4, kReady = 10;
  loop.set_poll_budget(kLimit);
  std::vector<int> visits;
  int calls_now = 0, deferred = 0;
  Check check(loop);
  check.start([&] { visits.push_back(std::exchange(calls_now, 0)); });
  check.unref();
  std::deque<Call> calls(kReady);
  for (Call& call : calls) {
    call.on_note = [&](const Completion&) { calls_now++; };
    loop.submit(call.operation);
    loop.defer([&] { deferred++; });  // of pending, which has no limit
  }
  loop.run(RunMode::Once);
  EXPECT_EQ(deferred, kReady);
  run_until([&] { return loop.active_operations() == 0; });
  if (answers_at_once()) {
    EXPECT_EQ(visits, (std::vector<int>{kLimit, kLimit, kReady - 2 * kLimit}));
  }
  EXPECT_LE(*std::max_element(visits.begin(), visits.end()), kLimit);
  EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), kReady);
  check.stop();
}

TEST_P(PollerTest, S40_an_event_that_becomes_ready_during_poll_is_handled_in_this_visit_or_the_next) {
  constexpr int kRounds = 100;
  auto one = sockets(), two = sockets();
  int visit = 0, ready_in = 0, handled = 0;
  Check check(loop);
  check.start([&] { visit++; });
  check.unref();
  Call first, second;
  const auto pass_on = [&](Call& call, int to) {
    call.on_note = [&, to](const Completion& completion) {
      if (completion.result <= 0) return;
      if (answers_at_once()) {
        EXPECT_LE(visit - ready_in, 1);
      }
      if (++handled == kRounds) return;
      ready_in = visit;
      EXPECT_EQ(world->put(to, "x"), 1);
    };
  };
  pass_on(first, two[0].get());
  pass_on(second, one[0].get());
  first.operation.recv(one[1].get()).repeatedly();
  second.operation.recv(two[1].get()).repeatedly();
  loop.submit(first.operation);
  loop.submit(second.operation);
  EXPECT_EQ(world->put(one[0].get(), "x"), 1);
  run_until([&] { return handled == kRounds; });
  EXPECT_EQ(first.bytes.size() + second.bytes.size(), static_cast<std::size_t>(kRounds));
  cancel_and_end(first);
  cancel_and_end(second);
  check.stop();
  forget(one[0], one[1], two[0], two[1]);
}

// Iterations counted, and the phase that runs.
class Place : public Observer {
 public:
  void phase_begin(Phase begun) override {
    phase = begun;
    if (begun == Phase::Poll) polls++;
  }
  Phase phase = Phase::UpdateTime;
  int polls = 0;
};

TEST_P(PollerTest, S43_callbacks_deferred_in_poll_run_in_pending_before_the_next_poll_until_none_is_left) {
  Place place;
  loop.add_observer(place);
  int deferred_after = 0;
  std::vector<int> polls_between;
  const auto note = [&] {
    EXPECT_EQ(place.phase, Phase::Pending);
    polls_between.push_back(place.polls - deferred_after);
  };
  Call call;
  call.on_note = [&](const Completion&) {
    EXPECT_EQ(place.phase, Phase::Poll);
    deferred_after = place.polls;
    loop.defer(note);
    loop.defer([&] {
      note();
      loop.defer(note);  // the limit: what is deferred now waits for the next pending
    });
    loop.defer(note);
  };
  loop.submit(call.operation);
  loop.run();
  EXPECT_EQ(polls_between, (std::vector<int>{0, 0, 0, 1}));
  EXPECT_FALSE(loop.alive());
  loop.remove_observer(place);
}

TEST_P(PollerTest, S51_events_that_refill_themselves_do_not_keep_timers_and_immediates_waiting) {
  constexpr int kBudget = 64;
  loop.set_poll_budget(kBudget);
  bool is_over = false;
  int calls_now = 0, most = 0, checks = 0, timeouts = 0;
  std::deque<Call> calls(kBudget * 3);
  for (Call& call : calls) {
    call.on_note = [&](const Completion&) {
      calls_now++;
      if (!is_over) loop.submit(call.operation);
    };
    loop.submit(call.operation);
  }
  Timer timer(loop);
  timer.start(1ms, [&] { timeouts++; }, 1ms);
  Check check(loop);
  check.start([&] {
    most = std::max(most, std::exchange(calls_now, 0));
    // A simulated clock stands still while there is something to do.
    is_over = ++checks >= 10 && (timeouts >= 3 || world->is_simulated());
  });
  run_until([&] { return is_over; });
  EXPECT_GT(most, 0);
  EXPECT_LE(most, kBudget) << "callbacks between two visits of check";
  if (answers_at_once()) {
    EXPECT_GT(loop.metrics().events_deferred, 0u) << "the limit is told";
  }
  timer.stop();
  check.stop();
  run_until([&] { return loop.active_operations() == 0; });
}

}  // namespace
}  // namespace rondo::testing
