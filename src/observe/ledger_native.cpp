// See ledger_native.h. Without an observer only `enabled` is there, and it is false.
#include "observe/ledger_native.h"

#include "engine/core/function_label.h"
#include "runtime/runtime.h"

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
  std::string place;
  if (!is_programs) {
    auto* asker = labels.running(call.vm());
    if (asker)
      name += ", queued in " + asker->text();
    else if (!tasks.place().empty())
      name += ", for " + tasks.place();
    place = asker ? asker->place : tasks.place();
  }
  const uint32_t id = tasks.queued(kind, name, call.number(2));
  if (!place.empty()) tasks.remember_place(id, std::move(place));
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

constexpr FunctionSpec kFunctions[] = {
    {"queued", native<queued>, 3}, {"begin", native<begin>, 2}, {"end", native<end>, 2}};

}  // namespace

void init_ledger(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put(realm, target, "enabled", JSC::jsBoolean(runtime.tasks().is_traced()));
  put(realm, target, "kTick", JSC::jsNumber(static_cast<int>(TaskKind::Tick)));
  put(realm, target, "kMicrotask", JSC::jsNumber(static_cast<int>(TaskKind::Microtask)));
  put(realm, target, "kTimer", JSC::jsNumber(static_cast<int>(TaskKind::Timer)));
  put(realm, target, "kImmediate", JSC::jsNumber(static_cast<int>(TaskKind::Immediate)));
  if (runtime.tasks().is_traced()) put_functions(realm, target, kFunctions);
}

}  // namespace rondo::observe
