// `return` in the body of an async generator. The language awaits the value of `return value` where it stands: inside of a try, whose
// catch and finally come after it. And it awaits nothing for a plain `return`. The engine's compiler awaits once nothing is left to
// run but the return itself: always, unless there is a finally, and then never. The linker puts the function below before that part
// of the compiler (--wrap, see cmake/engine.cmake); other functions' returns it leaves to the engine. May go when the engine's
// compiler awaits where the language does.
// Layout: ReturnNode, BytecodeGenerator
#include "engine/core/jsc.h"

#include <utility>

#include <JavaScriptCore/UnlinkedCodeBlock.h>

namespace rondo::engine::generator_return {

struct Register {
  int references;
  int index;
  bool is_temporary;
};

// Members of the compiler and of its syntax tree, which no installed header declares.
struct Compiler;
struct Expression {
  virtual ~Expression();
  virtual Register* compile(Compiler&, Register* target);
};
struct Code {
  void* first;
  JSC::UnlinkedCodeBlock** slot;
};
struct Compiler {
  std::byte before[0x18];
  Code* code;
  std::byte between[0x2c5 - 0x20];
  bool is_in_tail_position;
};
struct Return {
  std::byte before[0x50];
  Expression* value;
};

#define RONDO_COMPILER(name) "_ZN3JSC17BytecodeGenerator" name

Register* new_register(Compiler*) asm("_ZN3JSC21BytecodeGeneratorBaseINS_17JSGeneratorTraitsEE11newRegisterEv");
Register* load(Compiler*, Register*, JSC::EncodedJSValue, JSC::SourceCodeRepresentation) asm(
    RONDO_COMPILER("8emitLoadEPNS_10RegisterIDENS_7JSValueENS_24SourceCodeRepresentationE"));
Register* move(Compiler*, Register* to, Register* from) asm(RONDO_COMPILER("8emitMoveEPNS_10RegisterIDES2_"));
void await(Compiler*, Register*) asm(RONDO_COMPILER("9emitAwaitEPNS_10RegisterIDE"));
bool leave_by_finally(Compiler*, Register*) asm(RONDO_COMPILER("28emitReturnViaFinallyIfNeededEPNS_10RegisterIDE"));
Register* leave(Compiler*, Register*, int from) asm(RONDO_COMPILER("10emitReturnEPNS_10RegisterIDENS0_10ReturnFromE"));

constexpr int kNormalReturn = 0;

static Register* awaited(Compiler* compiler, Expression* value) {
  const bool was_tail = std::exchange(compiler->is_in_tail_position, false);  // the await comes after it
  Register* compiled = value->compile(*compiler, nullptr);
  compiler->is_in_tail_position = was_tail;
  compiled->references++;  // else the next one made would be the same
  Register* result = new_register(compiler);
  result->is_temporary = true;
  result->references++;
  move(compiler, result, compiled);
  compiled->references--;
  await(compiler, result);
  return result;
}

#define RONDO_RETURN "_ZN3JSC10ReturnNode12emitBytecodeERNS_17BytecodeGeneratorEPNS_10RegisterIDE"

void real_return(Return*, Compiler*, Register*) asm("__real_" RONDO_RETURN);
void wrap_return(Return*, Compiler*, Register*) asm("__wrap_" RONDO_RETURN);

void wrap_return(Return* node, Compiler* compiler, Register* target) {
  if ((*compiler->code->slot)->parseMode() != JSC::SourceParseMode::AsyncGeneratorBodyMode) {
    return real_return(node, compiler, target);
  }
  Register* result = node->value ? awaited(compiler, node->value)
                                 : load(compiler, nullptr, JSC::JSValue::encode(JSC::jsUndefined()),
                                        JSC::SourceCodeRepresentation::Other);
  if (!leave_by_finally(compiler, result)) leave(compiler, result, kNormalReturn);
  if (node->value) result->references--;
}

}  // namespace rondo::engine::generator_return
