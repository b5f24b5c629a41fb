// How promises, async functions and async generators settle, where the engine departs from the language (decision 0021). The
// functions are written in the engine's own kind of JavaScript and take the place of its own among the constants that it looks
// up when it links a function. The queue they write to is microtask_queue.h's.
//
//  P1  a promise resolved with a promise calls its then() in a microtask of its own, whatever then() is
//  P2  awaiting what is no promise of the realm goes through a promise, with all its microtasks
//  P3  yield* in an async generator hands a value on without awaiting it
//  P4  a `constructor` getter that throws is thrown where the value is awaited
//  P5  the async context of a reaction ends with it, also when it throws
//  P6  an iterator that is not async is closed when for await or yield* ends with one of its values rejected
//  P7  async hooks are told of promises: made, chained to or awaited, resolved
#pragma once

#include "engine/core/realm.h"

namespace rondo::engine {

// For a realm or a vm context, before any of its code runs. Runs no JavaScript: a context can be made with the last of the stack.
void install_promise_functions(JSC::JSGlobalObject* global);

// A function of the engine's own kind: it sees no global object, no prototype and no setter of the program, and leaves no frame in a
// stack.
JSC::JSFunction* make_builtin(JSC::JSGlobalObject* global, WTF::ASCIILiteral source);
void replace_constant(JSC::JSGlobalObject* global, JSC::LinkTimeConstant constant, JSC::JSObject* function);

}  // namespace rondo::engine
