// See html_agent.h.
#include "runtime/html_agent.h"

#include <fmt/format.h>

namespace rondo::runtime {

using html::TaskSource;

class HtmlAgent::WindowDocument final : public html::Document {
 public:
  WindowDocument(html::BrowsingContext& context, HtmlAgent& agent, uint32_t number)
      : Document(context), agent_(agent), number_(number) {}

 private:
  void run_the_resize_steps() override { step(RenderStep::Resize); }
  void run_the_scroll_steps() override { step(RenderStep::Scroll); }
  void evaluate_media_queries_and_report_changes() override { step(RenderStep::MediaQueries); }
  void update_animations_and_send_events(Nanoseconds) override { step(RenderStep::Animations); }
  void run_the_resize_observations() override { step(RenderStep::ResizeObservers); }
  void run_the_update_intersection_observations_steps(Nanoseconds) override { step(RenderStep::IntersectionObservers); }
  void update_the_rendering_to_reflect_the_current_state() override { step(RenderStep::Paint); }

  void step(RenderStep which) {
    if (!agent_.has_hook(HtmlHook::Render)) return;
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(static_cast<int>(which)));
    arguments.append(JSC::jsNumber(agent_.to_ms(loop().reactor().read_clock())));
    arguments.append(JSC::jsNumber(number_));
    agent_.call_hook(HtmlHook::Render, arguments);
  }

  HtmlAgent& agent_;
  const uint32_t number_;
};

struct HtmlAgent::Presented {
  Presented(HtmlAgent& agent, html::Document* container, uint32_t number)
      : context(agent.loop(), container), document(context, agent, number) {
    context.present(&document);
  }
  html::BrowsingContext context;
  WindowDocument document;
};

HtmlAgent::HtmlAgent(Runtime& runtime, const HtmlOptions& options)
    : runtime_(runtime),
      options_(options),
      clock_(options.clock),
      wake_(runtime.loop(), [] {}),
      origin_(runtime.loop().read_clock()),
      loop_(runtime.loop(), {.kind = options.kind,
                             .policy = options.policy == "fifo" ? nullptr : html::make_policy(options.policy),
                             .host = this,
                             .frames_per_second = options.frames_per_second}) {
  wake_.unref();
  if (clock_) clock_->wake_with([this] { wake_.send(); });
  if (options.kind == html::LoopKind::Window) create_document(nullptr);
}

HtmlAgent::~HtmlAgent() {
  if (clock_) clock_->wake_with({});
  gone_.clear();
  while (!documents_.empty()) documents_.pop_back();  // frames before what they are in
}

html::Document* HtmlAgent::document(uint32_t number) {
  return number < documents_.size() && documents_[number] ? &documents_[number]->document : nullptr;
}

uint32_t HtmlAgent::create_document(html::Document* container) {
  const auto number = static_cast<uint32_t>(documents_.size());
  documents_.push_back(std::make_unique<Presented>(*this, container, number));
  return number;
}

// It may be a callback of its own that asks for it: from now on nothing of it runs, and it goes when nothing of it lies on the stack.
void HtmlAgent::discard_document(uint32_t number) {
  if (!document(number)) return;
  documents_[number]->context.present(nullptr);
  gone_.push_back(std::move(documents_[number]));
  loop_.queue_a_task(TaskSource::DomManipulation, nullptr, [this] { gone_.clear(); });
}

void HtmlAgent::run() {
  loop_.run();
  if (!runtime_.options().worker) return;
  while (!loop_.is_destroyed() && !runtime_.is_stopped()) {
    call_hook(HtmlHook::Settled, JSC::MarkedArgumentBuffer());
    wake_.ref();
    if (!loop_.has_runnable_tasks() && !runtime_.is_stopped()) runtime_.loop().run(RunMode::Once);
    wake_.unref();
    if (!runtime_.is_stopped()) loop_.run();
  }
}

void HtmlAgent::close() { options_.kind == html::LoopKind::Window ? loop_.destroy() : loop_.set_closing(); }

const Source& HtmlAgent::source_name(TaskSource source) {
  static constexpr Source kSources[html::kTaskSources] = {{"DOM manipulation task", "HTMLTASK"},
                                                          {"user interaction task", "HTMLTASK"},
                                                          {"networking task", "HTMLTASK"},
                                                          {"history traversal task", "HTMLTASK"},
                                                          {"timer task", "Timeout"},
                                                          {"posted message task", "HTMLTASK"},
                                                          {"scheduler task", "HTMLTASK"},
                                                          {"rendering task", "HTMLTASK"},
                                                          {"idle task", "HTMLTASK"},
                                                          {"database access task", "HTMLTASK"},
                                                          {"microtask task", "HTMLTASK"}};
  return kSources[static_cast<size_t>(source)];
}

void HtmlAgent::set_hook(HtmlHook hook, JSC::JSObject* function) {
  static constexpr Source kSources[] = {{"rendering step", "HTMLRENDER"},
                                        {"long task report", "HTMLREPORT"},
                                        {"transactions' end", "HTMLREPORT"},
                                        {"rest", "HTMLREPORT"}};
  const Source& source = kSources[static_cast<size_t>(hook)];
  StartPoint origin;
  origin.capture(runtime_, source);
  hooks_[static_cast<size_t>(hook)] = std::make_unique<Continuation>(runtime_, function, origin, source);
}

void HtmlAgent::call_hook(HtmlHook hook, const JSC::ArgList& arguments) {
  if (auto& function = hooks_[static_cast<size_t>(hook)]) (*function)(arguments);
}

void HtmlAgent::queue_task(TaskSource source, JSC::JSObject* function, html::Document* document) {
  loop_.queue_a_task(source, document, [call = Continuation(runtime_, function, source_name(source))]() mutable {
    call(JSC::MarkedArgumentBuffer());
  });
}

bool HtmlAgent::has_microtasks() { return !runtime_.is_stopped() && runtime_.has_microtasks(); }
void HtmlAgent::run_microtasks() { runtime_.run_microtasks(); }

void HtmlAgent::clean_up_indexed_database_transactions() {
  if (has_hook(HtmlHook::CleanUpTransactions)) call_hook(HtmlHook::CleanUpTransactions, JSC::MarkedArgumentBuffer());
}

void HtmlAgent::report_long_task(const html::TaskTiming& timing) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(to_ms(timing.start)));
  arguments.append(JSC::jsNumber(static_cast<double>(timing.end - timing.start) / 1e6));
  arguments.append(engine::make_string(runtime_.vm(), html::name_of(timing.source)));
  call_hook(HtmlHook::LongTask, arguments);
}

void HtmlAgent::task_begins(const html::Task&, Nanoseconds) {
  if (clock_) clock_->forget_readings();
}

void HtmlAgent::rendering_begins(Nanoseconds, std::size_t) {
  auto& tasks = runtime_.tasks();
  if (clock_) clock_->forget_readings();
  if (!tasks.is_traced()) return;
  rendering_ = tasks.queued_by(0, TaskKind::Rendering, "update the rendering");
  tasks.begin(TaskKind::Rendering, rendering_);
}

void HtmlAgent::rendering_ended(Nanoseconds, Nanoseconds) {
  if (runtime_.tasks().is_traced()) runtime_.tasks().end(TaskKind::Rendering, rendering_);
}

void HtmlAgent::idle_period_begins(Nanoseconds deadline) {
  auto& tasks = runtime_.tasks();
  if (!tasks.is_traced()) return;
  const auto milliseconds = static_cast<double>(deadline - runtime_.loop().read_clock()) / 1e6;
  const uint32_t id = tasks.queued_by(0, TaskKind::Idle, fmt::format("idle period of {:.1f} ms", milliseconds));
  tasks.begin(TaskKind::Idle, id);
  tasks.end(TaskKind::Idle, id);
}

void HtmlAgent::legacy_blocking_begins() {
  auto& tasks = runtime_.tasks();
  if (!tasks.is_traced()) return;
  blocking_.push_back(tasks.queued(TaskKind::Io, "legacy blocking"));
  tasks.begin(TaskKind::Io, blocking_.back());
}

void HtmlAgent::legacy_blocking_ended() {
  if (blocking_.empty()) return;
  runtime_.tasks().end(TaskKind::Io, blocking_.back());
  blocking_.pop_back();
}

void HtmlAgent::spin_begins() {
  depths_.push_back(runtime_.exchange_turn_depth(0));
  legacy_blocking_begins();
}

void HtmlAgent::spin_ended() {
  runtime_.exchange_turn_depth(depths_.back());
  depths_.pop_back();
  legacy_blocking_ended();
}

}  // namespace rondo::runtime
