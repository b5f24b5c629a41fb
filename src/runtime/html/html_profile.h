// The agent of --loop=html: one thread, one VM, and the HTML Standard's event loop (rondo/html.h) that coordinates its window, or that is a worker's or a
// worklet's. The Runtime's Loop is its reactor; the drain at the end of a turn is "perform a microtask checkpoint". What a window is made of is in
// lib/html; native('html') (src/modules/html/html.cpp) is the way between.
//
// Owner: the Runtime. Thread: its loop's.
#pragma once

#include "runtime/entry/continuation.h"
#include "runtime/html/agent_cluster.h"
#include "runtime/html/document_object.h"
#include "runtime/html/virtual_clock.h"

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
  std::shared_ptr<AgentCluster> cluster;  // null: of a page's first agent, which makes it
  std::shared_ptr<AgentActivity> activity;  // of another one
};

// JavaScript functions that the agent calls; lib/html registers each once.
enum class HtmlHook : uint8_t {
  Render,  // (step, now in ms, cell of the document): steps of "update the rendering" beyond animation frames
  LongTask,  // (start in ms, duration in ms, source)
  CleanUpTransactions,  // ()
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
inline constexpr size_t kRenderSteps = 7;

class HtmlProfile final : public Profile, private html::Host {
 public:
  HtmlProfile(Runtime& runtime, const HtmlOptions& options);
  ~HtmlProfile() override;
  HtmlProfile(const HtmlProfile&) = delete;
  HtmlProfile& operator=(const HtmlProfile&) = delete;

  html::EventLoop& loop() { return loop_; }
  // The page's own document: the first, until the page navigates. Null in workers and worklets, whose tasks belong to none, and when it has gone.
  html::Document* top() const { return top_; }
  void set_top(html::Document* document) { top_ = document; }
  // The first window's document, there from the beginning; null in workers and worklets.
  engine::NativeCell* first_document() const { return documents_.empty() ? nullptr : cell_of_first(); }
  // A window's document: of a frame in a document, or of a window of its own (null). The cell holds a DocumentObject.
  engine::NativeCell* create_document(html::Document* container);
  // Its browsing context goes away, and with it what is queued for it.
  void discard_document(DocumentObject& object);
  const HtmlOptions& options() const { return options_; }
  VirtualClock* clock() const { return clock_; }
  // Calls between C++ and JavaScript, of native('html') and of tasks: a page's events must not need many.
  void note_crossing() { crossings_++; }
  uint64_t crossings() const { return crossings_; }
  const std::shared_ptr<AgentCluster>& cluster() const { return cluster_; }
  // A message, or the end of an agent that this one owns, has come: from here on this agent counts as running.
  void note_running() {
    if (options_.activity) options_.activity->set_running(true);
  }
  Nanoseconds origin() const { return origin_; }
  Nanoseconds read_clock() const { return clock_ ? clock_->read() : runtime_.loop().read_clock(); }
  double to_ms(Nanoseconds time) const { return static_cast<double>(time - origin_) / 1e6; }

  void set_hook(HtmlHook hook, JSC::JSObject* function);
  // Step 5 of the checkpoint asks the library while there are transactions.
  void set_has_transactions(bool has) { has_transactions_ = has; }
  // The running task is why the next frame is rendered, unless one before it was.
  void note_invalidation() {
    if (runtime_.tasks().is_traced() && !rendering_cause_) rendering_cause_ = runtime_.tasks().running();
  }
  // A task of `source` that calls `function`.
  void queue_task(html::TaskSource source, JSC::JSObject* function, html::Document* document);
  // The name in reports of a task of this source.
  static const Source& source_name(html::TaskSource source);

  // Runs until nothing is left to do in the whole cluster, or the window is closed. One that another agent owns waits for its messages then.
  void run() override;
  void checkpoint() override;
  void stop() override;
  bool before_exit() override;
  HtmlProfile* as_html() override { return this; }
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

  // In a turn of its own, without a record: these functions are the library's and call none of a page.
  void call_hook(HtmlHook hook, const JSC::ArgList& arguments);
  void render(RenderStep step, const JSC::ArgList& arguments);
  void on_wake();
  engine::NativeCell* cell_of_first() const;
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
  const std::shared_ptr<AgentCluster> cluster_;
  Async
      wake_;  // for the clock, which another agent may move; of the first agent also for the cluster, which keeps it alive
  Nanoseconds origin_;
  html::EventLoop loop_;
  std::vector<std::unique_ptr<Presented>> documents_;  // in order of making: frames after what they are in
  std::vector<std::unique_ptr<Presented>> gone_;  // discarded, and perhaps on the stack
  html::Document* top_ = nullptr;
  JSC::Strong<JSC::JSObject> hooks_[static_cast<size_t>(HtmlHook::Count)];
  std::unique_ptr<Continuation> render_steps_[kRenderSteps];
  bool has_transactions_ = false;
  uint64_t crossings_ = 0;
  uint32_t rendering_ = 0, rendering_cause_ = 0;  // numbers of tasks in reports
  std::vector<int> depths_;  // of turns that lie beneath spinning loops
  std::vector<uint32_t> blocking_;  // their numbers in reports
};

}  // namespace rondo::runtime
