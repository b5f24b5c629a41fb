// See frame_receivers.h.
#include "engine/patches/frame_receivers.h"

#include "engine/core/context_realm.h"
#include "engine/core/vm_state.h"
#include "engine/patches/microtask_queue.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/NativeCallee.h>
#include <JavaScriptCore/StackVisitor.h>
#include <JavaScriptCore/UnlinkedCodeBlock.h>

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

JSC::FunctionExecutable* function_of(JSC::CodeBlock* block) {
  return block ? JSC::jsDynamicCast<JSC::FunctionExecutable*>(block->ownerExecutable()) : nullptr;
}

bool is_async_body(JSC::FunctionExecutable* function) {
  return function && (function->parseMode() == JSC::SourceParseMode::AsyncFunctionBodyMode ||
                      function->parseMode() == JSC::SourceParseMode::AsyncArrowFunctionBodyMode);
}

bool is_queue(JSC::FunctionExecutable* function) {
  return function && function->isBuiltinFunction() &&
         to_utf8(function->source().provider()->sourceURL()) == kMicrotaskQueueUrl;
}

JSC::FunctionExecutable* executable_of(JSC::JSCell* callee) {
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(callee);
  return function && !function->isHostFunction() ? function->jsExecutable() : nullptr;
}

// Whether `body` is the body of the async function `wrapper`: after an await the body alone is on the stack.
bool is_body_of(JSC::FunctionExecutable* body, JSC::FunctionExecutable* wrapper) {
  if (!wrapper || !is_async_body(body) || !JSC::isAsyncFunctionWrapperParseMode(wrapper->parseMode())) return false;
  auto* code = reinterpret_cast<JSC::CodeBlock*>(wrapper->eitherCodeBlock());
  const int expressions = code ? static_cast<int>(code->unlinkedCodeBlock()->numberOfFunctionExprs()) : 0;
  for (int i = 0; i < expressions; i++) {
    if (code->functionExpr(i) == body) return true;
  }
  return false;
}

// One walk over the stack, newest frame first.
class StackTaker {
 public:
  StackTaker(JSC::VM& vm, JSC::JSCell* owner, StackWalk& walk) : vm_(vm), owner_(owner), walk_(walk) {}

  void run() {
    JSC::StackVisitor::visit(vm_.topCallFrame, vm_, [this](JSC::StackVisitor& visitor) { return visit(visitor); });
    auto& frames = *walk_.frames;
    frames.reserveInitialCapacity(taken_.size() + receivers_);
    for (const auto& taken : taken_) {
      if (!taken.callee)
        frames.constructAndAppend(taken.wasm);
      else if (taken.code)
        frames.constructAndAppend(vm_, owner_, taken.callee, taken.code, taken.index);
      else
        frames.constructAndAppend(vm_, owner_, taken.callee);
      if (taken.receiver) frames.constructAndAppend(vm_, owner_, taken.receiver, nullptr, JSC::BytecodeIndex(0));
    }
  }

 private:
  // The parts of a frame. Frames are made when their number is known, in place, since a copy of one costs as much as the visit.
  struct Taken {
    JSC::JSCell* callee;  // null: a function of WebAssembly
    JSC::CodeBlock* code;
    JSC::JSCell* receiver;
    JSC::BytecodeIndex index;
    JSC::Wasm::IndexOrName wasm;
  };

  WTF::IterationStatus visit(JSC::StackVisitor& visitor) {
    if (is_left_out(visitor)) return WTF::IterationStatus::Continue;
    if (walk_.hides_library && is_librarys(visitor)) {
      auto* body = std::exchange(previous_, nullptr);
      auto* function = body ? function_of(visitor->codeBlock()) : nullptr;
      if (function && is_queue(function)) walk_.is_resumed = true;
      return WTF::IterationStatus::Continue;
    }
    if (walk_.counted == walk_.most) return WTF::IterationStatus::Done;
    if (visitor->isNativeCalleeFrame()) {
      if (visitor->callee().asNativeCallee()->category() != JSC::NativeCallee::Category::Wasm)
        return WTF::IterationStatus::Continue;
      taken_.append({nullptr, nullptr, nullptr, {}, visitor->wasmFunctionIndexOrName()});
      previous_ = nullptr;
      walk_.counted++;
      return WTF::IterationStatus::Continue;
    }
    auto* block = visitor->codeBlock();
    auto* receiver = walk_.with_receivers ? receiver_of(vm_, visitor) : nullptr;
    taken_.append({visitor->callee().asCell(), block, receiver, visitor->bytecodeIndex(), {}});
    if (receiver) receivers_++;
    if (!follow_async(visitor, function_of(block))) walk_.counted++;
    return WTF::IterationStatus::Continue;
  }

  static bool is_librarys(JSC::StackVisitor& visitor) {
    if (visitor->isNativeCalleeFrame()) return false;
    auto* block = visitor->codeBlock();
    auto* callee = visitor->callee().asCell();
    auto* realm = block                          ? block->globalObject()
                  : callee && callee->isObject() ? callee->getObject()->globalObject()
                                                 : nullptr;
    return realm && !JSC::jsDynamicCast<ContextRealm*>(realm);
  }

  bool is_left_out(JSC::StackVisitor& visitor) {
    if (skipped_ < walk_.skip) {
      skipped_++;
      return true;
    }
    if (walk_.caller && !is_caller_found_) {
      if (visitor->isNativeCalleeFrame()) return true;
      auto* function = function_of(visitor->codeBlock());
      const bool is_body = is_body_of(function, executable_of(walk_.caller));
      is_caller_found_ = is_body || visitor->callee().asCell() == walk_.caller;
      if (is_body) follow_async(visitor, function);
      return true;
    }
    // The call of the async function whose body was the caller.
    if (walk_.caller && previous_ && taken_.isEmpty() && !visitor->isNativeCalleeFrame() &&
        visitor->callee().asCell() == walk_.caller) {
      previous_ = nullptr;
      return true;
    }
    return visitor->isImplementationVisibilityPrivate() || is_in_between(visitor);
  }

  // Frames between a program's call and its async hooks, and between lib/ and a function it calls (call1, call2, …), would take the
  // places that the limit leaves to the program.
  static bool is_in_between(JSC::StackVisitor& visitor) {
    auto* function = visitor->isNativeCalleeFrame() ? nullptr : function_of(visitor->codeBlock());
    if (!function) return false;
    const auto& url = function->source().provider()->sourceURL();
    if (url == "node:bootstrap/00_primordials"_s) return function->ecmaName().string().startsWith("call"_s);
    return url == "node:internal/async_hooks/tracking"_s || url == "node:internal/async_hooks/context"_s;
  }

  // True where the frame is the call of an async function whose body came just before: stacks show one of the two.
  bool follow_async(JSC::StackVisitor& visitor, JSC::FunctionExecutable* function) {
    auto* body = std::exchange(previous_, is_async_body(function) ? function : nullptr);
    if (previous_ && !visitor->isInlinedDFGFrame()) walk_.generator = generator_in(visitor->callFrame()->argument(0));
    if (!body || !function) return false;
    if (is_queue(function)) walk_.is_resumed = true;
    return JSC::isAsyncFunctionWrapperParseMode(function->parseMode());
  }

  static constexpr size_t kUsualFrames = 12;

  JSC::VM& vm_;
  JSC::JSCell* owner_;
  StackWalk& walk_;
  WTF::Vector<Taken, kUsualFrames> taken_;
  size_t receivers_ = 0;
  size_t skipped_ = 0;
  bool is_caller_found_ = false;
  JSC::FunctionExecutable* previous_ = nullptr;  // of the frame before, if it is the body of an async function
};

}  // namespace

JSC::JSGenerator* generator_in(JSC::JSValue value) {
  if (!value || !value.isCell()) return nullptr;
  if (auto* pair = JSC::jsDynamicCast<JSC::JSArray*>(value.asCell()))  // with the async context behind it
    value = pair->length() > 0 && pair->canGetIndexQuickly(0u) ? pair->getIndexQuickly(0) : Value();
  return value && value.isCell() ? JSC::jsDynamicCast<JSC::JSGenerator*>(value.asCell()) : nullptr;
}

// A page sees frames of pages. The library's own errors, made while no page's code runs, keep theirs.
void take_stack(JSC::VM& vm, JSC::JSCell* owner, StackWalk& walk) {
  if (!vm.topCallFrame || !walk.most) return;
  if (VmState::of(vm).has_pages) {
    StackWalk shown = walk;
    shown.hides_library = true;
    StackTaker(vm, owner, shown).run();
    auto* realm = owner->structure()->globalObject();  // null: of no realm
    if (shown.counted > 0 || (realm && JSC::jsDynamicCast<ContextRealm*>(realm))) {
      walk = shown;
      return;
    }
  }
  StackTaker(vm, owner, walk).run();
}

}  // namespace rondo::engine
