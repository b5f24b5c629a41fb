// See leaf_calls.h. The linker sends the engine's calls here (--wrap, see cmake/engine.cmake). The sampled thread stands still meanwhile,
// maybe inside malloc: nothing here may allocate or lock. The profiler holds the lock of the set of code blocks.
//
// Undeclared: llintPCRangeStart, llintPCRangeEnd
#include "engine/patches/leaf_calls.h"

#include <JavaScriptCore/CallFrame.h>
#include <JavaScriptCore/ExecutableAllocator.h>
#include <JavaScriptCore/VM.h>
#include <wtf/Threading.h>

#include <pthread.h>

#define RONDO_GET_REGISTERS "_ZN3WTF6Thread12getRegistersERKNS_19ThreadSuspendLockerERNS_17PlatformRegistersE"

extern size_t real_get_registers(WTF::Thread*, const WTF::ThreadSuspendLocker&,
                                 WTF::PlatformRegisters&) asm("__real_" RONDO_GET_REGISTERS);
size_t wrap_get_registers(WTF::Thread*, const WTF::ThreadSuspendLocker&,
                          WTF::PlatformRegisters&) asm("__wrap_" RONDO_GET_REGISTERS);

extern "C" char llintPCRangeStart[];
extern "C" char llintPCRangeEnd[];

namespace JSC {

class CodeBlockSet {
 public:
  bool contains(const WTF::AbstractLocker&, void* candidate);
};

}  // namespace JSC

namespace rondo::engine {

namespace {

pthread_key_t looking_at() {
  static const pthread_key_t kKey = [] {
    pthread_key_t key{};
    pthread_key_create(&key, nullptr);
    return key;
  }();
  return kKey;
}

#if CPU(X86_64)

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr int kMostFrames = 64;  // of native code above the JavaScript
constexpr int kMostWords = 512;  // of a native function without a frame

bool is_compiled(uintptr_t pc) { return JSC::isJITPC(reinterpret_cast<void*>(pc)); }
bool is_interpreter(uintptr_t pc) {
  const auto* code = reinterpret_cast<const char*>(pc);
  return code >= llintPCRangeStart && code < llintPCRangeEnd;
}

// The words of the stack that are in use.
struct Stack {
  uintptr_t top;
  uintptr_t end;
  bool has_frame(uintptr_t frame) const { return frame >= top && frame % kWord == 0 && frame + 4 * kWord <= end; }
};

__attribute__((no_sanitize("address"))) uintptr_t word_at(uintptr_t place) {
  return *reinterpret_cast<const uintptr_t*>(place);
}

bool is_javascript(JSC::VM& vm, uintptr_t frame) {
  auto* code = reinterpret_cast<void*>(word_at(frame + 2 * kWord));
  return code && vm.heap.codeBlockSet().contains(WTF::AbstractLocker(WTF::NoLockingNecessary), code);
}

struct Caller {
  uintptr_t frame = 0;
  uintptr_t pc = 0;
};

// Of a function that keeps its caller's frame pointer: the return address is between the stack's top and that frame.
Caller caller_of_frameless(const Stack& stack, uintptr_t frame) {
  const uintptr_t end = std::min(frame, stack.top + kMostWords * kWord);
  for (uintptr_t place = stack.top; place < end; place += kWord) {
    if (is_compiled(word_at(place))) return {frame, word_at(place)};
  }
  return {};
}

Caller caller_of(JSC::VM& vm, const Stack& stack, uintptr_t frame) {
  if (!stack.has_frame(frame)) return {};
  if (is_javascript(vm, frame)) return caller_of_frameless(stack, frame);
  for (int i = 0; i < kMostFrames; i++) {
    const uintptr_t parent = word_at(frame), pc = word_at(frame + kWord);
    if (parent <= frame || !stack.has_frame(parent)) return {};
    if (is_compiled(pc)) return is_javascript(vm, parent) ? Caller{parent, pc} : Caller{};
    frame = parent;
  }
  return {};
}

void show_caller(JSC::VM& vm, WTF::Thread& thread, WTF::PlatformRegisters& registers) {
  auto& values = registers.machineContext.gregs;
  const auto pc = static_cast<uintptr_t>(values[REG_RIP]);
  if (is_compiled(pc) || is_interpreter(pc)) return;
  const Stack stack{static_cast<uintptr_t>(values[REG_RSP]), reinterpret_cast<uintptr_t>(thread.stack().origin())};
  const auto caller = caller_of(vm, stack, static_cast<uintptr_t>(values[REG_RBP]));
  if (!caller.frame || reinterpret_cast<uintptr_t>(vm.topCallFrame) == caller.frame) return;
  values[REG_RBP] = static_cast<greg_t>(caller.frame);
  values[REG_RIP] = static_cast<greg_t>(caller.pc - 1);  // in the call, not behind it
}

#else

void show_caller(JSC::VM&, WTF::Thread&, WTF::PlatformRegisters&) {}

#endif

}  // namespace

LeafCalls::LeafCalls(JSC::VM& vm) { pthread_setspecific(looking_at(), &vm); }
LeafCalls::~LeafCalls() { pthread_setspecific(looking_at(), nullptr); }

}  // namespace rondo::engine

size_t wrap_get_registers(WTF::Thread* thread, const WTF::ThreadSuspendLocker& locker,
                          WTF::PlatformRegisters& registers) {
  using namespace rondo::engine;
  const size_t size = real_get_registers(thread, locker, registers);
  if (auto* vm = static_cast<JSC::VM*>(pthread_getspecific(looking_at()))) show_caller(*vm, *thread, registers);
  return size;
}
