// See frame_info.h.
#include "engine/errors/frame_info.h"

#include "engine/core/source.h"
#include "engine/errors/await_place.h"
#include "engine/errors/frame_place.h"
#include "engine/errors/receiver_names.h"
#include "engine/patches/async_frames.h"
#include "engine/patches/microtask_queue.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/ScriptExecutable.h>

namespace rondo::engine {

namespace {

// The class whose constructor is not written: its code is a text of the engine's, its place in Node is the class.
std::optional<JSC::SourceCode> class_without_constructor(JSC::FunctionExecutable* function) {
  if (!function || !function->isClass()) return std::nullopt;
  auto source = function->classSource();
  if (source.isNull() || source.provider() == function->source().provider()) return std::nullopt;
  return source;
}

void set_class_place(const JSC::SourceCode& source, FrameInfo& info) {
  info.url = to_utf8(source.provider()->sourceURL());
  const auto text = source.provider()->source();
  const auto start = std::min(static_cast<unsigned>(source.startOffset()), text.length());
  auto line = static_cast<unsigned>(std::max(0, source.provider()->startPosition().m_line.zeroBasedInt())) + 1;
  unsigned line_start = 0;
  for (unsigned i = 0; i < start; i++) {
    if (text[i] != '\n') continue;
    line++;
    line_start = i + 1;
  }
  const unsigned wrapper = wrapper_lines(*source.provider());
  info.line = line > wrapper ? line - wrapper : 1;
  info.column = start - line_start + 1;
}

// Of the places that the engine knows, in Node's terms.
void set_place(const JSC::StackFrame& frame, JSC::SourceProvider& provider, FrameInfo& info) {
  if (!frame.hasLineAndColumnInfo()) return;
  frame.computeLineAndColumn(info.line, info.column);
  if (frame.hasBytecodeIndex()) move_to_operation(frame.codeBlock(), frame.bytecodeIndex(), info.line, info.column);
  const unsigned wrapper = wrapper_lines(provider);
  info.line = info.line > wrapper ? info.line - wrapper : 1;
}

// The place of an async function that waits is its await; the engine knows the last call before it.
void set_await_place(const JSC::StackFrame& frame, JSC::SourceProvider& provider, FrameInfo& info) {
  auto* block = frame.codeBlock();
  auto point = frame.hasBytecodeIndex() ? await_point_at(block, frame.bytecodeIndex().offset()) : std::nullopt;
  if (!point) return;
  const auto& source = block->ownerExecutable()->source();
  const auto text = provider.source();
  const auto begin = static_cast<unsigned>(source.startOffset());
  const auto found =
      find_await(text, begin, static_cast<unsigned>(source.endOffset()), point->place_before, point->awaits_between);
  if (!found) return;
  auto line = static_cast<unsigned>(source.firstLine().oneBasedInt());
  for (unsigned i = begin; i < *found; i++) line += text[i] == '\n';
  unsigned line_start = *found;
  while (line_start > 0 && text[line_start - 1] != '\n') line_start--;
  const auto origin = line_start == 0 ? static_cast<unsigned>(provider.startPosition().m_column.zeroBasedInt()) : 0;
  const unsigned wrapper = wrapper_lines(provider);
  info.line = line > wrapper ? line - wrapper : 1;
  info.column = *found - line_start + 1 + origin;
}

std::string written_name(JSC::VM& vm, const JSC::StackFrame& frame, JSC::FunctionExecutable* function) {
  if (frame.isWasmFrame() || !frame.callee()) return to_utf8(frame.functionName(vm));
  if (function && function->parseMode() == JSC::SourceParseMode::ClassStaticBlockMode) return "<static_initializer>";
  std::string name = name_of_function(vm, frame.callee());
  const bool has_word = name.starts_with("get ") || name.starts_with("set ");
  if (!function || has_word) return name;
  if (function->parseMode() == JSC::SourceParseMode::GetterMode) return "get " + name;
  if (function->parseMode() == JSC::SourceParseMode::SetterMode) return "set " + name;
  return name;
}

// The wrapper is the function whose text begins where the wrapper does: on the line that is not the user's.
bool is_module_wrapper(JSC::CodeBlock& block, JSC::SourceProvider& provider) {
  return wrapper_lines(provider) && block.codeType() == JSC::FunctionCode && block.ownerExecutable()->firstLine() == 1;
}

// Native constructors find in the place of `this` what `new` stands before: themselves, or a class that extends them.
bool is_native_construction(JSC::JSCell* callee, JSC::JSCell* receiver) {
  auto* target = receiver->getObject();
  for (int i = 0; i < 32 && target && target->isCallable() && target->type() != JSC::ProxyObjectType; i++) {
    if (target == callee) return true;
    target = target->getPrototypeDirect().getObject();
  }
  return false;
}

// An arrow function that uses `this` has the one around it in that place, not what it was called on.
bool has_outer_this(JSC::FunctionExecutable* code) {
  return code && code->isArrowFunction() && (code->features() & JSC::ThisFeature);
}

bool ends_with_method(std::string_view name, std::string_view method) {
  if (!name.ends_with(method)) return false;
  if (name.size() == method.size()) return true;
  const char before = name[name.size() - method.size() - 1];
  return before == '.' || before == ' ';
}

std::string called_method(const FrameInfo& frame) {
  if (frame.function.empty()) return frame.type + "." + (frame.method.empty() ? "<anonymous>" : frame.method);
  std::string name = frame.function;
  if (is_identifier_name(name) && name != frame.type) name = frame.type + "." + name;
  if (frame.method.empty() || ends_with_method(name, frame.method)) return name;
  return name + " [as " + frame.method + "]";
}

}  // namespace

JSC::SourceProvider* provider_of(const JSC::StackFrame& frame) {
  auto* block = frame.codeBlock();
  if (auto source = class_without_constructor(function_of(frame))) return source->provider();
  return block ? block->ownerExecutable()->source().provider() : nullptr;
}

JSC::FunctionExecutable* function_of(const JSC::StackFrame& frame) {
  auto* block = frame.codeBlock();
  return block ? JSC::jsDynamicCast<JSC::FunctionExecutable*>(block->ownerExecutable()) : nullptr;
}

FrameInfo describe(JSC::VM& vm, const JSC::StackFrame& frame) {
  FrameInfo info;
  auto* provider = provider_of(frame);
  auto* function = function_of(frame);
  auto* block = frame.codeBlock();
  const auto class_source = class_without_constructor(function);
  const bool is_wrapper = provider && !class_source && is_module_wrapper(*block, *provider);
  if (!is_wrapper) info.function = written_name(vm, frame, function);
  if (!provider) return info;
  info.url = to_utf8(provider->sourceURL());
  info.is_constructor = block->isConstructor();
  if (function && function->isBuiltinFunction()) {
    if (info.url != kMicrotaskQueueUrl) info.url.clear();
    return info;
  }
  // Node throws at the caller's place.
  info.is_called_class = function && function->isClassConstructorFunction() && !info.is_constructor;
  if (class_source) {
    set_class_place(*class_source, info);
    return info;
  }
  set_place(frame, *provider, info);
  info.is_async = frame.callee() && JSC::jsDynamicCast<JSC::JSGenerator*>(frame.callee());
  if (info.is_async) set_await_place(frame, *provider, info);
  info.is_top_level = block->codeType() != JSC::FunctionCode;
  info.is_eval = block->codeType() == JSC::EvalCode;
  if (info.is_top_level) info.function.clear();
  info.is_wrapper = is_wrapper;
  return info;
}

void add_receiver(JSC::VM& vm, const JSC::StackFrame& frame, JSC::JSCell* receiver, JSC::FunctionExecutable* code,
                  FrameInfo& info) {
  if (info.is_constructor || info.is_top_level || info.is_wrapper) return;
  if (info.function == "<static_initializer>") return;
  if (!frame.codeBlock() && is_native_construction(frame.callee(), receiver)) {
    info.is_constructor = true;
    return;
  }
  const CalledFunction function{frame.callee(), frame.codeBlock() ? code : nullptr};
  info.method = method_name(vm, receiver, function, info.function);
  if (info.method.empty() && has_outer_this(code)) return;
  info.type = type_name(vm, receiver);
}

std::string name_in_stack(const FrameInfo& frame) {
  if (frame.is_wrapper) return "Object.<anonymous>";
  if (frame.is_eval) return "eval";
  if (frame.is_constructor) return "new " + (frame.function.empty() ? "<anonymous>" : frame.function);
  return frame.type.empty() ? frame.function : called_method(frame);
}

std::string place_in_stack(const FrameInfo& frame) {
  std::string text = frame.url.empty() ? "<anonymous>" : frame.url;
  if (frame.line) text += ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column);
  return frame.eval_origin.empty() ? text : frame.eval_origin + ", " + text;
}

}  // namespace rondo::engine
