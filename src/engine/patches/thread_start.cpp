// See thread_start.h.
#include "engine/patches/thread_start.h"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

namespace rondo::engine {

// Allocates nothing: memory may be what is missing.
void end_without_thread(int error) {
  constexpr int kExitNoThread = 1;
  char text[256];
  const int length =
      snprintf(text, sizeof text,
               "rondo: cannot start a thread: %s. The limits on processes (ulimit -u), address space (-v), data "
               "(-d) or memory of this process are too low.\n",
               strerrordesc_np(error));
  if (write(STDERR_FILENO, text, static_cast<size_t>(length)) < 0) _exit(kExitNoThread);
  _exit(kExitNoThread);
}

}  // namespace rondo::engine

// The linker sends the calls of the engine and its allocator here (--wrap, see cmake/engine.cmake). The allocator gives its thread no
// argument; all others do, and look at the answer.
extern "C" int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
extern "C" int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                                     void* argument) {
  const int error = __real_pthread_create(thread, attributes, run, argument);
  if (error && !argument) rondo::engine::end_without_thread(error);
  return error;
}

#define RONDO_ESTABLISH _ZN3WTF6Thread15establishHandleEPNS0_16NewThreadContextESt8optionalImENS0_3QOSE
#define RONDO_NAME_(prefix, name) prefix##name
#define RONDO_NAME(prefix, name) RONDO_NAME_(prefix, name)
extern "C" bool RONDO_NAME(__real_, RONDO_ESTABLISH)(void* self, void* context, std::optional<size_t> stack_size,
                                                     uint8_t quality);
extern "C" bool RONDO_NAME(__wrap_, RONDO_ESTABLISH)(void* self, void* context, std::optional<size_t> stack_size,
                                                     uint8_t quality) {
  if (!RONDO_NAME(__real_, RONDO_ESTABLISH)(self, context, stack_size, quality))
    rondo::engine::end_without_thread(EAGAIN);
  return true;
}
