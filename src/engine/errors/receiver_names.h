// The names that V8 writes into stacks beside a function's own: the type of its receiver ("A" in "A.m"), the property that holds the
// function ("named" in "Object.nm [as named]"), and what an assignment calls a function without a name ("exports.f"). stack_trace.cpp
// asks. Nothing here runs JavaScript or allocates in the heap: the collector asks, too, with receivers that are about to go.
#pragma once

#include "engine/core/jsc.h"

#include <string>

namespace rondo::engine {

// Own property, when it is data or an accessor that needs no call to be found; empty otherwise.
JSC::JSValue own_property(JSC::JSObject* object, const JSC::Identifier& name);

// The string's text, of joined parts too.
std::string text_without_allocating(JSC::JSString* string);

// "" when it has none. `name` as a program gave it (a computed key, defineProperty), as it was written, or as the assignment says.
std::string name_of_function(JSC::VM& vm, JSC::JSCell* function);
// The same for code that runs in pieces, whose callee is not the function that was called.
std::string name_of_code(JSC::FunctionExecutable* code);

std::string type_name(JSC::VM& vm, JSC::JSCell* receiver);

// The function that a frame runs: one of a program is known by its code, one of the engine by itself.
struct CalledFunction {
  JSC::JSCell* callee = nullptr;
  JSC::FunctionExecutable* code = nullptr;  // null: the engine's
};
// The property of the receiver or of its prototypes; "" when there is none, or more than one.
std::string method_name(JSC::VM& vm, JSC::JSCell* receiver, CalledFunction function, const std::string& function_name);

// A name that may follow a type: "m", not "get m", "a.b", "[Symbol.iterator]".
bool is_identifier_name(std::string_view name);

}  // namespace rondo::engine
