// See async_wrapper.h.
#include "engine/errors/async_wrapper.h"

#include "engine/core/native.h"
#include "engine/errors/source_reader.h"

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

// Reads the text before a body from its end: parameters, and what the function is called or assigned to.
class TextBefore {
 public:
  TextBefore(WTF::StringView text, unsigned end) : text_(text), at_(std::min(end, text.length())) {}

  std::string function_name() {
    const bool is_arrow = take("=>");
    if (take(")"))
      skip_to_opening();
    else if (is_arrow)
      word();
    std::string name = word();
    if (is_arrow) return name == "async" ? assigned_name() : std::string();
    if (name.empty() && take("*")) name = word();
    if (name == "function") {
      word();  // async
      return assigned_name();
    }
    return name;
  }

 private:
  std::string assigned_name() {
    if (!take("=") && !take(":")) return "";
    return word();
  }
  void skip_space() {
    while (at_ > 0 && WTF::isASCIIWhitespace(text_[at_ - 1])) at_--;
  }
  bool take(std::string_view sign) {
    skip_space();
    for (size_t i = 0; i < sign.size(); i++) {
      if (at_ <= i || text_[at_ - 1 - i] != static_cast<unsigned char>(sign[sign.size() - 1 - i])) return false;
    }
    at_ -= static_cast<unsigned>(sign.size());
    return true;
  }
  std::string word() {
    skip_space();
    const unsigned end = at_;
    while (at_ > 0 && SourceReader::is_name_part(text_[at_ - 1])) at_--;
    return to_utf8(text_.substring(at_, end - at_).toString());
  }
  // Behind a closing parenthesis. One in a string or a comment of the parameters may lead elsewhere, and then to no name.
  void skip_to_opening() {
    for (unsigned depth = 1; at_ > 0 && depth > 0; at_--) {
      const UChar c = text_[at_ - 1];
      depth += (c == ')') - (c == '(');
    }
  }

  WTF::StringView text_;
  unsigned at_;
};

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

std::string name_of_async_body(JSC::FunctionExecutable* function) {
  if (!is_async_body(function->parseMode())) return "";
  if (auto* wrapper = wrapper_of_async_body(function)) return to_utf8(wrapper->ecmaName().string());
  const auto& source = function->source();
  return TextBefore(source.provider()->source(), static_cast<unsigned>(source.startOffset())).function_name();
}

}  // namespace rondo::engine
