// Declarations at the top of a script in a vm context belong to the sandbox, not to the global object. The engine makes those
// bindings with two functions that no subclass can replace; the linker (--wrap, see cmake/engine.cmake) sends its calls here.
#include "engine/core/context_realm.h"

using JSC::Identifier;
using JSC::JSGlobalObject;
using rondo::engine::ContextRealm;

#define RONDO_BINDING(name, symbol)                                                  \
  extern void real_##name(JSGlobalObject*, const Identifier&) asm("__real_" symbol); \
  void wrap_##name(JSGlobalObject*, const Identifier&) asm("__wrap_" symbol);        \
  void wrap_##name(JSGlobalObject* global, const Identifier& name_) {                \
    auto* context = JSC::jsDynamicCast<ContextRealm*>(global);                       \
    if (context && context->sandbox())                                               \
      context->declare(name_);                                                       \
    else                                                                             \
      real_##name(global, name_);                                                    \
  }

RONDO_BINDING(symbol_table_entry, "_ZN3JSC14JSGlobalObject19addSymbolTableEntryERKNS_10IdentifierE")
RONDO_BINDING(
    function_binding,
    "_ZN3JSC14JSGlobalObject27createGlobalFunctionBindingILNS_22BindingCreationContextE0EEEvRKNS_10IdentifierE")
RONDO_BINDING(
    eval_function_binding,
    "_ZN3JSC14JSGlobalObject27createGlobalFunctionBindingILNS_22BindingCreationContextE1EEEvRKNS_10IdentifierE")
