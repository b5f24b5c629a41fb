// How the engine's own errors are worded; see error_wording.cpp. Called only by error_makers.cpp.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The message in Node's words; unchanged when it is not one of the engine's.
WTF::String reword(JSC::JSGlobalObject* realm, const WTF::String& message);
// The same for what the engine says of a value that an operation cannot use.
WTF::String reword_operation(JSC::JSGlobalObject* realm, const WTF::String& message);
// The same for errors that the compiler has put into the code.
WTF::String reword_static(JSC::JSGlobalObject* realm, const WTF::String& message);

}  // namespace rondo::engine
