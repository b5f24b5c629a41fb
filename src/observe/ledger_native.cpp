// See ledger_native.h. Without an observer only `enabled` is there, and it is false.
#include "observe/ledger_native.h"

#include "engine/core/function_label.h"
#include "engine/core/thread_calls.h"
#include "observe/ledger.h"
#include "observe/live_view.h"
#include "runtime/runtime.h"
#include "runtime/uninterrupted.h"

namespace rondo::observe {

using namespace engine;
using runtime::Runtime;

namespace {

// queued(kind, subject, delay) → id. The subject is the function that will run, or the async function that goes on.
Value queued(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  const auto kind = static_cast<TaskKind>(call.int32(0));
  auto& labels = runtime.local<FunctionLabels>();
  auto [name, is_programs] =
      kind == TaskKind::Microtask ? labels.label(call.vm(), call.at(1)) : labels.callback_label(call.vm(), call.at(1));
  auto& tasks = runtime.tasks();
  std::string_view place;
  if (!is_programs) {
    auto* asker = labels.running(call.vm());
    if (asker)
      name = labels.joined(name, ", queued in ", asker->text());
    else if (!tasks.place().empty())
      name = labels.joined(name, ", for ", tasks.place());
    place = asker ? std::string_view(asker->place) : tasks.place();
  }
  const uint32_t id = tasks.queued(kind, name, call.number(2));
  // Ticks and microtasks run in the turn that queued them, whose place holds until it is over.
  const bool is_of_turn =
      (kind == TaskKind::Tick || kind == TaskKind::Microtask) && place.data() == tasks.place().data();
  if (!place.empty() && !is_of_turn) tasks.remember_place(id, place);
  return call.value(static_cast<double>(id));
}

Value begin(Call& call) {
  Runtime::from(call.realm()).tasks().begin(static_cast<TaskKind>(call.int32(0)), call.uint32(1));
  return call.undefined();
}

Value end(Call& call) {
  Runtime::from(call.realm()).tasks().end(static_cast<TaskKind>(call.int32(0)), call.uint32(1));
  return call.undefined();
}

constexpr double kMillisecond = 1e6;

// [kind, id, cause, name]
void append_task(Call& call, const LiveView::Task& task, JSC::MarkedArgumentBuffer& parts) {
  parts.append(make_string(call.vm(), task_kind_name(task.kind)));
  parts.append(JSC::jsNumber(task.id));
  parts.append(JSC::jsNumber(task.cause));
  parts.append(make_string(call.vm(), task.name));
}

// liveTasks() → [kind, id, cause, name, delay in ms, ms since it was queued] of each that waits
Value live_tasks(Call& call) {
  auto* realm = call.realm();
  const auto now = steady_now();
  JSC::MarkedArgumentBuffer items;
  for (const auto& task : Runtime::from(realm).local<LiveView>().waiting()) {
    JSC::MarkedArgumentBuffer parts;
    append_task(call, task, parts);
    parts.append(JSC::jsNumber(task.delay_ms));
    parts.append(JSC::jsNumber(static_cast<double>(now - task.queued_at) / kMillisecond));
    items.append(make_array(realm, parts));
  }
  return call.value(make_array(realm, items));
}

// liveHandles() → [kind, id] of each that is active
Value live_handles(Call& call) {
  auto* realm = call.realm();
  JSC::MarkedArgumentBuffer items;
  for (const auto& [id, kind] : Runtime::from(realm).local<LiveView>().handles()) {
    JSC::MarkedArgumentBuffer parts;
    parts.append(make_string(call.vm(), handle_kind_name(kind)));
    parts.append(JSC::jsNumber(id));
    items.append(make_array(realm, parts));
  }
  return call.value(make_array(realm, items));
}

// position() → [phase, iteration]
Value position(Call& call) {
  auto* realm = call.realm();
  auto& live = Runtime::from(realm).local<LiveView>();
  JSC::MarkedArgumentBuffer parts;
  parts.append(make_string(call.vm(), phase_name(live.phase())));
  parts.append(JSC::jsNumber(static_cast<double>(live.iteration())));
  return call.value(make_array(realm, parts));
}

Value record_runs(Call& call) {
  Runtime::from(call.realm()).local<LiveView>().record(call.boolean(0));
  return call.undefined();
}

// takeRuns() → [kind, id, cause, name, phase, iteration, ms waited, ms run] of each task that has ended since the last call
Value take_runs(Call& call) {
  auto* realm = call.realm();
  JSC::MarkedArgumentBuffer items;
  for (const auto& run : Runtime::from(realm).local<LiveView>().take_runs()) {
    JSC::MarkedArgumentBuffer parts;
    append_task(call, run.task, parts);
    parts.append(make_string(call.vm(), phase_name(run.phase)));
    parts.append(JSC::jsNumber(static_cast<double>(run.iteration)));
    parts.append(JSC::jsNumber(static_cast<double>(run.begun_at - run.task.queued_at) / kMillisecond));
    parts.append(JSC::jsNumber(static_cast<double>(run.ended_at - run.begun_at) / kMillisecond));
    items.append(make_array(realm, parts));
  }
  return call.value(make_array(realm, items));
}

// runningTask() → its id; 0 outside of any
Value running_task(Call& call) {
  return call.value(static_cast<double>(Runtime::from(call.realm()).tasks().running()));
}

// queuedAs(kind, name) → id: a task that no function stands for.
Value queued_as(Call& call) {
  const auto kind = static_cast<TaskKind>(call.int32(0));
  return call.value(static_cast<double>(Runtime::from(call.realm()).tasks().queued(kind, call.string(1))));
}

// cancelled(kind, id): it was cleared.
Value cancelled(Call& call) {
  Runtime::from(call.realm()).tasks().cancelled(static_cast<TaskKind>(call.int32(0)), call.uint32(1), false);
  return call.undefined();
}

// expect(name): the task that runs now is called so, until a function of the program's own is known (ran).
Value expect(Call& call) {
  Runtime::from(call.realm()).tasks().expect_name(call.string(0), "");
  return call.undefined();
}

// ran(listener): an event calls it now. What once() makes has the program's function as its property `listener`.
Value ran(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  if (!runtime.tasks().expects_name()) return call.undefined();
  Value listener = call.at(0);
  if (listener.isObject()) {
    const Value given = JSC::asObject(listener)->getDirect(call.vm(), identifier(call.vm(), "listener"));
    if (given && given.isObject()) listener = given;
  }
  const auto name = runtime.local<FunctionLabels>().program_function(listener);
  if (!name.empty()) runtime.tasks().ran(name);
  return call.undefined();
}

// detail(text[, text]): what the event is about.
Value detail(Call& call) {
  auto& tasks = Runtime::from(call.realm()).tasks();
  if (!tasks.expects_name()) return call.undefined();
  if (call.count() > 1)
    tasks.detail({call.string(0), call.string(1)});
  else
    tasks.detail({call.string(0)});
  return call.undefined();
}

// output(fd, text): where the program was is told behind it.
Value output(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  runtime.tasks().output(call.int32(0), call.string(1));
  const auto place = runtime.local<FunctionLabels>().running_place(call.vm());
  if (!place.empty()) runtime.tasks().output(Ledger::kPlaceOfOutput, place);
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"queued", native<queued>, 3},
                                       {"queuedAs", native<queued_as>, 2},
                                       {"begin", native<begin>, 2},
                                       {"end", native<end>, 2},
                                       {"cancelled", native<cancelled>, 2},
                                       {"expect", native<expect>, 1},
                                       {"ran", native<ran>, 1},
                                       {"detail", native<detail>, 2},
                                       {"output", native<output>, 2},
                                       {"liveTasks", native<live_tasks>, 0},
                                       {"liveHandles", native<live_handles>, 0},
                                       {"position", native<position>, 0},
                                       {"recordRuns", native<record_runs>, 1},
                                       {"takeRuns", native<take_runs>, 0},
                                       {"runningTask", native<running_task>, 0}};

// native('ledger') of one runtime.
struct LedgerObject {
  explicit LedgerObject(Runtime&) {}
  JSC::Strong<JSC::JSObject> object;
};

}  // namespace

void set_traced(Runtime& runtime, bool is_traced) {
  auto* target = runtime.local<LedgerObject>().object.get();
  if (!target) return;
  auto* realm = runtime.realm();
  auto& vm = runtime.vm();
  put_functions(realm, target, kFunctions);
  put(realm, target, "enabled", JSC::jsBoolean(is_traced));
  auto& uninterrupted = runtime.local<runtime::Uninterrupted>();
  if (uninterrupted.is_running()) {
    return uninterrupted.afterwards([&runtime] {
      call_on_thread(runtime.vm(), [&runtime](JSC::VM&) { set_traced(runtime, runtime.tasks().is_traced()); });
    });
  }
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsBoolean(is_traced));
  auto* switches = JSC::asObject(target->getDirect(vm, identifier(vm, "switches")));
  const unsigned count = JSC::jsCast<JSC::JSArray*>(switches)->length();
  for (unsigned i = 0; i < count; i++) runtime.call_nested(switches->getIndex(realm, i), JSC::jsUndefined(), arguments);
}

void init_ledger(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  runtime.local<LedgerObject>().object.set(runtime.vm(), target);
  put(realm, target, "switches", make_array(realm, JSC::MarkedArgumentBuffer()));
  put(realm, target, "enabled", JSC::jsBoolean(runtime.tasks().is_traced()));
  put(realm, target, "kTick", JSC::jsNumber(static_cast<int>(TaskKind::Tick)));
  put(realm, target, "kMicrotask", JSC::jsNumber(static_cast<int>(TaskKind::Microtask)));
  put(realm, target, "kTimer", JSC::jsNumber(static_cast<int>(TaskKind::Timer)));
  put(realm, target, "kScript", JSC::jsNumber(static_cast<int>(TaskKind::Script)));
  put(realm, target, "kCall", JSC::jsNumber(static_cast<int>(TaskKind::Call)));
  put(realm, target, "kEvent", JSC::jsNumber(static_cast<int>(TaskKind::Event)));
  put(realm, target, "kImmediate", JSC::jsNumber(static_cast<int>(TaskKind::Immediate)));
  if (runtime.tasks().is_traced()) put_functions(realm, target, kFunctions);
}

}  // namespace rondo::observe
