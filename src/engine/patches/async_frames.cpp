// The async functions that wait for the one that runs: `at async f` in stacks. The engine takes a stack when an error is made; the
// linker sends that here (--wrap, see cmake/engine.cmake), and the functions that await are appended, each at its await. Such a frame's
// callee is the function's generator: that is how stack_trace.cpp knows it.
//
// A function that runs has a promise (the context of its generator); who awaits that promise is the context of the promise's first
// reaction. Both are the engine's private layout, which microtask_queue.cpp shares.
#include "engine/patches/async_frames.h"

#include "engine/core/context_realm.h"
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
    if (auto* waits = rondo::engine::generator_in(reaction->getDirect(vm, names.contextPrivateName()))) return waits;
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

void append_awaiting(JSC::VM& vm, JSC::JSCell* owner, Frames& frames, const rondo::engine::StackWalk& walk) {
  auto* generator = walk.generator;
  for (size_t count = walk.counted; generator && count < walk.most; count++) {
    generator = who_awaits(vm, generator);
    auto point = generator ? rondo::engine::await_point(generator) : std::nullopt;
    if (!point) return;
    if (walk.hides_library && !JSC::jsDynamicCast<rondo::engine::ContextRealm*>(point->code->globalObject())) continue;
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

std::optional<rondo::engine::AwaitPoint> rondo::engine::await_point_at(JSC::CodeBlock* block, unsigned offset) {
  for (auto point = CodePoint::first(block); point; point = point->next()) {
    if (point->opcode() != JSC::op_switch_imm) continue;
    const auto& table = block->unlinkedCodeBlock()->unlinkedSwitchJumpTable(static_cast<int>(point->number(0)));
    AwaitPoint found{block, offset, std::nullopt, 0};
    find_place_before(found, point->offset(), table);
    return found;
  }
  return std::nullopt;
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
  // Without an owner places alone are wanted: the stack of a thread that is interrupted.
  if (!owner) return real_get_stack(self, owner, frames, skip, most, caller);
  auto& vm = owner->vm();
  // An exception takes a stack beside the error's own, which names only places.
  const bool with_receivers = !JSC::jsDynamicCast<JSC::Exception*>(owner);
  rondo::engine::StackWalk walk{skip, most, caller, with_receivers, &frames};
  rondo::engine::take_stack(vm, owner, walk);
  if (walk.is_resumed) append_awaiting(vm, owner, frames, walk);
}
