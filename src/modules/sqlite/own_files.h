// Under --permission a connection opens only files that the program was asked about: databases by their names (sqlite.cpp, functions.cpp, backup.cpp) and
// what stands beside them. Without this SQLite would also write temporary files into folders that a PRAGMA or the environment names, and delete any file
// that a forged journal calls its super-journal.
#pragma once

#include "runtime/permission.h"

#include <sqlite3.h>

#include <string>
#include <thread>

namespace rondo::modules::sqlite {

// A file system for SQLite ("VFS") over the machine's, for the connections of one thread that have these rights. It outlives them.
class OwnFiles final : sqlite3_vfs {
 public:
  explicit OwnFiles(const runtime::Permission& rights);
  OwnFiles(const OwnFiles&) = delete;
  OwnFiles& operator=(const OwnFiles&) = delete;
  ~OwnFiles();

  const char* name() const { return name_.c_str(); }
  // Temporary tables and sorted rows need no file then.
  static int keep_temporary_in_memory(sqlite3* handle);

 private:
  static int open(sqlite3_vfs* self, const char* name, sqlite3_file* file, int flags, int* opened);
  bool may_follow(std::string_view name) const;

  sqlite3_vfs* machine_;
  const runtime::Permission& rights_;
  const std::thread::id thread_ = std::this_thread::get_id();
  std::string name_;
};

// Whether a "file:" URI asks for a file system by its name.
bool chooses_system(std::string_view location);

}  // namespace rondo::modules::sqlite
