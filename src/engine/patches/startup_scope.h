// For the time the runtime starts: keeps the engine from work that pays only later. A program that runs its bootstrap once and
// ends must not wait for compiled code and huge pages it never uses.
//
// - What is hot now is hot only once: the compiler threads rest, and what was asked for is forgotten at the end (1.6 MB of
//   resident memory); code that stays hot asks again.
// - The collector must not run meanwhile, whatever asks for it: it stops the program, then waits for the compiler threads, which only
//   the program lets go.
// - Zeroing 2 MiB pages for the engine's reservations costs up to 10 ms on a fragmented machine.
#pragma once

#include "engine/core/jsc.h"

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
  // No other thread starts a collection, and none is under way.
  struct NoCollection {
    explicit NoCollection(JSC::VM& vm);
    ~NoCollection();
    JSC::Heap& heap;
  };
  JSC::VM& vm_;
  NoCollection no_collection_;
  JSC::DeferGC defer_;
};

}  // namespace rondo::engine
