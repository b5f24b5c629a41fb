// native('signals'): signals as events, behind process.on('SIGINT') and its like (lib/internal/process/signals.js). A watched
// signal does not keep the program alive.
#include "runtime/runtime.h"
#include "runtime/turn.h"

#include "rondo/signal.h"

#include <csignal>
#include <map>
#include <memory>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

struct Watch {
  explicit Watch(Loop& loop) : signal(loop) {}
  Signal signal;
  JSC::Strong<JSC::JSObject> callback;
};

using Watches = std::map<int, std::unique_ptr<Watch>>;

// By signal number; the handles live as long as the runtime, which lives as long as the process.
Watches& watches() {
  static thread_local auto* all = new Watches;
  return *all;
}

// start(number, callback) → 0 or -errno. The callback gets the number.
Encoded start(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& runtime = Runtime::from(realm);
  int number = call.int32(0);
  auto* callback = call.function(1);
  if (!callback) return call.value(-EINVAL);
  auto watch = std::make_unique<Watch>(runtime.loop());
  watch->callback.set(call.vm(), callback);
  auto* own = watch.get();
  auto started = watch->signal.start(number, [&runtime, own](int caught) {
    runtime::Turn turn(runtime);
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(caught));
    turn.call(own->callback.get(), JSC::jsUndefined(), arguments);
  });
  if (!started) return call.value(-started.error().number);
  watch->signal.unref();
  watches()[number] = std::move(watch);
  return call.value(0);
}

Encoded stop(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  watches().erase(call.int32(0));
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

constexpr FunctionSpec kFunctions[] = {{"start", start, 2}, {"stop", stop, 1}};

}  // namespace

void init_signals(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  auto* numbers = JSC::constructEmptyObject(realm->vm(), realm->nullPrototypeObjectStructure());
  for (const auto& signal : kSignals) put(realm, numbers, signal.name, JSC::jsNumber(signal.number));
  put(realm, target, "numbers", numbers);
}

}  // namespace rondo::modules
