// Code that waits for its compilation is interpreted at full speed meanwhile. In the engine's build pinned in package.json a function that
// has become hot is handed to the compiler's thread, and from then on each of its calls and rounds of its loops asks whether the
// thread is done, under a lock and after a walk over all that was noted of its values: more work than the call itself, and a busy
// machine lets the thread wait for milliseconds. The linker puts the function below before the question (--wrap, see
// cmake/engine.cmake): the next one comes after a hundred counts. May go when the engine sets the threshold itself.
#include "engine/core/jsc.h"

#include <JavaScriptCore/UnlinkedCodeBlock.h>

namespace {

// Layout: JITCompilationKey
// The engine's JITCompilationKey, which two registers hold, and its answers.
constexpr unsigned kBaseline = 1;
constexpr int kCompiling = 1;

}  // namespace

#define RONDO_COMPLETE_PLANS "_ZN3JSC11JITWorklist26completeAllReadyPlansForVMERNS_2VMENS_17JITCompilationKeyE"

extern int real_complete_plans(void*, JSC::VM&, JSC::JSCell*, unsigned) asm("__real_" RONDO_COMPLETE_PLANS);
int wrap_complete_plans(void*, JSC::VM&, JSC::JSCell*, unsigned) asm("__wrap_" RONDO_COMPLETE_PLANS);
int wrap_complete_plans(void* worklist, JSC::VM& vm, JSC::JSCell* code, unsigned mode) {
  const int state = real_complete_plans(worklist, vm, code, mode);
  if (state == kCompiling && mode == kBaseline)
    static_cast<JSC::UnlinkedCodeBlock*>(code)->llintExecuteCounter().setNewThreshold(
        JSC::Options::thresholdForJITSoon());
  return state;
}
