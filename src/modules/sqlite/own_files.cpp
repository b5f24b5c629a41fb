// See own_files.h.
#include "modules/sqlite/own_files.h"

#include <mutex>
#include <string_view>
#include <unordered_map>

namespace rondo::modules::sqlite {

namespace {

using runtime::Permission;
using runtime::Scope;

int (*open_file)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*);

// Threads of the pool, which take the steps of a backup, have none: they follow no super-journal.
struct Rights {
  const Permission* permission = nullptr;
  int connections = 0;
};
struct Registry {
  std::mutex mutex;
  std::unordered_map<std::thread::id, Rights> threads;
};
Registry& registry() {
  static Registry all;
  return all;
}

// "DATABASE-journal" or "DATABASE-mjXXXXXXXXX": the database's name.
std::string_view database_of(std::string_view name) { return name.substr(0, name.rfind('-')); }

// A super-journal and the journals that it names are known by the text of files alone. SQLite deletes the super-journal when no journal names it any more.
bool may_follow(std::string_view name) {
  auto& [mutex, threads] = registry();
  const std::lock_guard lock(mutex);
  const auto found = threads.find(std::this_thread::get_id());
  if (found == threads.end()) return false;
  const auto& permission = *found->second.permission;
  return permission.allows(Scope::FileSystemWrite, name) ||
         permission.allows(Scope::FileSystemWrite, database_of(name));
}

int open_with_rights(sqlite3_vfs* system, const char* name, sqlite3_file* file, int flags, int* opened) {
  const bool is_asked_about = name && *name && (!(flags & SQLITE_OPEN_SUPER_JOURNAL) || may_follow(name));
  if (is_asked_about) return open_file(system, name, file, flags, opened);
  file->pMethods = nullptr;
  return SQLITE_CANTOPEN;
}

bool replace_opening() {
  // Systems of the library that have files share their functions; a URI may name any of them (?vfs=unix-none).
  for (const char* name : {"unix", "unix-excl", "unix-dotfile", "unix-none"}) {
    sqlite3_vfs* system = sqlite3_vfs_find(name);
    if (!system) continue;
    open_file = system->xOpen;
    system->xOpen = open_with_rights;
  }
  return true;
}

}  // namespace

OwnFiles::OwnFiles(const Permission& rights) {
  [[maybe_unused]] static const bool is_replaced = replace_opening();
  auto& [mutex, threads] = registry();
  const std::lock_guard lock(mutex);
  auto& mine = threads[thread_];
  mine.permission = &rights;
  mine.connections++;
}

OwnFiles::~OwnFiles() {
  auto& [mutex, threads] = registry();
  const std::lock_guard lock(mutex);
  const auto found = threads.find(thread_);
  if (--found->second.connections == 0) threads.erase(found);
}

int keep_temporary_in_memory(sqlite3* handle) {
  return sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
}

}  // namespace rondo::modules::sqlite
