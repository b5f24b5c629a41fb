// See wasm_interrupt.h.
//
// Undeclared: genericUnwind
// Layout: CalleeBits, NativeCalleeRegistry
#include "engine/patches/wasm_interrupt.h"

#include <JavaScriptCore/LLIntData.h>
#include <JavaScriptCore/NativeCallee.h>
#include <JavaScriptCore/WasmCallee.h>
#include <wtf/HashSet.h>
#include <wtf/Lock.h>

#include <csignal>
#include <mutex>
#include <ucontext.h>

extern "C" char wasmLLIntPCRangeStart[];
extern "C" char wasmLLIntPCRangeEnd[];

namespace JSC {
void genericUnwind(VM& vm, CallFrame* frame);

// The callees that are alive. No installed header has it.
class NativeCalleeRegistry {
 public:
  static NativeCalleeRegistry& singleton();

  WTF::Lock lock;
  WTF::HashSet<NativeCallee*> callees;
};
}  // namespace JSC

namespace rondo::engine {

namespace {

// Sent by no one else: the collector has the one after it (vm.cpp), and Node has no name for it.
int signal_number() { return SIGRTMAX - 2; }

#if CPU(X86_64)

// Words of a frame, from its base on.
enum FrameWord { kInstance = 2, kCallee = 3 };

// Code of other kinds keeps anything where WebAssembly has its callee: a word that looks like one is not followed before it is found
// among those alive. No code that has the lock is compiled code, so this thread does not have it; another's is not waited for.
bool is_alive(JSC::NativeCallee* callee) WTF_IGNORES_THREAD_SAFETY_ANALYSIS {
  auto& registry = JSC::NativeCalleeRegistry::singleton();
  if (!registry.callees.isValidValue(callee) || !registry.lock.tryLock()) return false;
  const bool is_found = registry.callees.contains(callee);
  registry.lock.unlock();
  return is_found;
}

bool is_wasm_code(void* pc, const JSC::NativeCallee& callee) {
  if (callee.category() != JSC::NativeCallee::Category::Wasm) return false;
  if (pc >= wasmLLIntPCRangeStart && pc < wasmLLIntPCRangeEnd) return true;
  const auto [begin, end] = static_cast<const JSC::Wasm::Callee&>(callee).range();
  return JSC::isJITPC(pc) && pc >= begin && pc < end;
}

void on_signal(int, siginfo_t* info, void* context) {
  auto* interrupt = static_cast<WasmInterrupt*>(info->si_value.sival_ptr);
  if (info->si_code != SI_QUEUE || !interrupt || info->si_pid != getpid()) return;
  if (!interrupt->vm.traps().hasTrapBit(JSC::VMTraps::NeedTermination)) return;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto* pc = reinterpret_cast<void*>(registers[REG_RIP]);
  if (!(pc >= wasmLLIntPCRangeStart && pc < wasmLLIntPCRangeEnd) && !JSC::isJITPC(pc)) return;
  // Compiled code keeps its frame here; the words read next are on the stack in any case.
  auto* frame = reinterpret_cast<void**>(registers[REG_RBP]);
  constexpr int kWordsOfHeader = 5;
  if (registers[REG_RBP] % sizeof(void*) || registers[REG_RBP] < registers[REG_RSP] ||
      reinterpret_cast<const char*>(frame + kWordsOfHeader) > interrupt->stack_end)
    return;
  const JSC::CalleeBits callee(reinterpret_cast<int64_t*>(frame)[kCallee]);
  if (!callee.isNativeCallee() || !is_alive(callee.asNativeCallee()) || !is_wasm_code(pc, *callee.asNativeCallee()))
    return;
  // Elsewhere in the interpreter of WebAssembly this register holds something else, and the way out would take it for the instance.
  if (reinterpret_cast<void*>(registers[REG_RBX]) != frame[kInstance]) return;
  registers[REG_RSP] &= ~greg_t{15};
  registers[REG_RIP] = reinterpret_cast<greg_t>(
      JSC::LLInt::getCodePtr<CFunctionPtrTag>(JSC::wasm_throw_from_fault_handler_trampoline_reg_instance).taggedPtr());
  interrupt->is_thrown = true;
}

#else

void on_signal(int, siginfo_t*, void*) {}

#endif

void install_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    // The collector must not suspend the thread while the handler has the lock of the callees; faults stay faults.
    sigfillset(&action.sa_mask);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&action.sa_mask, fault);
    sigaction(signal_number(), &action, nullptr);
  });
}

}  // namespace

WasmInterrupt::WasmInterrupt(JSC::VM& vm)
    : vm(vm), stack_end(static_cast<const char*>(WTF::Thread::current().stack().origin())) {
  install_once();
}

void WasmInterrupt::signal(pthread_t thread) { pthread_sigqueue(thread, signal_number(), sigval{.sival_ptr = this}); }

}  // namespace rondo::engine

// The linker sends the engine's calls here (--wrap, see cmake/engine.cmake).
struct MachineAddresses {
  void* code;
  void* unused;
};
extern "C" MachineAddresses __real_slow_path_wasm_throw_exception(JSC::CallFrame*, const void*, void*, uint32_t);
extern "C" MachineAddresses __wrap_slow_path_wasm_throw_exception(JSC::CallFrame* frame, const void* pc, void* instance,
                                                                  uint32_t type) {
  auto* vm = rondo::engine::take_interrupted_vm();
  if (!vm) return __real_slow_path_wasm_throw_exception(frame, pc, instance, type);
  vm->topCallFrame = frame;
  vm->traps().handleTraps(JSC::VMTraps::NonDebuggerAsyncEvents);
  if (!vm->exceptionForInspection()) vm->throwTerminationException();
  JSC::genericUnwind(*vm, frame);
  return {vm->targetMachinePCForThrow, nullptr};
}
