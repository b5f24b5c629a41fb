// native('profiler'): the collector's log, for v8.GCProfiler.
#include "engine/core/gc_log.h"
#include "runtime/runtime.h"

#include <map>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

struct ProfilerState {
  std::map<uint32_t, std::unique_ptr<GcLog>> gc_logs;
  uint32_t last_log = 0;
};

ProfilerState& state_of(const Call& call) { return Runtime::from(call.realm()).local<ProfilerState>(); }

// startGcLog() → number
Value start_gc_log(Call& call) {
  auto& state = state_of(call);
  state.gc_logs.emplace(++state.last_log, std::make_unique<GcLog>(call.vm()));
  return call.value(static_cast<double>(state.last_log));
}

// stopGcLog(number) → [is full, microseconds, bytes before, bytes after, …]
Value stop_gc_log(Call& call) {
  auto& state = state_of(call);
  const auto found = state.gc_logs.find(call.uint32(0));
  JSC::MarkedArgumentBuffer numbers;
  if (found == state.gc_logs.end()) return call.undefined();
  for (const auto& collection : found->second->take()) {
    numbers.append(JSC::jsBoolean(collection.is_full));
    numbers.append(JSC::jsNumber(collection.microseconds));
    numbers.append(JSC::jsNumber(static_cast<double>(collection.before)));
    numbers.append(JSC::jsNumber(static_cast<double>(collection.after)));
  }
  state.gc_logs.erase(found);
  return call.value(make_array(call.realm(), numbers));
}

constexpr FunctionSpec kFunctions[] = {{"startGcLog", native<start_gc_log>, 0}, {"stopGcLog", native<stop_gc_log>, 1}};

}  // namespace

void init_profiler(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
