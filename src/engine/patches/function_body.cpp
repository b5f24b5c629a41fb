// See function_body.h.
#include "engine/patches/function_body.h"

#include "engine/errors/source_reader.h"
#include "engine/errors/syntax_fault.h"

#include <JavaScriptCore/Completion.h>
#include <JavaScriptCore/ParserModes.h>
#include <JavaScriptCore/ProgramExecutable.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>
#include <JavaScriptCore/UnlinkedGlobalCodeBlock.h>

// The class's header needs others that are not installed.
// Undeclared: getUnlinkedProgramCodeBlock
extern JSC::UnlinkedCodeBlock*
program_code(JSC::CodeCache*, JSC::VM&, JSC::ProgramExecutable*, const JSC::SourceCode&, JSC::JSParserStrictMode, WTF::OptionSet<JSC::CodeGenerationMode>, JSC::ParserError&) asm(
    "_ZN3JSC9CodeCache27getUnlinkedProgramCodeBlockERNS_2VM"
    "EPNS_17ProgramExecutableERKNS_10SourceCodeE"
    "NS_18JSParserStrictModeEN3WTF9OptionSetI"
    "NS_18CodeGenerationModeEEERNS_11ParserErrorE");

namespace rondo::engine {

namespace {

constexpr unsigned kTail = 3;  // "\n})" behind the text

JSC::ParserError early_end(const JSC::ParserError& error, WTF::StringView source, unsigned offset) {
  return moved(error, source, "Unexpected token '}'"_s, offset, offset + 1);
}

// Where a bracket of the text closes the function; none when it does not. The brackets are counted, and the parser says whether
// what they enclose is a function.
std::optional<unsigned> closed_at(JSC::VM& vm, WTF::StringView source) {
  SourceReader reader(source);
  reader.go_to(static_cast<unsigned>(source.find('{')));
  reader.skip_bracket();
  const unsigned end = reader.position();
  if (end > source.length() - kTail) return std::nullopt;
  auto part =
      JSC::makeSource(makeString(source.left(end), ')'), JSC::SourceOrigin(), JSC::SourceTaintedOrigin::Untainted);
  JSC::ParserError error;
  return JSC::checkSyntax(vm, part, error) ? std::optional(end - 1) : std::nullopt;
}

// A string or comment that does not end: the fault is its beginning.
bool is_open_literal(const JSC::ParserError& error, WTF::StringView source, unsigned end) {
  const unsigned start = error.token().m_location.startOffset;
  if (error.message() != "Unexpected EOF"_s || start >= end) return false;
  return source[start] == '"' || source[start] == '\'' || source[start] == '/';
}

// The parser's errors about the line behind the text, or says because the text closed the function too early.
JSC::ParserError told_of_text(JSC::VM& vm, const JSC::ParserError& error, const JSC::SourceCode& whole) {
  if (error.type() != JSC::ParserError::SyntaxError) return error;
  auto source = whole.view();
  const unsigned end = source.length() - kTail;
  const auto& token = error.token().m_location;
  if (is_open_literal(error, source, end))
    return moved(error, source, {}, token.startOffset, std::min(token.endOffset, end));
  if (auto close = closed_at(vm, source)) return early_end(error, source, *close);
  const auto at_word = at_fault(error, source);
  if (!error.message().startsWith("Unexpected "_s) && at_word.token().m_location.startOffset < token.startOffset)
    return at_word;
  const bool is_behind = token.startOffset >= end;
  // An error of its own at the end of the text is about the last token.
  if (is_behind && at_word.token().m_location.startOffset < token.startOffset) return at_word;
  if (is_behind && !error.message().startsWith("Unexpected "_s)) return at_last_token(error, source, end);
  const bool has_no_end = error.message() == "Unexpected EOF"_s;  // a template, to the end of the text
  if (is_behind || has_no_end) return moved(error, source, "Unexpected end of input"_s, end, end + 1);
  return at_word;
}

}  // namespace

JSC::UnlinkedCodeBlock* compile_program(JSC::JSGlobalObject* realm, const JSC::SourceCode& source,
                                        JSC::ParserError& error) {
  auto& vm = realm->vm();
  auto* program = JSC::ProgramExecutable::create(realm, source);
  return program_code(vm.codeCache(), vm, program, source, JSC::JSParserStrictMode::NotStrict,
                      realm->defaultCodeGenerationMode(), error);
}

JSC::UnlinkedFunctionExecutable* compile_body(JSC::JSGlobalObject* realm, const JSC::SourceCode& source,
                                              JSC::ParserError& error) {
  auto* code = compile_program(realm, source, error);
  if (error.isValid()) {
    error = told_of_text(realm->vm(), error, source);
    return nullptr;
  }
  auto* function = code->numberOfFunctionExprs() > 0 ? code->functionExpr(0) : nullptr;
  if (!function) return nullptr;
  const unsigned end = function->startOffset() + function->sourceLength();
  if (end == static_cast<unsigned>(source.length()) - 1) return function;
  // The text closes the function and goes on.
  error = early_end(error, source.view(), end - 1);
  return nullptr;
}

}  // namespace rondo::engine
