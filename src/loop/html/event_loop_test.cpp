// The processing model step by step, the checkpoint, spinning, and the lives of window, worker and worklet loops.
#include "rondo/html/event_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "loop/html/test_window.h"

namespace rondo::html {
namespace {

using namespace std::chrono_literals;

class HtmlLoop : public Window {};

TEST_F(HtmlLoop, S173_has_one_or_several_task_queues) {
  EXPECT_EQ(loop.task_queues(), kTaskSources);
  EventLoop single(reactor, {.queue_of = {}});
  EXPECT_EQ(single.task_queues(), 1u);
}

TEST_F(HtmlLoop, S174_a_task_is_added_to_a_queue_of_the_loop_it_is_meant_for) {
  EventLoop other(reactor, {.kind = LoopKind::Worklet});
  other.queue_a_task(TaskSource::Networking, nullptr, [&] { say("other"); });
  EXPECT_FALSE(loop.has_runnable_tasks());
  EXPECT_TRUE(other.has_runnable_tasks());
  EXPECT_TRUE(other.turn());
  EXPECT_EQ(log, (Log{"other"}));
}

TEST_F(HtmlLoop, S174_a_task_from_another_thread_takes_the_way_over_the_reactor) {
  std::thread::id ran_in;
  Loop::KeepAlive waiting(reactor);
  std::thread thread([&] {
    EXPECT_EQ(loop.queue_a_task(TaskSource::PostedMessage, nullptr,
                                [&] {
                                  ran_in = std::this_thread::get_id();
                                  loop.stop();
                                }),
              0u);
  });
  loop.run();
  thread.join();
  EXPECT_EQ(ran_in, std::this_thread::get_id());
}

TEST_F(HtmlLoop, S176_S198_the_oldest_task_of_a_source_is_taken_and_removed) {
  for (int i = 0; i < 3; i++) queue(TaskSource::Networking, std::to_string(i));
  EXPECT_TRUE(loop.turn());
  EXPECT_EQ(log, (Log{"0"}));
  EXPECT_TRUE(loop.turn());
  EXPECT_TRUE(loop.turn());
  EXPECT_FALSE(loop.turn());
  EXPECT_EQ(log, (Log{"0", "1", "2"}));
}

TEST_F(HtmlLoop, S182_S185_S203_S217_microtasks_run_in_order_before_the_next_task_and_so_do_theirs) {
  queue(TaskSource::Timer, "next task");
  loop.queue_a_task(TaskSource::Timer, document.get(), [this] { say("last task"); });
  loop.queue_a_microtask([&] {
    say("a");
    loop.queue_a_microtask([&] { say("c"); });
  });
  loop.queue_a_microtask([&] { say("b"); });
  EXPECT_TRUE(loop.has_microtasks());
  loop.perform_a_microtask_checkpoint();
  EXPECT_EQ(log, (Log{"a", "b", "c"}));
  loop.run();
  EXPECT_EQ(log, (Log{"a", "b", "c", "next task", "last task"}));
}

TEST_F(HtmlLoop, S196_without_a_task_the_turn_still_performs_the_checkpoint) {
  loop.queue_a_microtask([&] { say("micro"); });
  EXPECT_FALSE(loop.turn());
  EXPECT_EQ(log, (Log{"micro"}));
  EXPECT_EQ(loop.checkpoints(), 1u);
}

TEST_F(HtmlLoop, S197_tasks_of_a_document_that_is_not_fully_active_wait_for_it_in_order) {
  queue(TaskSource::Networking, "first");
  loop.queue_a_task(TaskSource::Networking, nullptr, [&] { say("of no document"); });
  queue(TaskSource::Networking, "second");
  context->present(nullptr);
  queue(TaskSource::Networking, "third");
  EXPECT_TRUE(loop.turn());
  EXPECT_FALSE(loop.turn());
  EXPECT_EQ(log, (Log{"of no document"}));
  context->present(document.get());
  loop.run();
  EXPECT_EQ(log, (Log{"of no document", "first", "second", "third"}));
}

TEST_F(HtmlLoop, S199_S202_the_currently_running_task_is_known_during_it_and_null_after) {
  EXPECT_EQ(loop.currently_running_task(), nullptr);
  std::uint64_t running = 0;
  const auto id = loop.queue_a_task(TaskSource::HistoryTraversal, document.get(), [&] {
    running = loop.currently_running_task()->id;
    EXPECT_EQ(loop.currently_running_task()->source, TaskSource::HistoryTraversal);
  });
  loop.turn();
  EXPECT_EQ(running, id);
  EXPECT_EQ(loop.currently_running_task(), nullptr);
}

TEST_F(HtmlLoop, S217_a_microtask_is_the_currently_running_task_while_it_runs) {
  TaskSource source = TaskSource::Timer;
  loop.queue_a_microtask([&] { source = loop.currently_running_task()->source; });
  loop.perform_a_microtask_checkpoint();
  EXPECT_EQ(source, TaskSource::Microtask);
  EXPECT_EQ(loop.currently_running_task(), nullptr);
}

TEST_F(HtmlLoop, S200_S201_S204_times_of_a_task_are_taken_before_it_and_after_its_microtasks) {
  clock.advance(5ms);
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] {
    clock.advance(30ms);
    loop.queue_a_microtask([&] { clock.advance(25ms); });
  });
  loop.turn();
  ASSERT_EQ(host.long_tasks.size(), 1u);
  EXPECT_EQ(host.long_tasks[0].start, 5'000'000);
  EXPECT_EQ(host.long_tasks[0].end, 60'000'000);
}

TEST_F(HtmlLoop, S205_a_task_of_more_than_50_ms_is_reported_with_its_start_and_duration) {
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] { clock.advance(50ms); });
  loop.queue_a_task(TaskSource::UserInteraction, document.get(), [&] { clock.advance(51ms); });
  loop.run();
  ASSERT_EQ(host.long_tasks.size(), 1u);
  EXPECT_EQ(host.long_tasks[0].start, 50'000'000);
  EXPECT_EQ(host.long_tasks[0].end - host.long_tasks[0].start, 51'000'000);
  EXPECT_EQ(host.long_tasks[0].source, TaskSource::UserInteraction);
}

TEST_F(HtmlLoop, S216_a_checkpoint_inside_of_a_checkpoint_does_nothing_and_the_next_works) {
  loop.queue_a_microtask([&] {
    say("a");
    loop.perform_a_microtask_checkpoint();
    EXPECT_TRUE(loop.is_performing_a_microtask_checkpoint());
    say("end of a");
  });
  loop.queue_a_microtask([&] { say("b"); });
  loop.perform_a_microtask_checkpoint();
  EXPECT_EQ(log, (Log{"a", "end of a", "b"}));
  EXPECT_EQ(loop.checkpoints(), 1u);
  EXPECT_FALSE(loop.is_performing_a_microtask_checkpoint());
  loop.queue_a_microtask([&] { say("c"); });
  loop.perform_a_microtask_checkpoint();
  EXPECT_EQ(log.back(), "c");
}

TEST_F(HtmlLoop, S218_transactions_follow_the_last_microtask) {
  loop.queue_a_microtask([&] {
    host.log.push_back("micro");
    loop.queue_a_microtask([&] { host.log.push_back("micro of micro"); });
  });
  loop.perform_a_microtask_checkpoint();
  EXPECT_EQ(host.log, (Log{"micro", "micro of micro", "transactions"}));
}

TEST_F(HtmlLoop, a_checkpoint_is_left_out_when_nothing_has_run_since_the_last) {
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] {
    loop.queue_a_microtask([&] { say("micro"); });
    loop.perform_a_microtask_checkpoint();
    loop.perform_a_microtask_checkpoint();
    EXPECT_EQ(loop.checkpoints(), 1u);
    loop.note_script();
    loop.perform_a_microtask_checkpoint();
    EXPECT_EQ(loop.checkpoints(), 2u);
  });
  loop.turn();
  EXPECT_EQ(loop.checkpoints(), 2u);
  EXPECT_EQ(log, (Log{"micro"}));
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] { loop.queue_a_microtask([&] { say("second"); }); });
  loop.turn();
  EXPECT_EQ(loop.checkpoints(), 3u);
}

TEST_F(HtmlLoop, S219_the_checkpoint_comes_after_the_task_and_before_the_rendering) {
  document->invalidate();
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] {
    clock.advance(20ms);
    loop.queue_a_microtask([&] { host.log.push_back("micro"); });
  });
  loop.turn();
  EXPECT_EQ(host.log[0], "task");
  EXPECT_EQ(host.log[1], "micro");
  EXPECT_EQ(host.log[3], "render");
}

TEST_F(HtmlLoop, spinning_lets_other_tasks_run_and_goes_on_as_a_task_of_its_source) {
  bool goal = false;
  loop.queue_a_task(TaskSource::DomManipulation, nullptr, [&] {
    say("before");
    EXPECT_TRUE(loop.spin_the_event_loop([&] { return goal; }));
    say("after");
    EXPECT_EQ(loop.currently_running_task()->source, TaskSource::DomManipulation);
  });
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] {
    say("meanwhile");
    goal = true;
  });
  loop.run();
  EXPECT_EQ(log, (Log{"before", "meanwhile", "after"}));
}

TEST_F(HtmlLoop, S184_a_microtask_that_spins_goes_on_as_a_task_and_no_other_microtask_runs_meanwhile) {
  bool goal = false;
  loop.queue_a_microtask([&] {
    loop.spin_the_event_loop([&] { return goal; });
    EXPECT_EQ(loop.currently_running_task()->source, TaskSource::Microtask);
    say("spun");
  });
  loop.queue_a_microtask([&] { say("second microtask"); });
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] {
    say("task");
    goal = true;
  });
  loop.perform_a_microtask_checkpoint();
  EXPECT_EQ(log, (Log{"task", "spun", "second microtask"}));
}

TEST_F(HtmlLoop, spinning_without_hope_returns_false) {
  bool result = true;
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] { result = loop.spin_the_event_loop([] { return false; }); });
  loop.run();
  EXPECT_FALSE(result);
}

TEST_F(HtmlLoop, S188_there_are_window_worker_and_worklet_loops) {
  EventLoop worker(reactor, {.kind = LoopKind::Worker});
  EventLoop worklet(reactor, {.kind = LoopKind::Worklet});
  EXPECT_EQ(name_of(loop.kind()), "window");
  EXPECT_EQ(name_of(worker.kind()), "worker");
  EXPECT_EQ(name_of(worklet.kind()), "worklet");
  EXPECT_EQ((std::set{loop.id(), worker.id(), worklet.id()}).size(), 3u);
}

TEST_F(HtmlLoop, S193_each_thread_has_a_loop_of_its_own) {
  std::uint64_t there = 0;
  std::thread thread([&] {
    Loop its_reactor;
    EventLoop its_loop(its_reactor, {.kind = LoopKind::Worker});
    its_loop.queue_a_task(TaskSource::PostedMessage, nullptr, [&] { there = its_loop.id(); });
    its_loop.run();
  });
  thread.join();
  EXPECT_NE(there, 0u);
  EXPECT_NE(there, loop.id());
}

TEST_F(HtmlLoop, S194_a_loop_that_is_blocked_does_not_delay_another) {
  std::atomic<bool> has_window_run{false};
  std::atomic<bool> has_worker_run{false};
  std::thread thread([&] {
    Loop its_reactor;
    EventLoop worker(its_reactor, {.kind = LoopKind::Worker});
    worker.queue_a_task(TaskSource::PostedMessage, nullptr, [&] {
      while (!has_window_run) std::this_thread::yield();  // blocked, and the window goes on
    });
    worker.queue_a_task(TaskSource::PostedMessage, nullptr, [&] { has_worker_run = true; });
    worker.run();
  });
  queue(TaskSource::UserInteraction, "click while the worker is blocked");
  loop.run();
  has_window_run = true;
  loop.queue_a_task(TaskSource::Timer, nullptr, [&] {
    while (!has_worker_run) std::this_thread::yield();  // blocked, and the worker goes on
    say("the worker has run");
  });
  loop.run();
  thread.join();
  EXPECT_EQ(log, (Log{"click while the worker is blocked", "the worker has run"}));
}

TEST_F(HtmlLoop, S190_a_window_loop_ends_with_its_last_context_and_its_tasks_are_dropped) {
  auto frame = std::make_unique<BrowsingContext>(loop, document.get());
  queue(TaskSource::Networking, "never");
  EXPECT_EQ(&frame->loop(), &loop);
  frame.reset();
  EXPECT_FALSE(loop.is_destroyed());
  document.reset();
  context.reset();
  EXPECT_TRUE(loop.is_destroyed());
  loop.run();
  EXPECT_TRUE(log.empty());
}

TEST_F(HtmlLoop, S191_S214_a_worker_that_closes_ends_its_task_and_microtasks_and_drops_the_rest) {
  TestHost its_host;
  EventLoop worker(reactor, {.kind = LoopKind::Worker, .host = &its_host});
  worker.queue_a_task(TaskSource::PostedMessage, nullptr, [&] {
    worker.queue_a_task(TaskSource::Timer, nullptr, [&] { say("never"); });
    worker.set_closing();
    worker.queue_a_task(TaskSource::Timer, nullptr, [&] { say("never either"); });
    worker.queue_a_microtask([&] { say("micro"); });
    say("task");
  });
  worker.queue_a_task(TaskSource::PostedMessage, nullptr, [&] { say("discarded"); });
  worker.run();
  EXPECT_EQ(log, (Log{"task", "micro"}));
  EXPECT_TRUE(worker.is_destroyed());
}

TEST_F(HtmlLoop, S214_a_worklet_or_window_loop_does_not_end_by_step_13) {
  EventLoop worklet(reactor, {.kind = LoopKind::Worklet});
  worklet.set_closing();
  worklet.turn();
  EXPECT_FALSE(worklet.is_destroyed());
}

}  // namespace
}  // namespace rondo::html
