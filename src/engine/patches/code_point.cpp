// See code_point.h.
#include "engine/patches/code_point.h"

#include <JavaScriptCore/BytecodeConventions.h>
#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/Instruction.h>
#include <JavaScriptCore/ScriptExecutable.h>
#include <JavaScriptCore/StackVisitor.h>

namespace rondo::engine {

namespace {

// Layout: JSInstruction, StackVisitor
const JSC::JSInstruction* instruction_at(JSC::CodeBlock* block, unsigned offset) {
  return block->instructions().at(offset).ptr();
}

bool is_builtin(JSC::CodeBlock* block) {
  auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(block->ownerExecutable());
  return function && function->isBuiltinFunction();
}

}  // namespace

std::optional<CodePoint> CodePoint::innermost(JSC::VM& vm) { return find(vm, false); }

std::optional<CodePoint> CodePoint::caller(JSC::VM& vm) { return find(vm, true); }

std::optional<CodePoint> CodePoint::find(JSC::VM& vm, bool may_skip_builtins) {
  std::optional<CodePoint> found;
  if (!vm.topCallFrame) return found;
  JSC::StackVisitor::visit(vm.topCallFrame, vm, [&](JSC::StackVisitor& visitor) {
    auto* block = visitor->codeBlock();
    if (!block) return WTF::IterationStatus::Continue;
    if (is_builtin(block)) return may_skip_builtins ? WTF::IterationStatus::Continue : WTF::IterationStatus::Done;
    bool keeps_registers = !visitor->isInlinedDFGFrame() && !JSC::JITCode::isOptimizingJIT(block->jitType());
    auto* baseline = block->baselineAlternative();
    if (visitor->bytecodeIndex().offset() < baseline->instructionsSize())
      found = CodePoint(baseline, keeps_registers ? visitor->callFrame() : nullptr, visitor->bytecodeIndex().offset());
    return WTF::IterationStatus::Done;
  });
  return found;
}

std::optional<CodePoint> CodePoint::at(JSC::CodeBlock* block, JSC::BytecodeIndex index) {
  if (index.offset() >= block->instructionsSize()) return std::nullopt;
  return CodePoint(block, nullptr, index.offset());
}

JSC::CallFrame* CodePoint::builtin_frame(JSC::VM& vm) {
  auto* top = vm.topCallFrame;
  if (!top || top->isEmptyTopLevelCallFrameForDebugger() || top->isNativeCalleeFrame()) return nullptr;
  auto* block = top->codeBlock();
  // A value that cannot be called has a frame too, while the engine finds that out.
  if (!block) return top->jsCallee()->isCallable() ? top : nullptr;
  return is_builtin(block) && !JSC::JITCode::isOptimizingJIT(block->jitType()) ? top : nullptr;
}

JSC::OpcodeID CodePoint::opcode() const { return instruction_at(block_, offset_)->opcodeID(); }

int CodePoint::operand(unsigned index) const {
  const auto* instruction = instruction_at(block_, offset_);
  const auto* bytes = reinterpret_cast<const uint8_t*>(instruction);
  const unsigned shift = static_cast<unsigned>(instruction->sizeShiftAmount());
  bytes += (shift ? 1 : 0) + instruction->opcodeIDBytes() + (index << shift);
  if (shift == 0) return static_cast<int8_t>(*bytes);
  if (shift == 1) {
    int16_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
  }
  int32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

int CodePoint::register_of(unsigned index) const {
  const int packed = operand(index);
  const int shift = instruction_at(block_, offset_)->sizeShiftAmount();
  const int first_constant = shift == 0   ? FirstConstantRegisterIndex8
                             : shift == 1 ? FirstConstantRegisterIndex16
                                          : FirstConstantRegisterIndex32;
  return packed >= first_constant ? FirstConstantRegisterIndex + (packed - first_constant) : packed;
}

Value CodePoint::value(unsigned index) const {
  JSC::VirtualRegister place(register_of(index));
  if (place.isConstant()) return block_->getConstant(place);
  return frame_ ? frame_->r(place).jsValue() : Value();
}

unsigned CodePoint::number(unsigned index) const {
  const int shift = instruction_at(block_, offset_)->sizeShiftAmount();
  const auto packed = static_cast<unsigned>(operand(index));
  return shift == 0 ? packed & 0xff : shift == 1 ? packed & 0xffff : packed;
}

const JSC::Identifier& CodePoint::identifier(unsigned index) const {
  return block_->identifier(static_cast<int>(number(index)));
}

WTF::String CodePoint::name(unsigned index) const {
  const auto& id = identifier(index);
  if (!id.isSymbol()) return id.string();
  return makeString("Symbol("_s, id.string(), ')');
}

WTF::StringView CodePoint::source() const { return block_->ownerExecutable()->source().provider()->source(); }

std::optional<CodePoint::Range> CodePoint::range() const {
  int divot = 0, start = 0, end = 0;
  unsigned line = 0, column = 0;
  block_->expressionRangeForBytecodeIndex(JSC::BytecodeIndex(offset_), divot, start, end, line, column);
  const int from = divot - start, to = divot + end;
  if (from < 0 || from > to || static_cast<unsigned>(to) > source().length()) return std::nullopt;
  return Range{static_cast<unsigned>(from), static_cast<unsigned>(divot), static_cast<unsigned>(to)};
}

WTF::StringView CodePoint::expression() const {
  auto place = range();
  return place ? source().substring(place->from, place->to - place->from) : WTF::StringView();
}

std::optional<CodePoint> CodePoint::next() const {
  const unsigned after = offset_ + static_cast<unsigned>(instruction_at(block_, offset_)->size());
  if (after >= block_->instructionsSize()) return std::nullopt;
  return CodePoint(block_, frame_, after);
}

std::optional<CodePoint> CodePoint::previous() const {
  unsigned before = 0;
  if (offset_ == 0) return std::nullopt;
  for (unsigned at = 0; at < offset_; at += static_cast<unsigned>(instruction_at(block_, at)->size())) before = at;
  return CodePoint(block_, frame_, before);
}

}  // namespace rondo::engine
