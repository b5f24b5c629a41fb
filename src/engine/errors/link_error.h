// A module that imports what another does not export: the engine's SyntaxError in the words of Node, which name the module as the
// importer wrote it, and with a stack, which the engine leaves out because nothing runs while modules are linked. And the like for variables of CommonJS in a module.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The sentence that Node adds to "x is not defined" when x is a variable of CommonJS and the body of an ES module asks for it; null
// elsewhere.
WTF::String module_scope_words(JSC::JSGlobalObject* realm, WTF::StringView name);

// Null when the message is not one of these. Calls Hook::MissingExport.
JSC::JSObject* link_error(JSC::JSGlobalObject* realm, const WTF::String& message);

}  // namespace rondo::engine
