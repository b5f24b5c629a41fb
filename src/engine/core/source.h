// Source texts: where they come from and how they are compiled. Three kinds: embedded library files (with bytecode made at
// build time), CommonJS bodies (wrapped in a function), ES modules. A wrapped source starts with one line of wrapper, which
// stack_trace.cpp subtracts again.
#pragma once

#include "engine/core/script.h"

#include <optional>
#include <span>

namespace rondo::engine {

// A function expression over `body` with the given parameters, evaluated in the realm: returns the function, or null with
// the exception handed out. `url` is what stacks show; `origin` (a file: URL or empty) is what import() resolves against.
struct FunctionSource {
  WTF::String body;
  WTF::String url;
  WTF::String origin;
  std::span<const std::string_view> parameters;
  std::span<const uint8_t> bytecode = {};  // what function_bytecode gave for the same source; copied
};
CallOutcome compile_function(JSC::JSGlobalObject* realm, const FunctionSource& source);

// Bytecode for the next process to compile the same source with; empty on a syntax error.
std::string function_bytecode(JSC::VM& vm, const FunctionSource& source);
std::string module_bytecode(JSC::VM& vm, const WTF::String& text, const WTF::String& url);

// A function expression that rides in the binary, wrapped already. Text and bytecode must outlive the VM; neither is copied,
// and with bytecode the text is read only when somebody asks for it (a stack's source line, Function.prototype.toString).
struct EmbeddedFunction {
  std::string_view text;
  bool is_ascii = false;
  std::string_view url;
  std::string_view bytecode = {};
};
CallOutcome compile_embedded(JSC::JSScope* scope, const EmbeddedFunction& source);

// Its bytecode, for embedding; empty on a syntax error.
std::string make_bytecode(JSC::VM& vm, const EmbeddedFunction& source);

// Functions that lie side by side, with a comma between, and whose bytecode is one piece: the names that they share are read once, and they
// cost the engine one look into its cache of code. In stacks each has its own address and lines.
class EmbeddedBundle {
 public:
  // Stays closed when the engine does not take the code; its files are compiled from their text then.
  void open(JSC::JSGlobalObject* realm, const EmbeddedFunction& all);
  bool is_open() const { return !!code_; }
  CallOutcome compile(JSC::JSScope* scope, size_t index, std::string_view url);

 private:
  JSC::Strong<JSC::UnlinkedCodeBlock> code_;
  WTF::String text_;
};

// A script evaluated as a program (globals become global), the only one of its run: -e, -p, standard input.
CallOutcome evaluate_script(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url,
                            const WTF::String& origin);

// Syntax error object, or empty when the text parses. For --check.
enum class Grammar { CommonJS, Module };
Value check_syntax(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url, Grammar grammar);

// Where a text stops being that grammar: the token it stumbles over, one-based as in stacks; nothing when it parses.
struct SyntaxPlace {
  unsigned line = 0;
  unsigned column = 0;
  unsigned length = 0;
};
std::optional<SyntaxPlace> syntax_place(JSC::JSGlobalObject* realm, const WTF::String& text, Grammar grammar);

// `bytecode`: what module_bytecode gave for the same text and URL, or empty; copied.
JSC::SourceCode module_source(const WTF::String& text, const WTF::String& url, std::span<const uint8_t> bytecode = {});

// The same for node:vm: another origin than the URL, and offsets.
JSC::SourceCode module_source(const ScriptSource& source, std::span<const uint8_t> bytecode);

// Mark of providers of wrapped sources, so that wrapper_lines knows them.
WTF::ASCIILiteral wrapped_mark();

// Lines of wrapper before the user's first line, which the engine counts as its lines.
unsigned wrapper_lines(JSC::SourceProvider& provider);
// All lines before it in this provider's text.
unsigned lines_before(JSC::SourceProvider& provider);

}  // namespace rondo::engine
