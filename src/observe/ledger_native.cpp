// See ledger_native.h. Without an observer only `enabled` is there, and it is false.
#include "observe/ledger_native.h"

#include "engine/core/function_label.h"
#include "runtime/runtime.h"

namespace rondo::observe {

using namespace engine;
using runtime::Runtime;
using runtime::TaskKind;

namespace {

Encoded queued(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto kind = static_cast<TaskKind>(call.int32(0));
  auto& observer = *Runtime::from(realm).observer();
  if (kind == TaskKind::Microtask && observer.wants_queuer()) observer.queuer(running_function_label(call.vm()));
  auto id = observer.queued(kind, call.at(1), call.number(2));
  return call.value(static_cast<double>(id));
}

Encoded begin(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).observer()->begin(static_cast<TaskKind>(call.int32(0)), call.uint32(1));
  return call.undefined();
}

Encoded end(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).observer()->end(static_cast<TaskKind>(call.int32(0)), call.uint32(1));
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"queued", queued, 3}, {"begin", begin, 2}, {"end", end, 2}};

}  // namespace

void init_ledger(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put(realm, target, "enabled", JSC::jsBoolean(runtime.observer() != nullptr));
  put(realm, target, "kTick", JSC::jsNumber(static_cast<int>(TaskKind::Tick)));
  put(realm, target, "kMicrotask", JSC::jsNumber(static_cast<int>(TaskKind::Microtask)));
  put(realm, target, "kTimer", JSC::jsNumber(static_cast<int>(TaskKind::Timer)));
  put(realm, target, "kImmediate", JSC::jsNumber(static_cast<int>(TaskKind::Immediate)));
  if (runtime.observer()) put_functions(realm, target, kFunctions);
}

}  // namespace rondo::observe
