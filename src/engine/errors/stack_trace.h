// Stacks in the format npm packages parse ("    at f (file:line:col)"), Error.captureStackTrace, and the frames behind
// Error.prepareStackTrace. The engine calls format through a hook when a program first reads `stack`.
#pragma once

#include "engine/core/realm.h"
#include "engine/errors/frame_info.h"

namespace rondo::engine {

// Bits of a frame's flags, see stack_frames; lib/internal/errors/call_site.js reads them from native('util').
enum FrameFlag : int { kIsConstructor = 1, kIsWrapper = 2, kIsAsync = 4, kIsEval = 8 };

void install_stack_format(JSC::VM& vm);
// Error.captureStackTrace(target, after) and native frames for call sites.
Value capture_stack_trace(Call& call);
// (after?, limit) → [[function, url, line, column, flags, callee, receiver, type, method, name and place as
// shown, where eval() was called], …] of the caller.
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
