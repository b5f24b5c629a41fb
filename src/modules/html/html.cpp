// native('html'): the event loop of --loop=html for lib/html. Times are milliseconds since the window's time origin. Without the
// option there is no agent, and `isHtml` is false.
#include "engine/core/context_realm.h"
#include "engine/core/vm_state.h"
#include "runtime/html/html_profile.h"

#include <JavaScriptCore/StackVisitor.h>

namespace rondo::modules {

using namespace engine;
using html::TaskSource;
using runtime::Continuation;
using runtime::DocumentObject;
using runtime::HtmlProfile;
using runtime::Runtime;

namespace {

HtmlProfile& agent_of(const Call& call) { return *Runtime::from(call.realm()).html(); }

// The document whose cell is at `index`; without one the page's own.
html::Document* document_at(const Call& call, unsigned index) {
  if (!call.has(index)) return agent_of(call).top();
  auto* object = native_of<DocumentObject>(call.at(index));
  return object ? object->document() : nullptr;
}
// It has been discarded; of workers there is none in the first place.
bool is_gone(const Call& call, unsigned index) {
  return agent_of(call).options().kind == html::LoopKind::Window && !document_at(call, index);
}

// queueTask(source, function, document): nothing when that document is gone
Value queue_task(Call& call) {
  auto* function = call.function(1);
  const uint32_t source = call.uint32(0, html::kTaskSources);
  if (!function || source >= html::kTaskSources) return call.type_error("queueTask takes a task source and a function");
  if (is_gone(call, 2)) return call.undefined();
  agent_of(call).queue_task(static_cast<TaskSource>(source), function, document_at(call, 2));
  return call.undefined();
}

// queueTimedTask(source, function(when it was queued, when it began), document): the same, without a call for each time
Value queue_timed_task(Call& call) {
  auto* function = call.function(1);
  const uint32_t source = call.uint32(0, html::kTaskSources);
  if (!function || source >= html::kTaskSources)
    return call.type_error("queueTimedTask takes a task source and a function");
  if (is_gone(call, 2)) return call.undefined();
  auto& agent = agent_of(call);
  const auto& name = HtmlProfile::source_name(static_cast<TaskSource>(source));
  auto steps = [&agent, queued = agent.read_clock(),
                function = Continuation(Runtime::from(call.realm()), function, name)]() mutable {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(agent.to_ms(queued)));
    arguments.append(JSC::jsNumber(agent.to_ms(agent.read_clock())));
    agent.note_crossing();
    function(arguments);
  };
  agent.loop().queue_a_task(static_cast<TaskSource>(source), document_at(call, 2), std::move(steps));
  return call.undefined();
}

// Steps of an interval: each run is a task of its own, queued by the one before it.
class Repeating {
 public:
  Repeating(HtmlProfile& agent, Continuation steps, double delay_ms)
      : agent_(agent), steps_(std::move(steps)), delay_ms_(delay_ms), task_(steps_.announce(delay_ms)) {}
  void set_id(int32_t id) { id_ = id; }
  void operator()() {
    steps_(JSC::MarkedArgumentBuffer());
    if (!task_ || !agent_.loop().has_timer(id_)) return;
    steps_.caused_by(task_);
    task_ = steps_.announce(delay_ms_);
  }

 private:
  HtmlProfile& agent_;
  Continuation steps_;
  double delay_ms_;
  uint32_t task_;
  int32_t id_ = 0;
};

int32_t set_interval(Call& call, HtmlProfile& agent, const runtime::Source& source) {
  auto& runtime = Runtime::from(call.realm());
  runtime::StartPoint origin;
  origin.capture(runtime, source);
  auto steps = std::make_shared<Repeating>(agent, Continuation(runtime, call.function(2), origin, source, call.at(4)),
                                           call.number(0));
  const int32_t id =
      agent.loop().initialize_a_timer(document_at(call, 3), call.number(0), true, [steps] { (*steps)(); });
  steps->set_id(id);
  return id;
}

// setTimer(milliseconds, repeats, function, document, function of the page for reports) → id; 0 when that document is gone
Value set_timer(Call& call) {
  auto& agent = agent_of(call);
  auto* function = call.function(2);
  if (!function) return call.type_error("setTimer takes a function");
  if (is_gone(call, 3)) return call.value(0);
  const auto& source = HtmlProfile::source_name(TaskSource::Timer);
  if (call.boolean(1)) return call.value(set_interval(call, agent, source));
  Continuation steps(Runtime::from(call.realm()), function, source, {call.at(4), call.number(0)});
  return call.value(
      agent.loop().initialize_a_timer(document_at(call, 3), call.number(0), false,
                                      [steps = std::move(steps)]() mutable { steps(JSC::MarkedArgumentBuffer()); }));
}

Value clear_timer(Call& call) {
  agent_of(call).loop().clear_a_timer(call.int32(0));
  return call.undefined();
}

// requestFrame(function(timestamp), document, function of the page for reports) → id
Value request_frame(Call& call) {
  static constexpr runtime::Source kSource{"animation frame", "AnimationFrame", TaskKind::Rendering};
  auto& agent = agent_of(call);
  auto* function = call.function(0);
  auto* document = document_at(call, 1);
  if (!function || !document) return call.type_error("requestFrame takes a function, and a document that is there");
  agent.note_invalidation();
  auto request = [&agent, frame = Continuation(Runtime::from(call.realm()), function, kSource, {call.at(2)})](
                     Nanoseconds now) mutable {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(agent.to_ms(now)));
    frame(arguments);
  };
  return JSC::jsNumber(document->request_animation_frame(std::move(request)));
}

Value cancel_frame(Call& call) {
  if (auto* document = document_at(call, 1)) document->cancel_animation_frame(call.uint32(0));
  return call.undefined();
}

// requestIdle(function(deadline, did time out), timeout or 0, document, function of the page for reports) → id
Value request_idle(Call& call) {
  static constexpr runtime::Source kSource{"idle callback", "IdleCallback", TaskKind::Idle};
  auto& agent = agent_of(call);
  auto* function = call.function(0);
  auto* document = document_at(call, 2);
  if (!function || !document) return call.type_error("requestIdle takes a function, and a document that is there");
  auto request = [&agent, idle = Continuation(Runtime::from(call.realm()), function, kSource, {call.at(3)})](
                     const html::IdleDeadline& deadline) mutable {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(agent.to_ms(deadline.deadline)));
    arguments.append(JSC::jsBoolean(deadline.did_timeout));
    idle(arguments);
  };
  const auto timeout = Duration(static_cast<Nanoseconds>(call.number(1) * 1e6));
  return JSC::jsNumber(document->request_idle_callback(std::move(request), timeout));
}

Value cancel_idle(Call& call) {
  if (auto* document = document_at(call, 1)) document->cancel_idle_callback(call.uint32(0));
  return call.undefined();
}

// now() → milliseconds since the time origin
Value now(Call& call) {
  auto& agent = agent_of(call);
  return JSC::jsNumber(agent.to_ms(agent.read_clock()));
}

// advance(milliseconds): the running task takes so long; on the virtual clock only, else false
Value advance(Call& call) {
  auto* clock = agent_of(call).clock();
  if (clock) clock->advance(static_cast<Nanoseconds>(call.number(0) * 1e6));
  return call.value(clock != nullptr);
}

// hold(begins): a request to the outside world begins or has ended; the virtual clock waits for it
Value hold(Call& call) {
  auto* clock = agent_of(call).clock();
  if (clock && call.boolean(0)) clock->hold();
  if (clock && !call.boolean(0)) clock->release();
  return call.undefined();
}

Value invalidate(Call& call) {
  agent_of(call).note_invalidation();
  if (auto* document = document_at(call, 0)) document->invalidate();
  return call.undefined();
}

Value set_hidden(Call& call) {
  if (auto* document = document_at(call, 1)) document->set_hidden(call.boolean(0));
  return call.undefined();
}

// createDocument(the document it is in, or undefined) → its cell
Value create_document(Call& call) {
  auto* container = call.has(0) ? document_at(call, 0) : nullptr;
  return agent_of(call).create_document(container);
}

// setTop(document): the page is that one from now on
Value set_top(Call& call) {
  agent_of(call).set_top(document_at(call, 0));
  return call.undefined();
}
Value is_top(Call& call) { return call.value(document_at(call, 0) == agent_of(call).top()); }

Value discard_document(Call& call) {
  if (auto* object = native_of<DocumentObject>(call.at(0))) agent_of(call).discard_document(*object);
  return call.undefined();
}

// checkpoint(): after a function of the page, when no other is on the stack
Value checkpoint(Call& call) {
  auto& loop = agent_of(call).loop();
  loop.note_script();
  loop.perform_a_microtask_checkpoint();
  return call.undefined();
}

// spin(goal()) → whether the goal was met
Value spin(Call& call) {
  auto& agent = agent_of(call);
  JSC::Strong<JSC::JSObject> goal(call.vm(), call.function(0));
  if (!goal || !agent.loop().currently_running_task()) return call.error("spin takes a goal, inside of a task");
  const bool is_met = agent.spin([&] {
    auto outcome = call.invoke(goal.get(), JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
    return outcome.exception || outcome.value.isTrue();
  });
  return call.value(is_met);
}

// caller() → the window whose code called into the library (the incumbent one), or undefined
Value caller(Call& call) {
  JSC::JSGlobalObject* found = nullptr;
  JSC::StackVisitor::visit(call.vm().topCallFrame, call.vm(), [&](JSC::StackVisitor& frame) {
    auto* code = frame->codeBlock();
    if (!code || code->globalObject() == call.realm()) return WTF::IterationStatus::Continue;
    found = code->globalObject();
    return WTF::IterationStatus::Done;
  });
  return found ? call.value(found->globalThis()) : call.undefined();
}

// stackRoom() → bytes of stack that JavaScript may still use
Value stack_room(Call& call) {
  const auto limit = reinterpret_cast<uintptr_t>(call.vm().softStackLimit());
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return JSC::jsNumber(here > limit ? static_cast<double>(here - limit) : 0);
}

// block(begins): alert, a synchronous request
Value block(Call& call) {
  auto& agent = agent_of(call);
  call.boolean(0) ? agent.legacy_blocking_begins() : agent.legacy_blocking_ended();
  return call.undefined();
}

Value close(Call& call) {
  agent_of(call).close();
  return call.undefined();
}

// runningTask() → { id, source } or null
Value running_task(Call& call) {
  const auto* task = agent_of(call).loop().currently_running_task();
  if (!task) return JSC::jsNull();
  auto* object = make_object(call.realm());
  put(call.realm(), object, "id", JSC::jsNumber(static_cast<double>(task->id)));
  put(call.realm(), object, "source", call.text(html::name_of(task->source)));
  return call.value(object);
}

// facts() → { loop, kind, queues, turns, renderings, checkpoints, crossings }; crossings: calls between C++ and JavaScript, of native('html') and of tasks
Value facts(Call& call) {
  auto& agent = agent_of(call);
  auto& loop = agent.loop();
  auto* object = make_object(call.realm());
  put(call.realm(), object, "loop", JSC::jsNumber(static_cast<double>(loop.id())));
  put(call.realm(), object, "kind", call.text(html::name_of(loop.kind())));
  put(call.realm(), object, "queues", JSC::jsNumber(static_cast<double>(loop.task_queues())));
  put(call.realm(), object, "turns", JSC::jsNumber(static_cast<double>(loop.turns())));
  put(call.realm(), object, "renderings", JSC::jsNumber(static_cast<double>(loop.renderings())));
  put(call.realm(), object, "checkpoints", JSC::jsNumber(static_cast<double>(loop.checkpoints())));
  put(call.realm(), object, "crossings", JSC::jsNumber(static_cast<double>(agent.crossings())));
  return call.value(object);
}

// watchTransactions(whether some may be active when a checkpoint ends)
Value watch_transactions(Call& call) {
  agent_of(call).set_has_transactions(call.boolean(0));
  return call.undefined();
}

// setHook(which, function)
Value set_hook(Call& call) {
  const uint32_t which = call.uint32(0, static_cast<uint32_t>(runtime::HtmlHook::Count));
  auto* function = call.function(1);
  if (!function || which >= static_cast<uint32_t>(runtime::HtmlHook::Count)) return call.type_error("no such hook");
  agent_of(call).set_hook(static_cast<runtime::HtmlHook>(which), function);
  return call.undefined();
}

// privateSymbol(description) → a symbol that no list of keys and no proxy shows
Value private_symbol(Call& call) {
  auto name = JSC::PrivateName(JSC::PrivateName::PrivateSymbol, call.wtf_string(0));
  return call.value(JSC::Symbol::create(call.vm(), name.uid()));
}

// isOfLibrary(function): whether its code is the library's own. Bound functions and proxies are not: they call what a page gave them.
Value is_of_library(Call& call) {
  auto* function = call.at(0).isCell() ? JSC::jsDynamicCast<JSC::JSFunction*>(call.at(0).asCell()) : nullptr;
  return call.value(function && !function->isHostFunctionNonInline() && function->globalObject() == call.realm());
}

// freeze(object) → whether it was done: as Object.freeze for an intrinsic, in one step for all properties, and without the storage for elements that
// Object.freeze gives to everything: with it on Array.prototype and Object.prototype the engine has no fast way through any array. An array's length stays
// writable. Not done to functions of JavaScript, which have properties that the engine makes when they are asked for.
Value freeze(Call& call) {
  auto* object = call.object(0);
  auto& vm = call.vm();
  if (JSC::jsDynamicCast<JSC::JSFunction*>(object)) return call.value(false);
  object->reifyAllStaticProperties(call.realm());
  JSC::DeferredStructureTransitionWatchpointFire deferred(vm, object->structure());
  object->setStructure(vm, JSC::Structure::freezeTransition(vm, object->structure(), &deferred));
  return call.value(true);
}

// disableEval(): from here on the library's realm makes no code of text. Compiled code stays, contexts are not touched.
Value disable_eval(Call& call) {
  call.realm()->setEvalEnabled(false, "Code is made of text in a page's own realm only"_s);
  return call.undefined();
}

// replaceWindow(WindowProxy, proxy of the members that another origin sees): the window has gone on to a page of another origin, and
// everything that holds the WindowProxy sees those members from now on. Its own scripts are over.
Value replace_window(Call& call) {
  auto* window = JSC::jsDynamicCast<JSC::JSGlobalProxy*>(call.at(0));
  auto* members = call.object(1);
  if (!window || !members) return call.type_error("replaceWindow takes a WindowProxy and an object");
  window->setTarget(call.vm(), ContextRealm::create_facade(call.vm(), Realm::from(call.realm()), members));
  return call.undefined();
}

template <Value (*kFunction)(Call&)>
Value counted(Call& call) {
  agent_of(call).note_crossing();
  return kFunction(call);
}

constexpr FunctionSpec kFunctions[] = {{"queueTask", native<counted<queue_task>>, 3},
                                       {"queueTimedTask", native<counted<queue_timed_task>>, 3},
                                       {"setTimer", native<counted<set_timer>>, 5},
                                       {"clearTimer", native<counted<clear_timer>>, 1},
                                       {"requestFrame", native<counted<request_frame>>, 3},
                                       {"cancelFrame", native<counted<cancel_frame>>, 2},
                                       {"requestIdle", native<counted<request_idle>>, 4},
                                       {"cancelIdle", native<counted<cancel_idle>>, 2},
                                       {"now", native<counted<now>>},
                                       {"advance", native<counted<advance>>, 1},
                                       {"hold", native<counted<hold>>, 1},
                                       {"invalidate", native<counted<invalidate>>, 1},
                                       {"setHidden", native<counted<set_hidden>>, 2},
                                       {"createDocument", native<counted<create_document>>, 1},
                                       {"setTop", native<counted<set_top>>, 1},
                                       {"isTop", native<counted<is_top>>, 1},
                                       {"discardDocument", native<counted<discard_document>>, 1},
                                       {"checkpoint", native<counted<checkpoint>>},
                                       {"spin", native<counted<spin>>, 1},
                                       {"caller", native<counted<caller>>},
                                       {"stackRoom", native<counted<stack_room>>},
                                       {"block", native<counted<block>>, 1},
                                       {"close", native<counted<close>>},
                                       {"runningTask", native<counted<running_task>>},
                                       {"facts", native<counted<facts>>},
                                       {"watchTransactions", native<counted<watch_transactions>>, 1},
                                       {"setHook", native<counted<set_hook>>, 2},
                                       {"privateSymbol", native<counted<private_symbol>>, 1},
                                       {"isOfLibrary", native<counted<is_of_library>>, 1},
                                       {"freeze", native<counted<freeze>>, 1},
                                       {"disableEval", native<counted<disable_eval>>},
                                       {"replaceWindow", native<counted<replace_window>>, 2}};

constexpr NumberSpec kNumbers[] = {{"kDomManipulation", TaskSource::DomManipulation},
                                   {"kUserInteraction", TaskSource::UserInteraction},
                                   {"kNetworking", TaskSource::Networking},
                                   {"kHistoryTraversal", TaskSource::HistoryTraversal},
                                   {"kTimer", TaskSource::Timer},
                                   {"kPostedMessage", TaskSource::PostedMessage},
                                   {"kScheduler", TaskSource::Scheduler},
                                   {"kRendering", TaskSource::Rendering},
                                   {"kIdle", TaskSource::Idle},
                                   {"kDatabaseAccess", TaskSource::DatabaseAccess},
                                   {"kRenderHook", runtime::HtmlHook::Render},
                                   {"kLongTaskHook", runtime::HtmlHook::LongTask},
                                   {"kCleanUpHook", runtime::HtmlHook::CleanUpTransactions},
                                   {"kResize", runtime::RenderStep::Resize},
                                   {"kScroll", runtime::RenderStep::Scroll},
                                   {"kMediaQueries", runtime::RenderStep::MediaQueries},
                                   {"kAnimations", runtime::RenderStep::Animations},
                                   {"kResizeObservers", runtime::RenderStep::ResizeObservers},
                                   {"kIntersectionObservers", runtime::RenderStep::IntersectionObservers},
                                   {"kPaint", runtime::RenderStep::Paint}};

}  // namespace

void init_html(Runtime& runtime, JSC::JSObject* target) {
  put(runtime.realm(), target, "isHtml", JSC::jsBoolean(runtime.html() != nullptr));
  if (!runtime.html()) return;
  VmState::of(runtime.vm()).has_pages = true;
  put(runtime.realm(), target, "kind", make_string(runtime.vm(), html::name_of(runtime.html()->options().kind)));
  put(runtime.realm(), target, "isVirtual", JSC::jsBoolean(runtime.html()->clock() != nullptr));
  if (auto* first = runtime.html()->first_document()) put(runtime.realm(), target, "firstDocument", first);
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
