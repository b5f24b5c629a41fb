// See function_label.h.
#include "engine/core/function_label.h"

#include "engine/core/source.h"
#include "engine/errors/async_wrapper.h"
#include "engine/errors/await_place.h"
#include "engine/errors/stack_trace.h"
#include "engine/patches/async_frames.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/JSBoundFunction.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/JSLexicalEnvironment.h>
#include <JavaScriptCore/JSPromiseConstructor.h>
#include <JavaScriptCore/StackVisitor.h>

namespace rondo::engine {

namespace {

constexpr int32_t kWhole = -1;

JSC::JSFunction* function_in(Value value) {
  auto* function = value && value.isCell() ? JSC::jsDynamicCast<JSC::JSFunction*>(value.asCell()) : nullptr;
  while (auto* bound = function ? JSC::jsDynamicCast<JSC::JSBoundFunction*>(function) : nullptr)
    function = JSC::jsDynamicCast<JSC::JSFunction*>(bound->targetFunction());
  return function;
}

bool is_library(JSC::SourceProvider& provider) { return provider.sourceURL().startsWith("node:"_s); }

bool has_source(JSC::JSFunction* function) { return !function->isHostFunction() && !function->isBuiltinFunction(); }

// One of the helpers behind the engine's promises, such as the `resolve` that an executor is given.
bool is_promise_helper(JSC::JSFunction* function) {
  if (function->isHostFunction() || !function->isBuiltinFunction()) return false;
  return function->jsExecutable()->implementationVisibility() != JSC::ImplementationVisibility::Public ||
         function->name(function->vm()).isEmpty();
}

// The value that a closure of the engine's own holds in a variable of its scope.
Value closure_variable(JSC::JSFunction* function, WTF::ASCIILiteral name) {
  auto* scope = JSC::jsDynamicCast<JSC::JSLexicalEnvironment*>(function->scope());
  if (!scope) return {};
  const auto identifier = JSC::Identifier::fromString(function->vm(), name);
  const auto entry = scope->symbolTable()->get(WTF::NoLockingNecessary, identifier.impl());
  if (entry.isNull() || !entry.varOffset().isScope()) return {};
  return scope->variableAt(entry.scopeOffset()).get();
}

// The function that was given to finally(), from the engine's closure around it.
JSC::JSFunction* finally_function(JSC::JSFunction* helper) {
  Value given = closure_variable(helper, "onFinally"_s);
  return given ? function_in(given) : nullptr;
}

// A function named by a computed key, or by the program itself, has its name as a property.
std::optional<std::string> own_name(JSC::JSFunction* function) {
  auto& vm = function->vm();
  if (function->canAssumeNameAndLengthAreOriginal(vm)) return std::nullopt;
  Value own = function->getDirect(vm, vm.propertyNames->name);
  if (!own || !own.isString()) return std::nullopt;
  return to_utf8(JSC::asString(own)->tryGetValue());
}

FunctionLabels::Place describe_function(JSC::JSFunction* function) {
  std::string name = to_utf8(function->name(function->vm()));
  if (function->isHostFunction() || function->isBuiltinFunction()) return {name, "native"};
  auto* async = wrapper_of_async_body(function->jsExecutable());
  // An arrow function has its name from what it was assigned to.
  if (async || name.empty()) name = to_utf8((async ? async : function->jsExecutable())->ecmaName().string());
  if (!async && name.empty()) name = name_of_async_body(function->jsExecutable());
  const auto& source = async ? *async : *function->jsExecutable();
  const auto wrapper = static_cast<int>(wrapper_lines(*source.source().provider()));
  const int line = source.firstLine() > wrapper ? source.firstLine() - wrapper : 1;
  return {name, to_utf8(source.sourceURL()) + ":" + std::to_string(line) + ":" + std::to_string(source.startColumn())};
}

JSC::JSFunction* body_of(JSC::JSGenerator* generator) {
  return function_in(generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::Next)).get());
}

}  // namespace

size_t FunctionLabels::SpotHash::operator()(const Spot& spot) const {
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15ULL;
  uint64_t hash = spot.source * kMix ^ spot.start;
  return static_cast<size_t>((hash * kMix ^ static_cast<uint32_t>(spot.detail)) * kMix >> 7);
}

FunctionLabels::Spot FunctionLabels::spot_of(JSC::ScriptExecutable& executable, int32_t detail) {
  const auto& source = executable.source();
  return {static_cast<uint64_t>(source.provider()->asID()), static_cast<uint32_t>(source.startOffset()), detail};
}

const FunctionLabels::KnownFunction& FunctionLabels::known(JSC::JSFunction* function) {
  const auto* executable = function->jsExecutable();
  const uint64_t version = function->vm().heap.phaseVersion();
  auto& known = known_functions_[reinterpret_cast<uintptr_t>(executable) / 16 % kKnown];
  if (known.executable == executable && known.version == version) [[likely]]
    return known;
  auto [at, is_new] = functions_.try_emplace(spot_of(*function->jsExecutable(), kWhole));
  if (is_new) at->second = describe_function(function);
  return known = {executable, version, &at->second,
                  !function->isBuiltinFunction() && !is_library(*executable->source().provider())};
}

bool FunctionLabels::is_program(JSC::JSFunction* function) {
  return has_source(function) && known(function).is_programs;
}

std::string_view FunctionLabels::function_text(JSC::JSFunction* function) {
  auto name = own_name(function);
  if (function->isHostFunction())
    return renamed_ = (name ? Place{*name, "native"} : describe_function(function)).text();
  const auto& place = *known(function).place;
  if (!name) return place.text();
  return renamed_ = Place{*name, place.place}.text();
}

// ---- what will run ----

const std::string& FunctionLabels::await_text(JSC::VM& vm, JSC::JSGenerator* generator, JSC::JSFunction* body) {
  const auto point = await_point(generator);
  if (!point) return renamed_ = "await in " + std::string(function_text(body));
  const Spot spot = spot_of(*point->code->ownerExecutable(), static_cast<int32_t>(point->offset));
  auto [at, is_new] = awaits_.try_emplace(spot);
  if (is_new) at->second = "await in " + await_at(vm, *point).text();
  return at->second;
}

Label FunctionLabels::label(JSC::VM& vm, Value subject) {
  if (auto* generator = subject.isCell() ? JSC::jsDynamicCast<JSC::JSGenerator*>(subject.asCell()) : nullptr) {
    auto* body = body_of(generator);
    if (body && is_program(body)) return {await_text(vm, generator, body)};
    subject = body;
  }
  auto* function = subject ? function_in(subject) : nullptr;
  if (function && is_promise_helper(function)) {
    auto* given = finally_function(function);
    if (given) function = given;
  }
  if (function && is_program(function)) return {function_text(function)};
  if (!function || is_promise_helper(function)) return {"promise reaction", false};
  return {function_text(function), false};
}

Label FunctionLabels::callback_label(JSC::VM& vm, Value subject) {
  auto* function = function_in(subject);
  if (!function || !is_promise_helper(function)) return label(vm, subject);
  if (auto* maker = promise_maker(vm)) return {joined("settles the promise made in ", "", maker->text())};
  return {"settles a promise", false};
}

std::string_view FunctionLabels::program_function(Value value) {
  auto* function = function_in(value);
  return function && is_program(function) ? function_text(function) : std::string_view();
}

size_t FunctionLabels::PairHash::operator()(const Pair& pair) const {
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15ULL;
  const auto first = reinterpret_cast<uintptr_t>(pair.first), second = reinterpret_cast<uintptr_t>(pair.second);
  return static_cast<size_t>((first * kMix ^ second) * kMix >> 7);
}

std::string_view FunctionLabels::joined(std::string_view first, std::string_view between, std::string_view second,
                                        std::string_view after) {
  constexpr size_t kMost = size_t{1} << 14;
  if (joined_.size() > kMost) joined_.clear();  // places of tasks are strings that come and go
  auto& text = joined_[{first.data(), second.data()}];
  const auto has = [&](size_t at, std::string_view part) { return text.compare(at, part.size(), part) == 0; };
  const size_t second_at = first.size() + between.size(), after_at = second_at + second.size();
  const bool is_same = text.size() == after_at + after.size() && has(0, first) && has(first.size(), between) &&
                       has(second_at, second) && has(after_at, after);
  if (!is_same) text = std::string(first).append(between).append(second).append(after);
  return text;
}

// ---- who asks for it ----

const FunctionLabels::Place& FunctionLabels::place_at(JSC::VM& vm, JSC::CodeBlock* code, uint32_t bytecode_offset) {
  auto [at, is_new] = places_.try_emplace(spot_of(*code->ownerExecutable(), static_cast<int32_t>(bytecode_offset)));
  if (!is_new) return at->second;
  FrameInfo frame =
      describe(vm, JSC::StackFrame(vm, code, code->ownerExecutable(), code, JSC::BytecodeIndex(bytecode_offset)));
  if (auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(code->ownerExecutable())) {
    frame.function = name_of_async_body(function);
    if (frame.function.empty()) frame.function = to_utf8(function->ecmaName().string());
  }
  at->second = Place(frame.function, frame.url + ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column));
  return at->second;
}

// The place of the await itself, where the text tells it.
const FunctionLabels::Place& FunctionLabels::await_at(JSC::VM& vm, const AwaitPoint& point) {
  auto& executable = *point.code->ownerExecutable();
  // Not the place of the same bytecode: below kWhole.
  const Spot spot = spot_of(executable, kWhole - 1 - static_cast<int32_t>(point.offset));
  if (auto known = places_.find(spot); known != places_.end()) return known->second;
  Place place = place_at(vm, point.code, point.offset);
  const auto& source = executable.source();
  const auto text = source.provider()->source();
  const auto found = find_await(text, static_cast<unsigned>(source.startOffset()),
                                static_cast<unsigned>(source.endOffset()), point.place_before, point.awaits_between);
  if (found) {
    const auto origin = source.provider()->startPosition();
    int line = 1 + origin.m_line.zeroBasedInt() - static_cast<int>(wrapper_lines(*source.provider()));
    int column = 1 + origin.m_column.zeroBasedInt();
    for (unsigned i = 0; i < *found; i++) {
      const bool is_end = text[i] == '\n';
      line += is_end;
      column = is_end ? 1 : column + 1;
    }
    place = Place(place.function,
                  to_utf8(executable.sourceURL()) + ":" + std::to_string(line) + ":" + std::to_string(column));
  }
  return places_.emplace(spot, std::move(place)).first->second;
}

// Finds the innermost call of the program's own, or the innermost outside of `after`.
struct FunctionLabels::Walk {
  WTF::IterationStatus operator()(JSC::StackVisitor& visitor) const {
    if (awaited && visitor->callee().isCell() && visitor->callee().asCell() == awaited) awaited = nullptr;
    auto* block = visitor->codeBlock();
    if (awaited || !block) return WTF::IterationStatus::Continue;
    auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(block->ownerExecutable());
    auto& provider = *block->ownerExecutable()->source().provider();
    if ((function && function->isBuiltinFunction()) || provider.sourceURL().isEmpty() || is_library(provider))
      return WTF::IterationStatus::Continue;
    code = block;
    frame = visitor->callFrame();
    offset = visitor->bytecodeIndex().offset();
    return WTF::IterationStatus::Done;
  }
  explicit Walk(JSC::JSCell* after = nullptr) : awaited(after) {}
  mutable JSC::JSCell* awaited;
  mutable JSC::CodeBlock* code = nullptr;
  mutable const JSC::CallFrame* frame = nullptr;
  mutable uint32_t offset = 0;
};

namespace {

// The innermost calls on the stack as one number: the code of each and where in it the call is (the upper half of the argument count's
// slot), which is all that a walk looks at.
struct StackCalls {
  static constexpr int kMost = 10;

  explicit StackCalls(JSC::VM& vm) : outermost(vm.topCallFrame) {
    constexpr uint64_t kMix = 0x9E3779B97F4A7C15ULL;
    JSC::EntryFrame* entry = vm.topEntryFrame;
    const JSC::CallFrame* next = outermost;
    for (int i = 0; i < kMost && next; i++) {
      outermost = next;
      const auto* words = reinterpret_cast<const uint64_t*>(next);
      const uint64_t code = words[static_cast<int>(JSC::CallFrameSlot::codeBlock)];
      const uint64_t at = words[static_cast<int>(JSC::CallFrameSlot::argumentCountIncludingThis)] >> 32;
      hash = ((hash ^ code) * kMix ^ at) * kMix;
      hash ^= hash >> 29;
      const void* caller = next->callerFrameOrEntryFrame();
      next = caller == entry ? next->callerFrame(entry) : static_cast<const JSC::CallFrame*>(caller);
    }
    is_whole = !next;
  }
  uint64_t hash = 1;
  const JSC::CallFrame* outermost;  // of those in the number
  bool is_whole;
};

}  // namespace

const FunctionLabels::Place* FunctionLabels::running(JSC::VM& vm) {
  const StackCalls calls(vm);
  const uint64_t version = vm.heap.phaseVersion();
  auto& known = known_stacks_[calls.hash % kKnown];
  if (known.calls == calls.hash && known.version == version) [[likely]]
    return known.place;
  Walk walk;
  JSC::StackVisitor::visit(vm.topCallFrame, vm, walk);
  const auto* place = walk.code ? &place_at(vm, walk.code, walk.offset) : nullptr;
  // Callers stand at higher addresses.
  if (calls.is_whole || (walk.code && walk.frame <= calls.outermost)) known = {calls.hash, version, place};
  return place;
}

// The caller of the Promise constructor whose executor runs.
const FunctionLabels::Place* FunctionLabels::promise_maker(JSC::VM& vm) {
  if (!vm.topCallFrame) return nullptr;
  Walk walk(vm.topCallFrame->lexicalGlobalObject(vm)->promiseConstructor());
  JSC::StackVisitor::visit(vm.topCallFrame, vm, walk);
  return walk.code ? &place_at(vm, walk.code, walk.offset) : nullptr;
}

std::string_view FunctionLabels::running_place(JSC::VM& vm) {
  auto* place = running(vm);
  return place ? std::string_view(place->place) : std::string_view();
}

}  // namespace rondo::engine
