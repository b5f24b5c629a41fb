// Rendering opportunities, the order of rendering, animation frames and idle periods, to the nanosecond.
#include <gtest/gtest.h>

#include <functional>

#include "loop/html/test_window.h"

namespace rondo::html {
namespace {

using namespace std::chrono_literals;

class HtmlRendering : public Window {
 protected:
  static constexpr Nanoseconds kFrame = 16'666'667;
};

TEST_F(HtmlRendering, S207_a_thousand_quick_tasks_in_100_ms_are_six_renderings) {
  for (int i = 0; i < 1000; i++) {
    loop.queue_a_task(TaskSource::Timer, document.get(), [&] {
      document->invalidate();
      clock.advance(100us);
    });
  }
  loop.run();
  EXPECT_EQ(loop.renderings(), 6u);
}

TEST_F(HtmlRendering, S207_what_is_hidden_or_unchanged_is_not_rendered) {
  for (int i = 0; i < 100; i++) loop.queue_a_task(TaskSource::Timer, nullptr, [&] { clock.advance(1ms); });
  loop.run();
  EXPECT_EQ(loop.renderings(), 0u);
  document->set_hidden(true);
  document->invalidate();
  for (int i = 0; i < 100; i++) loop.queue_a_task(TaskSource::Timer, nullptr, [&] { clock.advance(1ms); });
  loop.run();
  EXPECT_EQ(loop.renderings(), 0u);
  document->set_hidden(false);
  loop.run();
  EXPECT_EQ(loop.renderings(), 1u);
}

TEST_F(HtmlRendering, S206_S208_S210_S211_the_order_of_updating_the_rendering) {
  document->request_animation_frame([&](Nanoseconds) { document->steps.push_back("frame"); });
  loop.run();
  EXPECT_EQ(document->steps, (Log{"resize", "scroll", "media queries", "animations", "frame", "resize observers",
                                  "intersection observers", "paint"}));
}

TEST_F(HtmlRendering, S209_frame_callbacks_share_a_timestamp_and_those_they_request_wait_for_the_next_frame) {
  std::vector<Nanoseconds> first, second;
  document->request_animation_frame([&](Nanoseconds now) {
    first.push_back(now);
    clock.advance(2ms);
    loop.queue_a_microtask([&] { say("micro"); });
    document->request_animation_frame([&](Nanoseconds later) { second.push_back(later); });
  });
  document->request_animation_frame([&](Nanoseconds now) {
    first.push_back(now);
    say("second callback");
  });
  loop.run();
  EXPECT_EQ(first, (std::vector<Nanoseconds>{kFrame, kFrame}));
  EXPECT_EQ(second, (std::vector<Nanoseconds>{33'333'334}));
  EXPECT_EQ(log, (Log{"micro", "second callback"}));
}

TEST_F(HtmlRendering, cancelled_frame_callbacks_do_not_run_also_when_cancelled_in_the_same_frame) {
  std::uint32_t other = 0;
  const auto early = document->request_animation_frame([&](Nanoseconds) { say("early"); });
  document->request_animation_frame([&](Nanoseconds) { document->cancel_animation_frame(other); });
  other = document->request_animation_frame([&](Nanoseconds) { say("other"); });
  document->cancel_animation_frame(early);
  loop.run();
  EXPECT_TRUE(log.empty());
}

TEST_F(HtmlRendering, frames_do_not_drift_over_a_minute) {
  int frames = 0;
  std::function<void(Nanoseconds)> frame = [&](Nanoseconds now) {
    frames++;
    EXPECT_EQ(now, (static_cast<Nanoseconds>(frames) * 1'000'000'000 + 59) / 60);
    if (frames < 3600) document->request_animation_frame([&](Nanoseconds next) { frame(next); });
  };
  document->request_animation_frame([&](Nanoseconds now) { frame(now); });
  loop.run();
  EXPECT_EQ(frames, 3600);
  EXPECT_EQ(clock.now(), 60'000'000'000);
}

TEST_F(HtmlRendering, under_load_there_are_fewer_frames) {
  int frames = 0;
  std::function<void()> request = [&] {
    document->request_animation_frame([&](Nanoseconds) {
      clock.advance(40ms);
      if (++frames < 10) request();
    });
  };
  request();
  loop.run();
  EXPECT_EQ(frames, 10);
  EXPECT_GE(clock.now(), 400'000'000);
}

TEST_F(HtmlRendering, S213_the_duration_of_updating_the_rendering_is_reported) {
  document->on_resize = [&] { clock.advance(7ms); };
  document->invalidate();
  loop.run();
  EXPECT_EQ(host.renderings, (std::vector<Nanoseconds>{7'000'000}));
}

TEST_F(HtmlRendering, S211_S215_many_changes_within_a_frame_are_one_paint) {
  for (int task = 0; task < 10; task++) {
    loop.queue_a_task(TaskSource::DomManipulation, document.get(), [&] {
      for (int i = 0; i < 10; i++) document->invalidate();
      clock.advance(1ms);
    });
  }
  loop.run();
  EXPECT_EQ(document->paints, (std::vector<Nanoseconds>{kFrame}));
}

TEST_F(HtmlRendering, a_frame_is_rendered_after_its_container) {
  BrowsingContext frame(loop, document.get());
  TestDocument inner(frame);
  frame.present(&inner);
  inner.request_animation_frame([&](Nanoseconds) { say("inner"); });
  document->request_animation_frame([&](Nanoseconds) { say("outer"); });
  loop.run();
  EXPECT_EQ(log, (Log{"outer", "inner"}));
  EXPECT_EQ(loop.renderings(), 1u);
}

TEST_F(HtmlRendering, S212_idle_callbacks_run_when_nothing_else_is_to_do_with_at_most_50_ms) {
  document->request_idle_callback([&](const IdleDeadline& idle) {
    say("idle");
    EXPECT_EQ(idle.deadline - clock.now(), 50'000'000);
    EXPECT_FALSE(idle.did_timeout);
  });
  queue(TaskSource::Networking, "task");
  loop.queue_a_microtask([&] { say("micro"); });
  loop.run();
  EXPECT_EQ(log, (Log{"task", "micro", "idle"}));
}

TEST_F(HtmlRendering, S212_the_idle_deadline_shrinks_to_the_next_timer_and_frame) {
  loop.initialize_a_timer(document.get(), 10, false, [&] { say("timer"); });
  Nanoseconds deadline = 0;
  document->request_idle_callback([&](const IdleDeadline& idle) { deadline = idle.deadline; });
  loop.run();
  EXPECT_EQ(deadline, 10'000'000);
  document->invalidate();
  document->request_idle_callback([&](const IdleDeadline& idle) { deadline = idle.deadline; });
  loop.run();
  EXPECT_EQ(deadline, kFrame);
}

TEST_F(HtmlRendering, S212_no_idle_period_while_a_rendering_is_due_or_a_document_is_inactive) {
  document->invalidate();
  clock.advance(20ms);  // the opportunity has come
  document->request_idle_callback([&](const IdleDeadline&) { host.log.push_back("idle"); });
  loop.run();
  const auto at = [&](const char* what) { return std::find(host.log.begin(), host.log.end(), what); };
  EXPECT_LT(at("render"), at("idle"));
  document->request_idle_callback([&](const IdleDeadline&) { say("inactive"); });
  context->present(nullptr);
  loop.run();
  EXPECT_TRUE(log.empty());
}

TEST_F(HtmlRendering, S212_an_idle_callback_with_a_timeout_runs_by_then) {
  std::function<void()> busy = [&] {
    loop.queue_a_task(TaskSource::Timer, document.get(), [&] {
      clock.advance(1ms);
      if (clock.now() < 200'000'000) busy();
    });
  };
  busy();
  Nanoseconds ran = 0;
  document->request_idle_callback(
      [&](const IdleDeadline& idle) {
        ran = clock.now();
        EXPECT_TRUE(idle.did_timeout);
      },
      30ms);
  loop.run();
  EXPECT_GE(ran, 30'000'000);
  EXPECT_LE(ran, 32'000'000);
}

TEST_F(HtmlRendering, S212_what_an_idle_callback_requests_waits_for_the_next_idle_period) {
  std::vector<Nanoseconds> at;
  std::function<void()> request = [&] {
    document->request_idle_callback([&](const IdleDeadline&) {
      at.push_back(clock.now());
      if (at.size() < 3) request();
    });
  };
  request();
  loop.run();
  EXPECT_EQ(at, (std::vector<Nanoseconds>{0, 50'000'000, 100'000'000}));
}

TEST_F(HtmlRendering, a_cancelled_idle_callback_does_not_run) {
  const auto id = document->request_idle_callback([&](const IdleDeadline&) { say("never"); }, 5ms);
  document->cancel_idle_callback(id);
  loop.run();
  EXPECT_TRUE(log.empty());
}

}  // namespace
}  // namespace rondo::html
