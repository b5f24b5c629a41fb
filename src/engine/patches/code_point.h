// Where in its bytecode a JavaScript function stands when an error is made: the operation that failed, its operands, and the piece of
// source it was compiled from. These are the facts that error_wording.cpp words; nothing here looks for words in a source text.
//
// Rests on the engine's private layout: which operands an operation has, how they are packed, and where a frame keeps its registers.
#pragma once

#include "engine/core/native.h"

#include <JavaScriptCore/BytecodeIndex.h>
#include <JavaScriptCore/Opcode.h>

namespace rondo::engine {

class CodePoint {
 public:
  // The innermost frame of JavaScript; none when there is no frame, or when the frame is one of the engine's built-ins.
  static std::optional<CodePoint> innermost(JSC::VM& vm);
  // The one that called the built-ins above it.
  static std::optional<CodePoint> caller(JSC::VM& vm);
  // The built-in function that runs above it, when one made the error; null elsewhere.
  static JSC::CallFrame* builtin_frame(JSC::VM& vm);

  // The first operation of a piece of code, without registers.
  static std::optional<CodePoint> first(JSC::CodeBlock* block) { return CodePoint(block, nullptr, 0); }

  // An operation of a frame that was left, without registers; none when the code has no such place.
  static std::optional<CodePoint> at(JSC::CodeBlock* block, JSC::BytecodeIndex index);

  unsigned offset() const { return offset_; }
  JSC::OpcodeID opcode() const;
  // Operands by their position in the engine's list of operations. A register's value is empty when compiled code does not keep it.
  Value value(unsigned operand) const;
  int register_of(unsigned operand) const;
  WTF::String name(unsigned operand) const;
  const JSC::Identifier& identifier(unsigned operand) const;
  unsigned number(unsigned operand) const;

  // The expression the operation belongs to: from, divot and to are offsets in source().
  struct Range {
    unsigned from = 0;
    unsigned divot = 0;
    unsigned to = 0;
  };
  std::optional<Range> range() const;
  WTF::StringView source() const;
  WTF::StringView expression() const;

  // The neighbours in the stream of operations; none at its ends.
  std::optional<CodePoint> next() const;
  std::optional<CodePoint> previous() const;

  JSC::CodeBlock* block() const { return block_; }
  JSC::CallFrame* frame() const { return frame_; }

 private:
  CodePoint(JSC::CodeBlock* block, JSC::CallFrame* frame, unsigned offset)
      : block_(block), frame_(frame), offset_(offset) {}
  static std::optional<CodePoint> find(JSC::VM& vm, bool may_skip_builtins);
  int operand(unsigned index) const;

  JSC::CodeBlock* block_;
  JSC::CallFrame* frame_;  // null: its registers cannot be read
  unsigned offset_;
};

}  // namespace rondo::engine
