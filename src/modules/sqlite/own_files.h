// Under --permission SQLite opens only files that the program was asked about: databases by their names (sqlite.cpp, functions.cpp, backup.cpp) and what
// stands beside them. Without this it would also write temporary files into folders that a PRAGMA or the environment names, and delete any file
// that a forged journal calls its super-journal.
#pragma once

#include "runtime/permission.h"

#include <sqlite3.h>

namespace rondo::modules::sqlite {

// Before a connection is opened; `rights` are those of all connections that the thread opens. It holds for the process and cannot be taken back.
void refuse_other_files(const runtime::Permission& rights);

// Temporary tables and sorted rows need no file then.
int keep_temporary_in_memory(sqlite3* handle);

}  // namespace rondo::modules::sqlite
