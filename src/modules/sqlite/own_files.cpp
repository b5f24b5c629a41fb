// See own_files.h.
#include "modules/sqlite/own_files.h"

#include "modules/sqlite/connection.h"

#include <cstdio>
#include <string_view>

namespace rondo::modules::sqlite {

using runtime::Permission;
using runtime::Scope;

OwnFiles::OwnFiles(const Permission& rights)
    : sqlite3_vfs(*sqlite3_vfs_find("unix")), machine_(sqlite3_vfs_find("unix")), rights_(rights) {
  char name[64];
  snprintf(name, sizeof name, "rondo-%p", static_cast<const void*>(this));
  name_ = name;
  zName = name_.c_str();
  pNext = nullptr;
  xOpen = open;
  sqlite3_vfs_register(this, 0);
}

OwnFiles::~OwnFiles() { sqlite3_vfs_unregister(this); }

// A super-journal and the journals that it names are known by the text of files alone; SQLite deletes the first when none of the others names it any more.
// Threads of the pool, which take the steps of a backup, may not look at the rights: they follow none.
bool OwnFiles::may_follow(std::string_view name) const {
  if (std::this_thread::get_id() != thread_) return false;
  const auto database = name.substr(0, name.rfind('-'));  // of "DATABASE-journal", "DATABASE-mjXXXXXXXXX"
  return rights_.allows(Scope::FileSystemWrite, name) || rights_.allows(Scope::FileSystemWrite, database);
}

int OwnFiles::open(sqlite3_vfs* self, const char* name, sqlite3_file* file, int flags, int* opened) {
  const auto& files = *static_cast<const OwnFiles*>(self);
  const bool is_asked_about = name && *name && (!(flags & SQLITE_OPEN_SUPER_JOURNAL) || files.may_follow(name));
  if (is_asked_about) return files.machine_->xOpen(files.machine_, name, file, flags, opened);
  file->pMethods = nullptr;
  return SQLITE_CANTOPEN;
}

int OwnFiles::keep_temporary_in_memory(sqlite3* handle) {
  return sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
}

bool chooses_system(std::string_view location) {
  const auto query = location.substr(0, location.find('#'));
  if (!location.starts_with("file:") || query.find('?') == std::string_view::npos) return false;
  for (auto rest = query.substr(query.find('?') + 1); !rest.empty();) {
    const auto part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    // As a C string: what stands behind %00 is ignored.
    if (without_escapes(part.substr(0, part.find('='))).c_str() == std::string_view("vfs")) return true;
  }
  return false;
}

}  // namespace rondo::modules::sqlite
