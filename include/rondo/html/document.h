// A document as the event loop sees it: fully active or not, visible or not, with animation frame callbacks, idle callbacks and
// something to paint. What a document contains is its owner's: derive, and override the rendering's steps. A document belongs to a
// browsing context and to the loop that coordinates it, and must be destroyed before both. Loop's thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/html/task.h"
#include "rondo/timer.h"

namespace rondo {
namespace [[gnu::visibility("default")]] html {

class BrowsingContext;
class EventLoop;

// Argument of an idle callback: https://w3c.github.io/requestidlecallback/#the-idledeadline-interface.
struct IdleDeadline {
  Nanoseconds deadline;  // on the reactor's clock
  bool did_timeout;
};

class Document {
 public:
  using FrameCallback = Function<void(Nanoseconds timestamp)>;
  using IdleCallback = Function<void(const IdleDeadline&)>;

  explicit Document(BrowsingContext& context);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  virtual ~Document();

  EventLoop& loop() const { return loop_; }
  BrowsingContext& browsing_context() const { return context_; }

  // "A Document is fully active when it is the active document of its browsing context, and that is a top-level one or its
  // container document is fully active."
  bool is_fully_active() const { return is_fully_active_; }

  // A hidden document is not rendered.
  bool is_hidden() const { return is_hidden_; }
  void set_hidden(bool hidden);
  // Something changed that a user would see: the next rendering opportunity is not unnecessary.
  void invalidate();
  bool needs_rendering() const { return needs_rendering_; }

  // https://html.spec.whatwg.org/#animation-frames: an id for cancel_animation_frame.
  std::uint32_t request_animation_frame(FrameCallback callback);
  void cancel_animation_frame(std::uint32_t id);
  bool has_animation_frame_callbacks() const { return !frame_callbacks_.empty(); }

  // https://w3c.github.io/requestidlecallback/: with a timeout (not zero) it runs at that time at the latest.
  std::uint32_t request_idle_callback(IdleCallback callback, Duration timeout = Duration::zero());
  void cancel_idle_callback(std::uint32_t id);
  bool has_idle_callbacks() const { return !idle_requests_.empty(); }

 protected:
  // "Update the rendering", in this order. Nothing of a document is laid out here: what resizes, scrolls and intersects, the
  // owner knows.
  virtual void run_the_resize_steps() {}
  virtual void run_the_scroll_steps() {}
  virtual void evaluate_media_queries_and_report_changes() {}
  virtual void update_animations_and_send_events(Nanoseconds /*now*/) {}
  virtual void run_the_resize_observations() {}
  virtual void run_the_update_intersection_observations_steps(Nanoseconds /*now*/) {}
  virtual void update_the_rendering_to_reflect_the_current_state() {}  // paint

 private:
  friend class BrowsingContext;
  friend class EventLoop;
  struct FrameRequest {
    std::uint32_t id;
    FrameCallback callback;
  };
  struct IdleRequest {
    IdleRequest(std::uint32_t number, IdleCallback function) : id(number), callback(std::move(function)) {}
    std::uint32_t id;
    IdleCallback callback;
    bool is_runnable = false;  // in the list of runnable idle callbacks
    std::unique_ptr<rondo::Timer> timeout;
  };

  void become_active(bool active);
  void run_the_animation_frame_callbacks(Nanoseconds now);
  void start_an_idle_period(Nanoseconds deadline);
  void queue_idle_task();
  void invoke_idle_callbacks();
  void invoke_idle_callback_timeout(std::uint32_t id);

  BrowsingContext& context_;
  EventLoop& loop_;
  bool is_fully_active_ = false;
  bool is_hidden_ = false;
  bool needs_rendering_ = false;
  std::uint32_t next_id_ = 1;
  std::vector<FrameRequest> frame_callbacks_;
  std::vector<FrameRequest>* running_frame_callbacks_ = nullptr;
  std::deque<IdleRequest> idle_requests_;
  Nanoseconds idle_deadline_ = 0;
  std::vector<Task> set_aside_;  // tasks queued or waiting while it is not fully active
};

}  // namespace html
}  // namespace rondo
