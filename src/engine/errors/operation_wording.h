// The words for an operation that failed in JavaScript code: reading or writing a property, calling, iterating, taking apart. All of it
// comes from the operation and its operands (patches/code_point.h). Called by error_wording.cpp alone.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// The engine's message about a value ("5 is not a function"), in Node's words for the operation at hand; null when it has none.
WTF::String word_operation(JSC::JSGlobalObject* realm, const WTF::String& message);
// A write, definition or deletion that the object forbids.
WTF::String word_forbidden_write(JSC::JSGlobalObject* realm, WTF::StringView message);
// A variable read before its declaration ran.
WTF::String word_early_read(JSC::JSGlobalObject* realm);
// Errors the compiler put into the code: taking undefined apart, a constant assigned to.
WTF::String word_static(JSC::JSGlobalObject* realm, const WTF::String& message);
// A spread of what cannot be iterated.
WTF::String word_spread(JSC::JSGlobalObject* realm);
// A proxy that has been revoked.
WTF::String word_revoked(JSC::JSGlobalObject* realm);
// Private members of classes.
WTF::String word_private(JSC::JSGlobalObject* realm, WTF::StringView message);

// A value as Node shows it inside a message: `#<Foo>`, `[object Array]`, `Symbol(x)`, a function's source.
WTF::String shown(JSC::JSGlobalObject* realm, Value value);
// With its type before it: `number 5`, `string "x"`, `object null`.
WTF::String shown_with_type(JSC::JSGlobalObject* realm, Value value);

}  // namespace rondo::engine
