// Copies of the language's methods for lib/: a copy runs the same code (and is inlined as the original is), but no program can reach it, and
// it has `call` and `apply` of its own. So `arrayPush.call(list, item)` does what `list.push(item)` does before any program runs,
// whatever becomes of Array.prototype.push and Function.prototype.call, and compiles to the same.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The copy that `name` asks for: the word before its first capital says whose prototype (array, string, bytes for all typed arrays, …), the rest is
// the method: arrayPush, stringStartsWith, regexpExec. regexpTest, regexpMatch, regexpSearch and regexpSplit ask no other method.
// To be called before programs run: it copies what the prototypes have now.
JSC::JSFunction* copy_method(JSC::JSGlobalObject* realm, std::string_view name);

}  // namespace rondo::engine
