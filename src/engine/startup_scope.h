// For the time the runtime starts: keeps the engine from work that pays only later. A program that runs its bootstrap once and
// ends must not wait for compiled code and huge pages it never uses.
//
// - Functions decoded from baked bytecode come with an execution counter of zero, so the engine (the build pinned in
//   package.json) asks for machine code at their first call. The compiler threads rest, and what was asked for is forgotten at
//   the end; code that turns out hot asks again. May go when cached code blocks get their threshold on decoding.
// - The collector must not run meanwhile: it wants the compiler threads itself.
// - Zeroing 2 MiB pages for the engine's reservations costs up to 10 ms on a fragmented machine.
#pragma once

#include "engine/jsc.h"

#include <optional>

#include <JavaScriptCore/DeferGCInlines.h>

namespace rondo::engine {

// Before the VM is made; ends with the object. Affects this process only, not its children.
class SmallPagesScope {
 public:
  SmallPagesScope();
  ~SmallPagesScope();
};

class StartupScope {
 public:
  explicit StartupScope(JSC::VM& vm);
  ~StartupScope();

 private:
  JSC::VM& vm_;
  JSC::DeferGC defer_;
};

}  // namespace rondo::engine
