// One event loop of the HTML Standard: https://html.spec.whatwg.org/#event-loops, with the 14 steps of its processing model as they stood in
// 2020, in which updating the rendering is step 10 of every turn. Today's text makes it a task that is queued in parallel; what a page
// can observe is the same.
//
// Thread: the one that makes it, which also runs it and its reactor. queue_a_task may be called from any thread.
#pragma once

#include <pthread.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rondo/html/host.h"
#include "rondo/html/policy.h"
#include "rondo/html/task.h"
#include "rondo/loop.h"
#include "rondo/timer.h"

namespace rondo {
namespace [[gnu::visibility("default")]] html {

class BrowsingContext;
class Document;

inline constexpr Nanoseconds kLongTask = 50'000'000;  // https://w3c.github.io/longtasks/
inline constexpr Nanoseconds kIdlePeriod = 50'000'000;  // the longest deadline of an idle period

struct EventLoopOptions {
  LoopKind kind = LoopKind::Window;
  std::unique_ptr<ChoicePolicy> policy = nullptr;  // null: fifo
  Host* host = nullptr;  // must outlive the loop
  std::uint32_t frames_per_second = 60;  // rendering opportunities, at most
  // The queue of each source: sources with one number share a queue. Default: each its own.
  std::array<std::uint8_t, kTaskSources> queue_of = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
};

class EventLoop {
 public:
  explicit EventLoop(Loop& reactor, EventLoopOptions options = {});
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  LoopKind kind() const { return kind_; }
  std::uint64_t id() const { return id_; }  // no two loops of a process have the same
  Loop& reactor() const { return reactor_; }
  std::size_t task_queues() const { return queues_used_; }

  // A source of the program's own, with a queue of its own: its tasks keep their order, and the policy chooses between it and the others.
  // Null when there are kMaxTaskSources already. Thread: the loop's.
  std::optional<TaskSource> add_task_source(std::string name);
  // The name of any source of this loop.
  std::string_view name_of_source(TaskSource source) const;

  // "Queue a task." The steps run when the task is chosen; while `document` is not fully active, it waits. From another thread
  // the task takes the way over the reactor; returns its id, or 0 then.
  std::uint64_t queue_a_task(TaskSource source, Document* document, Function<void()> steps);
  // "Queue a microtask" (a solitary callback one; the Standard names compound ones, and defines none).
  void queue_a_microtask(Function<void()> steps, Document* document = nullptr);
  // The 6 steps of https://html.spec.whatwg.org/#perform-a-microtask-checkpoint. Left out when no microtask waits and no task, step of
  // rendering or other script (note_script) has run since the last one.
  void perform_a_microtask_checkpoint();
  void note_script() { is_checkpoint_due_ = true; }
  std::uint64_t checkpoints() const { return checkpoints_; }  // performed so far
  bool is_performing_a_microtask_checkpoint() const { return performing_a_microtask_checkpoint_; }

  // "Spin the event loop until `goal` is met", from inside a task or a microtask. Other tasks run meanwhile. True; false when the
  // loop was stopped or destroyed before, or when nothing can happen any more that would meet it.
  bool spin_the_event_loop(Function<bool()> goal);

  // Timers: the initialization steps of https://html.spec.whatwg.org/#timers, with nesting level and clamping. `timeout` in
  // milliseconds. An id for clear_a_timer.
  std::int32_t initialize_a_timer(Document* document, double timeout, bool repeats, Function<void()> steps);
  void clear_a_timer(std::int32_t id);
  // Whether it is still to run, or to run again.
  bool has_timer(std::int32_t id) const { return timers_.contains(id); }

  // The processing model, steps 1 to 13, once. False: there was no task to run and nothing else to do.
  bool turn();
  // Turns and the reactor in alternation, until the loop is destroyed, stop() is called, or nothing is left that could ever
  // bring a task.
  void run();
  void stop() { is_stopped_ = true; }
  // Tasks that wait are dropped, and none is taken any more.
  void destroy();
  bool is_destroyed() const { return is_destroyed_; }
  // Of a worker's global scope: the task that runs ends, those that wait are discarded, then the loop is destroyed (step 13).
  void set_closing();

  // The running task; null between tasks. During a microtask it is that microtask.
  const Task* currently_running_task() const { return currently_running_; }
  bool has_runnable_tasks() const { return ready_ != 0; }
  bool has_microtasks() const { return !microtasks_.empty() || (host_ && host_->has_microtasks()); }
  std::uint64_t turns() const { return turns_; }
  std::uint64_t renderings() const { return renderings_; }
  const std::vector<BrowsingContext*>& browsing_contexts() const { return contexts_; }
  // When the next rendering opportunity comes, on the reactor's clock; kNever while nothing asks for one.
  Nanoseconds next_rendering_opportunity() const { return frame_due_; }

 private:
  friend class BrowsingContext;
  friend class Document;
  struct HtmlTimer;

  void enqueue(Task task);
  void set_aside(Document& document);
  void bring_back(Document& document);
  void drop_tasks(const Document& document);
  std::size_t choose_a_task_queue();
  void run_oldest_task(std::size_t queue, TaskTiming& timing);
  void drop_all_tasks();
  void drop_timers(const Document& document);
  bool go_on();
  bool is_present(const Document& document) const;
  bool update_the_rendering(Nanoseconds now);
  std::vector<Document*> documents_to_render();
  static void collect(BrowsingContext& context, std::vector<Document*>& documents);
  bool start_idle_periods(Nanoseconds now);
  Nanoseconds idle_deadline(Nanoseconds now);
  void poll_reactor(RunMode mode);
  void want_frame();
  void arm_timer(HtmlTimer& timer);
  void queue_timer_task(const HtmlTimer& timer);
  void run_timer(std::int32_t id, std::uint64_t arming);
  void add(BrowsingContext& context);
  void remove(BrowsingContext& context);

  Loop& reactor_;
  const LoopKind kind_;
  const std::uint64_t id_;
  const pthread_t thread_;
  Host* const host_;
  std::unique_ptr<ChoicePolicy> policy_;  // null: fifo
  std::array<std::uint8_t, kMaxTaskSources> queue_of_;
  std::size_t queues_used_;
  std::vector<std::string> own_sources_;  // names, from number kTaskSources on

  std::array<TaskQueue, kMaxTaskSources> queues_;
  std::uint32_t ready_ = 0;  // a bit for each queue that has a task
  std::uint64_t next_task_ = 1;
  Task* currently_running_ = nullptr;
  std::deque<Task> microtasks_;
  bool performing_a_microtask_checkpoint_ = false;
  bool is_checkpoint_due_ = true;
  std::uint64_t checkpoints_ = 0;
  bool is_stopped_ = false;
  bool is_destroyed_ = false;
  bool is_closing_ = false;
  std::uint64_t turns_ = 0;
  std::uint64_t renderings_ = 0;

  const Nanoseconds origin_;
  const std::uint32_t frames_per_second_;
  Nanoseconds frame_due_ = kNever;
  rondo::Timer frame_timer_;
  std::vector<BrowsingContext*> contexts_;  // of this loop, top-level and nested
  Nanoseconds idle_not_before_ = 0;  // what idle callbacks asked for in an idle period waits for the next
  rondo::Timer idle_timer_;

  std::unordered_map<std::int32_t, std::unique_ptr<HtmlTimer>> timers_;
  std::int32_t next_timer_ = 1;
  std::uint64_t next_arming_ = 1;

  unsigned turns_since_poll_ = 0;
  Nanoseconds last_now_ = 0;  // of step 8
  Nanoseconds timer_due_ = kNever;  // the reactor's next deadline, as far as known
  Nanoseconds poll_due_ = 0;  // the reactor is looked after at this time at the latest
  const std::shared_ptr<EventLoop*> self_;  // for tasks from other threads; null inside when the loop is gone
};

}  // namespace html
}  // namespace rondo
