// Tells AddressSanitizer, where the program runs under it, that received bytes are no longer valid: so a piece that is kept beyond its
// time is reported, instead of showing another connection's bytes. Found when the program is linked, so that the library itself need
// not be built with the sanitizer. Called by the pollers.
#pragma once

#include <cstddef>

extern "C" {
void __asan_poison_memory_region(const volatile void* address, std::size_t size) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void* address, std::size_t size) __attribute__((weak));
}

namespace rondo {

inline void poison(const void* memory, std::size_t size) {
  if (__asan_poison_memory_region && memory) [[unlikely]]
    __asan_poison_memory_region(memory, size);
}
inline void unpoison(const void* memory, std::size_t size) {
  if (__asan_unpoison_memory_region && memory) [[unlikely]]
    __asan_unpoison_memory_region(memory, size);
}

}  // namespace rondo
