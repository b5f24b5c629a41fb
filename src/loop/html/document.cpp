// Animation frame callbacks, idle callbacks, and what becomes of a document's tasks while it is not fully active.
#include "rondo/html/document.h"

#include <algorithm>
#include <utility>

#include "rondo/html/browsing_context.h"
#include "rondo/html/event_loop.h"

namespace rondo::html {

Document::Document(BrowsingContext& context) : context_(context), loop_(context.loop()) {
  context_.documents_.push_back(this);
}

Document::~Document() {
  if (context_.active_ == this) context_.present(nullptr);
  std::erase(context_.documents_, this);
  loop_.drop_tasks(*this);
}

void Document::become_active(bool active) {
  if (active == is_fully_active_) return;
  is_fully_active_ = active;
  if (!active) return loop_.set_aside(*this);
  loop_.bring_back(*this);
  if (needs_rendering_ || has_animation_frame_callbacks()) loop_.want_frame();
}

void Document::set_hidden(bool hidden) {
  is_hidden_ = hidden;
  if (!hidden && (needs_rendering_ || has_animation_frame_callbacks())) loop_.want_frame();
}

void Document::invalidate() {
  needs_rendering_ = true;
  if (is_fully_active_ && !is_hidden_) loop_.want_frame();
}

std::uint32_t Document::request_animation_frame(FrameCallback callback) {
  frame_callbacks_.push_back({next_id_, std::move(callback)});
  if (is_fully_active_ && !is_hidden_) loop_.want_frame();
  return next_id_++;
}

void Document::cancel_animation_frame(std::uint32_t id) {
  std::erase_if(frame_callbacks_, [&](const FrameRequest& request) { return request.id == id; });
  if (!running_frame_callbacks_) return;
  for (FrameRequest& request : *running_frame_callbacks_) {
    if (request.id == id) request.id = 0;  // not run any more, and destroyed with the others
  }
}

// https://html.spec.whatwg.org/#run-the-animation-frame-callbacks. Frames that callbacks request wait for the next one.
void Document::run_the_animation_frame_callbacks(Nanoseconds now) {
  std::vector<FrameRequest> callbacks = std::exchange(frame_callbacks_, {});
  running_frame_callbacks_ = &callbacks;
  for (std::size_t i = 0; i < callbacks.size() && !loop_.is_destroyed(); i++) {
    if (callbacks[i].id == 0) continue;
    loop_.note_script();
    callbacks[i].callback(now);
    loop_.perform_a_microtask_checkpoint();  // the stack is empty: "clean up after running script"
  }
  running_frame_callbacks_ = nullptr;
}

std::uint32_t Document::request_idle_callback(IdleCallback callback, Duration timeout) {
  const std::uint32_t id = next_id_++;
  IdleRequest& request = idle_requests_.emplace_back(id, std::move(callback));
  const Task* running = loop_.currently_running_task();
  if (running && running->source == TaskSource::Idle) {
    loop_.idle_not_before_ = std::max(loop_.idle_not_before_, idle_deadline_);
  }
  if (timeout > Duration::zero()) {
    request.timeout = std::make_unique<rondo::Timer>(loop_.reactor());
    request.timeout->start_at(loop_.reactor().read_clock() + timeout.count(), [this, id] {
      loop_.queue_a_task(TaskSource::Idle, this, [this, id] { invoke_idle_callback_timeout(id); });
    });
  }
  return id;
}

void Document::cancel_idle_callback(std::uint32_t id) {
  std::erase_if(idle_requests_, [&](const IdleRequest& request) { return request.id == id; });
}

// https://w3c.github.io/requestidlecallback/#start-an-idle-period-algorithm
void Document::start_an_idle_period(Nanoseconds deadline) {
  idle_deadline_ = deadline;
  // The pending list goes to the end of the list of runnable callbacks; both are one list here, told apart by a mark.
  for (IdleRequest& request : idle_requests_) request.is_runnable = true;
  queue_idle_task();
}

void Document::queue_idle_task() {
  loop_.queue_a_task(TaskSource::Idle, this, [this] { invoke_idle_callbacks(); });
}

// https://w3c.github.io/requestidlecallback/#invoke-idle-callbacks-algorithm
void Document::invoke_idle_callbacks() {
  if (idle_requests_.empty() || !idle_requests_.front().is_runnable) return;
  if (loop_.reactor().read_clock() >= idle_deadline_) return;  // over: the next idle period goes on
  IdleCallback callback = std::move(idle_requests_.front().callback);
  idle_requests_.pop_front();
  callback({idle_deadline_, false});
  if (!loop_.is_destroyed() && !idle_requests_.empty() && idle_requests_.front().is_runnable) queue_idle_task();
}

// https://w3c.github.io/requestidlecallback/#invoke-idle-callback-timeout-algorithm
void Document::invoke_idle_callback_timeout(std::uint32_t id) {
  const auto found = std::find_if(idle_requests_.begin(), idle_requests_.end(),
                                  [&](const IdleRequest& request) { return request.id == id; });
  if (found == idle_requests_.end()) return;
  IdleCallback callback = std::move(found->callback);
  idle_requests_.erase(found);
  callback({loop_.reactor().read_clock(), true});
}

}  // namespace rondo::html
