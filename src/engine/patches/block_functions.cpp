// See block_functions.h.
#include "engine/patches/block_functions.h"

#include "engine/errors/source_reader.h"
#include "engine/patches/function_body.h"

#include <JavaScriptCore/EvalExecutable.h>
#include <JavaScriptCore/Interpreter.h>
#include <JavaScriptCore/UnlinkedCodeBlock.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>

// Undeclared: IndirectEvalExecutable
extern JSC::EvalExecutable*
make_eval(JSC::JSGlobalObject*, const JSC::SourceCode&, JSC::DerivedContextType, bool, JSC::EvalContextType) asm(
    "_ZN3JSC22IndirectEvalExecutable9tryCreateEPNS_14JSGlobal"
    "ObjectERKNS_10SourceCodeENS_18DerivedContextTypeEbNS_15"
    "EvalContextTypeE");

namespace rondo::engine {

namespace {

bool has_function_between(JSC::UnlinkedCodeBlock* code, unsigned from, unsigned to) {
  for (size_t i = 0; i < code->numberOfFunctionDecls(); i++) {
    const unsigned start = code->functionDecl(static_cast<int>(i))->startOffset();
    if (start > from && start < to) return true;
  }
  return false;
}

// Whether one of the functions that the compiler has given to the script stands in a block, and the script declares nothing with let,
// const or class that other scripts may ask for: it would be eval's.
bool has_block_functions(JSC::JSGlobalObject* realm, const JSC::SourceCode& source, Declarations declarations) {
  JSC::ParserError error;
  auto* code = compile_program(realm, source, error);
  if (!code || error.isValid() || code->numberOfFunctionDecls() == 0) return false;
  SourceReader in(source.view());
  bool found = false;
  for (in.skip_space(); !in.at_end(); in.skip_space()) {
    const UChar c = in.peek();
    const unsigned from = in.position();
    if (SourceReader::is_name_start(c)) {
      auto word = in.name();
      const bool declares = word == "let"_s || word == "const"_s || word == "class"_s;
      if (declares && declarations == Declarations::Shared) return false;
    } else if (c == '"' || c == '\'') {
      in.quoted_string();
    } else if (c == '`') {
      in.skip_template();
    } else if (c == '{' || c == '(' || c == '[') {
      in.skip_bracket();
      found = found || (c == '{' && has_function_between(code, from, in.position()));
    } else {
      in.skip();
    }
  }
  return found;
}

}  // namespace

Value evaluate_script(JSC::JSGlobalObject* realm, const JSC::SourceCode& source, Value self,
                      WTF::NakedPtr<JSC::Exception>& exception, Declarations declarations) {
  if (!has_block_functions(realm, source, declarations)) return JSC::evaluate(realm, source, self, exception);
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  Value value = JSC::jsUndefined();
  if (auto* eval = make_eval(realm, source, JSC::DerivedContextType::None, false, JSC::EvalContextType::None))
    value = vm.interpreter.executeEval(eval, realm->globalThis(), realm->globalScope());
  if (scope.exception()) {
    exception = scope.exception();
    scope.clearException();
    return JSC::jsUndefined();
  }
  return value;
}

}  // namespace rondo::engine
