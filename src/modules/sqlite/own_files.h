// Under --permission SQLite opens only files that the program was asked about: databases by their names (sqlite.cpp, functions.cpp, backup.cpp) and what
// stands beside them. Without this it would also write temporary files into folders that a PRAGMA or the environment names, and delete any file
// that a forged journal calls its super-journal.
#pragma once

#include "runtime/permission.h"

#include <sqlite3.h>

#include <thread>

namespace rondo::modules::sqlite {

// Held by a connection from before it is opened until it is closed: `rights` are those of all connections of the thread. The first one makes it hold
// for the process; that cannot be taken back.
class OwnFiles {
 public:
  explicit OwnFiles(const runtime::Permission& rights);
  OwnFiles(const OwnFiles&) = delete;
  OwnFiles& operator=(const OwnFiles&) = delete;
  ~OwnFiles();

 private:
  std::thread::id thread_ = std::this_thread::get_id();
};

// Temporary tables and sorted rows need no file then.
int keep_temporary_in_memory(sqlite3* handle);

}  // namespace rondo::modules::sqlite
