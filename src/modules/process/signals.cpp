// native('signals'): signals as events, behind process.on('SIGINT') and its like (lib/internal/process/signals.js). A watched
// signal does not keep the program alive.
#include "runtime/handle_object.h"

#include "rondo/signal.h"

#include <csignal>
#include <memory>

namespace rondo::modules {

using namespace engine;
using runtime::method;
using runtime::Runtime;

namespace {

constexpr runtime::Source kSignal{"signal", "SIGNALWRAP"};

class SignalObject final : public runtime::HandleObject {
 public:
  SignalObject(Runtime& runtime, JSC::JSObject* callback)
      : HandleObject(runtime, kSignal), signal_(runtime.loop()), then_(event(callback, kSignal)) {}

  Handle& handle() override { return signal_; }
  Result<void> start(int number) {
    auto started = signal_.start(number, [this](int caught) { then_(caught); });
    signal_.unref();
    return started;
  }

 private:
  Signal signal_;
  runtime::Continuation then_;
};

// start(number, callback(number)) → watch, or -errno
Value start(Call& call) {
  auto* callback = call.function(1);
  if (!callback) return call.value(-EINVAL);
  auto watch = std::make_unique<SignalObject>(Runtime::from(call.realm()), callback);
  auto started = watch->start(call.int32(0));
  if (!started) return call.value(-started.error().number);
  return runtime::HandleObject::publish(std::move(watch));
}

Value stop(Call& call, SignalObject& watch) {
  watch.close(nullptr);
  return call.undefined();
}

struct Named {
  const char* name;
  int number;
};

#define SIGNAL(name) {#name, name}
constexpr Named kSignals[] = {SIGNAL(SIGHUP),  SIGNAL(SIGINT),    SIGNAL(SIGQUIT),   SIGNAL(SIGILL),   SIGNAL(SIGTRAP),
                              SIGNAL(SIGABRT), SIGNAL(SIGIOT),    SIGNAL(SIGBUS),    SIGNAL(SIGFPE),   SIGNAL(SIGKILL),
                              SIGNAL(SIGUSR1), SIGNAL(SIGSEGV),   SIGNAL(SIGUSR2),   SIGNAL(SIGPIPE),  SIGNAL(SIGALRM),
                              SIGNAL(SIGTERM), SIGNAL(SIGCHLD),   SIGNAL(SIGSTKFLT), SIGNAL(SIGCONT),  SIGNAL(SIGSTOP),
                              SIGNAL(SIGTSTP), SIGNAL(SIGTTIN),   SIGNAL(SIGTTOU),   SIGNAL(SIGURG),   SIGNAL(SIGXCPU),
                              SIGNAL(SIGXFSZ), SIGNAL(SIGVTALRM), SIGNAL(SIGPROF),   SIGNAL(SIGWINCH), SIGNAL(SIGIO),
                              SIGNAL(SIGPOLL), SIGNAL(SIGPWR),    SIGNAL(SIGSYS)};
#undef SIGNAL

constexpr FunctionSpec kMethods[] = {{"stop", method<SignalObject, stop>}};
constexpr FunctionSpec kFunctions[] = {{"start", native<start>, 2}};

}  // namespace

void init_signals(Runtime& runtime, JSC::JSObject* target) {
  runtime::structure_of<SignalObject>(runtime, kMethods);
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  auto* numbers = JSC::constructEmptyObject(realm->vm(), realm->nullPrototypeObjectStructure());
  for (const auto& signal : kSignals) put(realm, numbers, signal.name, JSC::jsNumber(signal.number));
  put(realm, target, "numbers", numbers);
}

}  // namespace rondo::modules
