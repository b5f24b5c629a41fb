// See inspector_signal.h.
#include "cli/inspector_signal.h"

#include "runtime/entry/continuation.h"

#include <atomic>
#include <csignal>

namespace rondo::cli {

namespace {

constexpr runtime::Source kSignal{"inspector signal", "INSPECTOR"};
std::atomic<Async*> wake_of_signal = nullptr;

void on_signal(int) {
  if (auto* wake = wake_of_signal.load()) wake->send();
}

}  // namespace

InspectorSignal::InspectorSignal(runtime::Runtime& runtime)
    : runtime_(runtime), wake_(runtime.loop(), [this] { start_inspector(); }) {
  wake_.unref();
  wake_of_signal = &wake_;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

InspectorSignal::~InspectorSignal() { wake_of_signal = nullptr; }

void InspectorSignal::start_inspector() {
  auto* realm = runtime_.realm();
  auto server = runtime_.builtins().require("internal/inspector/server");
  if (!server || !server.isObject()) return;
  auto start = JSC::asObject(server)->get(realm, engine::identifier(realm->vm(), "startFromSignal"));
  if (!start.isCallable()) return;
  runtime::Continuation(runtime_, JSC::asObject(start), kSignal)(JSC::MarkedArgumentBuffer());
}

}  // namespace rondo::cli
