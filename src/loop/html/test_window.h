// For the tests of this folder: a loop on a manual clock, a host that writes down what it is told, and a document that does the
// same with the steps of its rendering.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "rondo/html.h"

namespace rondo::html {

using Log = std::vector<std::string>;

struct TestHost : Host {
  Log log;  // everything, in order
  std::vector<TaskTiming> long_tasks;
  std::vector<Nanoseconds> renderings, idle_deadlines;

  void clean_up_indexed_database_transactions() override { log.push_back("transactions"); }
  void report_long_task(const TaskTiming& timing) override { long_tasks.push_back(timing); }
  void task_begins(const Task&, Nanoseconds) override { log.push_back("task"); }
  void rendering_begins(Nanoseconds, std::size_t) override { log.push_back("render"); }
  void rendering_ended(Nanoseconds start, Nanoseconds end) override { renderings.push_back(end - start); }
  void idle_period_begins(Nanoseconds deadline) override {
    log.push_back("idle period");
    idle_deadlines.push_back(deadline);
  }
};

struct TestDocument : Document {
  using Document::Document;
  Log steps;
  std::vector<Nanoseconds> paints;
  Function<void()> on_resize;

  void run_the_resize_steps() override {
    steps.push_back("resize");
    if (on_resize) on_resize();
  }
  void run_the_scroll_steps() override { steps.push_back("scroll"); }
  void evaluate_media_queries_and_report_changes() override { steps.push_back("media queries"); }
  void update_animations_and_send_events(Nanoseconds) override { steps.push_back("animations"); }
  void run_the_resize_observations() override { steps.push_back("resize observers"); }
  void run_the_update_intersection_observations_steps(Nanoseconds) override {
    steps.push_back("intersection observers");
  }
  void update_the_rendering_to_reflect_the_current_state() override {
    steps.push_back("paint");
    paints.push_back(loop().reactor().read_clock());
  }
};

// A window: a loop, a top-level context, a document that it presents.
class Window : public ::testing::Test {
 protected:
  using ms = std::chrono::milliseconds;

  ManualClock clock{ManualClock::Mode::AutoAdvance};
  Loop reactor{LoopOptions{.clock = &clock, .poller = "epoll"}};
  TestHost host;
  EventLoop loop{reactor, {.host = &host}};
  std::unique_ptr<BrowsingContext> context = std::make_unique<BrowsingContext>(loop);
  std::unique_ptr<TestDocument> document = std::make_unique<TestDocument>(*context);
  Log log;

  Window() { context->present(document.get()); }
  ~Window() override {
    document.reset();
    context.reset();
  }
  void say(std::string what) { log.push_back(std::move(what)); }
  void queue(TaskSource source, std::string what) {
    loop.queue_a_task(source, document.get(), [this, what] { say(what); });
  }
};

}  // namespace rondo::html
