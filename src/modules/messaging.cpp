// native('messaging'): wakes the message ports of this thread in the poll phase (lib/web/message_channel.js keeps the
// queues). Each message is one turn: its ticks and microtasks run before the next message.
#include "runtime/runtime.h"
#include "runtime/turn.h"

#include "rondo/async.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// Messages delivered in one visit; more wait for the next iteration, so that ports cannot starve timers.
constexpr int kMaxPerVisit = 1000;

// Lives as long as the runtime, which lives as long as the thread.
struct Ports {
  explicit Ports(Runtime& runtime) : runtime(runtime), wake(runtime.loop(), [this] { deliver(); }) { wake.unref(); }

  void deliver() {
    for (int i = 0; i < kMaxPerVisit; i++) {
      runtime::Turn turn(runtime);
      Value more = turn.call(deliver_one.get());
      // An exception that a handler took leaves no answer: there may be more.
      if (more && more.isFalse()) return;
    }
    wake.send();
  }

  Runtime& runtime;
  Async wake;
  JSC::Strong<JSC::JSObject> deliver_one;
};

thread_local Ports* ports = nullptr;

// setDeliver(function): called for each message; answers false when there was none.
Encoded set_deliver(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (ports == nullptr) ports = new Ports(Runtime::from(realm));
  if (auto* function = call.function(0)) ports->deliver_one.set(call.vm(), function);
  return call.undefined();
}

Encoded wake(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  if (ports != nullptr) ports->wake.send();
  return Call(realm, frame).undefined();
}

// keepAlive(boolean)
Encoded keep_alive(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  if (ports == nullptr) return call.undefined();
  if (call.boolean(0))
    ports->wake.ref();
  else
    ports->wake.unref();
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"setDeliver", set_deliver, 1}, {"wake", wake}, {"keepAlive", keep_alive, 1}};

}  // namespace

void init_messaging(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
