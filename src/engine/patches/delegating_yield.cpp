// See delegating_yield.h. The code of a generator begins with a jump by its state to where it goes on. There it takes back its
// registers and compares the mode in which it is resumed: with "normal" first, and then a yield with "throw", but a yield* with
// "return". That second comparison is what is looked for. Code that looks otherwise counts as a yield.
#include "engine/patches/delegating_yield.h"

#include <optional>

#include <JavaScriptCore/BytecodeConventions.h>
#include <JavaScriptCore/FunctionCodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/JSInternalFieldObjectImpl.h>

namespace rondo::engine {

namespace {

using Generator = JSC::JSInternalFieldObjectImpl<JSC::JSGenerator::numberOfInternalFields>;

int read_operand(const JSC::JSInstruction* instruction, unsigned index) {
  auto* bytes = reinterpret_cast<const uint8_t*>(instruction);
  auto* first = bytes + instruction->opcodeIDBytes() + (instruction->sizeShiftAmount() ? 1 : 0);
  switch (instruction->width()) {
    case JSC::OpcodeSize::Narrow:
      return static_cast<int8_t>(first[index]);
    case JSC::OpcodeSize::Wide16:
      return WTF::unalignedLoad<int16_t>(first + index * sizeof(int16_t));
    case JSC::OpcodeSize::Wide32:
      return WTF::unalignedLoad<int32_t>(first + index * sizeof(int32_t));
  }
  RELEASE_ASSERT_NOT_REACHED();
}

// The number in an operand that is a constant.
std::optional<int> read_constant(const JSC::UnlinkedCodeBlock* code, const JSC::JSInstruction* instruction,
                                 unsigned index) {
  constexpr int kFirst[] = {FirstConstantRegisterIndex8, FirstConstantRegisterIndex16, FirstConstantRegisterIndex32};
  int constant = read_operand(instruction, index) - kFirst[instruction->sizeShiftAmount()];
  if (constant < 0) return std::nullopt;
  JSC::JSValue value = code->getConstant(JSC::VirtualRegister(FirstConstantRegisterIndex + constant));
  return value.isInt32() ? std::optional(value.asInt32()) : std::nullopt;
}

bool resumes_as_delegate(const JSC::UnlinkedCodeBlock* code, int state) {
  unsigned at = code->instructions().at(0)->size();
  auto* entry = code->instructions().at(at).ptr();
  if (entry->opcodeID() != JSC::op_switch_imm) return false;
  at += code->unlinkedSwitchJumpTable(read_operand(entry, 0)).offsetForValue(state, 0);
  auto next = [&] {
    auto* instruction = code->instructions().at(at).ptr();
    at += instruction->size();
    return instruction;
  };
  auto* instruction = next();
  while (instruction->opcodeID() == JSC::op_get_from_scope) instruction = next();
  constexpr auto kNormal = static_cast<int>(JSC::JSGenerator::ResumeMode::NormalMode);
  constexpr auto kReturn = static_cast<int>(JSC::JSGenerator::ResumeMode::ReturnMode);
  if (instruction->opcodeID() != JSC::op_jstricteq || read_constant(code, instruction, 1) != kNormal) return false;
  instruction = next();
  return instruction->opcodeID() == JSC::op_jstricteq && read_constant(code, instruction, 1) == kReturn;
}

}  // namespace

JSC_DEFINE_HOST_FUNCTION(stands_in_delegating_yield, (JSC::JSGlobalObject*, JSC::CallFrame* frame)) {
  auto* generator = static_cast<Generator*>(frame->uncheckedArgument(0).asCell());
  auto field = [&](JSC::JSGenerator::Field index) {
    return generator->internalField(static_cast<unsigned>(index)).get();
  };
  auto* body = JSC::jsCast<JSC::JSFunction*>(field(JSC::JSGenerator::Field::Next));
  auto* code = body->jsExecutable()->codeBlockForCall();
  return JSC::JSValue::encode(JSC::jsBoolean(
      code && resumes_as_delegate(code->unlinkedCodeBlock(), field(JSC::JSGenerator::Field::State).asInt32())));
}

}  // namespace rondo::engine
