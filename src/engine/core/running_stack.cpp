// See running_stack.h.
#include "engine/core/running_stack.h"

#include "engine/errors/async_wrapper.h"
#include "engine/errors/frame_info.h"

#include <JavaScriptCore/Interpreter.h>

namespace rondo::engine {

std::vector<RunningFrame> running_stack(JSC::VM& vm, size_t most) {
  std::vector<RunningFrame> stack;
  if (!vm.topCallFrame) return stack;
  WTF::Vector<JSC::StackFrame> frames;
  vm.interpreter.getStackTrace(nullptr, frames, 0, most);
  for (const auto& frame : frames) {
    FrameInfo info = describe(vm, frame);
    if (info.is_async) break;  // it waits: what runs was called by the loop
    auto* body = function_of(frame);
    if (std::string async = body ? name_of_async_body(body) : ""; !async.empty()) info.function = std::move(async);
    std::string name = name_in_stack(info);
    if (info.is_top_level || info.is_wrapper)
      name = "(top level)";
    else if (name.empty() && !info.url.empty())
      name = "(anonymous)";
    stack.push_back({std::move(name), info.url.empty() ? "" : place_in_stack(info)});
  }
  return stack;
}

}  // namespace rondo::engine
