// Step 10, update the rendering, and step 11, idle periods.
#include <algorithm>

#include "rondo/html/browsing_context.h"
#include "rondo/html/document.h"
#include "rondo/html/event_loop.h"

namespace rondo::html {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;

// The first multiple of the frame's time after `elapsed`, never drifting: frames are counted, not added up.
Nanoseconds next_frame(Nanoseconds elapsed, std::uint32_t frames_per_second) {
  const Nanoseconds seconds = elapsed / kSecond;
  const Nanoseconds frame = (elapsed % kSecond) * frames_per_second / kSecond + 1;
  const Nanoseconds at = (frame * kSecond + frames_per_second - 1) / frames_per_second;
  return seconds * kSecond + at;
}

bool wants_rendering(const Document& document) {
  return document.needs_rendering() || document.has_animation_frame_callbacks();
}

}  // namespace

void EventLoop::want_frame() {
  if (frame_due_ != kNever || is_destroyed_ || kind_ != LoopKind::Window) return;
  frame_due_ = origin_ + next_frame(reactor_.read_clock() - origin_, frames_per_second_);
  poll_due_ = std::min(poll_due_, frame_due_);
  frame_timer_.start_at(frame_due_, [] {});  // it merely ends the reactor's sleep
}

void EventLoop::collect(BrowsingContext& context, std::vector<Document*>& documents) {
  Document* active = context.active_document();
  if (!active) return;
  if (active->is_fully_active()) documents.push_back(active);
  for (BrowsingContext* nested : context.nested()) {
    if (nested->container() == active && &nested->loop() == &context.loop()) collect(*nested, documents);
  }
}

// 10.1 All fully active documents of this loop, containers before what they contain.
// 10.2 Rendering opportunities: without the hidden ones.
// 10.3 Unnecessary rendering: without those that have not changed and have no animation frame callbacks.
std::vector<Document*> EventLoop::documents_to_render() {
  std::vector<Document*> documents;
  for (BrowsingContext* context : contexts_) {
    const bool is_outermost = context->is_top_level() || &context->container()->loop() != this;
    if (is_outermost) collect(*context, documents);
  }
  std::erase_if(documents,
                [](const Document* document) { return document->is_hidden() || !wants_rendering(*document); });
  return documents;
}

bool EventLoop::update_the_rendering(Nanoseconds now) {
  if (now < frame_due_) return false;
  frame_due_ = kNever;
  frame_timer_.stop();
  const std::vector<Document*> documents = documents_to_render();
  if (documents.empty()) return false;
  renderings_++;
  if (host_) host_->rendering_begins(now, documents.size());
  // A document may be destroyed by what runs here; the others go on.
  const auto for_each = [&](auto step) {
    for (Document* document : documents) {
      if (is_destroyed_) return;
      if (!is_present(*document)) continue;
      is_checkpoint_due_ = true;
      step(*document);
    }
    perform_a_microtask_checkpoint();
  };
  for (Document* document : documents) document->needs_rendering_ = false;
  // 10.5 Resize steps. 10.6 Scroll steps. 10.7 Media queries. 10.8 Animations.
  for_each([](Document& document) { document.run_the_resize_steps(); });
  for_each([](Document& document) { document.run_the_scroll_steps(); });
  for_each([](Document& document) { document.evaluate_media_queries_and_report_changes(); });
  for_each([&](Document& document) { document.update_animations_and_send_events(now); });
  // 10.11 Animation frame callbacks, with one timestamp for all.
  for_each([&](Document& document) { document.run_the_animation_frame_callbacks(now); });
  // Today's text has resize observations here, the text of 2020 has not.
  for_each([](Document& document) { document.run_the_resize_observations(); });
  // 10.12 Intersection observations.
  for_each([&](Document& document) { document.run_the_update_intersection_observations_steps(now); });
  // 10.13, 10.14 Paint: what changed meanwhile is in it, so nothing of it is left for the next frame.
  for_each([](Document& document) {
    document.needs_rendering_ = false;
    document.update_the_rendering_to_reflect_the_current_state();
  });
  for (Document* document : documents_to_render()) {
    if (wants_rendering(*document)) want_frame();
  }
  return true;
}

bool EventLoop::is_present(const Document& document) const {
  return std::any_of(contexts_.begin(), contexts_.end(),
                     [&](BrowsingContext* context) { return context->active_document() == &document; });
}

// The deadline is shortened by whatever is sure to come before: https://w3c.github.io/requestidlecallback/#start-an-idle-period-algorithm
Nanoseconds EventLoop::idle_deadline(Nanoseconds now) {
  return std::min({now + kIdlePeriod, reactor_.next_deadline(), frame_due_});
}

bool EventLoop::start_idle_periods(Nanoseconds now) {
  bool has_started = false;
  for (std::size_t i = 0; i < contexts_.size(); i++) {
    Document* document = contexts_[i]->active_document();
    if (!document || !document->is_fully_active() || !document->has_idle_callbacks()) continue;
    if (now < idle_not_before_) {
      idle_timer_.start_at(idle_not_before_, [] {});
      return has_started;
    }
    const Nanoseconds deadline = idle_deadline(now);
    if (deadline <= now) return has_started;
    if (host_ && !has_started) host_->idle_period_begins(deadline);
    has_started = true;
    document->start_an_idle_period(deadline);
  }
  return has_started;
}

}  // namespace rondo::html
