// One frame of a stack, as V8 describes it: function, receiver, place. stack_trace.cpp makes lines and call sites of them.
#pragma once

#include "engine/core/realm.h"

#include <JavaScriptCore/StackFrame.h>

namespace rondo::engine {

struct FrameInfo {
  std::string function;  // may be empty
  std::string type;  // of the receiver; empty when the function was called on nothing
  std::string method;  // the receiver's property that holds the function; may be empty
  std::string url;  // may be empty: native code
  std::string eval_origin;  // where eval() was called, when the stack tells: "eval at f (file:1:2)"
  unsigned line = 0;  // one-based; 0 when unknown
  unsigned column = 0;
  bool is_constructor = false;
  bool is_top_level = false;  // module, script or eval code, not a function
  bool is_eval = false;  // the text of a call of eval()
  bool is_wrapper = false;  // the body of a CommonJS module
  bool is_async = false;  // waits for the frame before
  bool is_called_class = false;  // a class called without `new`: no frame in Node
};

// The file that the frame's code is from; null for native code.
JSC::SourceProvider* provider_of(const JSC::StackFrame& frame);
// The function that the frame runs; null for native code and for code of no function.
JSC::FunctionExecutable* function_of(const JSC::StackFrame& frame);

// The frame without its receiver.
FrameInfo describe(JSC::VM& vm, const JSC::StackFrame& frame);
// Adds what depends on the receiver. `code` is the function that was called: not the frame's own for async functions.
void add_receiver(JSC::VM& vm, const JSC::StackFrame& frame, JSC::JSCell* receiver, JSC::FunctionExecutable* code,
                  FrameInfo& info);

// "A.m", "new A", "Object.nm [as named]"; "" for a frame that is only its place.
std::string name_in_stack(const FrameInfo& frame);
// "file:1:2", "<anonymous>".
std::string place_in_stack(const FrameInfo& frame);

}  // namespace rondo::engine
