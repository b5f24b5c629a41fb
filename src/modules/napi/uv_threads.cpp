// libuv's threads, locks and thread-local keys as addons use them: POSIX's own, under libuv's names.
#include <semaphore.h>
#include <uv.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace {

// These fail only when they are misused: libuv ends the process then, too.
void must(int error) {
  if (error) std::abort();
}

struct Start {
  uv_thread_cb entry;
  void* argument;
};

void* run(void* start) {
  std::unique_ptr<Start> owned(static_cast<Start*>(start));
  owned->entry(owned->argument);
  return nullptr;
}

}  // namespace

extern "C" {

int uv_thread_create(uv_thread_t* thread, uv_thread_cb entry, void* argument) {
  auto start = std::make_unique<Start>(entry, argument);
  const int error = pthread_create(thread, nullptr, run, start.get());
  if (!error) start.release();
  return -error;
}
int uv_thread_create_ex(uv_thread_t* thread, const uv_thread_options_t* options, uv_thread_cb entry, void* argument) {
  if (!(options->flags & UV_THREAD_HAS_STACK_SIZE) || options->stack_size == 0)
    return uv_thread_create(thread, entry, argument);
  constexpr size_t kLeast = 16384, kPage = 4096;
  pthread_attr_t attributes;
  if (int error = pthread_attr_init(&attributes)) return -error;
  const size_t size = options->stack_size < kLeast ? kLeast : (options->stack_size + kPage - 1) / kPage * kPage;
  auto start = std::make_unique<Start>(entry, argument);
  int error = pthread_attr_setstacksize(&attributes, size);
  if (!error) error = pthread_create(thread, &attributes, run, start.get());
  pthread_attr_destroy(&attributes);
  if (!error) start.release();
  return -error;
}
int uv_thread_join(uv_thread_t* thread) { return -pthread_join(*thread, nullptr); }
uv_thread_t uv_thread_self() { return pthread_self(); }
int uv_thread_equal(const uv_thread_t* one, const uv_thread_t* other) { return pthread_equal(*one, *other); }

int uv_mutex_init(uv_mutex_t* mutex) { return -pthread_mutex_init(mutex, nullptr); }
int uv_mutex_init_recursive(uv_mutex_t* mutex) {
  pthread_mutexattr_t attributes;
  must(pthread_mutexattr_init(&attributes));
  must(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE));
  const int error = pthread_mutex_init(mutex, &attributes);
  must(pthread_mutexattr_destroy(&attributes));
  return -error;
}
void uv_mutex_destroy(uv_mutex_t* mutex) { must(pthread_mutex_destroy(mutex)); }
void uv_mutex_lock(uv_mutex_t* mutex) { must(pthread_mutex_lock(mutex)); }
void uv_mutex_unlock(uv_mutex_t* mutex) { must(pthread_mutex_unlock(mutex)); }
int uv_mutex_trylock(uv_mutex_t* mutex) { return pthread_mutex_trylock(mutex) ? UV_EBUSY : 0; }

int uv_rwlock_init(uv_rwlock_t* lock) { return -pthread_rwlock_init(lock, nullptr); }
void uv_rwlock_destroy(uv_rwlock_t* lock) { must(pthread_rwlock_destroy(lock)); }
void uv_rwlock_rdlock(uv_rwlock_t* lock) { must(pthread_rwlock_rdlock(lock)); }
void uv_rwlock_rdunlock(uv_rwlock_t* lock) { must(pthread_rwlock_unlock(lock)); }
void uv_rwlock_wrlock(uv_rwlock_t* lock) { must(pthread_rwlock_wrlock(lock)); }
void uv_rwlock_wrunlock(uv_rwlock_t* lock) { must(pthread_rwlock_unlock(lock)); }
int uv_rwlock_tryrdlock(uv_rwlock_t* lock) { return pthread_rwlock_tryrdlock(lock) ? UV_EBUSY : 0; }
int uv_rwlock_trywrlock(uv_rwlock_t* lock) { return pthread_rwlock_trywrlock(lock) ? UV_EBUSY : 0; }

int uv_cond_init(uv_cond_t* condition) {
  pthread_condattr_t attributes;
  if (int error = pthread_condattr_init(&attributes)) return -error;
  int error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (!error) error = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return -error;
}
void uv_cond_destroy(uv_cond_t* condition) { must(pthread_cond_destroy(condition)); }
void uv_cond_signal(uv_cond_t* condition) { must(pthread_cond_signal(condition)); }
void uv_cond_broadcast(uv_cond_t* condition) { must(pthread_cond_broadcast(condition)); }
void uv_cond_wait(uv_cond_t* condition, uv_mutex_t* mutex) { must(pthread_cond_wait(condition, mutex)); }
int uv_cond_timedwait(uv_cond_t* condition, uv_mutex_t* mutex, uint64_t nanoseconds) {
  constexpr uint64_t kSecond = 1'000'000'000;
  const uint64_t end = uv_hrtime() + nanoseconds;
  const timespec until{static_cast<time_t>(end / kSecond), static_cast<long>(end % kSecond)};
  const int error = pthread_cond_timedwait(condition, mutex, &until);
  if (error && error != ETIMEDOUT) std::abort();
  return -error;
}

int uv_sem_init(uv_sem_t* semaphore, unsigned value) { return sem_init(semaphore, 0, value) ? -errno : 0; }
void uv_sem_destroy(uv_sem_t* semaphore) { must(sem_destroy(semaphore)); }
void uv_sem_post(uv_sem_t* semaphore) { must(sem_post(semaphore)); }
void uv_sem_wait(uv_sem_t* semaphore) {
  while (sem_wait(semaphore) != 0)
    if (errno != EINTR) std::abort();
}
int uv_sem_trywait(uv_sem_t* semaphore) { return sem_trywait(semaphore) ? UV_EAGAIN : 0; }

void uv_once(uv_once_t* guard, void (*callback)()) { must(pthread_once(guard, callback)); }
int uv_key_create(uv_key_t* key) { return -pthread_key_create(key, nullptr); }
void uv_key_delete(uv_key_t* key) { must(pthread_key_delete(*key)); }
void* uv_key_get(uv_key_t* key) { return pthread_getspecific(*key); }
void uv_key_set(uv_key_t* key, void* value) { must(pthread_setspecific(*key, value)); }

}  // extern "C"
