// The async functions that wait for the one that runs: `at async f` in stacks. The engine takes a stack when an error is made; the
// linker sends that here (--wrap, see cmake/engine.cmake), and the functions that await are appended, each at its await. Such a frame's
// callee is the function's generator: that is how stack_trace.cpp knows it.
//
// A function that runs has a promise (the context of its generator); who awaits that promise is the context of the promise's first
// reaction. Both are the engine's private layout, which microtask_queue.cpp shares.
#include "engine/patches/async_frames.h"

#include "engine/patches/code_point.h"
#include "engine/patches/frame_receivers.h"
#include "engine/patches/microtask_queue.h"

#include <JavaScriptCore/BuiltinNames.h>
#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/Interpreter.h>
#include <JavaScriptCore/JSGenerator.h>
#include <JavaScriptCore/StackVisitor.h>
#include <JavaScriptCore/UnlinkedCodeBlock.h>

namespace {

using rondo::engine::CodePoint;
using rondo::engine::Frames;
using Value = JSC::JSValue;

JSC::FunctionExecutable* function_of(JSC::CodeBlock* block) {
  return block ? JSC::jsDynamicCast<JSC::FunctionExecutable*>(block->ownerExecutable()) : nullptr;
}

bool is_async_body(JSC::FunctionExecutable* function) {
  return function && (function->parseMode() == JSC::SourceParseMode::AsyncFunctionBodyMode ||
                      function->parseMode() == JSC::SourceParseMode::AsyncArrowFunctionBodyMode);
}

// An async function that has not awaited yet is two frames: its body, and the function that was called. Stacks show one of them.
size_t shown_as_one(const Frames& frames) {
  size_t pairs = 0;
  for (size_t i = 0; i + 1 < frames.size(); i++) {
    auto* caller = function_of(frames[i + 1].codeBlock());
    if (is_async_body(function_of(frames[i].codeBlock())) && caller &&
        JSC::isAsyncFunctionWrapperParseMode(caller->parseMode()))
      pairs++;
  }
  return pairs;
}

bool is_queue(JSC::FunctionExecutable* function) {
  return function && function->isBuiltinFunction() &&
         rondo::engine::to_utf8(function->source().provider()->sourceURL()) == rondo::engine::kMicrotaskQueueUrl;
}

// Whether the outermost async function in these frames was resumed by the microtask queue, and not called by what stands below it.
bool is_resumed(const Frames& frames) {
  for (size_t i = frames.size(); i-- > 1;) {
    if (is_queue(function_of(frames[i].codeBlock())) && is_async_body(function_of(frames[i - 1].codeBlock())))
      return true;
  }
  return false;
}

JSC::JSGenerator* generator_in(Value value) {
  if (!value || !value.isCell()) return nullptr;
  if (auto* pair = JSC::jsDynamicCast<JSC::JSArray*>(value.asCell()))  // with the async context behind it
    value = pair->length() > 0 && pair->canGetIndexQuickly(0u) ? pair->getIndexQuickly(0) : Value();
  return value && value.isCell() ? JSC::jsDynamicCast<JSC::JSGenerator*>(value.asCell()) : nullptr;
}

// The generator of the outermost async function that runs: its body's first argument.
JSC::JSGenerator* running_generator(JSC::VM& vm) {
  JSC::JSGenerator* found = nullptr;
  JSC::StackVisitor::visit(vm.topCallFrame, vm, [&](JSC::StackVisitor& visitor) {
    if (!visitor->isInlinedDFGFrame() && is_async_body(function_of(visitor->codeBlock())))
      found = generator_in(visitor->callFrame()->argument(0));
    return WTF::IterationStatus::Continue;
  });
  return found;
}

// The newest reaction to a promise that is not settled yet.
JSC::JSObject* reaction_to(JSC::VM& vm, Value value) {
  auto* promise = value && value.isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(value.asCell()) : nullptr;
  if (!promise || promise->status(vm) != JSC::JSPromise::Status::Pending) return nullptr;
  Value reactions = promise->internalField(JSC::JSPromise::Field::ReactionsOrResult).get();
  return reactions.isObject() ? JSC::asObject(reactions) : nullptr;
}

// Layout: contextPrivateName, promiseOrCapabilityPrivateName
// The promises that then() and catch() made are followed to who awaits the last of them.
JSC::JSGenerator* who_awaits(JSC::VM& vm, JSC::JSGenerator* generator) {
  constexpr int kMaxPromises = 32;
  const auto& names = vm.propertyNames->builtinNames();
  Value promise = generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::Context)).get();
  for (int i = 0; i < kMaxPromises; i++) {
    auto* reaction = reaction_to(vm, promise);
    if (!reaction) return nullptr;
    if (auto* waits = generator_in(reaction->getDirect(vm, names.contextPrivateName()))) return waits;
    promise = reaction->getDirect(vm, names.promiseOrCapabilityPrivateName());
  }
  return nullptr;
}

// The last expression that the engine knows a place of, and the awaits since.
void find_place_before(rondo::engine::AwaitPoint& point, unsigned jump, const JSC::UnlinkedSimpleJumpTable& table) {
  unsigned known = 0;
  const unsigned start = point.code->sourceOffset();
  for (const auto& info : point.code->unlinkedCodeBlock()->expressionInfo()) {
    if (info.instructionOffset >= point.offset) break;  // of what comes behind the await
    known = info.instructionOffset;
    point.place_before = start + info.divotPoint;
  }
  for (size_t i = 0; i < table.m_branchOffsets.size(); i++) {
    if (table.m_min + static_cast<int>(i) == 0) continue;  // where the function begins
    const int distance = table.m_branchOffsets[i];
    const unsigned target = jump + static_cast<unsigned>(distance);
    if (distance > 0 && target > known && target < point.offset) point.awaits_between++;
  }
}

// Where a generator will go on: its body begins with a jump by its state.
std::optional<rondo::engine::AwaitPoint> resume_point(JSC::CodeBlock* block, int state) {
  for (auto point = CodePoint::first(block); point; point = point->next()) {
    if (point->opcode() != JSC::op_switch_imm) continue;
    const auto& table = block->unlinkedCodeBlock()->unlinkedSwitchJumpTable(static_cast<int>(point->number(0)));
    const int distance = table.offsetForValue(state, 0);
    if (distance <= 0) return std::nullopt;
    rondo::engine::AwaitPoint found{block, point->offset() + static_cast<unsigned>(distance), std::nullopt, 0};
    find_place_before(found, point->offset(), table);
    return found;
  }
  return std::nullopt;
}

void append_awaiting(JSC::VM& vm, JSC::JSCell* owner, Frames& frames, size_t most) {
  auto* generator = running_generator(vm);
  while (generator && frames.size() < most && (generator = who_awaits(vm, generator))) {
    auto point = rondo::engine::await_point(generator);
    if (!point) return;
    frames.append(JSC::StackFrame(vm, owner, generator, point->code, JSC::BytecodeIndex(point->offset)));
  }
}

}  // namespace

std::optional<rondo::engine::AwaitPoint> rondo::engine::await_point(JSC::JSGenerator* generator) {
  Value next = generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::Next)).get();
  Value state = generator->internalField(static_cast<unsigned>(JSC::JSGenerator::Field::State)).get();
  auto* body = next.isCell() ? JSC::jsDynamicCast<JSC::JSFunction*>(next.asCell()) : nullptr;
  if (!body || body->isHostFunction() || !state.isInt32()) return std::nullopt;
  auto* block = reinterpret_cast<JSC::CodeBlock*>(body->jsExecutable()->eitherCodeBlock());
  if (!block) return std::nullopt;
  return resume_point(block->baselineAlternative(), state.asInt32());
}

#define RONDO_GET_STACK                                                                                      \
  "_ZN3JSC11Interpreter13getStackTraceEPNS_6JSCellERN3WTF6VectorINS_10StackFrameELm0ENS3_15CrashOnOverflowE" \
  "Lm16ENS3_10FastMallocEEEmmS2_"

extern void real_get_stack(JSC::Interpreter*, JSC::JSCell*, Frames&, size_t, size_t,
                           JSC::JSCell*) asm("__real_" RONDO_GET_STACK);
void wrap_get_stack(JSC::Interpreter*, JSC::JSCell*, Frames&, size_t, size_t,
                    JSC::JSCell*) asm("__wrap_" RONDO_GET_STACK);
void wrap_get_stack(JSC::Interpreter* self, JSC::JSCell* owner, Frames& frames, size_t skip, size_t most,
                    JSC::JSCell* caller) {
  real_get_stack(self, owner, frames, skip, most, caller);
  if (frames.size() == most) {
    if (const size_t pairs = shown_as_one(frames)) {
      frames.clear();
      most += pairs;
      real_get_stack(self, owner, frames, skip, most, caller);
    }
  }
  if (!owner || frames.isEmpty()) return;
  auto& vm = owner->vm();
  if (frames.size() < most && is_resumed(frames)) append_awaiting(vm, owner, frames, most);
  // An exception takes a stack beside the error's own, which names only places.
  if (!JSC::jsDynamicCast<JSC::Exception*>(owner)) rondo::engine::add_receivers(vm, owner, frames, skip);
}
