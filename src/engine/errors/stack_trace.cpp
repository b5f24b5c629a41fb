// See stack_trace.h.
#include "engine/errors/stack_trace.h"

#include "engine/errors/async_wrapper.h"
#include "engine/patches/microtask_queue.h"
#include "engine/core/context_realm.h"
#include "engine/core/source.h"
#include "engine/core/vm_state.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/ScriptExecutable.h>
#include <wtf/text/SymbolRegistry.h>

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

// Function.prototype.apply and the like are functions of their own here, and so is the microtask queue; elsewhere they leave no
// frame. Nor do the constructors of our coded errors: the one who threw comes first.
bool is_plumbing(const FrameInfo& frame) {
  if (frame.url == kMicrotaskQueueUrl) return true;
  if (frame.url.empty())
    return frame.function == "apply" || frame.function == "call" || frame.function == "executeModule";
  // Of the evaluation of modules one frame is shown.
  if (frame.url == "node:internal/modules/evaluation") return frame.function != "evaluate";
  if (frame.url == "node:bootstrap/90_main") return frame.function.empty();
  return frame.url.starts_with("node:internal/errors/") && (frame.is_constructor || frame.function == "construct");
}

JSC::FunctionExecutable* function_of(const JSC::StackFrame& frame) {
  return frame.codeBlock() ? JSC::jsDynamicCast<JSC::FunctionExecutable*>(frame.codeBlock()->ownerExecutable())
                           : nullptr;
}

// An async function that has not awaited yet is two frames, its body and the function that was called: shown as one.
template <typename Show>
void for_each_shown(JSC::VM& vm, const WTF::Vector<JSC::StackFrame>& frames, Show show) {
  const bool may_look_around = vm.heap.mutatorState() == JSC::MutatorState::Running;
  JSC::FunctionExecutable* wrapper = nullptr;
  for (const auto& frame : frames) {
    FrameInfo info = describe(vm, frame);
    if (is_plumbing(info)) continue;
    auto* function = function_of(frame);
    if (function && function == std::exchange(wrapper, nullptr)) continue;
    if (function && may_look_around) wrapper = wrapper_of_async_body(function);
    if (wrapper) info.function = to_utf8(wrapper->ecmaName().string());
    show(info, frame);
  }
}

// The engine names only the method; npm packages and people expect "Array.map".
const char* owner_of_builtin(std::string_view name) {
  static constexpr std::string_view kArray[] = {"forEach", "map",   "filter", "reduce",    "reduceRight",
                                                "some",    "every", "find",   "findIndex", "findLast",
                                                "flatMap", "sort",  "from"};
  for (auto method : kArray) {
    if (name == method) return "Array.";
  }
  if (name == "parse" || name == "stringify") return "JSON.";
  return "";
}

std::string format(const FrameInfo& frame) {
  std::string name = frame.function;
  if (frame.is_wrapper && name.empty()) name = "Object.<anonymous>";
  if (frame.url.empty() && !name.empty()) name = owner_of_builtin(name) + name;
  if (frame.is_constructor) name = "new " + (name.empty() ? "<anonymous>" : name);
  const char* at = frame.is_async ? "\n    at async " : "\n    at ";
  if (name.empty()) return at + place(frame);
  return at + name + " (" + place(frame) + ")";
}

std::string format(JSC::VM& vm, const WTF::Vector<JSC::StackFrame>& frames) {
  std::string text;
  for_each_shown(vm, frames, [&](const FrameInfo& info, const JSC::StackFrame&) { text += format(info); });
  return text;
}

// A plain string found on the object or up its prototypes, without running getters or proxy traps.
std::optional<std::string> plain_text(JSC::VM& vm, JSC::JSObject* object, const JSC::Identifier& name) {
  constexpr int kMaxPrototypes = 32;
  for (int i = 0; i < kMaxPrototypes && object->type() != JSC::ProxyObjectType; i++) {
    Value value = object->getDirect(vm, name);
    if (value && value.isString()) {
      auto text = JSC::asString(value)->tryGetValue();
      return to_utf8(text);
    }
    if (value) return std::nullopt;
    Value prototype = object->getPrototypeDirect();
    if (!prototype.isObject()) break;
    object = JSC::asObject(prototype);
  }
  return std::nullopt;
}

// Errors of lib/internal/errors/coded say their code in the stack: "TypeError [ERR_X]: message". They are known by a mark on
// their prototype.
bool shows_code(JSC::VM& vm, JSC::JSObject* error) {
  auto mark = JSC::Identifier::fromUid(vm.symbolRegistry().symbolForKey("rondo.error.coded"_s));
  Value prototype = error->getPrototypeDirect();
  return error->getDirect(vm, mark) || (prototype.isObject() && JSC::asObject(prototype)->getDirect(vm, mark));
}

std::string plain_header(JSC::VM& vm, JSC::JSObject* error) {
  std::string name = plain_text(vm, error, vm.propertyNames->name).value_or("Error");
  std::string message = plain_text(vm, error, vm.propertyNames->message).value_or("");
  return message.empty() ? name : name + ": " + message;
}

// The error's name. A getter runs, as it does where errors become text; what it throws is left out.
std::string name_of(JSC::JSGlobalObject* realm, JSC::JSObject* error) {
  auto& vm = realm->vm();
  if (auto plain = plain_text(vm, error, vm.propertyNames->name)) return *plain;
  auto scope = DECLARE_CATCH_SCOPE(vm);
  Value name = error->get(realm, vm.propertyNames->name);
  WTF::String text = !scope.exception() && name.isString() ? JSC::asString(name)->value(realm) : WTF::String();
  scope.clearException();
  return text.isNull() ? "Error" : to_utf8(text);
}

std::string error_header(JSC::JSGlobalObject* realm, JSC::JSObject* error) {
  auto& vm = realm->vm();
  std::string name = name_of(realm, error);
  std::string message = plain_text(vm, error, vm.propertyNames->message).value_or("");
  if (shows_code(vm, error)) {
    if (auto code = plain_text(vm, error, identifier(vm, "code"))) name += " [" + *code + "]";
  }
  if (name.empty()) return message;
  return message.empty() ? name : name + ": " + message;
}

// "Name: message" as Error.prototype.toString gives it.
std::string header(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  if (JSC::jsDynamicCast<JSC::ErrorInstance*>(object)) return error_header(realm, object);
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
  for_each_shown(vm, frames, [&](const FrameInfo& info, const JSC::StackFrame& frame) {
    JSC::MarkedArgumentBuffer parts;
    parts.append(info.function.empty() ? JSC::jsNull() : make_string(vm, info.function));
    parts.append(info.url.empty() ? JSC::jsNull() : make_string(vm, info.url));
    parts.append(JSC::jsNumber(info.line));
    parts.append(JSC::jsNumber(info.column));
    parts.append(JSC::jsNumber((info.is_constructor ? 1 : 0) | (info.is_top_level ? 2 : 0) | (info.is_wrapper ? 4 : 0) |
                               (info.is_async ? 8 : 0)));
    // A page learns of no function of the library.
    const bool is_hidden = VmState::of(vm).has_pages && frame.callee() && frame.callee()->isObject() &&
                           !JSC::jsDynamicCast<ContextRealm*>(frame.callee()->getObject()->globalObject());
    const bool has_callee = frame.callee() && frame.callee()->isObject() && !info.is_async && !is_hidden;
    Value callee = has_callee ? Value(frame.callee()) : JSC::jsUndefined();
    parts.append(callee);
    items.append(make_array(realm, parts));
  });
  return make_array(realm, items);
}

bool is_name_character(UChar c) { return WTF::isASCIIAlphanumeric(c) || c == '_' || c == '$' || c == '#' || c >= 0x80; }

// The engine's place of a `throw` is its end, lines further down perhaps; Node's is the word. False: not a throw.
bool move_to_throw(JSC::CodeBlock& block, JSC::BytecodeIndex index, JSC::SourceProvider& provider, FrameInfo& info) {
  int divot = 0, start_offset = 0, end_offset = 0;
  unsigned line = 0, column = 0;
  block.expressionRangeForBytecodeIndex(index, divot, start_offset, end_offset, line, column);
  auto text = provider.source();
  int start = divot - start_offset;
  if (start < 0 || start_offset < 6 || static_cast<unsigned>(divot) > text.length()) return false;
  if (text.substring(start, 5) != "throw"_s || is_name_character(text[start + 5])) return false;
  for (int i = start; i < divot; i++) {
    if (text[i] == '\n' && info.line > 1) info.line--;
  }
  int line_start = start;
  while (line_start > 0 && text[line_start - 1] != '\n') line_start--;
  info.column = static_cast<unsigned>(start - line_start) + 1;
  return true;
}

// The engine's place of a call is its parenthesis; Node's is the called name, or `new`. How far back that is, on one line.
unsigned distance_to_callee(JSC::CodeBlock& block, JSC::BytecodeIndex index, JSC::SourceProvider& provider) {
  int divot = 0, start_offset = 0, end_offset = 0;
  unsigned line = 0, column = 0;
  block.expressionRangeForBytecodeIndex(index, divot, start_offset, end_offset, line, column);
  auto text = provider.source();
  if (divot <= 0 || static_cast<unsigned>(divot) >= text.length() || text[divot] != '(') return 0;
  int start = divot - start_offset;
  // `new Foo(` begins at `new`; in `new Foo().bar(` the call is bar's.
  bool is_new = start >= 0 && start_offset > 4 && text.substring(start, 4) == "new "_s;
  for (int i = start; is_new && i < divot; i++) is_new = text[i] != '\n' && text[i] != '(';
  if (is_new) return static_cast<unsigned>(start_offset);
  int at = divot;
  while (at > 0 && is_name_character(text[at - 1])) at--;
  return static_cast<unsigned>(divot - at);
}

WTF::Vector<JSC::StackFrame> collect(JSC::JSGlobalObject* realm, JSC::JSCell* owner, Value after, size_t limit) {
  WTF::Vector<JSC::StackFrame> frames;
  JSC::JSCell* caller = after.isCallable() ? after.asCell() : nullptr;
  realm->vm().interpreter.getStackTrace(owner, frames, caller ? 0 : 1, limit, caller);
  return frames;
}

// The function that makes stacks of call sites: the program's own (Error.prepareStackTrace), or the one for source maps. Null
// when the engine's format will do.
JSC::JSObject* custom_prepare(JSC::JSGlobalObject* realm) {
  auto* home = Realm::main(realm);
  if (!home || !home->hook(Hook::PrepareStackTrace)) return nullptr;
  auto& vm = realm->vm();
  Value function = realm->errorConstructor()->getDirect(vm, identifier(vm, "prepareStackTrace"));
  bool is_own = function && function.isCallable() && function != Value(home->hook(Hook::DefaultPrepareStackTrace));
  return is_own ? JSC::asObject(function) : home->hook(Hook::MappedStackTrace);
}

// What the program's own function makes of the frames; may throw.
Value prepare(JSC::JSGlobalObject* realm, JSC::JSObject* function, JSC::JSObject* error,
              const WTF::Vector<JSC::StackFrame>& frames) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(function);
  arguments.append(realm->errorConstructor());
  arguments.append(error);
  arguments.append(frame_array(realm, frames));
  return JSC::call(realm, Realm::main(realm)->hook(Hook::PrepareStackTrace), arguments, "prepareStackTrace"_s);
}

// As in Node, a stack begins where `new` stands: without the constructors between Error and the error's own class.
void drop_constructors(JSC::VM& vm, WTF::Vector<JSC::StackFrame>& frames, JSC::JSObject* error) {
  Value prototype = error->getPrototypeDirect();
  for (size_t i = 0; i < frames.size(); i++) {
    auto* block = frames[i].codeBlock();
    auto* callee = block && block->isConstructor() && frames[i].callee() ? frames[i].callee()->getObject() : nullptr;
    if (!callee) return;
    if (callee->getDirect(vm, vm.propertyNames->prototype) != prototype) continue;
    frames.remove(0, i + 1);
    return;
  }
}

// A mark on errors whose frames are what captureStackTrace() took: all of them count. Programs do not see it.
JSC::Identifier captured_mark(JSC::VM& vm) {
  return JSC::Identifier::fromUid(vm, vm.privateSymbolRegistry().symbolForKey("rondo.captured"_s).ptr());
}

// An error whose stack nobody has asked for gets other frames: its text is made when it is asked for, with the name and message that
// the error has by then, as constructors rely on that give themselves a name last. False when the text is there already.
bool recapture(JSC::VM& vm, JSC::ErrorInstance* error, WTF::Vector<JSC::StackFrame>& frames) {
  auto* kept = error->stackTrace();
  if (!kept || frames.isEmpty()) return false;
  auto without = frames;
  drop_constructors(vm, without, error);
  if (without.size() != frames.size()) error->putDirect(vm, captured_mark(vm), JSC::jsBoolean(true));
  *kept = WTFMove(frames);
  vm.writeBarrier(error);
  return true;
}

// While a program's own function (prepareStackTrace, a getter of `name`) makes a stack, stacks it asks for are the engine's.
class Formatting {
 public:
  explicit Formatting(Realm* realm) : realm_(realm), is_outermost_(realm && !realm->is_formatting_stack) {
    if (is_outermost_) realm_->is_formatting_stack = true;
  }
  ~Formatting() {
    if (is_outermost_) realm_->is_formatting_stack = false;
  }
  Formatting(const Formatting&) = delete;
  Formatting& operator=(const Formatting&) = delete;

  bool is_outermost() const { return is_outermost_; }

 private:
  Realm* realm_;
  bool is_outermost_;
};

void put_stack(JSC::VM& vm, JSC::JSObject* object, Value stack) {
  object->putDirect(vm, vm.propertyNames->stack, stack, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
}

// What the program's own function makes of the stack; null when it put the property itself, or threw: then the exception is left to
// the one who asked for the stack.
WTF::String custom_stack(JSC::JSGlobalObject* realm, JSC::JSObject* function, JSC::JSObject* object,
                         const WTF::Vector<JSC::StackFrame>& frames, const std::string& plain) {
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  Value stack = prepare(realm, function, object, frames);
  if (scope.exception()) {
    put_stack(vm, object, make_string(vm, plain));
    return {};
  }
  const bool is_mapped = stack.isString() && function == Realm::main(realm)->hook(Hook::MappedStackTrace);
  if (is_mapped) return JSC::asString(stack)->tryGetValue();
  put_stack(vm, object, stack);  // without a text the engine adds no property of its own
  return {};
}

WTF::String compute_stack(JSC::VM& vm, WTF::Vector<JSC::StackFrame>& frames, unsigned& line, unsigned& column,
                          WTF::String& url, JSC::JSObject* object) {
  if (object && !object->getDirect(vm, captured_mark(vm))) drop_constructors(vm, frames, object);
  for (const auto& frame : frames) {
    FrameInfo info = describe(vm, frame);
    if (!info.line) continue;
    line = info.line;
    column = info.column;
    url = to_wtf(info.url);
    break;
  }
  // The frames may be gone after JavaScript has run: it can ask for the same stack.
  const std::string lines = format(vm, frames);
  auto* realm = object ? object->globalObject() : nullptr;  // no object: the collector asks, no JavaScript may run
  if (!realm) return to_wtf("Error" + lines);
  Formatting formatting(Realm::main(realm));
  if (!formatting.is_outermost()) return to_wtf(plain_header(vm, object) + lines);
  auto* function = custom_prepare(realm);
  if (!function) return to_wtf(header(realm, object) + lines);
  return custom_stack(realm, function, object, frames, header(realm, object) + lines);
}

}  // namespace

FrameInfo describe(JSC::VM& vm, const JSC::StackFrame& frame) {
  FrameInfo info;
  info.function = to_utf8(frame.functionName(vm));
  if (auto* provider = provider_of(frame)) {
    info.url = to_utf8(provider->sourceURL());
    auto* block = frame.codeBlock();
    auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(block->ownerExecutable());
    if (function && function->isBuiltinFunction()) {
      if (info.url != kMicrotaskQueueUrl) info.url.clear();
      return {.function = info.function, .url = info.url};
    }
    bool has_word = info.function.starts_with("get ") || info.function.starts_with("set ");
    if (function && !has_word && function->parseMode() == JSC::SourceParseMode::GetterMode)
      info.function = "get " + info.function;
    if (function && !has_word && function->parseMode() == JSC::SourceParseMode::SetterMode)
      info.function = "set " + info.function;
    if (frame.hasLineAndColumnInfo()) {
      frame.computeLineAndColumn(info.line, info.column);
      if (frame.hasBytecodeIndex() && !move_to_throw(*block, frame.bytecodeIndex(), *provider, info)) {
        unsigned back = distance_to_callee(*block, frame.bytecodeIndex(), *provider);
        if (back < info.column) info.column -= back;
      }
      unsigned wrapper = wrapper_lines(*provider);
      info.line = info.line > wrapper ? info.line - wrapper : 1;
    }
    info.is_async = frame.callee() && JSC::jsDynamicCast<JSC::JSGenerator*>(frame.callee());
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

Value capture_stack_trace(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* target = call.object(0);
  if (!target) return call.type_error("Invalid argument");
  auto frames = collect(realm, target, call.at(1), frame_limit(realm));
  auto* error = JSC::jsDynamicCast<JSC::ErrorInstance*>(target);
  if (error && recapture(vm, error, frames)) return call.undefined();
  if (error) error->materializeErrorInfoIfNeeded(vm);
  RETURN_IF_EXCEPTION(scope, {});

  Formatting formatting(Realm::main(realm));
  const std::string plain = header(realm, target) + format(vm, frames);
  Value stack = make_string(vm, plain);
  if (auto* function = formatting.is_outermost() ? custom_prepare(realm) : nullptr) {
    // In Node the function runs when the stack is asked for: what it throws is not this call's.
    auto catching = DECLARE_CATCH_SCOPE(vm);
    Value made = prepare(realm, function, target, frames);
    if (vm.hasPendingTerminationException()) return {};
    if (!catching.exception()) stack = made;
    catching.clearException();
  }
  JSC::PropertyDescriptor descriptor(stack, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  target->methodTable()->defineOwnProperty(target, realm, vm.propertyNames->stack, descriptor, true);
  RETURN_IF_EXCEPTION(scope, {});
  return call.undefined();
}

Value stack_frames(Call& call) {
  auto* realm = call.realm();
  size_t limit = call.at(1).isNumber() ? call.uint32(1) : frame_limit(realm);
  return call.value(frame_array(realm, collect(realm, realm, call.at(0), limit)));
}

std::string current_stack(JSC::JSGlobalObject* realm) {
  return format(realm->vm(), collect(realm, realm, JSC::jsUndefined(), frame_limit(realm)));
}

std::string throw_stack(JSC::VM& vm, JSC::Exception* exception) { return format(vm, exception->stack()); }

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
    // A script may begin further down in its file (a page's): the text is of the script alone.
    const auto begin = static_cast<unsigned>(std::max(0, provider->startPosition().m_line.zeroBasedInt()));
    if (info.line > begin) take_line(*provider, info.line - begin + lines_before(*provider));
    break;
  }
  return site;
}

}  // namespace rondo::engine
