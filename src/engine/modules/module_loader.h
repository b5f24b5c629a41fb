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

// Puts our functions before those of a realm's loader; does nothing the second time.
void prepare_module_loader(JSC::JSGlobalObject* global);

// Reads and parses the graph of the module with this key, without giving any other microtask a chance to run. Undefined when that is done, a
// promise when it waits for a load further up the stack. `type` is a number of ScriptFetchParameters::Type, or undefined.
CallOutcome load_module(Realm* realm, const WTF::String& key, Value type);
// Links the graph of an entry that has been loaded; does nothing the second time.
CallOutcome link_module(Realm* realm, Value entry);

// All of it at once, for require(). Refuses a graph that awaits at a top level.
CallOutcome evaluate_sync(Realm* realm, const WTF::String& key);
// The loader's entry for a key, which lib/internal/modules/evaluation knows how to read; undefined when there is none.
Value module_entry(Realm* realm, const WTF::String& key);
// The namespace of a module that has been evaluated, or empty.
CallOutcome namespace_of(Realm* realm, const WTF::String& key);

}  // namespace rondo::engine
