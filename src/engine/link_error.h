// A module that imports what another does not export: the engine's SyntaxError in the words of Node, which name the module as the
// importer wrote it, and with a stack, which the engine leaves out because nothing runs while modules are linked.
#pragma once

#include "engine/native.h"

namespace rondo::engine {

// Null when the message is not one of these. Calls Hook::MissingExport.
JSC::JSObject* link_error(JSC::JSGlobalObject* realm, const WTF::String& message);

}  // namespace rondo::engine
