// See async_wrapper.h.
#include "engine/errors/async_wrapper.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/EvalExecutable.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/ModuleProgramExecutable.h>
#include <JavaScriptCore/ProgramExecutable.h>

namespace rondo::engine {

namespace {

bool is_async_body(JSC::SourceParseMode mode) {
  return mode == JSC::SourceParseMode::AsyncFunctionBodyMode ||
         mode == JSC::SourceParseMode::AsyncArrowFunctionBodyMode ||
         mode == JSC::SourceParseMode::AsyncGeneratorBodyMode;
}

// Null: never run, or thrown away since. The engine's kinds of code block are not among its installed headers.
JSC::CodeBlock* code_of(JSC::ScriptExecutable* executable) {
  auto block = [](auto* kind) { return reinterpret_cast<JSC::CodeBlock*>(kind); };
  if (auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(executable))
    return block(function->eitherCodeBlock());
  if (auto* script = JSC::jsDynamicCast<JSC::ProgramExecutable*>(executable)) return block(script->codeBlock());
  if (auto* module = JSC::jsDynamicCast<JSC::ModuleProgramExecutable*>(executable)) return block(module->codeBlock());
  if (auto* text = JSC::jsDynamicCast<JSC::EvalExecutable*>(executable)) return block(text->codeBlock());
  return nullptr;
}

}  // namespace

JSC::FunctionExecutable* wrapper_of_async_body(JSC::FunctionExecutable* function) {
  if (!is_async_body(function->parseMode())) return nullptr;
  WTF::Vector<JSC::ScriptExecutable*> left{function->topLevelExecutable()};
  while (!left.isEmpty()) {
    auto* outer = left.takeLast();
    auto* code = code_of(outer);
    if (!code) continue;
    for (int i = 0; i < code->numberOfFunctionDecls(); i++) left.append(code->functionDecl(i));
    auto expressions = static_cast<int>(code->unlinkedCodeBlock()->numberOfFunctionExprs());
    for (int i = 0; i < expressions; i++) {
      if (code->functionExpr(i) == function) return JSC::jsDynamicCast<JSC::FunctionExecutable*>(outer);
      left.append(code->functionExpr(i));
    }
  }
  return nullptr;
}

}  // namespace rondo::engine
