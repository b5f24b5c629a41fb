// The agent of --loop=html: one thread, one VM, and the HTML Standard's event loop (rondo/html.h) that coordinates its window, or that is a worker's or a
// worklet's. The Runtime's Loop is its reactor; the drain at the end of a turn is "perform a microtask checkpoint". What a window is made of is in
// lib/html; native('html') (src/modules/html.cpp) is the way between.
//
// Owner: the Runtime. Thread: its loop's.
#pragma once

#include "runtime/continuation.h"
#include "runtime/virtual_clock.h"

#include "rondo/async.h"
#include "rondo/html.h"

#include <memory>
#include <string>

namespace rondo::runtime {

struct HtmlOptions {
  html::LoopKind kind = html::LoopKind::Window;
  std::string policy = "fifo";  // as html::make_policy takes it
  uint32_t frames_per_second = 60;
  VirtualClock* clock = nullptr;  // of --virtual-time; it is the reactor's then, too
};

// JavaScript functions that the agent calls; lib/html registers each once.
enum class HtmlHook : uint8_t {
  Render,  // (step, now in ms, document): steps of "update the rendering" beyond animation frames
  LongTask,  // (start in ms, duration in ms, source)
  CleanUpTransactions,  // ()
  Settled,  // (): of an agent that another one owns: nothing is left to do until a message comes
  Count,
};

enum class RenderStep : uint8_t {
  Resize,
  Scroll,
  MediaQueries,
  Animations,
  ResizeObservers,
  IntersectionObservers,
  Paint
};

class HtmlAgent final : private html::Host {
 public:
  HtmlAgent(Runtime& runtime, const HtmlOptions& options);
  ~HtmlAgent() override;
  HtmlAgent(const HtmlAgent&) = delete;
  HtmlAgent& operator=(const HtmlAgent&) = delete;

  html::EventLoop& loop() { return loop_; }
  // The number of the page's own document: 0, until the page navigates.
  uint32_t top() const { return top_; }
  void set_top(uint32_t number) { top_ = number; }
  // The document of that number; the first, 0, is there from the beginning. Null in workers and worklets, whose tasks belong to none, and when it is
  // gone.
  html::Document* document(uint32_t number = 0);
  // A window's document: of a frame in a document, or of a window of its own (null).
  uint32_t create_document(html::Document* container);
  // Its browsing context goes away, and with it what is queued for it.
  void discard_document(uint32_t number);
  const HtmlOptions& options() const { return options_; }
  VirtualClock* clock() const { return clock_; }
  Nanoseconds origin() const { return origin_; }
  double to_ms(Nanoseconds time) const { return static_cast<double>(time - origin_) / 1e6; }

  void set_hook(HtmlHook hook, JSC::JSObject* function);
  void call_hook(HtmlHook hook, const JSC::ArgList& arguments);
  bool has_hook(HtmlHook hook) const { return hooks_[static_cast<size_t>(hook)] != nullptr; }
  // A task of `source` that calls `function`.
  void queue_task(html::TaskSource source, JSC::JSObject* function, html::Document* document);
  // What a task of this source is called in reports.
  static const Source& source_name(html::TaskSource source);

  // Runs until nothing is left to do, or the window is closed. One that another agent owns waits for its messages then.
  void run();
  // No further task runs.
  void stop() { loop_.stop(); }
  // window.close(): the browsing context goes away, and the loop with it. A worker's: its closing flag is set.
  void close();
  // For reports: from here on, and until it is over, the page waits and nothing else runs, or only what spinning lets run.
  void legacy_blocking_begins();
  void legacy_blocking_ended();
  // As EventLoop::spin_the_event_loop; the stack beneath counts as empty meanwhile.
  bool spin(Function<bool()> goal) { return loop_.spin_the_event_loop(std::move(goal)); }

 private:
  class WindowDocument;
  struct Presented;

  bool has_microtasks() override;
  void run_microtasks() override;
  void clean_up_indexed_database_transactions() override;
  void report_long_task(const html::TaskTiming& timing) override;
  void task_begins(const html::Task& task, Nanoseconds start) override;
  void rendering_begins(Nanoseconds timestamp, std::size_t documents) override;
  void rendering_ended(Nanoseconds start, Nanoseconds end) override;
  void idle_period_begins(Nanoseconds deadline) override;
  void spin_begins() override;
  void spin_ended() override;

  Runtime& runtime_;
  const HtmlOptions options_;
  VirtualClock* clock_;
  Async wake_;  // for the clock, which another agent may move
  Nanoseconds origin_;
  html::EventLoop loop_;
  std::vector<std::unique_ptr<Presented>> documents_;  // by number
  std::vector<std::unique_ptr<Presented>> gone_;  // discarded, and perhaps on the stack
  uint32_t top_ = 0;
  std::unique_ptr<Continuation> hooks_[static_cast<size_t>(HtmlHook::Count)];
  uint32_t rendering_ = 0;  // its number in reports
  std::vector<int> depths_;  // of turns that lie beneath spinning loops
  std::vector<uint32_t> blocking_;  // their numbers in reports
};

}  // namespace rondo::runtime
