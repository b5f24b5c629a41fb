// Samples of native code that compiled JavaScript calls without telling the VM: arithmetic such as fmod or pow. The profiler finds no
// JavaScript for such a program counter, or that of an older call, so it is shown the caller's instead.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// While it lives, registers that the engine reads on this thread, the profiler's, are those of the innermost JavaScript.
class LeafCalls {
 public:
  explicit LeafCalls(JSC::VM& vm);
  ~LeafCalls();
  LeafCalls(const LeafCalls&) = delete;
  LeafCalls& operator=(const LeafCalls&) = delete;
};

}  // namespace rondo::engine
