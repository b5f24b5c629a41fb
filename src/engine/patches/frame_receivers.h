// The receivers (`this`) of the functions on a stack, kept beside its frames: V8 writes them into stacks ("at A.m"), and the engine's
// frames have none. A receiver is a frame of its own behind the frame that it belongs to, without code but with an index: the engine
// keeps and forgets it with the others, and whoever reads frames has to skip it.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/StackFrame.h>

namespace rondo::engine {

using Frames = WTF::Vector<JSC::StackFrame>;

// Called when a stack is taken: `frames` are those of functions that run now, without the newest `skip`.
void add_receivers(JSC::VM& vm, JSC::JSCell* owner, Frames& frames, size_t skip);

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
