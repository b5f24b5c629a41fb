// See debugger.h.
#include "engine/core/debugger.h"

#include "engine/core/entry.h"
#include "engine/core/source.h"
#include "engine/errors/async_wrapper.h"
#include "engine/patches/debugger_scope.h"
#include "engine/patches/module_code.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/JSNativeStdFunction.h>
#include <JavaScriptCore/StackVisitor.h>

namespace rondo::engine {

namespace {

constexpr auto kLibraryPrefix = "node:"_s;
// The condition of the breakpoint for exceptions: a name that only its scope extension has.
constexpr auto kExceptionCondition = "__rondoShouldStopAtException__()"_s;
constexpr auto kExceptionQuestion = "__rondoShouldStopAtException__"_s;

bool is_library(JSC::SourceProvider& provider) {
  return provider.sourceOrigin().url().string().startsWith(kLibraryPrefix);
}

// Line and column of a text's end.
TextPlace end_of(WTF::StringView text) {
  TextPlace end;
  size_t start = 0;
  for (size_t at = text.find('\n'); at != WTF::notFound; at = text.find('\n', start)) {
    end.line++;
    start = at + 1;
  }
  end.column = static_cast<int>(text.length() - start);
  return end;
}

const char* reason_name(JSC::Debugger::ReasonForPause reason) {
  switch (reason) {
    case JSC::Debugger::PausedForException:
      return "exception";
    case JSC::Debugger::PausedForDebuggerStatement:
      return "debuggerStatement";
    case JSC::Debugger::PausedForBreakpoint:
      return "breakpoint";
    default:
      return "step";
  }
}

const char* scope_type(const JSC::DebuggerScope& scope) {
  if (scope.isCatchScope()) return "catch";
  if (scope.isWithScope()) return "with";
  if (scope.isGlobalLexicalEnvironment()) return "script";
  if (scope.isGlobalScope()) return "global";
  if (scope.isNestedLexicalScope()) return "block";
  return "closure";
}

// The function that a frame runs, or null.
JSC::JSFunction* function_of(JSC::DebuggerCallFrame& frame) {
  auto* callee = (frame.*reveal(debugger_members::Frame())).callee;
  auto* function = callee ? JSC::jsDynamicCast<JSC::JSFunction*>(callee) : nullptr;
  return function && !function->isHostFunction() ? function : nullptr;
}

// Engine's names for code that is no function.
bool is_name_of_code(const WTF::String& name) {
  return name == "global code"_s || name == "module code"_s || name == "eval code"_s;
}

}  // namespace

std::optional<FunctionPlace> place_of_function(Value value) {
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(value);
  if (!function || function->isHostFunction() || function->isBuiltinFunction()) return std::nullopt;
  const auto& source = function->jsExecutable()->source();
  auto& provider = *source.provider();
  auto place = end_of(provider.source().left(static_cast<unsigned>(source.startOffset())));
  if (place.line == 0) place.column += provider.startPosition().m_column.zeroBasedInt();
  place.line += provider.startPosition().m_line.zeroBasedInt() - static_cast<int>(lines_before(provider));
  return FunctionPlace{provider.asID(), {std::max(0, place.line), place.column}};
}

ScriptDebugger::ScriptDebugger(JSC::JSGlobalObject* realm, JSC::JSObject* listener)
    : JSC::Debugger(realm->vm()), realm_(realm), listener_(realm->vm(), listener) {
  setClient(this);
  setBlackboxBreakpointEvaluations(false);
  setPauseOnDebuggerStatementsBreakpoint(JSC::Breakpoint::create(JSC::noBreakpointID));
  keep_module_code(realm->vm(), [&] {
    attach(realm);
    activateBreakpoints();
  });
}

ScriptDebugger::~ScriptDebugger() {
  clearBreakpoints();
  keep_module_code(vm(), [&] {
    deactivateBreakpoints();
    detach(realm_, TerminatingDebuggingSession);  // realms of node:vm go with the base class
  });
}

JSC::SourceProvider* ScriptDebugger::provider_of(JSC::SourceID script) const {
  const auto found = scripts_.find(script);
  return found == scripts_.end() ? nullptr : found->second.provider.get();
}

int ScriptDebugger::lines_before_text(JSC::SourceID script) const {
  auto* provider = provider_of(script);
  return provider ? static_cast<int>(lines_before(*provider)) : 0;
}

void ScriptDebugger::call_listener(const char* method, const JSC::ArgList& arguments) {
  auto function = listener_->get(realm_, identifier(realm_->vm(), method));
  if (function.isCallable()) engine::call(realm_, function, listener_.get(), arguments);
}

void ScriptDebugger::sourceParsed(JSC::JSGlobalObject* realm, JSC::SourceProvider* provider, int error_line,
                                  const WTF::String&) {
  auto& vm = this->vm();
  const bool has_failed = error_line != -1;
  if (scripts_.contains(provider->asID()) || vm.exceptionForInspection()) return;
  const auto id = provider->asID();
  const auto start = provider->startPosition();
  scripts_.emplace(id, Script{provider, {}});
  const auto text = source_of(id);
  auto end = end_of(text);
  if (end.line == 0) end.column += start.m_column.zeroBasedInt();
  end.line += start.m_line.zeroBasedInt();
  scripts_[id].end = end;
  if (is_library(*provider)) setBlackboxType(id, BlackboxType::Ignored);
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(provider->asID()));
  arguments.append(JSC::jsString(vm, provider->sourceURL()));
  arguments.append(JSC::jsString(vm, provider->sourceMappingURLDirective()));
  arguments.append(JSC::jsNumber(start.m_line.zeroBasedInt()));
  arguments.append(JSC::jsNumber(start.m_column.zeroBasedInt()));
  arguments.append(JSC::jsNumber(end.line));
  arguments.append(JSC::jsNumber(end.column));
  arguments.append(JSC::jsNumber(text.length()));
  arguments.append(JSC::jsBoolean(provider->sourceType() == JSC::SourceProviderSourceType::Module));
  arguments.append(realm->globalThis());
  call_listener(has_failed ? "scriptFailed" : "scriptParsed", arguments);
}

std::optional<TextPlace> ScriptDebugger::add_breakpoint(uint32_t id, JSC::SourceID script, TextPlace place,
                                                        const WTF::String& condition, bool& is_taken) {
  auto* provider = provider_of(script);
  if (!provider) return std::nullopt;
  const int before = lines_before_text(script);
  auto breakpoint = JSC::Breakpoint::create(id, condition);
  if (!breakpoint->link(script, static_cast<unsigned>(place.line + before), static_cast<unsigned>(place.column)))
    return std::nullopt;
  if (!resolveBreakpoint(breakpoint, provider)) return std::nullopt;
  const TextPlace resolved{static_cast<int>(breakpoint->lineNumber()) - before,
                           static_cast<int>(breakpoint->columnNumber())};
  if (resolved.line < 0) return std::nullopt;
  is_taken = !setBreakpoint(breakpoint);
  if (!is_taken) breakpoints_.insert_or_assign(id, breakpoint.copyRef());
  return resolved;
}

void ScriptDebugger::remove_breakpoint(uint32_t id) {
  const auto found = breakpoints_.find(id);
  if (found == breakpoints_.end()) return;
  removeBreakpoint(found->second);
  breakpoints_.erase(found);
}

std::vector<TextPlace> ScriptDebugger::possible_breakpoints(JSC::SourceID script, TextPlace from, TextPlace to) {
  std::vector<TextPlace> places;
  auto* provider = provider_of(script);
  if (!provider) return places;
  const int before = lines_before_text(script);
  forEachBreakpointLocation(script, provider, from.line + before, from.column, to.line + before, to.column,
                            [&](int line, int column) { places.push_back({line - before, column}); });
  return places;
}

WTF::String ScriptDebugger::source_of(JSC::SourceID script) const {
  auto* provider = provider_of(script);
  if (!provider) return WTF::String();
  const auto text = provider->source();
  if (!wrapper_lines(*provider)) return text.toString();
  // Without the lines of the wrapper.
  size_t start = 0;
  for (unsigned line = lines_before(*provider); line > 0; line--) {
    const size_t newline = text.find('\n', start);
    if (newline == WTF::notFound) return text.toString();
    start = newline + 1;
  }
  const size_t end = text.reverseFind('\n');
  return text.substring(start, end == WTF::notFound || end < start ? text.length() - start : end - start).toString();
}

void ScriptDebugger::set_stops_at_exceptions(bool stops) {
  setPauseOnAllExceptionsBreakpoint(stops ? JSC::Breakpoint::create(JSC::noBreakpointID, kExceptionCondition).ptr()
                                          : nullptr);
}

void ScriptDebugger::skip_script(JSC::SourceID script, bool skips) {
  auto* provider = provider_of(script);
  if (!provider || is_library(*provider)) return;
  setBlackboxType(script, skips ? std::optional(BlackboxType::Deferred) : std::nullopt);
}

void ScriptDebugger::stop_if_unhooked() {
  auto* top = vm().topCallFrame;
  auto* code = top && !top->isNativeCalleeFrame() ? top->codeBlock() : nullptr;
  if (!code || code->wasCompiledWithDebuggingOpcodes() || is_library(*code->source().provider())) return;
  breakProgram();
}

void ScriptDebugger::go_on(Step step) {
  switch (step) {
    case Step::Resume:
      return continueProgram();
    case Step::Into:
      return stepIntoStatement();
    case Step::Over:
      return stepOverStatement();
    case Step::Out:
      return stepOutOfFunction();
  }
}

CallOutcome ScriptDebugger::evaluate_in_frame(unsigned index, const WTF::String& expression) {
  if (index >= stopped_frames_.size()) return {JSC::jsUndefined(), nullptr};
  WTF::NakedPtr<JSC::Exception> exception;
  auto value = stopped_frames_[index]->evaluateWithScopeExtension(vm(), expression, nullptr, exception);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {value ? value : JSC::jsUndefined(), nullptr};
}

Value ScriptDebugger::scopes(JSC::DebuggerCallFrame& frame) {
  auto& vm = this->vm();
  JSC::MarkedArgumentBuffer list;
  for (auto* scope = frame.scope(vm); scope; scope = scope->next()) {
    if (scope->isFunctionNameScope()) continue;
    auto* object = make_object(realm_);
    put(realm_, object, "type", make_string(vm, scope_type(*scope)));
    put(realm_, object, "name", JSC::jsString(vm, scope->name()));
    const auto place = scope->location();
    put(realm_, object, "line", JSC::jsNumber(place.line));
    put(realm_, object, "column", JSC::jsNumber(place.column));
    put(realm_, object, "object", scope);
    list.append(object);
  }
  return make_array(realm_, list);
}

Value ScriptDebugger::frame_object(JSC::DebuggerCallFrame& frame) {
  auto& vm = this->vm();
  const auto script = frame.sourceID();
  auto name = frame.functionName(vm);
  if (auto* function = name.isEmpty() ? function_of(frame) : nullptr)
    name = to_wtf(name_of_async_body(function->jsExecutable()));
  auto* object = make_object(realm_);
  put(realm_, object, "functionName", JSC::jsString(vm, is_name_of_code(name) ? WTF::emptyString() : name));
  put(realm_, object, "scriptId", JSC::jsNumber(script));
  TextPlace place{std::max(0, frame.line() - lines_before_text(script)), std::max(0, frame.column())};
  if (const auto& end = scripts_.at(script).end; place.line > end.line) place = end;  // the wrapper's last line
  put(realm_, object, "line", JSC::jsNumber(place.line));
  put(realm_, object, "column", JSC::jsNumber(place.column));
  const auto self = frame.thisValue(vm);
  put(realm_, object, "self", self ? self : JSC::jsUndefined());
  put(realm_, object, "scopes", scopes(frame));
  return object;
}

Value ScriptDebugger::frames() {
  JSC::MarkedArgumentBuffer list;
  stopped_frames_.clear();
  for (RefPtr<JSC::DebuggerCallFrame> frame = &currentDebuggerCallFrame(); frame; frame = frame->callerFrame()) {
    if (frame->sourceID() == JSC::noSourceID || !provider_of(frame->sourceID())) continue;
    stopped_frames_.push_back(frame);
    list.append(frame_object(*frame));
  }
  return make_array(realm_, list);
}

void ScriptDebugger::handlePause(JSC::JSGlobalObject*, ReasonForPause reason) {
  const bool has_exception = reason == PausedForException;
  // Code that is in no text of the program: the constructor of a class without one.
  if (!provider_of(currentDebuggerCallFrame().sourceID())) return schedulePauseAtNextOpportunity();
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(make_string(vm(), reason_name(reason)));
  arguments.append(JSC::jsNumber(static_cast<double>(pausingBreakpointID())));
  arguments.append(JSC::jsBoolean(has_exception));
  arguments.append(has_exception ? currentException() : JSC::jsUndefined());
  arguments.append(frames());
  m_doneProcessingDebuggerEvents = false;
  call_listener("paused", arguments);
  m_doneProcessingDebuggerEvents = true;
  stopped_frames_.clear();
}

bool ScriptDebugger::should_stop_at_exception() {
  if (reasonForPause() != PausedForException) return true;
  // Handlers of the library and of the engine's own functions are not the program's.
  bool is_caught = false;
  JSC::StackVisitor::visit(vm().topCallFrame, vm(), [&](JSC::StackVisitor& visitor) {
    auto* code = visitor->codeBlock();
    if (!code || code->unlinkedCodeBlock()->isBuiltinFunction()) return WTF::IterationStatus::Continue;
    if (is_library(*code->source().provider())) return WTF::IterationStatus::Continue;
    is_caught = code->handlerForBytecodeIndex(visitor->bytecodeIndex(), JSC::RequiredHandler::CatchHandler) != nullptr;
    return is_caught ? WTF::IterationStatus::Done : WTF::IterationStatus::Continue;
  });
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(currentException());
  arguments.append(JSC::jsBoolean(is_caught));
  auto function = listener_->get(realm_, identifier(vm(), "shouldStopAtException"));
  if (!function.isCallable()) return false;
  const auto outcome = engine::call(realm_, function, listener_.get(), arguments);
  return !outcome.exception && outcome.value.toBoolean(realm_);
}

JSC::JSObject* ScriptDebugger::debuggerScopeExtensionObject(JSC::Debugger&, JSC::JSGlobalObject*,
                                                            JSC::DebuggerCallFrame&) {
  if (!exception_question_) {
    auto* object = make_object(realm_);
    auto* function = JSC::JSNativeStdFunction::create(
        vm(), realm_, 0, WTF::String(kExceptionQuestion), [this](JSC::JSGlobalObject*, JSC::CallFrame*) {
          return JSC::JSValue::encode(JSC::jsBoolean(should_stop_at_exception()));
        });
    object->putDirect(vm(), JSC::Identifier::fromString(vm(), kExceptionQuestion), function);
    exception_question_.set(vm(), object);
  }
  return exception_question_.get();
}

}  // namespace rondo::engine
