// See frame_receivers.h.
#include "engine/patches/frame_receivers.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/StackVisitor.h>

namespace rondo::engine {

namespace {

using Value = JSC::JSValue;

// Optimised code may keep a number in the place of `this`, as bits that look like an address.
bool is_in_heap(JSC::VM& vm, JSC::JSCell* cell) {
  if (cell->isPreciseAllocation()) return false;
  return vm.heap.objectSpace().blocks().set().contains(JSC::MarkedBlock::blockFor(cell));
}

// Functions compiled into their caller have no place for `this`.
Value this_of(JSC::VM& vm, JSC::StackVisitor& visitor) {
  if (visitor->isNativeCalleeFrame() || visitor->isInlinedDFGFrame()) return {};
  auto* block = visitor->codeBlock();
  if (block && (block->codeType() != JSC::FunctionCode || block->isConstructor())) return {};
  Value value = visitor->callFrame()->thisValue();
  const bool is_optimised = block && JSC::JITCode::isOptimizingJIT(block->jitType());
  if (value && value.isCell() && is_optimised && !is_in_heap(vm, value.asCell())) return {};
  return value;
}

// Layout: StackFrame
// Null: the function was not called on anything. Numbers and booleans are no cells; their prototypes stand for them.
JSC::JSCell* receiver_of(JSC::VM& vm, JSC::StackVisitor& visitor) {
  Value value = this_of(vm, visitor);
  if (!value || value.isUndefinedOrNull()) return nullptr;
  if (value.isCell()) return is_scope(value.asCell()) ? nullptr : value.asCell();
  auto* realm = visitor->callFrame()->lexicalGlobalObject(vm);
  if (value.isNumber()) return realm->numberPrototype();
  return value.isBoolean() ? realm->booleanPrototype() : nullptr;
}

bool is_same(const JSC::StackFrame& frame, JSC::StackVisitor& visitor) {
  if (frame.isWasmFrame() || visitor->isNativeCalleeFrame())
    return frame.isWasmFrame() == visitor->isNativeCalleeFrame();
  if (frame.callee() != visitor->callee().asCell() || frame.codeBlock() != visitor->codeBlock()) return false;
  return !frame.hasBytecodeIndex() || frame.bytecodeIndex() == visitor->bytecodeIndex();
}

}  // namespace

void add_receivers(JSC::VM& vm, JSC::JSCell* owner, Frames& frames, size_t skip) {
  Frames with;
  size_t next = 0, visited = 0;
  JSC::StackVisitor::visit(vm.topCallFrame, vm, [&](JSC::StackVisitor& visitor) {
    if (next == frames.size()) return WTF::IterationStatus::Done;
    if (visited++ < skip || !is_same(frames[next], visitor)) return WTF::IterationStatus::Continue;
    auto* receiver = receiver_of(vm, visitor);
    if (receiver && with.isEmpty()) {
      with.reserveInitialCapacity(frames.size() * 2 - next);
      with.append(frames.span().first(next));
    }
    if (receiver || !with.isEmpty()) with.append(frames[next]);
    if (receiver) with.append(JSC::StackFrame(vm, owner, receiver, nullptr, JSC::BytecodeIndex(0)));
    next++;
    return WTF::IterationStatus::Continue;
  });
  if (with.isEmpty()) return;
  with.append(frames.span().subspan(next));
  frames = WTFMove(with);
}

}  // namespace rondo::engine
