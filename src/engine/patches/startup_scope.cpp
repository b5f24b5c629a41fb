// See startup_scope.h.
#include "engine/patches/startup_scope.h"

#include <sys/prctl.h>

// The engine's header for this class is not among the installed ones; these four functions are in the library.
namespace JSC {
class JITWorklist {
 public:
  static JITWorklist& ensureGlobalWorklist();
  void suspendAllThreads();
  void resumeAllThreads();
  void cancelAllPlansForVM(VM&);
};
}  // namespace JSC

namespace rondo::engine {

SmallPagesScope::SmallPagesScope() { prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }
SmallPagesScope::~SmallPagesScope() { prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0); }

StartupScope::NoCollection::NoCollection(JSC::VM& vm) : heap(vm.heap) { heap.preventCollection(); }
StartupScope::NoCollection::~NoCollection() { heap.allowCollection(); }

StartupScope::StartupScope(JSC::VM& vm) : vm_(vm), no_collection_(vm), defer_(vm) {
  if (JSC::Options::useConcurrentJIT()) JSC::JITWorklist::ensureGlobalWorklist().suspendAllThreads();
}

StartupScope::~StartupScope() {
  if (!JSC::Options::useConcurrentJIT()) return;
  auto& worklist = JSC::JITWorklist::ensureGlobalWorklist();
  worklist.cancelAllPlansForVM(vm_);
  worklist.resumeAllThreads();
}

}  // namespace rondo::engine
