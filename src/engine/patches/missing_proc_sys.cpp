// Substitutes for /proc and /sys, which the engine's libraries read, on machines that lack them. The linker puts these functions before
// theirs (--wrap, see cmake/engine.cmake).
//
// - The memory limit of the control group: theirs takes a failed open's errno for a descriptor, closes it (2 is stderr) or aborts.
// - Random bytes: theirs come from /dev/urandom, which a bare container lacks. The kernel gives the same without a file.
// - The bounds of the main thread's stack: the C library reads them in /proc, which may be missing.
// - Address space aligned to 4 GiB for structures: theirs asks for as much again to align it in, and when the kernel refuses
//   (ulimit -v) unmaps a part of the process that it never got.
#include "base/machine_memory.h"
#include "engine/patches/missing_proc_sys.h"
#include "rondo/base/fatal.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace rondo::engine {

std::size_t reservation_limit() { return static_cast<std::size_t>(address_space_limit() / 8); }

}  // namespace rondo::engine

namespace {

void fill_randomly(void* out, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(out);
  while (size > 0) {
    const ssize_t got = getrandom(bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) rondo::fatal("getrandom", errno);
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
}

// Aligned places from a random one on, until one is free.
void* reserve_aligned(std::size_t size, std::size_t alignment) {
  constexpr std::uintptr_t kLow = 0x1000'0000'0000, kHigh = 0x7000'0000'0000;
  std::uintptr_t place = 0;
  for (int attempt = 0; attempt < 64; attempt++) {
    fill_randomly(&place, sizeof place);
    place = (kLow + place % (kHigh - kLow)) / alignment * alignment;
    void* hint = reinterpret_cast<void*>(place);
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void* got = mmap(hint, size, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (got == hint) return got;
    if (got != MAP_FAILED)
      munmap(got, size);  // a kernel before 4.17 takes the place for a wish
    else if (errno == ENOMEM)
      return nullptr;
  }
  return nullptr;
}

}  // namespace

extern "C" {

std::uint64_t __wrap__Z25uv_get_constrained_memoryv() { return rondo::first_constrained_memory(); }

void __wrap__ZN7bmalloc12cryptoRandomEPvm(void* out, std::size_t size) { fill_randomly(out, size); }

void __wrap__ZN3WTF35cryptographicallyRandomValuesFromOSEPhm(unsigned char* out, std::size_t size) {
  fill_randomly(out, size);
}

void* __real__ZN3WTF11OSAllocator28tryReserveUncommittedAlignedEmmNS0_5UsageEbbbb(std::size_t size,
                                                                                  std::size_t alignment, int usage,
                                                                                  bool writable, bool executable,
                                                                                  bool jit_cage, bool guard_pages);

// The engine asks for half as much when it gets nothing.
void* __wrap__ZN3WTF11OSAllocator28tryReserveUncommittedAlignedEmmNS0_5UsageEbbbb(std::size_t size,
                                                                                  std::size_t alignment, int usage,
                                                                                  bool writable, bool executable,
                                                                                  bool jit_cage, bool guard_pages) {
  if (const std::size_t limit = rondo::engine::reservation_limit())
    return size > limit ? nullptr : reserve_aligned(size, alignment);
  return __real__ZN3WTF11OSAllocator28tryReserveUncommittedAlignedEmmNS0_5UsageEbbbb(size, alignment, usage, writable,
                                                                                     executable, jit_cage, guard_pages);
}

int __real_pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes);

extern void* __libc_stack_end;  // where the main thread began, from the C library's start-up

int __wrap_pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  const int error = __real_pthread_getattr_np(thread, attributes);
  if (error == 0 || getpid() != gettid() || !pthread_equal(thread, pthread_self())) return error;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) < 0) return errno;
  constexpr std::uintptr_t kUsualSize = 8 << 20;
  const auto page = static_cast<std::uintptr_t>(getpagesize());
  const auto top = (reinterpret_cast<std::uintptr_t>(__libc_stack_end) + page) / page * page;
  const auto size = stack.rlim_cur == RLIM_INFINITY ? kUsualSize : stack.rlim_cur / page * page;
  if (const int failed = pthread_attr_init(attributes)) return failed;
  return pthread_attr_setstack(attributes, reinterpret_cast<void*>(top - size), size);
}

}  // extern "C"
