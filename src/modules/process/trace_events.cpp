// native('trace_events'): the process's log of trace events (observe/trace_log.h) for lib/internal/trace_events, which knows the events of
// JavaScript, and the watch over this runtime's loop.
#include "observe/trace_log.h"
#include "observe/trace_event_observer.h"
#include "runtime/runtime.h"

#include "rondo/base/clock.h"

namespace rondo::modules {

using namespace engine;
using observe::TraceEvent;
using observe::TraceLog;
using runtime::Runtime;

namespace {

constexpr double kNsPerUs = 1e3;

struct TraceState {
  std::unique_ptr<observe::TraceEventObserver> watch;
};

std::unique_ptr<observe::TraceEventObserver>& watch_of(const Call& call) {
  return Runtime::from(call.realm()).local<TraceState>().watch;
}

// now() → microseconds on the clock of events
Value now(Call& call) { return call.value(static_cast<double>(steady_now()) / kNsPerUs); }

// setCategories(for the session or for the file, names with commas)
Value set_categories(Call& call) {
  const auto receiver = call.boolean(0) ? TraceLog::Receiver::Session : TraceLog::Receiver::File;
  TraceLog::get().set_categories(receiver, call.string(1));
  return call.undefined();
}

Value set_file_pattern(Call& call) {
  TraceLog::get().set_file_pattern(call.string(0));
  return call.undefined();
}

// isEnabled(names with commas) → whether one of them is
Value is_enabled(Call& call) { return call.value(TraceLog::get().wants(call.string(0))); }

// event(phase, categories, name, id | undefined, JSON of the arguments | undefined, at | undefined, duration): times in microseconds
Value event(Call& call) {
  const auto phase = call.string(0), category = call.string(1), name = call.string(2), args = call.string(4);
  if (phase.empty()) return call.undefined();
  const auto has = [&](unsigned index) { return call.at(index).isNumber(); };
  TraceLog::get().add(
      {.phase = phase[0],
       .category = category,
       .name = name,
       .at = has(5) ? static_cast<Nanoseconds>(call.number(5) * kNsPerUs) : steady_now(),
       .duration = has(6) ? static_cast<Nanoseconds>(call.number(6) * kNsPerUs) : 0,
       .id = has(3) ? std::optional(static_cast<uint64_t>(std::max(0.0, call.number(3)))) : std::nullopt,
       .args = call.at(4).isString() ? args : "{}"});
  return call.undefined();
}

// metadata(name, JSON of the arguments, thread | undefined)
Value metadata(Call& call) {
  const auto name = call.string(0), args = call.string(1);
  TraceLog::get().add_metadata({.phase = 'M',
                                .category = "__metadata",
                                .name = name,
                                .at = steady_now(),
                                .args = args,
                                .thread = call.int32(2)});
  return call.undefined();
}

// watch(boolean): events of this runtime's loop, pool and engine
Value watch(Call& call) {
  auto& watch = watch_of(call);
  if (!call.boolean(0))
    watch.reset();
  else if (!watch)
    watch = std::make_unique<observe::TraceEventObserver>(Runtime::from(call.realm()));
  return call.undefined();
}

void tell_collections(const Call& call) {
  if (auto& watch = watch_of(call)) watch->tell_collections();
}

// takeSession() → events as JSON
Value take_session(Call& call) {
  tell_collections(call);
  JSC::MarkedArgumentBuffer events;
  for (const auto& text : TraceLog::get().take_session()) events.append(make_string(call.vm(), text));
  return call.value(make_array(call.realm(), events));
}

// flush(): what is noted elsewhere is added
Value flush(Call& call) {
  tell_collections(call);
  return call.undefined();
}

Value has_file(Call& call) { return call.value(TraceLog::get().has_file()); }

Value close_file(Call& call) {
  TraceLog::get().close_file();
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"now", native<now>, 0},
                                       {"setCategories", native<set_categories>, 2},
                                       {"setFilePattern", native<set_file_pattern>, 1},
                                       {"isEnabled", native<is_enabled>, 1},
                                       {"event", native<event>, 7},
                                       {"metadata", native<metadata>, 3},
                                       {"watch", native<watch>, 1},
                                       {"takeSession", native<take_session>, 0},
                                       {"flush", native<flush>, 0},
                                       {"hasFile", native<has_file>, 0},
                                       {"closeFile", native<close_file>, 0}};

}  // namespace

void init_trace_events(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
