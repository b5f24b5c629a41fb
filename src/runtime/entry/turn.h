// A turn is one task followed by all ticks and microtasks it leads to:
//
//   enter → call → report an uncaught exception → ticks, then microtasks, until both are empty → rejections
//
// Nothing else decides when microtasks run. Turns nest (a native function that calls back): only the outermost drains. The private
// part of src/runtime: modules call through a Continuation (continuation.h). Loop's thread only.
#pragma once

#include "runtime/runtime.h"

namespace rondo::runtime {

class Turn {
 public:
  explicit Turn(Runtime& runtime) : runtime_(runtime) { runtime_.turn_depth_++; }
  ~Turn() {
    if (--runtime_.turn_depth_ == 0) runtime_.drain();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  Runtime& runtime() const { return runtime_; }
  // Calls and reports what is thrown; empty value then.
  engine::Value call(engine::Value function, engine::Value self, const JSC::ArgList& arguments);
  engine::Value call(engine::Value function) { return call(function, JSC::jsUndefined(), JSC::MarkedArgumentBuffer()); }

 private:
  Runtime& runtime_;
};

}  // namespace rondo::runtime
