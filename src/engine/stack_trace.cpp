// See stack_trace.h.
#include "engine/stack_trace.h"

#include "engine/source.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/ScriptExecutable.h>

namespace rondo::engine {

namespace {

constexpr size_t kDefaultLimit = 10;

JSC::SourceProvider* provider_of(const JSC::StackFrame& frame) {
  auto* block = frame.codeBlock();
  if (!block) return nullptr;
  return block->ownerExecutable()->source().provider();
}

std::string place(const FrameInfo& frame) {
  std::string text = frame.url.empty() ? "<anonymous>" : frame.url;
  if (frame.line) text += ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column);
  return text;
}

std::string format(const FrameInfo& frame) {
  std::string name = frame.function;
  if (frame.is_wrapper && name.empty()) name = "Object.<anonymous>";
  if (frame.is_constructor) name = "new " + (name.empty() ? "<anonymous>" : name);
  if (name.empty()) return "\n    at " + place(frame);
  return "\n    at " + name + " (" + place(frame) + ")";
}

std::string format(JSC::VM& vm, const WTF::Vector<JSC::StackFrame>& frames) {
  std::string text;
  for (const auto& frame : frames) text += format(describe(vm, frame));
  return text;
}

// "Name: message" as Error.prototype.toString gives it, without running any JavaScript.
std::string header(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  if (auto* error = JSC::jsDynamicCast<JSC::ErrorInstance*>(object)) return to_utf8(error->sanitizedToString(realm));
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  auto read = [&](const JSC::Identifier& name) -> std::string {
    Value value = object->get(realm, name);
    if (scope.exception()) {
      scope.clearException();
      return {};
    }
    return value.isString() ? to_utf8(JSC::asString(value)->value(realm)) : std::string();
  };
  std::string name = read(vm.propertyNames->name), message = read(vm.propertyNames->message);
  if (name.empty()) name = JSC::jsDynamicCast<JSC::ErrorInstance*>(object) ? "Error" : "";
  if (name.empty() && message.empty()) return "Error";
  if (name.empty()) return "Error: " + message;
  return message.empty() ? name : name + ": " + message;
}

size_t frame_limit(JSC::JSGlobalObject* realm) { return realm->stackTraceLimit().value_or(kDefaultLimit); }

Value frame_array(JSC::JSGlobalObject* realm, const WTF::Vector<JSC::StackFrame>& frames) {
  auto& vm = realm->vm();
  JSC::MarkedArgumentBuffer items;
  for (const auto& frame : frames) {
    FrameInfo info = describe(vm, frame);
    JSC::MarkedArgumentBuffer parts;
    parts.append(info.function.empty() ? JSC::jsNull() : make_string(vm, info.function));
    parts.append(info.url.empty() ? JSC::jsNull() : make_string(vm, info.url));
    parts.append(JSC::jsNumber(info.line));
    parts.append(JSC::jsNumber(info.column));
    parts.append(
        JSC::jsNumber((info.is_constructor ? 1 : 0) | (info.is_top_level ? 2 : 0) | (info.is_wrapper ? 4 : 0)));
    Value callee = frame.callee() && frame.callee()->isObject() ? Value(frame.callee()) : JSC::jsUndefined();
    parts.append(callee);
    items.append(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), parts));
  }
  return JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), items);
}

WTF::Vector<JSC::StackFrame> collect(JSC::JSGlobalObject* realm, JSC::JSCell* owner, Value after, size_t limit) {
  WTF::Vector<JSC::StackFrame> frames;
  JSC::JSCell* caller = after.isCallable() ? after.asCell() : nullptr;
  realm->vm().interpreter.getStackTrace(owner, frames, caller ? 0 : 1, limit, caller);
  return frames;
}

WTF::String compute_stack(JSC::VM& vm, WTF::Vector<JSC::StackFrame>& frames, unsigned& line, unsigned& column,
                          WTF::String& url, JSC::JSObject* object) {
  for (const auto& frame : frames) {
    FrameInfo info = describe(vm, frame);
    if (!info.line) continue;
    line = info.line;
    column = info.column;
    url = to_wtf(info.url);
    break;
  }
  auto* realm = object ? object->globalObject() : nullptr;
  std::string head = realm ? header(realm, object) : "Error";
  return to_wtf(head + format(vm, frames));
}

}  // namespace

FrameInfo describe(JSC::VM& vm, const JSC::StackFrame& frame) {
  FrameInfo info;
  info.function = to_utf8(frame.functionName(vm));
  if (auto* provider = provider_of(frame)) {
    info.url = to_utf8(provider->sourceURL());
    if (frame.hasLineAndColumnInfo()) {
      frame.computeLineAndColumn(info.line, info.column);
      unsigned wrapper = wrapper_lines(*provider);
      info.line = info.line > wrapper ? info.line - wrapper : 1;
    }
    auto* block = frame.codeBlock();
    info.is_constructor = block->isConstructor();
    info.is_top_level = block->codeType() != JSC::FunctionCode;
    if (info.is_top_level) info.function.clear();  // the engine says "module code" and "global code"
    // The wrapper is the function whose text begins where the wrapper does: on the line that is not the user's.
    info.is_wrapper = wrapper_lines(*provider) && !info.is_top_level && block->ownerExecutable()->firstLine() == 1;
  }
  return info;
}

void install_stack_format(JSC::VM& vm) {
  vm.setOnComputeErrorInfo([](JSC::VM& vm, WTF::Vector<JSC::StackFrame>& frames, unsigned& line, unsigned& column,
                              WTF::String& url,
                              JSC::JSObject* object) { return compute_stack(vm, frames, line, column, url, object); });
}

Encoded capture_stack_trace(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* target = call.object(0);
  if (!target) return call.type_error("Invalid argument");
  auto frames = collect(realm, target, call.at(1), frame_limit(realm));
  if (auto* error = JSC::jsDynamicCast<JSC::ErrorInstance*>(target)) error->materializeErrorInfoIfNeeded(vm);

  Value stack;
  if (auto* prepare = Realm::from(realm)->hook(Hook::PrepareStackTrace)) {
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(target);
    arguments.append(frame_array(realm, frames));
    stack = JSC::call(realm, prepare, arguments, "prepareStackTrace"_s);
    RETURN_IF_EXCEPTION(scope, {});
  } else {
    stack = make_string(vm, header(realm, target) + format(vm, frames));
  }
  JSC::PropertyDescriptor descriptor(stack, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  target->methodTable()->defineOwnProperty(target, realm, vm.propertyNames->stack, descriptor, true);
  RETURN_IF_EXCEPTION(scope, {});
  return call.undefined();
}

Encoded stack_frames(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  size_t limit = call.at(1).isNumber() ? call.uint32(1) : frame_limit(realm);
  return call.value(frame_array(realm, collect(realm, realm, call.at(0), limit)));
}

ThrowSite throw_site(JSC::VM& vm, JSC::Exception* exception) {
  ThrowSite site;
  auto take_line = [&](JSC::SourceProvider& provider, unsigned physical_line) {
    unsigned line = 1;
    auto text = provider.source();
    unsigned start = 0;
    while (line < physical_line) {
      auto next = text.find('\n', start);
      if (next == WTF::notFound) return;
      start = next + 1;
      line++;
    }
    auto end = text.find('\n', start);
    auto slice = text.substring(start, (end == WTF::notFound ? text.length() : end) - start);
    site.text = to_utf8(slice.toString());
  };
  for (const auto& frame : exception->stack()) {
    auto* provider = provider_of(frame);
    FrameInfo info = describe(vm, frame);
    if (!provider || !info.line || info.url.starts_with("node:")) continue;
    site.url = info.url;
    site.line = info.line;
    site.column = info.column;
    take_line(*provider, info.line + wrapper_lines(*provider));
    break;
  }
  return site;
}

}  // namespace rondo::engine
