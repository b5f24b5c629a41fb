// See continuation.h.
#include "runtime/entry/continuation.h"

#include "engine/core/function_label.h"
#include "runtime/entry/turn.h"

namespace rondo::runtime {

using engine::Value;

namespace {

Value current_context(Runtime& runtime) { return runtime.realm()->m_asyncContextData.get()->getInternalField(0); }

void set_context(Runtime& runtime, Value context) {
  runtime.realm()->m_asyncContextData.get()->putInternalField(runtime.vm(), 0, context);
}

}  // namespace

void StartPoint::capture(Runtime& runtime, const Source& what, JSC::JSObject* resource) {
  source = &what;
  is_tracked = false;
  switch (runtime.async_tracking()) {
    case AsyncTracking::None:
      break;
    case AsyncTracking::Context:
      if (Value now = current_context(runtime); !now.isUndefined()) context.set(runtime.vm(), now);
      break;
    case AsyncTracking::Hooks:
      if (Value record = runtime.track(what.async_type, resource)) {
        context.set(runtime.vm(), record);
        is_tracked = true;
      }
      break;
  }
  if (!runtime.tasks().is_traced()) [[likely]]
    return;
  cause = runtime.tasks().running();
  place = runtime.local<engine::FunctionLabels>().running_place(runtime.vm());
  if (place.empty()) place = runtime.tasks().place();
}

void StartPoint::inherit(Runtime& runtime, const Source& what, const StartPoint& parent) {
  *this = parent;
  source = &what;
  if (!parent.is_tracked) return;
  if (Value record = runtime.track(what.async_type, nullptr, parent.context.get())) context.set(runtime.vm(), record);
}

std::string StartPoint::label(Value function) const {
  std::string name = source ? source->name : "callback";
  if (function) {
    auto& runtime = Runtime::from(engine::Realm::main(JSC::asObject(function)->globalObject()));
    const auto own = runtime.local<engine::FunctionLabels>().program_function(function);
    if (!own.empty()) return name.append(" → ").append(own);
  }
  if (!place.empty()) name.append(" (").append(place).append(")");
  return name;
}

struct Continuation::Pending : ListNode {
  Runtime* runtime = nullptr;  // null when it has gone
  StartPoint origin;
  JSC::Strong<JSC::JSObject> target;
  JSC::Strong<JSC::JSCell> kept;
  std::string label;  // where another function than `target` stands for it
  uint32_t task = 0;  // of an operation that was started under an observer
  bool repeats = false;

  TaskKind kind() const { return origin.source ? origin.source->kind : TaskKind::Io; }
  std::string name() const { return label.empty() ? origin.label(target.get()) : label; }
  void set_label(const Value& subject) {
    if (subject && subject.isObject()) label = origin.label(subject);
  }

  void release() {
    if (!label.empty()) label.clear();
    target.clear();
    kept.clear();
    origin.context.clear();
  }
};

Continuations::Continuations() = default;

// Continuations that still exist hold nothing from here on, and free themselves.
Continuations::~Continuations() {
  while (!live_.is_empty()) {
    auto& pending = live_.pop_front();
    pending.runtime = nullptr;
    pending.release();
  }
}

Continuation::Pending* Continuations::take() {
  Continuation::Pending* pending;
  if (spare_.empty()) {
    pending = new Continuation::Pending;
  } else {
    pending = spare_.back().release();
    spare_.pop_back();
  }
  live_.push_back(*pending);
  return pending;
}

void Continuations::give_back(Continuation::Pending* pending) {
  constexpr size_t kKept = 256;
  pending->unlink();
  if (spare_.size() == kKept) {
    delete pending;
    return;
  }
  pending->release();
  spare_.emplace_back(pending);
}

void Continuation::begin(Runtime& runtime, JSC::JSObject* target) {
  pending_ = runtime.continuations().take();
  pending_->runtime = &runtime;
  pending_->target.set(runtime.vm(), target);
}

Continuation::Continuation(Runtime& runtime, JSC::JSObject* target, const Source& source, const TaskDetails& details) {
  if (!target) return;
  begin(runtime, target);
  pending_->repeats = false;
  pending_->origin.capture(runtime, source, target);
  pending_->task = 0;
  if (!runtime.tasks().is_traced()) [[likely]]
    return;
  pending_->set_label(details.subject);
  pending_->task = runtime.tasks().queued(source.kind, pending_->name(), details.delay_ms);
}

Continuation::Continuation(Runtime& runtime, JSC::JSObject* function, const StartPoint& origin, const Source& what,
                           Value subject) {
  if (!function) return;
  begin(runtime, function);
  pending_->repeats = true;
  pending_->task = 0;
  pending_->origin = origin;
  pending_->origin.source = &what;
  if (runtime.tasks().is_traced()) [[unlikely]]
    pending_->set_label(subject);
}

Continuation::~Continuation() {
  if (!pending_) return;
  if (pending_->runtime && pending_->task && !pending_->runtime->is_stopped()) [[unlikely]]
    pending_->runtime->tasks().cancelled(pending_->kind(), pending_->task, pending_->kind() == TaskKind::Io);
  if (pending_->runtime)
    pending_->runtime->continuations().give_back(pending_);
  else
    delete pending_;
}

Continuation&& Continuation::keeping(JSC::JSCell* object) && {
  if (pending_) pending_->kept.set(pending_->runtime->vm(), object);
  return std::move(*this);
}

void Continuation::caused_by(uint32_t task) {
  if (!pending_) return;
  pending_->origin.cause = task;
  pending_->origin.sender = 0;
}

void Continuation::comes_from(uint32_t runtime, uint32_t task) {
  if (pending_) pending_->origin.sender = (int64_t{runtime} + 1) << 32 | task;
}

uint32_t Continuation::announce(double delay_ms) {
  if (is_dead() || !pending_->runtime->tasks().is_traced()) [[likely]]
    return 0;
  const auto& origin = pending_->origin;
  return pending_->task = pending_->runtime->tasks().queued_by(origin.cause, pending_->kind(), pending_->name(),
                                                               delay_ms, origin.sender);
}

bool Continuation::is_dead() const { return !pending_ || !pending_->runtime || pending_->runtime->is_stopped(); }
Runtime& Continuation::runtime() const { return *pending_->runtime; }

namespace {

// For the whole turn, while it is traced.
class PlaceScope {
 public:
  PlaceScope(Runtime& runtime, std::string_view place) : runtime_(runtime), is_set_(!place.empty()) {
    if (is_set_) [[unlikely]]
      outer_ = runtime.tasks().exchange_place(place);
  }
  ~PlaceScope() {
    if (is_set_) [[unlikely]]
      runtime_.tasks().exchange_place(outer_);
  }

 private:
  Runtime& runtime_;
  bool is_set_;
  std::string_view outer_;
};

}  // namespace

// State of one call, out of the way of the callback, which may end the Continuation.
struct Continuation::Started {
  explicit Started(Pending& pending)
      : target(pending.target.get()),
        context(pending.origin.context ? pending.origin.context.get() : JSC::jsUndefined()),
        is_tracked(pending.origin.is_tracked),
        repeats(pending.repeats) {}

  // The function, in the async context of its start.
  Value call(Turn& turn, const JSC::ArgList& arguments) const;

  JSC::JSObject* target;
  Value context;
  bool is_tracked;
  bool repeats;
};

namespace {

// As StartPoint::label, without making a string of what was joined before. Valid until the next call.
std::string_view label_of(engine::FunctionLabels& labels, const StartPoint& origin, std::string_view own) {
  const std::string_view name = origin.source ? origin.source->name : "callback";
  if (!own.empty()) return labels.joined(name, " → ", own);
  return origin.place.empty() ? name : labels.joined(name, " (", origin.place, ")");
}

}  // namespace

// `act` does what the turn is for; it is given what was captured.
template <class Act>
Value Continuation::run(Act act) {
  if (is_dead()) return {};
  auto& runtime = *pending_->runtime;
  PlaceScope place(runtime, pending_->origin.place);
  Turn turn(runtime);
  Started started(*pending_);
  auto& tasks = runtime.tasks();
  tasks.event_begins(pending_->origin.source ? pending_->origin.source->name : "callback");
  const bool is_traced = tasks.is_traced();
  const TaskKind kind = pending_->kind();
  uint32_t task = 0;
  if (is_traced) [[unlikely]] {
    const auto& origin = pending_->origin;
    auto& labels = runtime.local<engine::FunctionLabels>();
    const auto own = labels.program_function(started.target);
    task = std::exchange(pending_->task, 0);
    if (!task) {
      const std::string_view name = pending_->label.empty() ? label_of(labels, origin, own) : pending_->label;
      task = tasks.queued_by(origin.cause, kind, name, 0, origin.sender);
    }
    tasks.begin(kind, task);
    if (pending_->label.empty() && own.empty())
      tasks.expect_name(origin.source ? origin.source->name : "callback", origin.place);
  }
  if (!started.repeats) runtime.continuations().give_back(std::exchange(pending_, nullptr));
  Value result = act(turn, started);
  if (is_traced) [[unlikely]]
    tasks.end(kind, task);
  return result;
}

Value Continuation::Started::call(Turn& turn, const JSC::ArgList& arguments) const {
  auto& runtime = turn.runtime();
  if (is_tracked) return runtime.run_tracked(context, target, !repeats, arguments);
  if (runtime.async_tracking() == AsyncTracking::None) [[likely]]
    return turn.call(target, JSC::jsUndefined(), arguments);
  Value outer = current_context(runtime);
  set_context(runtime, context);
  Value result = turn.call(target, JSC::jsUndefined(), arguments);
  set_context(runtime, outer);
  return result;
}

Value Continuation::operator()(const JSC::ArgList& arguments) {
  return run([&](Turn& turn, const Started& started) { return started.call(turn, arguments); });
}

void Continuation::operator()(int status) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(status));
  (*this)(arguments);
}

void Continuation::resolve(Value value) {
  if (is_dead()) return;
  if (!pending_->target->inherits<JSC::JSPromise>()) {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNull());
    if (value) arguments.append(value);
    (*this)(arguments);
    return;
  }
  run([&](Turn& turn, const Started& started) {
    turn.runtime().end_tracked(started.is_tracked ? started.context : Value());
    JSC::jsCast<JSC::JSPromise*>(started.target)->resolve(turn.runtime().realm(), value ? value : JSC::jsUndefined());
    return Value();
  });
}

// `make_error` runs inside the turn.
template <class MakeError>
void Continuation::reject_with(MakeError make_error) {
  run([&](Turn& turn, const Started& started) {
    const Value error = make_error(turn);
    if (auto* promise = JSC::jsDynamicCast<JSC::JSPromise*>(started.target)) {
      turn.runtime().end_tracked(started.is_tracked ? started.context : Value());
      promise->reject(turn.runtime().realm(), error);
      return Value();
    }
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(error);
    return started.call(turn, arguments);
  });
}

void Continuation::reject(Value error) {
  reject_with([error](Turn&) { return error; });
}

void Continuation::reject_made_by(JSC::JSObject* make, Value fact) {
  reject_with([make, fact](Turn& turn) {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(fact);
    const auto made = turn.runtime().call_nested(make, JSC::jsUndefined(), arguments);
    return made.exception ? made.exception->value() : made.value;
  });
}

}  // namespace rondo::runtime
