// Stacks of errors whose functions are collected before anybody has read them. The engine makes their text then, while it cannot tell
// which error it is for; the linker sends the call here (--wrap, see cmake/engine.cmake), and stack_trace.cpp finds the error's name
// and message.
#include "engine/core/vm_state.h"

#define RONDO_FINALIZE "_ZN3JSC13ErrorInstance23finalizeUnconditionallyERNS_2VMENS_15CollectionScopeE"

extern void real_finalize(JSC::ErrorInstance*, JSC::VM&, JSC::CollectionScope) asm("__real_" RONDO_FINALIZE);
void wrap_finalize(JSC::ErrorInstance*, JSC::VM&, JSC::CollectionScope) asm("__wrap_" RONDO_FINALIZE);
void wrap_finalize(JSC::ErrorInstance* self, JSC::VM& vm, JSC::CollectionScope scope) {
  auto& state = rondo::engine::VmState::of(vm);
  state.finalized_error = self;
  real_finalize(self, vm, scope);
  state.finalized_error = nullptr;
}
