// See local_times.h.
#include "engine/core/local_times.h"

#include "engine/core/live_cells.h"

#include <JavaScriptCore/DateInstance.h>
#include <JavaScriptCore/JSDateMath.h>

namespace rondo::engine {

void forget_local_times(JSC::VM& vm) {
  JSC::DateCache::timeZoneChanged();
  vm.dateCache.resetIfNecessary();
  for_each_cell(vm, [](JSC::JSCell* cell) {
    auto* date = JSC::jsDynamicCast<JSC::DateInstance*>(cell);
    if (date == nullptr) return;
    // The address that compiled code reads the cached fields from.
    auto* data =
        *reinterpret_cast<JSC::DateInstanceData**>(reinterpret_cast<char*>(date) + JSC::DateInstance::offsetOfData());
    if (data != nullptr) data->m_gregorianDateTimeCachedForMS = JSC::pureNaN();
  });
}

}  // namespace rondo::engine
