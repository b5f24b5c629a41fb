// native('messaging'): wakes the message ports of this thread in the poll phase (lib/web/message_channel.js keeps the
// queues). Each message is one turn: its ticks and microtasks run before the next message.
#include "runtime/continuation.h"

#include "rondo/async.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// Messages delivered in one visit; more wait for the next iteration, so that ports cannot starve timers.
constexpr int kMaxPerVisit = 1000;

constexpr runtime::Source kMessage{"message", "MESSAGEPORT"};

struct Ports {
  explicit Ports(Runtime& runtime) : wake(runtime.loop(), [this] { deliver(); }) { wake.unref(); }

  void deliver() {
    for (int i = 0; i < kMaxPerVisit; i++) {
      Value more = deliver_one(JSC::ArgList());
      if (deliver_one.is_dead()) return;
      // An exception that a handler took leaves no answer: there may be more.
      if (more && more.isFalse()) return;
    }
    wake.send();
  }

  Async wake;
  runtime::Continuation deliver_one;
};

Ports& ports(const Call& call) { return Runtime::from(call.realm()).local<Ports>(); }

// setDeliver(function): called for each message; answers false when there was none.
Value set_deliver(Call& call) {
  runtime::Origin nobody;
  ports(call).deliver_one = runtime::Continuation(Runtime::from(call.realm()), call.function(0), nobody, kMessage);
  return call.undefined();
}

Value wake(Call& call) {
  ports(call).wake.send();
  return call.undefined();
}

// keepAlive(boolean)
Value keep_alive(Call& call) {
  call.boolean(0) ? ports(call).wake.ref() : ports(call).wake.unref();
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {
    {"setDeliver", native<set_deliver>, 1}, {"wake", native<wake>}, {"keepAlive", native<keep_alive>, 1}};

}  // namespace

void init_messaging(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
