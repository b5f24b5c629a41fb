// native('perf'): the clock behind performance.now(), for lib/internal/clock.js and lib/web/performance.js.
#include "runtime/runtime.h"

#include <ctime>

namespace rondo::modules {

using namespace engine;

namespace {

// Milliseconds since the process's time origin, to the nanosecond.
Encoded now(JSC::JSGlobalObject* realm, JSC::CallFrame*) {
  return JSC::JSValue::encode(JSC::jsNumber(runtime::Runtime::from(realm).now_ms()));
}

constexpr FunctionSpec kFunctions[] = {{"now", now}};

}  // namespace

void init_perf(runtime::Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  double wall_ms = static_cast<double>(wall.tv_sec) * 1e3 + static_cast<double>(wall.tv_nsec) / 1e6;
  put(realm, target, "timeOrigin", JSC::jsNumber(wall_ms - runtime.now_ms()));
}

}  // namespace rondo::modules
