// See own_files.h.
#include "modules/sqlite/own_files.h"

#include <string_view>

namespace rondo::modules::sqlite {

namespace {

using runtime::Permission;
using runtime::Scope;

int (*open_file)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*);

// Threads of the pool, which take the steps of a backup, have none: they follow no super-journal.
thread_local const Permission* thread_rights;

// "DATABASE-journal" or "DATABASE-mjXXXXXXXXX": the database's name.
std::string_view database_of(std::string_view name) { return name.substr(0, name.rfind('-')); }

// A super-journal and the journals that it names are known by the text of files alone. SQLite deletes the super-journal when no journal names it any more.
bool may_follow(std::string_view name) {
  if (!thread_rights) return false;
  return thread_rights->allows(Scope::FileSystemWrite, name) ||
         thread_rights->allows(Scope::FileSystemWrite, database_of(name));
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

void refuse_other_files(const Permission& rights) {
  thread_rights = &rights;
  [[maybe_unused]] static const bool is_replaced = replace_opening();
}

int keep_temporary_in_memory(sqlite3* handle) {
  return sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
}

}  // namespace rondo::modules::sqlite
