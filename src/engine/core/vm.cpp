// See vm.h.
#include "engine/core/vm.h"

#include "engine/core/thread_calls.h"
#include "engine/core/vm_state.h"

#include "engine/errors/stack_trace.h"
#include "engine/patches/baked_code.h"
#include "engine/patches/missing_proc_sys.h"
#include "engine/patches/fault_signals.h"
#include "engine/patches/startup_scope.h"

#include <JavaScriptCore/JSBasePrivate.h>

#include <csignal>
#include <mutex>

namespace rondo::engine {

namespace {

constexpr size_t kMostCode = size_t{1} << 30;  // what the engine sets aside for compiled code where nothing limits it

// When hot code is compiled by the optimising tiers. The engine's own figures suit pages on machines with idle cores; of a compiler, a formatter
// or a test run that lasts a second they spend half the processor time on compiling (docs/performance.md, decision 0112). An
// option that the environment sets (JSC_…) stays as it is.
void set_tiers() {
  JSC::Options::AllowUnfinalizedAccessScope scope;
  auto replace = [](int32_t& option, int32_t engines, int32_t ours) {
    if (option == engines) option = ours;
  };
  replace(JSC::Options::thresholdForOptimizeAfterWarmUp(), 1'000, 2'000);
  replace(JSC::Options::thresholdForFTLOptimizeAfterWarmUp(), 100'000, 400'000);
}

// Options of the engine that must be set before it starts: it takes its address space then, and paces its collections by the memory there
// is.
void set_first_options(uint64_t heap_limit, uint64_t stack_size) {
  WTF::initialize();
  JSC::Options::initialize();
  JSC::Options::AllowUnfinalizedAccessScope scope;
  if (const auto limit = reservation_limit())
    JSC::Options::jitMemoryReservationSize() = std::min<size_t>(limit, kMostCode);
  if (heap_limit <= std::numeric_limits<unsigned>::max())
    JSC::Options::forceRAMSize() = static_cast<unsigned>(heap_limit);
  if (stack_size) JSC::Options::maxPerThreadStackUsage() = static_cast<unsigned>(stack_size);
  JSC::Options::maximumRegExpTestInlineCodesize() = 0;  // patches/regexp_limit.cpp
#if __has_feature(thread_sanitizer)
  // A thread that is to end is stopped by a signal, which this sanitizer holds back while the thread waits for another: both wait for ever.
  JSC::Options::usePollingTraps() = true;
  // The compiler's threads run nothing but the engine's libraries, in which the sanitizer sees no lock.
  JSC::Options::useConcurrentJIT() = false;
#endif
}

void initialize_once(uint64_t heap_limit, uint64_t stack_size) {
  static std::once_flag once;
  std::call_once(once, [&] {
    // The collector stops threads with a signal, by default SIGUSR1, which is the program's. Node has no name for this one.
    JSConfigureSignalForGC(SIGRTMAX - 1);
    set_first_options(heap_limit, stack_size);
    set_tiers();
    JSC::initialize();
    enable_thread_calls();
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

Vm::Vm(uint64_t heap_limit, uint64_t stack_size, std::function<void()> on_heap_limit) {
  if (!heap_limit) heap_limit = default_heap_limit();
  SmallPagesScope small_pages;
  initialize_once(heap_limit, stack_size);
  vm_ = JSC::VM::create(JSC::HeapType::Large);
  let_sent_faults_through();
  lock_.emplace(*vm_);
  heap_limit_.emplace(*vm_, heap_limit, std::move(on_heap_limit));
  vm_->clientData = new VmState(*vm_);
  install_stack_format(*vm_);
}

// Destroys every object. (A process that ends leaves that to the kernel: see Process::exit.) The engine wants its lock held until
// the last: the holder lets go of the VM, then of the lock.
Vm::~Vm() {
  drop_thread_calls(*vm_);
  realm_.clear();
  auto& state = VmState::of(*vm_);
  state.buffer_structure.clear();
  state.native_structure.clear();
  ending_.begin();
  vm_ = nullptr;
}

VmState::VmState(JSC::VM& vm)
    : realms(vm, "Rondo realm"), contexts(vm, "Rondo context"), code_name(JSC::Identifier::fromString(vm, "code"_s)) {}

// All code of the VM has gone: nothing reads the bytes any more.
VmState::~VmState() {
  for (auto& view : bytecode_views) release_bytecode(view.get());
}

Realm* Vm::make_realm(RealmHost& host) {
  auto* realm = Realm::create(*vm_, host);
  realm_.set(*vm_, realm);
  return realm;
}

void interrupt_script(JSC::VM& vm) {
  call_on_thread(vm, [](JSC::VM& interrupted) {
    if (auto& act = VmState::of(interrupted).on_interrupt) act();
  });
}

void Vm::end_task() { vm_->drainMicrotasks(); }

}  // namespace rondo::engine
