// See program_counter.h.
//
// Undeclared: llintPCRangeStart, llintPCRangeEnd
#include "engine/patches/program_counter.h"

#include "engine/core/jsc.h"

#include <JavaScriptCore/ExecutableAllocator.h>

#include <cerrno>

#include <ucontext.h>

extern "C" char llintPCRangeStart[];
extern "C" char llintPCRangeEnd[];

namespace rondo::engine {

#if CPU(X86_64)

bool is_lock_free_place(void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto* pc = reinterpret_cast<unsigned char*>(registers[REG_RIP]);
  const auto* code = reinterpret_cast<const char*>(pc);
  if (JSC::isJITPC(reinterpret_cast<void*>(registers[REG_RIP]))) return true;
  if (code >= llintPCRangeStart && code < llintPCRangeEnd) return true;
  // After a `syscall` instruction that answers "interrupted": no call of an allocator can.
  return registers[REG_RAX] == -EINTR && pc[-2] == 0x0F && pc[-1] == 0x05;
}

#else

bool is_lock_free_place(void*) { return false; }

#endif

}  // namespace rondo::engine
