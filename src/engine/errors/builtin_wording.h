// The words for errors of built-in functions, from the function that threw, its receiver and its arguments. Called by
// error_wording.cpp alone.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Null when the message is not one that needs them.
WTF::String word_builtin(JSC::JSGlobalObject* realm, WTF::StringView message);

// A built-in function calls what its argument lacks.
WTF::String word_unwanted_argument(JSC::JSGlobalObject* realm);

// For errors that the engine makes without a word.
WTF::String word_silent(JSC::JSGlobalObject* realm);

// The realm that the error of a class called without `new` is of: the class's own by the language, but pages know nothing of the
// realm that their interfaces are made in, and it is the caller's there.
JSC::JSGlobalObject* realm_for_static(JSC::JSGlobalObject* realm, WTF::StringView message);

// The operation of Array.prototype.push and its kin on an array that forbids it; null when no such function runs.
WTF::String word_array_write(JSC::JSGlobalObject* realm);

}  // namespace rondo::engine
