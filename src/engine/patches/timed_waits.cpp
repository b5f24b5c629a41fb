// Atomics.waitAsync with a time-out: the engine sets a timer on its own run loop, which nobody turns here. Whoever owns the VM is
// told how long each such wait may take, and turns that loop when the time has come.
#include "engine/patches/timed_waits.h"

#include "engine/core/vm_state.h"

#include <wtf/RunLoop.h>

#include <cmath>

// The linker sends the engine's calls here (--wrap, see cmake/engine.cmake).
#define RONDO_WRAP_WAIT(symbol, Number)                                                                              \
  extern "C" JSC::EncodedJSValue __real_##symbol(void* self, JSC::JSGlobalObject* realm, JSC::VM* vm, Number* place, \
                                                 Number expected, double seconds);                                   \
  extern "C" JSC::EncodedJSValue __wrap_##symbol(void* self, JSC::JSGlobalObject* realm, JSC::VM* vm, Number* place, \
                                                 Number expected, double seconds) {                                  \
    auto answer = __real_##symbol(self, realm, vm, place, expected, seconds);                                        \
    auto& on_wait = rondo::engine::VmState::of(*vm).on_timed_wait;                                                   \
    if (on_wait && std::isfinite(seconds)) on_wait(seconds);                                                         \
    return answer;                                                                                                   \
  }

RONDO_WRAP_WAIT(_ZN3JSC17WaiterListManager9waitAsyncEPNS_14JSGlobalObjectERNS_2VMEPiiN3WTF7SecondsE, int32_t)
RONDO_WRAP_WAIT(_ZN3JSC17WaiterListManager9waitAsyncEPNS_14JSGlobalObjectERNS_2VMEPllN3WTF7SecondsE, int64_t)

namespace rondo::engine {

void on_timed_wait(JSC::VM& vm, std::function<void(double seconds)> hear) {
  VmState::of(vm).on_timed_wait = std::move(hear);
}

void turn_engine_loop() { WTF::RunLoop::cycle(); }

}  // namespace rondo::engine
