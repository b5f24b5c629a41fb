// Scripts run in a global object whose prototypes include a Proxy, as jsdom's windows have one for elements by their names. The engine
// refuses to declare a script's variables there and then, although nothing else in it minds. The linker puts the function below
// before that step of the engine (--wrap, see cmake/engine.cmake): while variables are declared, which runs no JavaScript, the
// object that leads to the Proxy leads past it. May go when the engine does not ask.
#include "engine/core/jsc.h"

#include <JavaScriptCore/ProgramExecutable.h>

namespace {

// The object in the chain whose prototype is a Proxy; null when there is none.
JSC::JSObject* leads_to_proxy(JSC::JSObject* object) {
  for (;;) {
    const JSC::JSValue prototype = object->getPrototypeDirect();
    if (!prototype.isObject()) return nullptr;
    if (JSC::asObject(prototype)->type() == JSC::ProxyObjectType) return object;
    object = JSC::asObject(prototype);
  }
}

}  // namespace

#define RONDO_DECLARES \
  "_ZN3JSC17ProgramExecutable26initializeGlobalPropertiesERNS_2VMEPNS_14JSGlobalObjectEPNS_7JSScopeE"

JSC::JSObject* real_declare(JSC::ProgramExecutable*, JSC::VM&, JSC::JSGlobalObject*,
                            JSC::JSScope*) asm("__real_" RONDO_DECLARES);
JSC::JSObject* wrap_declare(JSC::ProgramExecutable*, JSC::VM&, JSC::JSGlobalObject*,
                            JSC::JSScope*) asm("__wrap_" RONDO_DECLARES);

JSC::JSObject* wrap_declare(JSC::ProgramExecutable* program, JSC::VM& vm, JSC::JSGlobalObject* global,
                            JSC::JSScope* scope) {
  JSC::JSObject* leader = leads_to_proxy(global);
  if (!leader) return real_declare(program, vm, global, scope);
  const JSC::JSValue proxy = leader->getPrototypeDirect();
  leader->setPrototypeDirect(vm, JSC::jsNull());
  auto* error = real_declare(program, vm, global, scope);
  leader->setPrototypeDirect(vm, proxy);
  return error;
}
