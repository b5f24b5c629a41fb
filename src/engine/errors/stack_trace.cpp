// See stack_trace.h.
#include "engine/errors/stack_trace.h"

#include "engine/core/context_realm.h"
#include "engine/core/source.h"
#include "engine/core/vm_state.h"
#include "engine/errors/async_wrapper.h"
#include "engine/errors/receiver_names.h"
#include "engine/patches/frame_receivers.h"
#include "engine/patches/microtask_queue.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/GetterSetter.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/ScriptExecutable.h>
#include <wtf/text/SymbolRegistry.h>

#include <vector>

namespace rondo::engine {

namespace {

constexpr size_t kDefaultLimit = 10;

// Engine functions that leave no frame in Node: apply(), the microtask queue, what String.prototype.replace() calls.
bool is_engine_plumbing(const FrameInfo& frame) {
  const auto& name = frame.function;
  if (name.empty() || name == "anonymous" || name.starts_with("[Symbol.")) return true;
  return name == "apply" || name == "call" || name == "construct" || name == "executeModule" ||
         (frame.is_constructor && name == "Proxy");
}

// The constructors of our coded errors leave none either, so that the one who threw comes first; nor the functions of lib/ that stand
// before one of the engine's.
bool is_plumbing(const FrameInfo& frame) {
  if (frame.is_called_class) return true;
  if (frame.url.empty() && !frame.line) return is_engine_plumbing(frame);
  if (frame.url == kMicrotaskQueueUrl || frame.url == "node:bootstrap/45_string_limits") return true;
  if (frame.url == "node:bootstrap/00_primordials") return frame.function.starts_with("call");  // call1(f, self, a)
  // Of the evaluation of modules one frame is shown.
  if (frame.url == "node:internal/modules/evaluation") return frame.function != "evaluate";
  if (frame.url == "node:bootstrap/90_main") return frame.function.empty();
  return frame.url.starts_with("node:internal/errors/") && (frame.is_constructor || frame.function == "construct");
}

JSC::JSCell* receiver_of(const Frames& frames, size_t index) {
  auto* generator = frames[index].callee() ? JSC::jsDynamicCast<JSC::JSGenerator*>(frames[index].callee()) : nullptr;
  if (!generator) return receiver_behind(frames, index);
  Value receiver = generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::This)).get();
  return receiver && receiver.isObject() && !is_scope(receiver.asCell()) ? receiver.asCell() : nullptr;
}

struct ShownFrame {
  FrameInfo info;
  const JSC::StackFrame* frame;
  JSC::JSCell* receiver;
};

// The text of an eval() is followed by the function eval and by the one who called it.
void fold_evals(std::vector<ShownFrame>& shown) {
  for (size_t i = 0; i + 2 < shown.size(); i++) {
    const auto& caller = shown[i + 2].info;
    const auto& function = shown[i + 1].info;
    if (!shown[i].info.is_eval || !function.url.empty() || function.function != "eval") continue;
    const std::string name = name_in_stack(caller);
    shown[i].info.eval_origin =
        "eval at " + (name.empty() ? "<anonymous>" : name) + " (" + place_in_stack(caller) + ")";
    shown.erase(shown.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
}

// The async function whose body frame `index` is, if the next frame is its call. Needs no code that the collector may have taken.
JSC::FunctionExecutable* called_function(const Frames& frames, size_t index, JSC::FunctionExecutable* body) {
  if (!JSC::isAsyncFunctionBodyParseMode(body->parseMode())) return nullptr;
  size_t next = index + 1;
  while (next < frames.size() && is_receiver(frames[next])) next++;
  auto* caller = next < frames.size() ? function_of(frames[next]) : nullptr;
  if (!caller || !JSC::isAsyncFunctionWrapperParseMode(caller->parseMode())) return nullptr;
  const auto &outer = caller->source(), &inner = body->source();
  const bool is_around = outer.provider() == inner.provider() && outer.startOffset() <= inner.startOffset() &&
                         outer.endOffset() >= inner.endOffset();
  return is_around ? caller : nullptr;
}

// An async function that has not awaited yet is two frames, its body and the function that was called: shown as one.
std::vector<ShownFrame> shown_frames(JSC::VM& vm, const Frames& frames) {
  const bool may_look_around = vm.heap.mutatorState() == JSC::MutatorState::Running;
  std::vector<ShownFrame> shown;
  JSC::FunctionExecutable* wrapper = nullptr;
  for (size_t i = 0; i < frames.size(); i++) {
    if (is_receiver(frames[i])) continue;
    FrameInfo info = describe(vm, frames[i]);
    auto* receiver = receiver_of(frames, i);
    auto* function = function_of(frames[i]);
    if (function && function == std::exchange(wrapper, nullptr)) continue;
    if (function) wrapper = called_function(frames, i, function);
    if (function && !wrapper && may_look_around) wrapper = wrapper_of_async_body(function);
    if (wrapper)
      info.function = name_of_code(wrapper);
    else if (function && info.function.empty() && may_look_around)
      info.function = name_of_async_body(function);
    if (receiver) add_receiver(vm, frames[i], receiver, wrapper ? wrapper : function, info);
    if (!is_plumbing(info)) shown.push_back({std::move(info), &frames[i], receiver});
  }
  fold_evals(shown);
  return shown;
}

std::string format(JSC::VM& vm, const Frames& frames) {
  std::string text;
  for (const auto& [frame, of_engine, receiver] : shown_frames(vm, frames)) {
    const std::string name = name_in_stack(frame);
    text += frame.is_async ? "\n    at async " : "\n    at ";
    text += name.empty() ? place_in_stack(frame) : name + " (" + place_in_stack(frame) + ")";
  }
  return text;
}

// A plain string found on the object or up its prototypes, without running getters or proxy traps; the collector may ask.
std::optional<std::string> plain_text(JSC::JSObject* object, const JSC::Identifier& name) {
  constexpr int kMaxPrototypes = 32;
  for (int i = 0; i < kMaxPrototypes && object->type() != JSC::ProxyObjectType; i++) {
    Value value = own_property(object, name);
    if (value && value.isString()) return text_without_allocating(JSC::asString(value));
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
  return own_property(error, mark) || (prototype.isObject() && own_property(JSC::asObject(prototype), mark));
}

// The error's name. A getter runs, as it does where errors become text; what it throws is left out.
std::string name_of(JSC::JSGlobalObject* realm, JSC::JSObject* error) {
  auto& vm = realm->vm();
  if (auto plain = plain_text(error, vm.propertyNames->name)) return *plain;
  auto scope = DECLARE_CATCH_SCOPE(vm);
  Value name = error->get(realm, vm.propertyNames->name);
  WTF::String text = !scope.exception() && name.isString() ? JSC::asString(name)->value(realm) : WTF::String();
  scope.clearException();
  return text.isNull() ? "Error" : to_utf8(text);
}

std::string error_header(JSC::VM& vm, JSC::JSObject* error, std::string name) {
  std::string message = plain_text(error, vm.propertyNames->message).value_or("");
  if (shows_code(vm, error)) {
    if (auto code = plain_text(error, VmState::of(vm).code_name)) name += " [" + *code + "]";
  }
  if (name.empty()) return message;
  return message.empty() ? name : name + ": " + message;
}

// Without running JavaScript.
std::string plain_header(JSC::VM& vm, JSC::JSObject* error) {
  return error_header(vm, error, plain_text(error, vm.propertyNames->name).value_or("Error"));
}

// "Name: message" as Error.prototype.toString gives it.
std::string header(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  if (JSC::jsDynamicCast<JSC::ErrorInstance*>(object)) return error_header(realm->vm(), object, name_of(realm, object));
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

// V8 tells neither function nor receiver of strict code, of async functions and of its own. A page learns of no function of the library.
bool tells_function(JSC::VM& vm, const FrameInfo& info, const JSC::StackFrame& frame) {
  auto* function = function_of(frame);
  if (!function || function->isInStrictContext() || info.is_async || info.url.empty()) return false;
  auto* callee = frame.callee() ? frame.callee()->getObject() : nullptr;
  return callee && !(VmState::of(vm).has_pages && !JSC::jsDynamicCast<ContextRealm*>(callee->globalObject()));
}

Value told_receiver(const JSC::StackFrame& frame, JSC::JSCell* receiver) {
  return receiver ? Value(receiver) : Value(frame.callee()->getObject()->globalObject()->globalThis());
}

Value frame_array(JSC::JSGlobalObject* realm, const Frames& frames) {
  auto& vm = realm->vm();
  JSC::MarkedArgumentBuffer items;
  auto text = [&](const std::string& part) { return part.empty() ? JSC::jsNull() : make_string(vm, part); };
  for (const auto& [info, frame, receiver] : shown_frames(vm, frames)) {
    JSC::MarkedArgumentBuffer parts;
    parts.append(text(info.function));
    parts.append(text(info.url));
    parts.append(JSC::jsNumber(info.line));
    parts.append(JSC::jsNumber(info.column));
    parts.append(JSC::jsNumber((info.is_constructor ? kIsConstructor : 0) | (info.is_wrapper ? kIsWrapper : 0) |
                               (info.is_async ? kIsAsync : 0) | (info.is_eval ? kIsEval : 0)));
    const bool tells = tells_function(vm, info, *frame);
    parts.append(tells ? Value(frame->callee()) : JSC::jsUndefined());
    parts.append(tells ? told_receiver(*frame, receiver) : JSC::jsUndefined());
    for (const auto& part : {info.type, info.method, name_in_stack(info), place_in_stack(info), info.eval_origin})
      parts.append(text(part));
    items.append(make_array(realm, parts));
  }
  return make_array(realm, items);
}

Frames collect(JSC::JSGlobalObject* realm, JSC::JSCell* owner, Value after, size_t limit) {
  Frames frames;
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
  // Where a context has none of its own, the main realm's counts, as in Node.
  for (auto* asked : {realm, static_cast<JSC::JSGlobalObject*>(home)}) {
    Value function = asked->errorConstructor()->getDirect(vm, identifier(vm, "prepareStackTrace"));
    if (function && function.isCallable() && function != Value(home->hook(Hook::DefaultPrepareStackTrace)))
      return JSC::asObject(function);
  }
  return home->hook(Hook::MappedStackTrace);
}

// The result of the program's own function over the frames; may throw.
Value prepare(JSC::JSGlobalObject* realm, JSC::JSObject* function, JSC::JSObject* error, const Frames& frames) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(function);
  arguments.append(realm->errorConstructor());
  arguments.append(error);
  arguments.append(frame_array(realm, frames));
  return JSC::call(realm, Realm::main(realm)->hook(Hook::PrepareStackTrace), arguments, "prepareStackTrace"_s);
}

// As in Node, a stack begins where `new` stands: without the constructors between Error and the error's own class.
void drop_constructors(JSC::VM& vm, Frames& frames, JSC::JSObject* error) {
  Value prototype = error->getPrototypeDirect();
  for (size_t i = 0; i < frames.size(); i++) {
    if (is_receiver(frames[i])) continue;
    auto* block = frames[i].codeBlock();
    auto* callee = block && block->isConstructor() && frames[i].callee() ? frames[i].callee()->getObject() : nullptr;
    if (!callee) return;
    if (own_property(callee, vm.propertyNames->prototype) != prototype) continue;
    frames.remove(0, i + 1);
    return;
  }
}

// A mark on errors whose frames are what captureStackTrace() took: all of them count. Programs do not see it.
JSC::Identifier captured_mark(JSC::VM& vm) { return JSC::Identifier::fromUid(VmState::of(vm).captured_stack); }

// An error whose stack nobody has asked for gets other frames: its text is made when it is asked for, with the name and message that
// the error has by then, as constructors rely on that give themselves a name last. False when the text is there already.
bool recapture(JSC::VM& vm, JSC::ErrorInstance* error, Frames& frames) {
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

// The result of the program's own function over the stack; null when it put the property itself, or threw: then the exception is left to
// the one who asked for the stack.
WTF::String custom_stack(JSC::JSGlobalObject* realm, JSC::JSObject* function, JSC::JSObject* object,
                         const Frames& frames, const std::string& plain) {
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

WTF::String compute_stack(JSC::VM& vm, Frames& frames, unsigned& line, unsigned& column, WTF::String& url,
                          JSC::JSObject* object) {
  JSC::JSObject* subject = object ? object : VmState::of(vm).finalized_error;
  if (subject && !own_property(subject, captured_mark(vm))) drop_constructors(vm, frames, subject);
  for (const auto& frame : frames) {
    if (is_receiver(frame)) continue;
    FrameInfo info = describe(vm, frame);
    if (!info.line || info.is_called_class) continue;
    line = info.line;
    column = info.column;
    url = to_wtf(info.url);
    break;
  }
  // The frames may be gone after JavaScript has run: it can ask for the same stack.
  const std::string lines = format(vm, frames);
  auto* realm = object ? object->globalObject() : nullptr;  // no object: the collector asks, no JavaScript may run
  if (!realm) return to_wtf((subject ? plain_header(vm, subject) : "Error") + lines);
  Formatting formatting(Realm::main(realm));
  if (!formatting.is_outermost()) return to_wtf(plain_header(vm, object) + lines);
  auto* function = custom_prepare(realm);
  if (!function) return to_wtf(header(realm, object) + lines);
  return custom_stack(realm, function, object, frames, header(realm, object) + lines);
}

}  // namespace

void install_stack_format(JSC::VM& vm) {
  vm.setOnComputeErrorInfo([](JSC::VM& vm, Frames& frames, unsigned& line, unsigned& column, WTF::String& url,
                              JSC::JSObject* object) { return compute_stack(vm, frames, line, column, url, object); });
}

// "Name: message" of an object that is no error, by the steps of Error.prototype.toString(): getters run, and may throw.
static std::string header_by_steps(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto read = [&](const JSC::Identifier& name, const char* otherwise) -> std::string {
    Value value = object->get(realm, name);
    RETURN_IF_EXCEPTION(scope, {});
    if (value.isUndefined()) return otherwise;
    RELEASE_AND_RETURN(scope, to_utf8(value.toWTFString(realm)));
  };
  const std::string name = read(vm.propertyNames->name, "Error");
  RETURN_IF_EXCEPTION(scope, {});
  const std::string message = read(vm.propertyNames->message, "");
  if (name.empty() || message.empty()) return name + message;
  return name + ": " + message;
}

// The stack of an object that is no error is made when it is first read, as an error's is: constructors of the old kind give the
// object its name and message after Error.captureStackTrace(this). Until then an error that programs do not see holds the frames, under
// a private name; afterwards the stack itself stands there. A stack that ends as a program's own exception is asked for again.
//
//   object ── stack: get, set        one pair of functions a realm
//          └─ [captured_stack]: holder of the frames → the text, or what was assigned
static JSC::ErrorInstance* hold_frames(JSC::JSGlobalObject* realm, Frames frames) {
  auto& vm = realm->vm();
  const auto limit = realm->stackTraceLimit();
  realm->setStackTraceLimit(0);
  auto* holder = JSC::ErrorInstance::create(realm, vm, realm->errorStructure(), WTF::String(), Value());
  realm->setStackTraceLimit(limit);
  // Without a name and a message the text is that of the frames alone, also where the collector makes it.
  holder->putDirect(vm, vm.propertyNames->name, JSC::jsEmptyString(vm));
  holder->putDirect(vm, captured_mark(vm), JSC::jsBoolean(true));
  if (auto* kept = holder->stackTrace()) *kept = WTFMove(frames);
  vm.writeBarrier(holder);
  return holder;
}

// The holder of frames that stands for a stack nobody has read yet.
static JSC::ErrorInstance* frames_holder(JSC::VM& vm, Value value) {
  auto* holder = JSC::jsDynamicCast<JSC::ErrorInstance*>(value);
  return holder && own_property(holder, captured_mark(vm)) == JSC::jsBoolean(true) ? holder : nullptr;
}

// Its functions are gone, and the collector has made the text of the frames.
static std::string text_of_collected(JSC::JSGlobalObject* realm, JSC::ErrorInstance* holder) {
  holder->materializeErrorInfoIfNeeded(realm->vm());
  Value text = own_property(holder, realm->vm().propertyNames->stack);
  return text && text.isString() ? to_utf8(JSC::asString(text)->value(realm)) : std::string();
}

static Value read_held_stack(JSC::JSGlobalObject* realm, JSC::JSObject* object, JSC::ErrorInstance* holder) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* kept = holder->stackTrace();
  const auto frames = kept ? *kept : Frames();
  JSC::MarkedArgumentBuffer roots;  // the collector sees no copies of frames
  for (const auto& frame : frames) {
    if (frame.callee()) roots.append(frame.callee());
    if (frame.codeBlock()) roots.append(frame.codeBlock());
  }
  Formatting formatting(Realm::main(realm));
  Value stack;
  if (auto* function = formatting.is_outermost() && kept ? custom_prepare(realm) : nullptr) {
    stack = prepare(realm, function, object, frames);
  } else {
    const std::string first = header_by_steps(realm, object);
    RETURN_IF_EXCEPTION(scope, {});
    stack = make_string(vm, first + (kept ? format(vm, frames) : text_of_collected(realm, holder)));
  }
  RETURN_IF_EXCEPTION(scope, {});
  object->putDirect(vm, captured_mark(vm), stack);
  return stack;
}

static Value get_captured_stack(Call& call) {
  auto& vm = call.vm();
  Value at = call.self();
  while (at.isObject() && JSC::asObject(at)->type() != JSC::ProxyObjectType) {
    auto* object = JSC::asObject(at);
    auto* error = JSC::jsDynamicCast<JSC::ErrorInstance*>(object);
    if (error) return error->get(call.realm(), vm.propertyNames->stack);
    if (Value value = own_property(object, captured_mark(vm))) {
      auto* holder = frames_holder(vm, value);
      return holder ? read_held_stack(call.realm(), object, holder) : value;
    }
    at = object->getPrototypeDirect();
  }
  return call.undefined();
}

static Value set_captured_stack(Call& call) {
  auto* object = call.self().isObject() ? JSC::asObject(call.self()) : nullptr;
  if (!object || object->type() == JSC::ProxyObjectType) return call.undefined();
  if (JSC::jsDynamicCast<JSC::ErrorInstance*>(object))
    put_stack(call.vm(), object, call.at(0));
  else
    object->putDirect(call.vm(), captured_mark(call.vm()), call.at(0));
  return call.undefined();
}

// The pair of functions of a realm, kept at its Error.
static JSC::GetterSetter* captured_stack_accessor(JSC::JSGlobalObject* realm) {
  auto& vm = realm->vm();
  auto* constructor = realm->errorConstructor();
  if (Value made = constructor->getDirect(vm, captured_mark(vm))) return JSC::jsCast<JSC::GetterSetter*>(made);
  auto function = [&](unsigned length, NativeFunction native) {
    return JSC::JSFunction::create(vm, realm, length, WTF::String(), native, JSC::ImplementationVisibility::Public);
  };
  auto* accessor = JSC::GetterSetter::create(vm, realm, function(0, native<get_captured_stack>),
                                             function(1, native<set_captured_stack>));
  constructor->putDirect(vm, captured_mark(vm), accessor,
                         JSC::PropertyAttribute::Accessor | JSC::PropertyAttribute::DontEnum);
  return accessor;
}

// The stack as a value, made now: of errors that have their text already, and of all that the library captures where pages run, whose
// programs must not find functions of the library's realm on an object.
static Value capture_now(JSC::JSGlobalObject* realm, JSC::JSObject* target, const Frames& frames) {
  auto& vm = realm->vm();
  Formatting formatting(Realm::main(realm));
  const std::string plain = header(realm, target) + format(vm, frames);
  Value stack = make_string(vm, plain);
  auto* function = formatting.is_outermost() ? custom_prepare(realm) : nullptr;
  if (!function) return stack;
  // In Node the function runs when the stack is asked for: what it throws is not this call's.
  auto catching = DECLARE_CATCH_SCOPE(vm);
  Value made = prepare(realm, function, target, frames);
  if (vm.hasPendingTerminationException()) return {};
  if (!catching.exception()) stack = made;
  catching.clearException();
  return stack;
}

Value capture_stack_trace(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* target = call.object(0);
  if (!target || target->type() == JSC::ProxyObjectType) return call.type_error("invalid_argument");
  auto frames = collect(realm, target, call.at(1), frame_limit(realm));
  auto* error = JSC::jsDynamicCast<JSC::ErrorInstance*>(target);
  if (error && recapture(vm, error, frames)) return call.undefined();
  if (error) error->materializeErrorInfoIfNeeded(vm);
  RETURN_IF_EXCEPTION(scope, {});
  if (!target->isExtensible(realm)) return call.type_error("Cannot define property stack, object is not extensible");

  JSC::PropertyDescriptor descriptor;
  const auto attributes = static_cast<unsigned>(JSC::PropertyAttribute::DontEnum);
  const bool is_for_pages = VmState::of(vm).has_pages && !JSC::jsDynamicCast<ContextRealm*>(realm);
  if (error || is_for_pages) {
    Value stack = capture_now(realm, target, frames);
    RETURN_IF_EXCEPTION(scope, {});
    descriptor.setDescriptor(stack, attributes);
  } else {
    descriptor.setAccessorDescriptor(captured_stack_accessor(realm), attributes | JSC::PropertyAttribute::Accessor);
  }
  const bool is_defined =
      target->methodTable()->defineOwnProperty(target, realm, vm.propertyNames->stack, descriptor, false);
  RETURN_IF_EXCEPTION(scope, {});
  if (!is_defined) return call.type_error("Cannot redefine property: stack");
  if (!error && !is_for_pages) {
    Value held = realm->stackTraceLimit() ? Value(hold_frames(realm, WTFMove(frames))) : JSC::jsUndefined();
    target->putDirect(vm, captured_mark(vm), held);
  }
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

// A generator's next() is JavaScript of the engine's, which throws anew what the generator has thrown: the error's own frames tell where.
static const Frames& frames_of_throw(JSC::VM& vm, JSC::Exception* exception) {
  const auto& frames = exception->stack();
  auto* error = JSC::jsDynamicCast<JSC::ErrorInstance*>(exception->value());
  const bool is_engines = !frames.isEmpty() && describe(vm, frames.first()).line == 0U;
  auto* own = error && is_engines ? error->stackTrace() : nullptr;
  return own && !own->isEmpty() ? *own : frames;
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
  for (const auto& frame : frames_of_throw(vm, exception)) {
    auto* provider = provider_of(frame);
    FrameInfo info = describe(vm, frame);
    if (!provider || !info.line || info.is_called_class || info.url.starts_with("node:")) continue;
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
