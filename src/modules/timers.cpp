// native('timers'): the C++ ends of the timer and immediate queues (lib/internal/timers/timers.js).
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

Value now(Call& call) { return JSC::jsNumber(Runtime::from(call.realm()).now_ms()); }

Value schedule(Call& call) {
  Runtime::from(call.realm()).queues().schedule_timers(call.number(0));
  return call.undefined();
}

Value ref_timers(Call& call) {
  Runtime::from(call.realm()).queues().ref_timers(call.boolean(0));
  return call.undefined();
}

Value ref_immediates(Call& call) {
  Runtime::from(call.realm()).queues().ref_immediates(call.boolean(0));
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"now", native<now>},
                                       {"schedule", native<schedule>, 1},
                                       {"refTimers", native<ref_timers>, 1},
                                       {"refImmediates", native<ref_immediates>, 1}};

}  // namespace

void init_timers(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
