// Stacks in the format npm packages parse ("    at f (file:line:col)"), Error.captureStackTrace, and the frames behind
// Error.prepareStackTrace. The engine calls format through a hook when a program first reads `stack`.
#pragma once

#include "engine/core/realm.h"

#include <vector>

namespace rondo::engine {

struct FrameInfo {
  std::string function;  // may be empty
  std::string url;       // may be empty: native code
  unsigned line = 0;     // one-based; 0 when unknown
  unsigned column = 0;
  bool is_constructor = false;
  bool is_top_level = false;  // module or script code, not a function
  bool is_wrapper = false;    // the body of a CommonJS module
  bool is_async = false;      // waits for the frame before
};

FrameInfo describe(JSC::VM& vm, const JSC::StackFrame& frame);

void install_stack_format(JSC::VM& vm);
// Error.captureStackTrace(target, after) and native frames for call sites.
Value capture_stack_trace(Call& call);
// (after?, limit) → [[function, url, line, column, flags], …] of the caller.
Value stack_frames(Call& call);

// The stack of the native function's caller as text: lines, each after a line break.
std::string current_stack(JSC::JSGlobalObject* realm);

// Where an uncaught exception was thrown: the source line for the report, empty when there is none.
struct ThrowSite {
  std::string url;
  unsigned line = 0;
  unsigned column = 0;
  std::string text;
};
ThrowSite throw_site(JSC::VM& vm, JSC::Exception* exception);
// The lines of its stack, each after a line break.
std::string throw_stack(JSC::VM& vm, JSC::Exception* exception);

}  // namespace rondo::engine
