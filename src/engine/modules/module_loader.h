// ES modules: the engine's loader asks here, and here asks the JavaScript hooks (lib/internal/modules). Keys are URLs
// (file:, node:, data:). Also the synchronous load that require() of an ES module needs.
#pragma once

#include "engine/core/realm.h"

namespace rondo::engine {

// Entries of the realm's method table.
JSC::Identifier resolve_module(JSC::JSGlobalObject*, JSC::JSModuleLoader*, Value specifier, Value referrer,
                               Value fetcher);
JSC::JSInternalPromise* fetch_module(JSC::JSGlobalObject*, JSC::JSModuleLoader*, Value key, Value parameters,
                                     Value fetcher);
JSC::JSInternalPromise* import_module(JSC::JSGlobalObject*, JSC::JSModuleLoader*, JSC::JSString* specifier,
                                      Value parameters, const JSC::SourceOrigin& origin);
JSC::JSObject* create_import_meta(JSC::JSGlobalObject*, JSC::JSModuleLoader*, Value key, JSC::JSModuleRecord*,
                                  Value fetcher);

// Loads, links and evaluates the module with this key; the promise settles with its namespace.
JSC::JSInternalPromise* import_by_key(Realm* realm, const WTF::String& key);

// The same without giving any other microtask a chance to run. Only loading is done; on success linking and evaluation are
// synchronous: returns the evaluation's result (a promise when the graph uses top-level await, else undefined).
CallOutcome evaluate_sync(Realm* realm, const WTF::String& key);
enum class ModuleStatus { Absent, Linking, Evaluated };
ModuleStatus module_status(Realm* realm, const WTF::String& key);
// The namespace of a module that has been evaluated, or empty.
CallOutcome namespace_of(Realm* realm, const WTF::String& key);

}  // namespace rondo::engine
