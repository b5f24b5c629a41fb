// The message of a syntax error where the engine's parser names the token behind the fault: the word before it is
// the fault (an `await` outside of async functions, an `import` in a script), or the place of it. Called where texts are parsed.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/ParserError.h>

namespace rondo::engine {

// The same error with another message and place, in the whole source. A null message keeps the error's own.
JSC::ParserError moved(const JSC::ParserError& error, WTF::StringView source, const WTF::String& message, unsigned from,
                       unsigned to);

// The error, moved to the word before it where that is the fault.
JSC::ParserError at_fault(const JSC::ParserError& error, WTF::StringView source);

// The error, moved to the token that ends before `end`.
JSC::ParserError at_last_token(const JSC::ParserError& error, WTF::StringView source, unsigned end);

}  // namespace rondo::engine
