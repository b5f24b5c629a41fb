// See mutex.h.
#include "modules/sqlite/mutex.h"

#include <array>
#include <atomic>
#include <mutex>

#include <pthread.h>

namespace rondo::modules::sqlite {

namespace {

// A plain lock, or a connection's: SQLite makes recursive ones for connections alone.
//  M1  A connection's while !is_shared_: only the owner's thread is in any of the functions; depth_ counts, nothing is locked.
//  M2  is_locked_ is true while a thread holds the lock of a shared connection; that thread is owner_, and depth_ is its.
class Mutex {
 public:
  enum class Kind { Plain, Connection };
  constexpr explicit Mutex(Kind kind) : kind_(kind) {}

  void enter() {
    if (kind_ == Kind::Plain) return lock_.lock();
    if (is_shared_.load(std::memory_order_relaxed) && !is_mine()) take();
    depth_++;
  }

  int try_enter() {
    if (kind_ == Kind::Plain) return lock_.try_lock() ? SQLITE_OK : SQLITE_BUSY;
    if (is_shared_.load(std::memory_order_relaxed) && !is_mine()) {
      if (!lock_.try_lock()) return SQLITE_BUSY;
      note();
    }
    depth_++;
    return SQLITE_OK;
  }

  void leave() {
    if (kind_ == Kind::Plain) return lock_.unlock();
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

  const Kind kind_;
  std::atomic<bool> is_shared_{true};
  bool is_locked_ = false;
  unsigned depth_ = 0;
  std::atomic<pthread_t> owner_{0};
  std::mutex lock_;
};

template <int... kTypes>
constexpr auto plain_mutexes(std::integer_sequence<int, kTypes...>) {
  return std::array{(static_cast<void>(kTypes), Mutex(Mutex::Kind::Plain))...};
}
// SQLite asks for its global ones by number.
constexpr int kFirstGlobal = SQLITE_MUTEX_STATIC_MAIN, kGlobals = SQLITE_MUTEX_STATIC_VFS3 - kFirstGlobal + 1;
constinit std::array globals = plain_mutexes(std::make_integer_sequence<int, kGlobals>());

sqlite3_mutex* opaque(Mutex* mutex) { return reinterpret_cast<sqlite3_mutex*>(mutex); }
Mutex* ours(sqlite3_mutex* mutex) { return reinterpret_cast<Mutex*>(mutex); }

sqlite3_mutex* allocate(int type) {
  if (type == SQLITE_MUTEX_FAST) return opaque(new Mutex(Mutex::Kind::Plain));
  if (type == SQLITE_MUTEX_RECURSIVE) return opaque(new Mutex(Mutex::Kind::Connection));
  const int index = type - kFirstGlobal;
  return index >= 0 && index < kGlobals ? opaque(&globals[index]) : nullptr;
}

// Sets them when it is first called. Refused by a library that was built without threads.
bool is_installed() {
  static constexpr sqlite3_mutex_methods kMethods = {
      .xMutexInit = [] { return SQLITE_OK; },
      .xMutexEnd = [] { return SQLITE_OK; },
      .xMutexAlloc = allocate,
      .xMutexFree = [](sqlite3_mutex* mutex) { delete ours(mutex); },
      .xMutexEnter = [](sqlite3_mutex* mutex) { ours(mutex)->enter(); },
      .xMutexTry = [](sqlite3_mutex* mutex) { return ours(mutex)->try_enter(); },
      .xMutexLeave = [](sqlite3_mutex* mutex) { ours(mutex)->leave(); },
      .xMutexHeld = nullptr,
      .xMutexNotheld = nullptr,
  };
  static const bool kIsInstalled = sqlite3_config(SQLITE_CONFIG_MUTEX, &kMethods) == SQLITE_OK;
  return kIsInstalled;
}

}  // namespace

void install_mutexes() { is_installed(); }

void own_connection(sqlite3* handle) {
  if (is_installed()) ours(sqlite3_db_mutex(handle))->own();
}

void share_connection(sqlite3* handle) {
  if (is_installed()) ours(sqlite3_db_mutex(handle))->share();
}

}  // namespace rondo::modules::sqlite
