// native('inspector'): the engine's debugger and the inspector's server for lib/internal/inspector, which speaks the protocol. Events of
// the server reach JavaScript in three ways: the loop wakes, running JavaScript is interrupted, or JavaScript waits for them while the
// program is stopped.
#include "engine/core/debugger.h"
#include "engine/core/vm_state.h"
#include "inspector/server.h"
#include "inspector/threads.h"
#include "observe/loop_stops.h"
#include "runtime/handle_object.h"
#include "runtime/uninterrupted.h"

#include "rondo/async.h"

#include <map>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr runtime::Source kInspector{"inspector", "INSPECTOR"};

class WakeObject final : public runtime::HandleObject {
 public:
  WakeObject(Runtime& runtime, JSC::JSObject* callback, std::shared_ptr<inspector::EventQueue> events)
      : HandleObject(runtime, kInspector),
        events_(std::move(events)),
        async_(runtime.loop(), [this] { then_(0); }),
        then_(event(callback, kInspector)) {
    async_.unref();
  }

  Handle& handle() override { return async_; }
  void send() { async_.send(); }
  void release() override {
    events_->set_notify({});
    HandleObject::release();
  }

 private:
  const std::shared_ptr<inspector::EventQueue> events_;
  Async async_;
  runtime::Continuation then_;
};

struct InspectorState {
  explicit InspectorState(Runtime& runtime)
      : runtime(runtime),
        events(runtime.is_main() ? inspector::Threads::get().main_queue() : std::make_shared<inspector::EventQueue>()) {
  }
  ~InspectorState() {
    inspector::Threads::get().leave(runtime.number());
    events->set_notify({});
    VmState::of(runtime.vm()).on_interrupt = {};
  }

  Runtime& runtime;
  const std::shared_ptr<inspector::EventQueue> events;
  JSC::Strong<JSC::JSObject> on_events;
  bool pauses_soon = false;  // asked for by an event that is handled now
  std::unique_ptr<inspector::Server> server;
  std::unique_ptr<ScriptDebugger> debugger;
  std::unique_ptr<observe::LoopStops> loop_stops;
};

InspectorState& state_of(const Call& call) { return Runtime::from(call.realm()).local<InspectorState>(); }
ScriptDebugger* debugger_of(const Call& call) { return state_of(call).debugger.get(); }

// onEvents(function): called whenever there may be events to take
Value on_events(Call& call) {
  auto& state = state_of(call);
  auto* function = call.function(0);
  if (!function || state.on_events) return call.undefined();
  state.on_events.set(call.vm(), function);
  auto object = std::make_unique<WakeObject>(state.runtime, function, state.events);
  auto* wake = object.get();
  runtime::HandleObject::publish(std::move(object));
  auto& vm = call.vm();
  VmState::of(vm).on_interrupt = [&state, &vm] {
    auto& uninterrupted = state.runtime.local<runtime::Uninterrupted>();
    if (uninterrupted.is_running()) return uninterrupted.afterwards([&vm] { interrupt_script(vm); });
    state.runtime.call_nested(state.on_events.get(), JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
    if (std::exchange(state.pauses_soon, false) && state.debugger) state.debugger->stop_if_unhooked();
  };
  state.events->set_notify([wake, &vm] {
    wake->send();
    interrupt_script(vm);
  });
  wake->send();  // for events that came before
  return call.undefined();
}

Value event_array(const Call& call, const inspector::Event& event) {
  JSC::MarkedArgumentBuffer items;
  items.append(JSC::jsNumber(static_cast<int>(event.kind)));
  items.append(JSC::jsNumber(event.connection));
  items.append(make_string(call.vm(), event.text));
  return call.value(make_array(call.realm(), items));
}

// takeEvent() → [kind, connection, text], or undefined
Value take_event(Call& call) {
  const auto event = state_of(call).events->take();
  return event ? event_array(call, *event) : call.undefined();
}

Value has_events(Call& call) { return call.value(!state_of(call).events->is_empty()); }

// interrupt(): as if an event came: the function of onEvents() is called between two steps of the JavaScript that runs
Value interrupt(Call& call) {
  interrupt_script(call.vm());
  return call.undefined();
}

// waitEvent() → the same as takeEvent(); blocks until there is one, or until this thread is to end, which the script that called notices then
Value wait_event(Call& call) {
  auto& events = *state_of(call).events;
  constexpr std::chrono::milliseconds kLook(50);
  while (!call.vm().traps().needHandling(JSC::VMTraps::NeedTermination)) {
    if (const auto event = events.wait_for(kLook)) return event_array(call, *event);
  }
  return call.undefined();
}

// listen(host, port, id, title, url, text of /json/version, text of /json/protocol) → port, or -errno
Value listen(Call& call) {
  auto& state = state_of(call);
  auto server =
      inspector::Server::start({.host = call.string(0),
                                .port = static_cast<uint16_t>(call.uint32(1)),
                                .target = {.id = call.string(2), .title = call.string(3), .url = call.string(4)},
                                .version = call.string(5),
                                .protocol = call.string(6)},
                               state.events);
  if (!server) return call.value(-server.error().number);
  state.server = std::move(*server);
  return call.value(static_cast<int32_t>(state.server->port()));
}

Value stop_server(Call& call) {
  state_of(call).server.reset();
  return call.undefined();
}

// send(connection, text)
Value send(Call& call) {
  auto& state = state_of(call);
  if (state.server) state.server->send(call.uint32(0), call.string(1));
  return call.undefined();
}

// flush(): returns when everything sent is with the kernel
Value flush(Call& call) {
  auto& state = state_of(call);
  if (state.server) state.server->flush();
  return call.undefined();
}

// attach(listener): see engine/core/debugger.h
Value attach(Call& call) {
  auto& state = state_of(call);
  if (!call.object(0) || state.debugger) return call.undefined();
  state.runtime.end_startup();  // the debugger waits for the compiler, which start-up holds back
  state.debugger = std::make_unique<ScriptDebugger>(call.realm(), call.object(0));
  return call.undefined();
}

Value detach(Call& call) {
  state_of(call).debugger.reset();
  return call.undefined();
}

Value place_object(const Call& call, const TextPlace& place) {
  auto* object = make_object(call.realm());
  put(call.realm(), object, "lineNumber", JSC::jsNumber(place.line));
  put(call.realm(), object, "columnNumber", JSC::jsNumber(place.column));
  return object;
}

// addBreakpoint(id, script, line, column, condition) → place, false when another is there, undefined when nothing can stop there
Value add_breakpoint(Call& call) {
  auto* debugger = debugger_of(call);
  bool is_taken = false;
  if (!debugger) return call.undefined();
  const auto place = debugger->add_breakpoint(call.uint32(0), call.uint32(1), {call.int32(2), call.int32(3)},
                                              call.wtf_string(4), is_taken);
  if (!place) return call.undefined();
  return is_taken ? call.value(false) : call.value(place_object(call, *place));
}

Value remove_breakpoint(Call& call) {
  if (auto* debugger = debugger_of(call)) debugger->remove_breakpoint(call.uint32(0));
  return call.undefined();
}

// possibleBreakpoints(script, from line, from column, to line, to column) → places
Value possible_breakpoints(Call& call) {
  JSC::MarkedArgumentBuffer places;
  if (auto* debugger = debugger_of(call)) {
    for (const auto& place :
         debugger->possible_breakpoints(call.uint32(0), {call.int32(1), call.int32(2)}, {call.int32(3), call.int32(4)}))
      places.append(place_object(call, place));
  }
  return call.value(make_array(call.realm(), places));
}

// scriptSource(script) → text, or undefined
Value script_source(Call& call) {
  auto* debugger = debugger_of(call);
  const auto text = debugger ? debugger->source_of(call.uint32(0)) : WTF::String();
  return text.isNull() ? call.undefined() : call.value(JSC::jsString(call.vm(), text));
}

// goOn(0 resume | 1 into | 2 over | 3 out)
Value go_on(Call& call) {
  if (auto* debugger = debugger_of(call)) debugger->go_on(static_cast<Step>(std::min(call.uint32(0), 3U)));
  return call.undefined();
}

// pauseSoon(boolean): stop at the program's next statement
Value pause_soon(Call& call) {
  auto* debugger = debugger_of(call);
  if (!debugger) return call.undefined();
  state_of(call).pauses_soon = call.boolean(0);
  if (call.boolean(0))
    debugger->schedulePauseAtNextOpportunity();
  else
    debugger->cancelPauseAtNextOpportunity();
  return call.undefined();
}

Value stop_at_exceptions(Call& call) {
  if (auto* debugger = debugger_of(call)) debugger->set_stops_at_exceptions(call.boolean(0));
  return call.undefined();
}

Value skip_all_pauses(Call& call) {
  if (auto* debugger = debugger_of(call)) debugger->setSuppressAllPauses(call.boolean(0));
  return call.undefined();
}

// skipScript(script, boolean)
Value skip_script(Call& call) {
  if (auto* debugger = debugger_of(call)) debugger->skip_script(call.uint32(0), call.boolean(1));
  return call.undefined();
}

// evaluateInFrame(index, expression) → its value; throws what it throws
Value evaluate_in_frame(Call& call) {
  auto* debugger = debugger_of(call);
  if (!debugger) return call.undefined();
  const auto outcome = debugger->evaluate_in_frame(call.uint32(0), call.wtf_string(1));
  return outcome.exception ? call.raise(outcome.exception) : call.value(outcome.value);
}

// globalNames() → names that let, const and class of classic scripts have made
Value global_names(Call& call) {
  std::map<unsigned, WTF::String> found;  // in the order of their declarations
  {
    auto* table = call.realm()->globalLexicalEnvironment()->symbolTable();
    const JSC::ConcurrentJSLocker locker(table->m_lock);
    for (auto entry = table->begin(locker); entry != table->end(locker); ++entry) {
      if (!entry->key->isSymbol()) found.emplace(entry->value.scopeOffset().offset(), WTF::String(entry->key.get()));
    }
  }
  JSC::MarkedArgumentBuffer names;
  for (const auto& [place, name] : found) names.append(JSC::jsString(call.vm(), name));
  return call.value(make_array(call.realm(), names));
}

// functionPlace(function) → [script, line, column] of its parameters; undefined for one that is not written in JavaScript
Value function_place(Call& call) {
  const auto place = place_of_function(call.at(0));
  if (!place) return call.undefined();
  JSC::MarkedArgumentBuffer items;
  items.append(JSC::jsNumber(place->script));
  items.append(JSC::jsNumber(place->place.line));
  items.append(JSC::jsNumber(place->place.column));
  return call.value(make_array(call.realm(), items));
}

// A rule of the loop asks for a stop at the next statement, or takes that back.
void ask_for_stop(InspectorState& state, bool is_wanted) {
  if (!state.debugger || state.pauses_soon) return;
  if (is_wanted)
    state.debugger->schedulePauseAtNextOpportunity();
  else
    state.debugger->cancelPauseAtNextOpportunity();
}

// setLoopStop(rule, kind, phase, limit): see observe/loop_stops.h
Value set_loop_stop(Call& call) {
  auto& state = state_of(call);
  if (!state.loop_stops) {
    auto ask = [&state](bool is_wanted) { ask_for_stop(state, is_wanted); };
    state.loop_stops = std::make_unique<observe::LoopStops>(state.runtime, ask);
  }
  using Kind = observe::LoopStop::Kind;
  const auto kind = static_cast<Kind>(std::min(call.uint32(1), static_cast<uint32_t>(Kind::TaskQueue)));
  const auto phase = static_cast<Phase>(std::min(call.uint32(2), static_cast<uint32_t>(Phase::Closing)));
  state.loop_stops->set(call.uint32(0), {.kind = kind, .phase = phase, .limit = call.number(3)});
  return call.undefined();
}

Value remove_loop_stop(Call& call) {
  auto& stops = state_of(call).loop_stops;
  if (!stops) return call.undefined();
  stops->remove(call.uint32(0));
  if (stops->is_empty()) stops.reset();
  return call.undefined();
}

// takeLoopStop() → [rule, value] of the stop that happens now, or undefined
Value take_loop_stop(Call& call) {
  auto& stops = state_of(call).loop_stops;
  const auto hit = stops ? stops->take() : std::nullopt;
  if (!hit) return call.undefined();
  JSC::MarkedArgumentBuffer items;
  items.append(JSC::jsNumber(hit->rule));
  items.append(JSC::jsNumber(hit->value));
  return call.value(make_array(call.realm(), items));
}

// joinThreads(description as JSON) → whether this thread is to wait for a debugger
Value join_threads(Call& call) {
  auto& state = state_of(call);
  return call.value(inspector::Threads::get().join(state.runtime.number(), state.events, call.string(0)));
}

// watchThreads(whether new workers join, whether they wait)
Value watch_threads(Call& call) {
  inspector::Threads::get().watch(call.boolean(0), call.boolean(1));
  return call.undefined();
}

Value are_threads_watched(Call& call) { return call.value(inspector::Threads::get().is_watching()); }

// openLink(thread) → number of the link, 0 when there is no such thread
Value open_link(Call& call) {
  return call.value(static_cast<double>(inspector::Threads::get().open(state_of(call).events, call.uint32(0))));
}

// sendLink(link, text)
Value send_link(Call& call) {
  inspector::Threads::get().send(call.uint32(0), state_of(call).events.get(), call.string(1));
  return call.undefined();
}

Value close_link(Call& call) {
  inspector::Threads::get().close(call.uint32(0), state_of(call).events.get());
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"setLoopStop", native<set_loop_stop>, 4},
                                       {"removeLoopStop", native<remove_loop_stop>, 1},
                                       {"takeLoopStop", native<take_loop_stop>, 0},
                                       {"joinThreads", native<join_threads>, 1},
                                       {"watchThreads", native<watch_threads>, 2},
                                       {"areThreadsWatched", native<are_threads_watched>, 0},
                                       {"openLink", native<open_link>, 1},
                                       {"sendLink", native<send_link>, 2},
                                       {"closeLink", native<close_link>, 1},
                                       {"onEvents", native<on_events>, 1},
                                       {"takeEvent", native<take_event>, 0},
                                       {"hasEvents", native<has_events>, 0},
                                       {"interrupt", native<interrupt>, 0},
                                       {"waitEvent", native<wait_event>, 0},
                                       {"listen", native<listen>, 7},
                                       {"stopServer", native<stop_server>, 0},
                                       {"send", native<send>, 2},
                                       {"flush", native<flush>, 0},
                                       {"attach", native<attach>, 1},
                                       {"detach", native<detach>, 0},
                                       {"addBreakpoint", native<add_breakpoint>, 5},
                                       {"removeBreakpoint", native<remove_breakpoint>, 1},
                                       {"possibleBreakpoints", native<possible_breakpoints>, 5},
                                       {"scriptSource", native<script_source>, 1},
                                       {"goOn", native<go_on>, 1},
                                       {"pauseSoon", native<pause_soon>, 1},
                                       {"stopAtExceptions", native<stop_at_exceptions>, 1},
                                       {"skipAllPauses", native<skip_all_pauses>, 1},
                                       {"skipScript", native<skip_script>, 2},
                                       {"evaluateInFrame", native<evaluate_in_frame>, 2},
                                       {"globalNames", native<global_names>, 0},
                                       {"functionPlace", native<function_place>, 1}};

}  // namespace

void init_inspector(Runtime& runtime, JSC::JSObject* target) {
  using enum inspector::Event::Kind;
  static constexpr engine::NumberSpec kNumbers[] = {{"kConnect", Connect},         {"kMessage", Message},
                                                    {"kDisconnect", Disconnect},   {"kThreadStarted", ThreadStarted},
                                                    {"kThreadEnded", ThreadEnded}, {"kLinkOpened", LinkOpened},
                                                    {"kLinkMessage", LinkMessage}, {"kLinkClosed", LinkClosed}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
