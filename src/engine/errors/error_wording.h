// How the engine's own errors are worded; see error_wording.cpp. Called only by error_makers.cpp.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

using SourceAppender = JSC::ErrorInstance::SourceAppender;
using ErrorWhere = JSC::ErrorInstance::SourceTextWhereErrorOccurred;

// The message in Node's words; unchanged when it is not one of the engine's.
WTF::String reword(JSC::JSGlobalObject* realm, const WTF::String& message);
// The same for messages that the engine completes with the text of the failing expression.
SourceAppender reword(SourceAppender appender);

}  // namespace rondo::engine
