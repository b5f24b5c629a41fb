// The receivers (`this`) of the functions on a stack, kept beside its frames: V8 writes them into stacks ("at A.m"), and the engine's
// frames have none. A receiver is a frame of its own behind the frame that it belongs to, without code but with an index: the engine
// keeps and forgets it with the others, and readers of frames have to skip it.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/StackFrame.h>

namespace rondo::engine {

using Frames = WTF::Vector<JSC::StackFrame>;

// The stack of functions that run now, as the engine's getStackTrace takes it, with receivers, in one walk (the engine walks twice).
struct StackWalk {
  size_t skip;  // the newest frames that are left out
  size_t most;  // frames that count: neither receivers nor calls of async functions whose body stands before them
  JSC::JSCell* caller;  // this function and what it called are left out; null: none
  bool with_receivers;
  Frames* frames;
  bool hides_library = false;  // frames of code that is not of a context's realm are left out

  // Found on the way:
  size_t counted = 0;
  bool is_resumed = false;  // an async function was resumed by the microtask queue: others may await it
  JSC::JSGenerator* generator = nullptr;  // of the outermost async function
};

// The generator that a reaction's context or an async body's first argument names; null if none.
JSC::JSGenerator* generator_in(JSC::JSValue value);

void take_stack(JSC::VM& vm, JSC::JSCell* owner, StackWalk& walk);

inline bool is_receiver(const JSC::StackFrame& frame) { return !frame.codeBlock() && frame.hasBytecodeIndex(); }

// The engine calls the functions of a scope on the scope, where the language has undefined.
inline bool is_scope(JSC::JSCell* cell) {
  return (cell->type() >= JSC::FirstScopeType && cell->type() <= JSC::LastScopeType) ||
         cell->type() == JSC::GlobalProxyType;
}

// Of frames[index]; null when it had none, or when compiled code did not keep it.
inline JSC::JSCell* receiver_behind(const Frames& frames, size_t index) {
  return index + 1 < frames.size() && is_receiver(frames[index + 1]) ? frames[index + 1].callee() : nullptr;
}

}  // namespace rondo::engine
