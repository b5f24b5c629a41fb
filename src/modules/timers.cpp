// native('timers'): the C++ ends of the timer and immediate queues (lib/internal/timers/timers.js).
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

Encoded now(JSC::JSGlobalObject* realm, JSC::CallFrame*) {
  return JSC::JSValue::encode(JSC::jsNumber(Runtime::from(realm).now_ms()));
}

Encoded schedule(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).schedule_timers(call.number(0));
  return call.undefined();
}

Encoded ref_timers(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).ref_timers(call.boolean(0));
  return call.undefined();
}

Encoded ref_immediates(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).ref_immediates(call.boolean(0));
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {
    {"now", now}, {"schedule", schedule, 1}, {"refTimers", ref_timers, 1}, {"refImmediates", ref_immediates, 1}};

}  // namespace

void init_timers(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
