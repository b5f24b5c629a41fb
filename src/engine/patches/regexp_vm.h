// Which VM a compiled expression belongs to, and whether its script is to end.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrInterpreter.h>

namespace rondo::engine {

// Null for an expression that belongs to none.
inline JSC::VM* vm_of(const JSC::Yarr::BytecodePattern& pattern) {
  auto* vm =
      reinterpret_cast<JSC::VM*>(reinterpret_cast<char*>(pattern.m_allocator) - offsetof(JSC::VM, m_regExpAllocator));
  return pattern.m_lock == &vm->m_regExpAllocatorLock ? vm : nullptr;
}

inline bool is_ending(JSC::VM* vm) { return vm && vm->traps().hasTrapBit(JSC::VMTraps::NeedTermination); }

}  // namespace rondo::engine
