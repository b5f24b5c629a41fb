// See html_profile.h.
#include "runtime/html/html_profile.h"

#include "runtime/entry/turn.h"

#include <fmt/format.h>

#include <algorithm>

namespace rondo::runtime {

using html::TaskSource;

class HtmlProfile::WindowDocument final : public html::Document {
 public:
  WindowDocument(html::BrowsingContext& context, HtmlProfile& agent)
      : Document(context),
        agent_(agent),
        cell_(agent.runtime_.vm(),
              engine::make_native(agent.runtime_.realm(), std::make_unique<DocumentObject>(*this))) {}
  ~WindowDocument() override { object().clear(); }

  engine::NativeCell* cell() const { return cell_.get(); }
  DocumentObject& object() const { return *engine::native_of<DocumentObject>(cell()); }

 private:
  void run_the_resize_steps() override { step(RenderStep::Resize); }
  void run_the_scroll_steps() override { step(RenderStep::Scroll); }
  void evaluate_media_queries_and_report_changes() override { step(RenderStep::MediaQueries); }
  void update_animations_and_send_events(Nanoseconds) override { step(RenderStep::Animations); }
  void run_the_resize_observations() override { step(RenderStep::ResizeObservers); }
  void run_the_update_intersection_observations_steps(Nanoseconds) override { step(RenderStep::IntersectionObservers); }
  void update_the_rendering_to_reflect_the_current_state() override { step(RenderStep::Paint); }

  void step(RenderStep which) {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(static_cast<int>(which)));
    arguments.append(JSC::jsNumber(agent_.to_ms(loop().reactor().read_clock())));
    arguments.append(cell());
    agent_.render(which, arguments);
  }

  HtmlProfile& agent_;
  const JSC::Strong<engine::NativeCell> cell_;
};

struct HtmlProfile::Presented {
  Presented(HtmlProfile& agent, html::Document* container)
      : context(agent.loop(), container), document(context, agent) {
    context.present(&document);
  }
  html::BrowsingContext context;
  WindowDocument document;
};

HtmlProfile::HtmlProfile(Runtime& runtime, const HtmlOptions& options)
    : runtime_(runtime),
      options_(options),
      clock_(options.clock),
      cluster_(options.cluster ? options.cluster : std::make_shared<AgentCluster>(clock_ ? clock_->time() : nullptr)),
      wake_(runtime.loop(), [this] { on_wake(); }),
      origin_(runtime.loop().read_clock()),
      loop_(runtime.loop(), {.kind = options.kind,
                             .policy = options.policy == "fifo" ? nullptr : html::make_policy(options.policy),
                             .host = this,
                             .frames_per_second = options.frames_per_second}) {
  wake_.unref();
  if (clock_) clock_->wake_with([this] { wake_.send(); });
  if (!options.activity) cluster_->set_callbacks([this] { wake_.ref(); }, [this] { wake_.send(); });
  if (options.kind != html::LoopKind::Window) return;
  create_document(nullptr);
  top_ = &documents_.front()->document;
}

HtmlProfile::~HtmlProfile() {
  if (clock_) clock_->wake_with({});
  if (!options_.activity) cluster_->set_callbacks({}, {});
  note_running();  // until its owner has heard of the end
  gone_.clear();
  while (!documents_.empty()) documents_.pop_back();  // frames before what they are in
}

engine::NativeCell* HtmlProfile::cell_of_first() const { return documents_.front()->document.cell(); }

engine::NativeCell* HtmlProfile::create_document(html::Document* container) {
  return documents_.emplace_back(std::make_unique<Presented>(*this, container))->document.cell();
}

// It may be a callback of its own that asks for it: from now on nothing of it runs, and it goes when nothing of it lies on the stack.
void HtmlProfile::discard_document(DocumentObject& object) {
  const auto found = std::ranges::find_if(
      documents_, [&](const auto& presented) { return &presented->document == object.document(); });
  if (found == documents_.end()) return;
  object.clear();
  if (top_ == &(*found)->document) top_ = nullptr;
  (*found)->context.present(nullptr);
  gone_.push_back(std::move(*found));
  documents_.erase(found);
  loop_.queue_a_task(TaskSource::DomManipulation, nullptr, [this] { gone_.clear(); });
}

void HtmlProfile::run() {
  loop_.run();
  if (!options_.activity) return;
  while (!loop_.is_destroyed() && !runtime_.is_stopped()) {
    options_.activity->set_running(false);
    wake_.ref();
    if (!loop_.has_runnable_tasks() && !runtime_.is_stopped()) runtime_.loop().run(RunMode::Once);
    wake_.unref();
    note_running();
    if (!runtime_.is_stopped()) loop_.run();
  }
}

// The cluster may have become active again since it said that it is idle.
void HtmlProfile::on_wake() {
  if (!options_.activity && cluster_->is_idle()) wake_.unref();
}

// Left out by the loop when the page's functions have had theirs (lib/html/agents/agent.js) and nothing ran since.
void HtmlProfile::checkpoint() { loop_.perform_a_microtask_checkpoint(); }

void HtmlProfile::stop() {
  runtime_.loop().stop();
  loop_.stop();
}

// Of the page's first agent alone: the library hears of it (node:test in pages).
bool HtmlProfile::before_exit() {
  if (runtime_.options().worker || loop_.is_destroyed()) return false;
  {
    Turn turn(runtime_);
    if (auto* callback = runtime_.callback(Callback::BeforeExit)) turn.call(callback);
  }
  return runtime_.loop().alive() || loop_.has_runnable_tasks();
}

void HtmlProfile::close() { options_.kind == html::LoopKind::Window ? loop_.destroy() : loop_.set_closing(); }

const Source& HtmlProfile::source_name(TaskSource source) {
  static constexpr Source kSources[html::kTaskSources] = {{"DOM manipulation task", "HTMLTASK", TaskKind::Dom},
                                                          {"user interaction task", "HTMLTASK", TaskKind::Interaction},
                                                          {"networking task", "HTMLTASK", TaskKind::Networking},
                                                          {"history traversal task", "HTMLTASK", TaskKind::History},
                                                          {"timer task", "Timeout", TaskKind::Timer},
                                                          {"posted message task", "HTMLTASK", TaskKind::Message},
                                                          {"scheduler task", "HTMLTASK", TaskKind::Scheduler},
                                                          {"rendering task", "HTMLTASK", TaskKind::Rendering},
                                                          {"idle task", "HTMLTASK", TaskKind::Idle},
                                                          {"database access task", "HTMLTASK", TaskKind::Database},
                                                          {"microtask task", "HTMLTASK", TaskKind::Microtask}};
  return kSources[static_cast<size_t>(source)];
}

void HtmlProfile::set_hook(HtmlHook hook, JSC::JSObject* function) {
  if (hook != HtmlHook::Render) return hooks_[static_cast<size_t>(hook)].set(runtime_.vm(), function);
  static constexpr Source kSteps[kRenderSteps] = {{"resize steps", "HTMLRENDER", TaskKind::Rendering},
                                                  {"scroll steps", "HTMLRENDER", TaskKind::Rendering},
                                                  {"media queries", "HTMLRENDER", TaskKind::Rendering},
                                                  {"animations", "HTMLRENDER", TaskKind::Rendering},
                                                  {"resize observers", "HTMLRENDER", TaskKind::Rendering},
                                                  {"intersection observers", "HTMLRENDER", TaskKind::Rendering},
                                                  {"paint", "HTMLRENDER", TaskKind::Rendering}};
  for (size_t i = 0; i < kRenderSteps; i++) {
    StartPoint origin;
    origin.capture(runtime_, kSteps[i]);
    origin.place = {};
    render_steps_[i] = std::make_unique<Continuation>(runtime_, function, origin, kSteps[i]);
  }
}

void HtmlProfile::call_hook(HtmlHook hook, const JSC::ArgList& arguments) {
  auto* function = hooks_[static_cast<size_t>(hook)].get();
  if (!function || runtime_.is_stopped()) return;
  Turn turn(runtime_);
  turn.call(function, JSC::jsUndefined(), arguments);
}

void HtmlProfile::render(RenderStep step, const JSC::ArgList& arguments) {
  auto& call = render_steps_[static_cast<size_t>(step)];
  if (!call) return;
  call->caused_by(rendering_);
  (*call)(arguments);
}

void HtmlProfile::queue_task(TaskSource source, JSC::JSObject* function, html::Document* document) {
  loop_.queue_a_task(source, document, [this, call = Continuation(runtime_, function, source_name(source))]() mutable {
    note_crossing();
    call(JSC::MarkedArgumentBuffer());
  });
}

bool HtmlProfile::has_microtasks() { return !runtime_.is_stopped() && runtime_.has_microtasks(); }
void HtmlProfile::run_microtasks() { runtime_.run_microtasks(); }

void HtmlProfile::clean_up_indexed_database_transactions() {
  if (has_transactions_) call_hook(HtmlHook::CleanUpTransactions, JSC::MarkedArgumentBuffer());
}

void HtmlProfile::report_long_task(const html::TaskTiming& timing) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(to_ms(timing.start)));
  arguments.append(JSC::jsNumber(static_cast<double>(timing.end - timing.start) / 1e6));
  arguments.append(engine::make_string(runtime_.vm(), html::name_of(timing.source)));
  auto& tasks = runtime_.tasks();
  if (!tasks.is_traced()) return call_hook(HtmlHook::LongTask, arguments);
  const auto milliseconds = static_cast<double>(timing.end - timing.start) / 1e6;
  const uint32_t id =
      tasks.queued_by(tasks.outermost(), TaskKind::Event, fmt::format("long task of {:.1f} ms", milliseconds));
  tasks.begin(TaskKind::Event, id);
  call_hook(HtmlHook::LongTask, arguments);
  tasks.end(TaskKind::Event, id);
}

void HtmlProfile::task_begins(const html::Task&, Nanoseconds) {
  if (clock_) clock_->forget_readings();
  if (runtime_.tasks().is_traced()) runtime_.tasks().turn_begins(loop_.turns());
}

void HtmlProfile::rendering_begins(Nanoseconds, std::size_t) {
  auto& tasks = runtime_.tasks();
  if (clock_) clock_->forget_readings();
  if (!tasks.is_traced()) return;
  tasks.turn_begins(loop_.turns());
  rendering_ = tasks.queued_by(std::exchange(rendering_cause_, 0), TaskKind::Rendering, "update the rendering");
  tasks.begin(TaskKind::Rendering, rendering_);
}

void HtmlProfile::rendering_ended(Nanoseconds, Nanoseconds) {
  if (runtime_.tasks().is_traced()) runtime_.tasks().end(TaskKind::Rendering, rendering_);
}

void HtmlProfile::idle_period_begins(Nanoseconds deadline) {
  auto& tasks = runtime_.tasks();
  if (!tasks.is_traced()) return;
  const auto milliseconds = static_cast<double>(deadline - runtime_.loop().read_clock()) / 1e6;
  tasks.turn_begins(loop_.turns());
  const uint32_t id = tasks.queued_by(0, TaskKind::Idle, fmt::format("idle period of {:.1f} ms", milliseconds));
  tasks.begin(TaskKind::Idle, id);
  tasks.end(TaskKind::Idle, id);
}

void HtmlProfile::legacy_blocking_begins() {
  auto& tasks = runtime_.tasks();
  if (!tasks.is_traced()) return;
  blocking_.push_back(tasks.queued(TaskKind::Io, "legacy blocking"));
  tasks.begin(TaskKind::Io, blocking_.back());
}

void HtmlProfile::legacy_blocking_ended() {
  if (blocking_.empty()) return;
  runtime_.tasks().end(TaskKind::Io, blocking_.back());
  blocking_.pop_back();
}

void HtmlProfile::spin_begins() {
  depths_.push_back(runtime_.exchange_turn_depth(0));
  legacy_blocking_begins();
}

void HtmlProfile::spin_ended() {
  runtime_.exchange_turn_depth(depths_.back());
  depths_.pop_back();
  legacy_blocking_ended();
}

}  // namespace rondo::runtime
