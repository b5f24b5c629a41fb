// Regular expressions without the engine's limit of a million steps, past which it answers "no match" whatever the truth is, and
// matches that end when their script is to end. A match looks at the VM's termination bit (interrupt.h sets it) whenever it backtracks:
//
//  compiled code   a test of the bit is emitted wherever backtracks arrive; it leaves by the way the code has for "ask the interpreter"
//  interpreter     the functions that backtrack look first; the match ends with "no match", which no script sees: the termination is next
//
// Compiled expressions with the flag u or v keep the limit on texts that may hold surrogate pairs: some never end there
// (/(((c){2}|(.?c){4}))/u on an emoji and a letter). Past it the interpreter answers, which is ours for them (regexp_matcher.cpp).
//
// Between two backtracks lies at most one pass over the subject. RegExp.prototype.test inlined into a function's code is switched off
// (vm.cpp): its registers are the function's. The compiler's threads match nothing: their answers would outlive an interrupted match.
//
// Layout: YarrGenerator, BacktrackingState, Interpreter, YarrPatternConstructor
#include "engine/core/vm_state.h"
#include "engine/patches/regexp_vm.h"

#include <JavaScriptCore/GPRInfo.h>
#include <JavaScriptCore/MacroAssembler.h>
#include <JavaScriptCore/YarrInterpreter.h>
#include <JavaScriptCore/YarrPattern.h>

#include <csetjmp>
#include <cstring>
#include <limits>

namespace {

using JSC::MacroAssembler;

// Members of YarrGenerator and of Interpreter, which no header has.
constexpr size_t kGeneratorJit = 0x08;
constexpr size_t kGeneratorVm = 0x10;
constexpr size_t kGeneratorDecodesPairs = 0x54;  // bool: surrogate pairs are one character
constexpr size_t kGeneratorAbort = 0x78;  // JumpList: the interpreter shall answer
constexpr size_t kGeneratorLimit = 0x90;  // JumpList: the count of steps is used up
constexpr size_t kGeneratorBacktracking = 0x3140;
constexpr size_t kInterpreterCount = 0x44;

template <class T>
T& at(void* object, size_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(object) + offset);
}

void emit_termination_test(void* backtracking, MacroAssembler* jit) {
  void* generator = static_cast<char*>(backtracking) - kGeneratorBacktracking;
  RELEASE_ASSERT(at<MacroAssembler*>(generator, kGeneratorJit) == jit);
  auto* vm = at<JSC::VM*>(generator, kGeneratorVm);
  if (!vm) return;
  static_assert(JSC::VMTraps::NeedTermination < 0x80);
  at<MacroAssembler::JumpList>(generator, kGeneratorAbort)
      .append(jit->branchTest8(MacroAssembler::NonZero, MacroAssembler::AbsoluteAddress(vm->traps().trapBitsAddress()),
                               MacroAssembler::TrustedImm32(JSC::VMTraps::NeedTermination)));
}

// An index inside a surrogate pair is an index of the pair's character: the match begins at its first half.
void emit_start_of_pair(void* generator) {
  if (!at<bool>(generator, kGeneratorDecodesPairs)) return;
  auto* jit = at<MacroAssembler*>(generator, kGeneratorJit);
  // Compiled code is called with (text, index, length, output, context); the sixth argument's register is free.
  using JSC::GPRInfo;
  const auto input = GPRInfo::argumentGPR0, index = GPRInfo::argumentGPR1, length = GPRInfo::argumentGPR2,
             unit = GPRInfo::argumentGPR5;
  const auto is_not = [&](int32_t offset, int32_t half) {
    jit->load16(MacroAssembler::BaseIndex(input, index, MacroAssembler::TimesTwo, offset), unit);
    jit->and32(MacroAssembler::TrustedImm32(0xfc00), unit);
    return jit->branch32(MacroAssembler::NotEqual, unit, MacroAssembler::TrustedImm32(half));
  };
  jit->zeroExtend32ToWord(index, index);
  MacroAssembler::JumpList whole;
  whole.append(jit->branchTest32(MacroAssembler::Zero, index));
  whole.append(jit->branch32(MacroAssembler::AboveOrEqual, index, length));
  whole.append(is_not(0, 0xdc00));
  whole.append(is_not(-2, 0xd800));
  jit->sub32(MacroAssembler::TrustedImm32(1), index);
  whole.link(jit);
}

void lift_limit(void* generator) {
  auto& limit = at<MacroAssembler::JumpList>(generator, kGeneratorLimit);
#if CPU(X86_64)
  // A jump's label is the place after it: it goes on there.
  auto* jit = at<MacroAssembler*>(generator, kGeneratorJit);
  const bool is_limited = at<bool>(generator, kGeneratorDecodesPairs);
  for (const auto& jump : limit.jumps())
    if (!is_limited) jump.linkTo(jump.label(), jit);
  if (!is_limited) limit.clear();
#endif
  at<MacroAssembler::JumpList>(generator, kGeneratorAbort).append(limit);
  limit.clear();
}

JSC::VM* vm_of(void* interpreter) { return rondo::engine::vm_of(*at<JSC::Yarr::BytecodePattern*>(interpreter, 0)); }

void leave_if_ending(void* interpreter) {
  auto* vm = vm_of(interpreter);
  if (!rondo::engine::is_ending(vm)) return;
  auto* exit = static_cast<jmp_buf*>(rondo::engine::VmState::of(*vm).match_exit);
  if (exit) longjmp(*exit, 1);
}

using Disjunction = int (*)(void*, void*, void*, bool);
constexpr int kHitLimit = static_cast<int>(JSC::Yarr::JSRegExpResult::ErrorHitLimit);

// The outermost call is where an interrupted match returns to: its caller frees what the match had allocated.
int match_outermost(JSC::VM& vm, Disjunction match, void* self, void* disjunction, void* context, bool backtracks) {
  auto& exit = rondo::engine::VmState::of(vm).match_exit;
  jmp_buf here;
  exit = &here;
  const int answer = _setjmp(here) ? kHitLimit : match(self, disjunction, context, backtracks);
  exit = nullptr;
  return answer;
}

int match_disjunction(Disjunction match, void* self, void* disjunction, void* context, bool backtracks) {
  at<uint32_t>(self, kInterpreterCount) = std::numeric_limits<uint32_t>::max();
  auto* vm = vm_of(self);
  if (vm && !rondo::engine::VmState::of(*vm).match_exit)
    return match_outermost(*vm, match, self, disjunction, context, backtracks);
  leave_if_ending(self);
  return match(self, disjunction, context, backtracks);
}

}  // namespace

// The linker sends the engine's calls here (--wrap, see cmake/engine.cmake).
#define RONDO_GENERATOR(rest) _ZN3JSC4Yarr13YarrGeneratorINS0_23YarrJITDefaultRegistersEE##rest
#define RONDO_INTERPRETER(type, rest) _ZN3JSC4Yarr11InterpreterI##type##E##rest
#define RONDO_NAME_(prefix, name) prefix##name
#define RONDO_NAME(prefix, name) RONDO_NAME_(prefix, name)

#define RONDO_LINK RONDO_GENERATOR(17BacktrackingState4linkEPNS_14MacroAssemblerE)
extern "C" void RONDO_NAME(__real_, RONDO_LINK)(void* self, MacroAssembler* jit);
extern "C" void RONDO_NAME(__wrap_, RONDO_LINK)(void* self, MacroAssembler* jit) {
  RONDO_NAME(__real_, RONDO_LINK)(self, jit);
  emit_termination_test(self, jit);
}

// Backtracks that go to a place passed before: they come here first.
#if CPU(X86_64)
#define RONDO_LINK_TO \
  RONDO_GENERATOR(    \
      17BacktrackingState6linkToENS_22AbstractMacroAssemblerINS_12X86AssemblerEE5LabelEPNS_14MacroAssemblerE)
#else
#define RONDO_LINK_TO \
  RONDO_GENERATOR(    \
      17BacktrackingState6linkToENS_22AbstractMacroAssemblerINS_14ARM64AssemblerEE5LabelEPNS_14MacroAssemblerE)
#endif
extern "C" void RONDO_NAME(__wrap_, RONDO_LINK_TO)(void* self, MacroAssembler::Label* label, MacroAssembler* jit) {
  RONDO_NAME(__real_, RONDO_LINK)(self, jit);
  emit_termination_test(self, jit);
  jit->jump().linkTo(*label, jit);
}

#define RONDO_ENTER RONDO_GENERATOR(13generateEnterEv)
extern "C" void RONDO_NAME(__real_, RONDO_ENTER)(void* self);
extern "C" void RONDO_NAME(__wrap_, RONDO_ENTER)(void* self) {
  RONDO_NAME(__real_, RONDO_ENTER)(self);
  emit_start_of_pair(self);
}

#define RONDO_FAIL RONDO_GENERATOR(21generateJITFailReturnEv)
extern "C" void RONDO_NAME(__real_, RONDO_FAIL)(void* self);
extern "C" void RONDO_NAME(__wrap_, RONDO_FAIL)(void* self) {
  lift_limit(self);
  RONDO_NAME(__real_, RONDO_FAIL)(self);
}

#define RONDO_WRAP_MATCH(name)                                                                              \
  extern "C" int RONDO_NAME(__real_, name)(void* self, void* disjunction, void* context, bool backtracks);  \
  extern "C" int RONDO_NAME(__wrap_, name)(void* self, void* disjunction, void* context, bool backtracks) { \
    return match_disjunction(RONDO_NAME(__real_, name), self, disjunction, context, backtracks);            \
  }
RONDO_WRAP_MATCH(RONDO_INTERPRETER(h, 16matchDisjunctionEPNS0_15ByteDisjunctionEPNS2_18DisjunctionContextEb))
RONDO_WRAP_MATCH(RONDO_INTERPRETER(Ds, 16matchDisjunctionEPNS0_15ByteDisjunctionEPNS2_18DisjunctionContextEb))

#define RONDO_WRAP_BACKTRACK(name)                                                   \
  extern "C" bool RONDO_NAME(__real_, name)(void* self, void* term, void* context);  \
  extern "C" bool RONDO_NAME(__wrap_, name)(void* self, void* term, void* context) { \
    leave_if_ending(self);                                                           \
    return RONDO_NAME(__real_, name)(self, term, context);                           \
  }
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(h, 22backtrackBackReferenceERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(Ds, 22backtrackBackReferenceERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(h, 23backtrackCharacterClassERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(Ds, 23backtrackCharacterClassERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(h, 25backtrackPatternCharacterERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(Ds, 25backtrackPatternCharacterERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(h, 30backtrackPatternCasedCharacterERNS0_8ByteTermEPNS2_18DisjunctionContextE))
RONDO_WRAP_BACKTRACK(RONDO_INTERPRETER(Ds, 30backtrackPatternCasedCharacterERNS0_8ByteTermEPNS2_18DisjunctionContextE))

// An expression that begins with ^ gets a second body without the alternatives that begin so, for places after the first. The engine
// drops them in nested groups, too, where ^ may look ahead from a lookbehind and match yet; a group that loses all is a null pointer.
#define RONDO_COPY _ZN3JSC4Yarr22YarrPatternConstructor15copyDisjunctionEPNS0_18PatternDisjunctionEb
extern "C" void* RONDO_NAME(__real_, RONDO_COPY)(void* self, JSC::Yarr::PatternDisjunction* disjunction, bool drops);
extern "C" void* RONDO_NAME(__wrap_, RONDO_COPY)(void* self, JSC::Yarr::PatternDisjunction* disjunction, bool drops) {
  const bool is_whole = at<JSC::Yarr::YarrPattern*>(self, 0)->m_body == disjunction;
  return RONDO_NAME(__real_, RONDO_COPY)(self, disjunction, drops && is_whole);
}

// "Cannot tell now" is an answer its callers know.
extern "C" bool __wrap__ZN3JSC6RegExp17matchConcurrentlyERNS_2VMERKN3WTF6StringEjRNS_11MatchResultE() { return false; }
extern "C" bool
__wrap__ZN3JSC6RegExp17matchConcurrentlyERNS_2VMERKN3WTF6StringEjRiRNS3_6VectorIiLm0ENS3_15CrashOnOverflowELm16ENS3_10FastMallocEEE() {
  return false;
}
