// The variables of a module for a debugger: the engine's list of a module's names has its imports alone. The linker sends the call here
// (--wrap, see cmake/engine.cmake).
#include "engine/core/jsc.h"

#include <JavaScriptCore/JSSymbolTableObject.h>
#include <JavaScriptCore/PropertyNameArray.h>
#include <JavaScriptCore/SymbolTable.h>

#define RONDO_MODULE_NAMES                                                                                         \
  "_ZN3JSC19JSModuleEnvironment26getOwnSpecialPropertyNamesEPNS_8JSObjectEPNS_14JSGlobalObjectERNS_17PropertyName" \
  "ArrayENS_22DontEnumPropertiesModeE"

extern void real_names(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyNameArray&,
                       JSC::DontEnumPropertiesMode) asm("__real_" RONDO_MODULE_NAMES);
void wrap_names(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyNameArray&,
                JSC::DontEnumPropertiesMode) asm("__wrap_" RONDO_MODULE_NAMES);
void wrap_names(JSC::JSObject* module, JSC::JSGlobalObject* realm, JSC::PropertyNameArray& names,
                JSC::DontEnumPropertiesMode mode) {
  real_names(module, realm, names, mode);
  if (!names.includeStringProperties()) return;
  auto* table = static_cast<JSC::JSSymbolTableObject*>(module)->symbolTable();
  JSC::ConcurrentJSLocker locker(table->m_lock);
  for (auto entry = table->begin(locker), end = table->end(locker); entry != end; ++entry) {
    if (!entry->key->isSymbol()) names.add(entry->key.get());
  }
}
