// native('profiler'): CPU and heap profiles, the collector's log, objects by their class: for node:v8 and the inspector.
#include "engine/core/cpu_profiler.h"
#include "engine/core/gc_log.h"
#include "engine/core/heap_profiler.h"
#include "engine/core/live_cells.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

struct ProfilerState {
  explicit ProfilerState(Runtime& runtime) : cpu(runtime.vm()) {}
  CpuProfiler cpu;
  std::unique_ptr<HeapProfiler> heap;  // while one runs
  std::map<uint32_t, std::unique_ptr<GcLog>> gc_logs;
  uint32_t last_log = 0;
};

ProfilerState& state_of(const Call& call) { return Runtime::from(call.realm()).local<ProfilerState>(); }

// startCpuProfile(interval in microseconds, most samples) → number
Value start_cpu_profile(Call& call) {
  constexpr double kShortest = 50;
  auto& state = state_of(call);
  Runtime::from(call.realm()).end_startup();
  const auto interval = WTF::Seconds::fromMicroseconds(std::max(kShortest, call.number(0)));
  return call.value(static_cast<double>(state.cpu.start(interval, static_cast<size_t>(call.number(1)))));
}

// stopCpuProfile(number) → JSON, or undefined
Value stop_cpu_profile(Call& call) {
  const auto text = state_of(call).cpu.stop(call.uint32(0));
  return text.empty() ? call.undefined() : call.text(text);
}

// startHeapProfile(bytes between samples, most frames, keeps dead, keeps dead young) → false when one runs already
Value start_heap_profile(Call& call) {
  auto& state = state_of(call);
  if (state.heap) return call.value(false);
  Runtime::from(call.realm()).end_startup();
  state.heap = std::make_unique<HeapProfiler>(
      call.vm(), HeapProfileOptions{.interval = static_cast<size_t>(std::max(1.0, call.number(0))),
                                    .most_frames = static_cast<size_t>(std::max(0.0, call.number(1))),
                                    .keeps_dead = call.boolean(2),
                                    .keeps_dead_young = call.boolean(3)});
  return call.value(true);
}

// heapProfile() → JSON, or undefined when none runs
Value heap_profile(Call& call) {
  auto& heap = state_of(call).heap;
  return heap ? call.text(heap->text()) : call.undefined();
}

Value stop_heap_profile(Call& call) {
  state_of(call).heap.reset();
  return call.undefined();
}

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

// objectsOf(prototype) → [objects with it among their prototypes]
Value objects_of(Call& call) {
  auto* prototype = JSC::jsDynamicCast<JSC::JSObject*>(call.at(0));
  JSC::MarkedArgumentBuffer found;
  if (!prototype) return call.undefined();
  for_each_cell(call.vm(), [&](JSC::JSCell* cell) {
    auto* object = cell->isObject() ? JSC::asObject(cell) : nullptr;
    if (!object || object->type() == JSC::GlobalProxyType || object->type() == JSC::ProxyObjectType) return;
    for (Value next = object->getPrototypeDirect(); next.isObject(); next = JSC::asObject(next)->getPrototypeDirect()) {
      if (next.asCell() == prototype) return found.append(object);
      if (JSC::asObject(next)->type() == JSC::ProxyObjectType) return;
    }
  });
  return call.value(make_array(call.realm(), found));
}

constexpr FunctionSpec kFunctions[] = {{"startCpuProfile", native<start_cpu_profile>, 1},
                                       {"stopCpuProfile", native<stop_cpu_profile>, 1},
                                       {"startHeapProfile", native<start_heap_profile>, 4},
                                       {"heapProfile", native<heap_profile>, 0},
                                       {"stopHeapProfile", native<stop_heap_profile>, 0},
                                       {"startGcLog", native<start_gc_log>, 0},
                                       {"stopGcLog", native<stop_gc_log>, 1},
                                       {"objectsOf", native<objects_of>, 1}};

}  // namespace

void init_profiler(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
