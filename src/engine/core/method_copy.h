// Copies of the language's methods for lib/: a copy runs the same code (and is inlined as the original is), but no program can reach it, and
// its `call` and `apply` come from a prototype that no program can reach either. So `arrayPush.call(list, item)` does what `list.push(item)` does
// before any program runs, whatever becomes of Array.prototype.push and Function.prototype.call, and compiles to the same.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// A method's name says where it is from: the word before its first capital names the prototype (array, string, bytes for all typed arrays, …), the
// rest the method: arrayPush, stringStartsWith, regexpExec. regexpTest, regexpMatch, regexpSearch and regexpSplit ask no other method.
class MethodCopier {
 public:
  explicit MethodCopier(JSC::JSGlobalObject* realm);

  // The realm's method, or undefined where the engine keeps it in a table of its own, which no program changes.
  // To be asked before programs run.
  Value original(std::string_view name);
  // A copy of what original() answered, at any time: a program changes properties of the original, not the code it runs.
  JSC::JSFunction* copy(std::string_view name, Value original);

 private:
  JSC::JSGlobalObject* realm_;
  JSC::Strong<JSC::JSObject> callers_;  // the prototype of all copies: call and apply
};

}  // namespace rondo::engine
