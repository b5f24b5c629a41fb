// Atomics.waitAsync with a time-out: the engine sets a timer on its own run loop, which nobody turns here. The VM's owner is
// told how long each such wait may take, and turns that loop when the time has come. And Atomics.wait: a request for the VM's end does
// not wake it, so the place it waits for is noted, and the VM's end notifies there.
#include "engine/patches/timed_waits.h"

#include "engine/core/vm_state.h"

#include <wtf/RunLoop.h>

#include <climits>
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

#define RONDO_WRAP_SLEEP(symbol, Number)                                                                        \
  extern "C" int32_t __real_##symbol(void* self, JSC::VM* vm, Number* place, Number expected, double seconds);  \
  extern "C" int32_t __wrap_##symbol(void* self, JSC::VM* vm, Number* place, Number expected, double seconds) { \
    auto& sleeps_at = rondo::engine::VmState::of(*vm).sleeps_at;                                                \
    sleeps_at.store(place);                                                                                     \
    const int32_t how = __real_##symbol(self, vm, place, expected, seconds);                                    \
    sleeps_at.store(nullptr);                                                                                   \
    return how;                                                                                                 \
  }

RONDO_WRAP_SLEEP(_ZN3JSC17WaiterListManager8waitSyncERNS_2VMEPiiN3WTF7SecondsE, int32_t)
RONDO_WRAP_SLEEP(_ZN3JSC17WaiterListManager8waitSyncERNS_2VMEPllN3WTF7SecondsE, int64_t)

// Of a class that no header has.
extern "C" void* _ZN3JSC17WaiterListManager9singletonEv();
extern "C" unsigned _ZN3JSC17WaiterListManager12notifyWaiterEPvj(void* self, void* place, unsigned count);

namespace rondo::engine {

void on_timed_wait(JSC::VM& vm, std::function<void(double seconds)> hear) {
  VmState::of(vm).on_timed_wait = std::move(hear);
}

void wake_sleeper(JSC::VM& vm) {
  void* place = VmState::of(vm).sleeps_at.load();
  if (place) _ZN3JSC17WaiterListManager12notifyWaiterEPvj(_ZN3JSC17WaiterListManager9singletonEv(), place, UINT_MAX);
}

void turn_engine_loop() { WTF::RunLoop::cycle(); }

}  // namespace rondo::engine
