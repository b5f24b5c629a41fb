// See mutex.h.
#include "modules/sqlite/mutex.h"

#include <atomic>
#include <cstdint>
#include <mutex>

#include <pthread.h>

namespace rondo::modules::sqlite {

namespace {

//  M1  While !is_shared_ only the owner's thread is in any of the functions; depth_ counts, nothing is locked.
//  M2  is_locked_ is true while a thread holds lock_; that thread is owner_, and depth_ is its.
class ConnectionMutex {
 public:
  void enter() {
    if (is_shared_.load(std::memory_order_relaxed) && !is_mine()) take();
    depth_++;
  }

  int try_enter() {
    if (is_shared_.load(std::memory_order_relaxed) && !is_mine()) {
      if (!lock_.try_lock()) return SQLITE_BUSY;
      note();
    }
    depth_++;
    return SQLITE_OK;
  }

  void leave() {
    if (--depth_ > 0 || !is_locked_) return;
    is_locked_ = false;
    owner_.store(0, std::memory_order_relaxed);
    lock_.unlock();
  }

  void own() { is_shared_.store(false, std::memory_order_relaxed); }

  void share() {
    if (is_shared_.load(std::memory_order_relaxed)) return;
    if (depth_ > 0) take();  // calls that are under way leave it
    is_shared_.store(true, std::memory_order_release);
  }

 private:
  bool is_mine() const { return owner_.load(std::memory_order_relaxed) == pthread_self(); }
  void take() {
    lock_.lock();
    note();
  }
  void note() {
    is_locked_ = true;
    owner_.store(pthread_self(), std::memory_order_relaxed);
  }

  std::mutex lock_;
  std::atomic<pthread_t> owner_{0};
  std::atomic<bool> is_shared_{true};
  bool is_locked_ = false;
  unsigned depth_ = 0;
};

// Ours have a mark in their address; SQLite never looks behind it.
constexpr uintptr_t kMark = 1;

sqlite3_mutex* marked(ConnectionMutex* mutex) {
  return reinterpret_cast<sqlite3_mutex*>(reinterpret_cast<uintptr_t>(mutex) | kMark);
}
ConnectionMutex* ours(sqlite3_mutex* mutex) {
  const auto address = reinterpret_cast<uintptr_t>(mutex);
  return address & kMark ? reinterpret_cast<ConnectionMutex*>(address & ~kMark) : nullptr;
}

const sqlite3_mutex_methods& usual() {
  static const sqlite3_mutex_methods kMethods = [] {
    sqlite3_mutex_methods methods{};
    sqlite3_initialize();  // chooses them
    sqlite3_shutdown();  // they may be asked for and replaced only now
    sqlite3_config(SQLITE_CONFIG_GETMUTEX, &methods);
    return methods;
  }();
  return kMethods;
}

// Only connections have recursive ones.
sqlite3_mutex* allocate(int type) {
  return type == SQLITE_MUTEX_RECURSIVE ? marked(new ConnectionMutex) : usual().xMutexAlloc(type);
}
void release(sqlite3_mutex* mutex) {
  if (auto* own = ours(mutex))
    delete own;
  else
    usual().xMutexFree(mutex);
}
void enter(sqlite3_mutex* mutex) {
  if (auto* own = ours(mutex))
    own->enter();
  else
    usual().xMutexEnter(mutex);
}
int try_enter(sqlite3_mutex* mutex) {
  auto* own = ours(mutex);
  return own ? own->try_enter() : usual().xMutexTry(mutex);
}
void leave(sqlite3_mutex* mutex) {
  if (auto* own = ours(mutex))
    own->leave();
  else
    usual().xMutexLeave(mutex);
}

}  // namespace

void install_connection_mutexes() {
  sqlite3_mutex_methods methods = usual();
  if (!methods.xMutexAlloc) return;  // a library without threads
  methods.xMutexAlloc = allocate;
  methods.xMutexFree = release;
  methods.xMutexEnter = enter;
  methods.xMutexTry = try_enter;
  methods.xMutexLeave = leave;
  methods.xMutexHeld = nullptr;
  methods.xMutexNotheld = nullptr;
  sqlite3_config(SQLITE_CONFIG_MUTEX, &methods);
}

void own_connection(sqlite3* handle) {
  if (auto* mutex = ours(sqlite3_db_mutex(handle))) mutex->own();
}

void share_connection(sqlite3* handle) {
  if (auto* mutex = ours(sqlite3_db_mutex(handle))) mutex->share();
}

}  // namespace rondo::modules::sqlite
