// native('coverage'): starts the engine's counters and hands out what they counted (engine/core/coverage.h). lib/internal/coverage makes V8's
// form of it.
#include "engine/core/coverage.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;

namespace {

Value start(Call& call) {
  start_coverage(call.vm());
  return call.undefined();
}

Value start_late(Call& call) {
  start_late_coverage(call.vm());
  return call.undefined();
}

Value stop(Call& call) {
  stop_coverage(call.vm());
  return call.undefined();
}

// [start, end, count, start, end, count, ...]
Value flat(Call& call, const std::vector<CountedRange>& ranges) {
  JSC::MarkedArgumentBuffer numbers;
  for (const auto& range : ranges) {
    numbers.append(JSC::jsNumber(range.start));
    numbers.append(JSC::jsNumber(range.end));
    numbers.append(JSC::jsNumber(range.count));
  }
  return make_array(call.realm(), numbers);
}

// read() → [{ id, url, text, functions, blocks }]
Value read(Call& call) {
  auto* realm = call.realm();
  JSC::MarkedArgumentBuffer sources;
  for (const auto& found : read_coverage(call.vm())) {
    auto* source = make_object(realm);
    put(realm, source, "id", JSC::jsNumber(found.id));
    put(realm, source, "url", JSC::jsString(call.vm(), found.url));
    put(realm, source, "text", JSC::jsString(call.vm(), found.text));
    put(realm, source, "functions", flat(call, found.functions));
    put(realm, source, "blocks", flat(call, found.blocks));
    sources.append(source);
  }
  return call.value(make_array(realm, sources));
}

constexpr FunctionSpec kFunctions[] = {
    {"start", native<start>, 0},
    {"startLate", native<start_late>, 0},
    {"stop", native<stop>, 0},
    {"read", native<read>, 0},
};

}  // namespace

void init_coverage(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
