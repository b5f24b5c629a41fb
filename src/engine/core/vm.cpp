// See vm.h.
#include "engine/core/vm.h"

#include "engine/errors/stack_trace.h"
#include "engine/patches/startup_scope.h"

#include <JavaScriptCore/JSBasePrivate.h>

#include <csignal>
#include <mutex>

namespace rondo::engine {

namespace {

void initialize_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    // The collector stops threads with a signal, by default SIGUSR1, which is the program's. Node has no name for this one.
    JSConfigureSignalForGC(SIGRTMAX - 1);
    JSC::initialize();
    JSC::Options::AllowUnfinalizedAccessScope scope;
    JSC::Options::useSharedArrayBuffer() = true;
    JSC::Options::usePromiseWithResolversMethod() = true;
    JSC::Options::useArrayGroupMethod() = true;
    JSC::Options::useArrayBufferTransfer() = true;
    JSC::Options::defaultErrorStackTraceLimit() = 10;
    JSC::Options::useTailCalls() = false;  // Node has none: stacks must show every caller
  });
}

}  // namespace

Vm::Vm() {
  SmallPagesScope small_pages;
  initialize_once();
  vm_ = JSC::VM::create(JSC::HeapType::Large);
  lock_.emplace(*vm_);
  install_stack_format(*vm_);
}

// A process ends with the kernel taking its memory back; tearing the heap down would only delay the exit. Tests and workers
// do destroy a Vm.
Vm::~Vm() { realm_.clear(); }

Realm* Vm::make_realm(RealmHost& host) {
  auto* realm = Realm::create(*vm_, host);
  realm_.set(*vm_, realm);
  return realm;
}

void Vm::end_task() { vm_->drainMicrotasks(); }

}  // namespace rondo::engine
