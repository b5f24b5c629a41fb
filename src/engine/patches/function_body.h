// A text compiled as the body of a function: CommonJS, and the files of lib/. The engine has no such entry, so the text stands between
// the two lines of a function expression (source.cpp); here it is made sure that the text is all of that function's body and nothing
// else, and what the parser says of those two lines is said of the text. Used by source.cpp alone.
#pragma once

#include "engine/core/native.h"

#include <JavaScriptCore/ParserError.h>

namespace rondo::engine {

// A script's code, not linked yet; null with `error` set when it is none. The engine keeps it: running the script parses no second time.
JSC::UnlinkedCodeBlock* compile_program(JSC::JSGlobalObject* realm, const JSC::SourceCode& source,
                                        JSC::ParserError& error);

// The function that `source` is, not run yet; null with `error` set when the text is no body.
JSC::UnlinkedFunctionExecutable* compile_body(JSC::JSGlobalObject* realm, const JSC::SourceCode& source,
                                              JSC::ParserError& error);

}  // namespace rondo::engine
