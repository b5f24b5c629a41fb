// See function_label.h.
#include "engine/core/function_label.h"

#include "engine/errors/async_wrapper.h"
#include "engine/core/source.h"
#include "engine/errors/stack_trace.h"

#include <JavaScriptCore/FunctionExecutable.h>

namespace rondo::engine {

std::string function_label(Value value) {
  if (!value.isCell()) return {};
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(value.asCell());
  if (!function) return {};
  // A function named by a computed key, or by the program itself, has its name as a property.
  auto& vm = function->vm();
  Value own = function->getDirect(vm, vm.propertyNames->name);
  std::string name = to_utf8(own && own.isString() ? JSC::asString(own)->tryGetValue() : function->name(vm));
  if (function->isHostFunction()) return name.empty() ? "native" : name + " (native)";
  // Not the helpers of the engine's promises.
  if (function->isBuiltinFunction()) {
    bool is_public = function->jsExecutable()->implementationVisibility() == JSC::ImplementationVisibility::Public;
    return is_public && !name.empty() ? name + " (native)" : "";
  }
  auto* async = wrapper_of_async_body(function->jsExecutable());
  if (async) name = to_utf8(async->ecmaName().string());
  const auto& source = async ? *async : *function->jsExecutable();
  const auto wrapper = static_cast<int>(wrapper_lines(*source.source().provider()));
  const int line = source.firstLine() > wrapper ? source.firstLine() - wrapper : 1;
  const std::string place =
      to_utf8(source.sourceURL()) + ":" + std::to_string(line) + ":" + std::to_string(source.startColumn());
  return name.empty() ? place : name + " (" + place + ")";
}

std::string program_function_label(Value value) {
  auto* function = value && value.isCell() ? JSC::jsDynamicCast<JSC::JSFunction*>(value.asCell()) : nullptr;
  if (!function || function->isHostFunction() || function->isBuiltinFunction()) return {};
  return function->jsExecutable()->sourceURL().startsWith("node:"_s) ? std::string() : function_label(value);
}

namespace {

std::optional<FrameInfo> running_frame(JSC::VM& vm) {
  constexpr size_t kDeepest = 16;  // frames of the engine and of lib/ around a queueing call
  WTF::Vector<JSC::StackFrame> frames;
  vm.interpreter.getStackTrace(nullptr, frames, 0, kDeepest);
  for (const auto& frame : frames) {
    FrameInfo info = describe(vm, frame);
    if (!info.url.empty() && !info.url.starts_with("node:")) return info;
  }
  return std::nullopt;
}

std::string place_of(const FrameInfo& frame) {
  return frame.url + ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column);
}

}  // namespace

std::string running_place(JSC::VM& vm) {
  auto frame = running_frame(vm);
  return frame ? place_of(*frame) : std::string();
}

std::string running_function_label(JSC::VM& vm) {
  auto frame = running_frame(vm);
  if (!frame) return {};
  return frame->function.empty() ? place_of(*frame) : frame->function + " (" + place_of(*frame) + ")";
}

}  // namespace rondo::engine
