// The mutexes that SQLite uses here. It takes a connection's mutex in each call, several times for a row, although one thread alone uses
// the connection, but while a backup reads it on the pool. So that mutex only counts until share_connection() is called; all others lock.
#pragma once

#include <sqlite3.h>

namespace rondo::modules::sqlite {

// Before the first connection is opened.
void install_mutexes();

// `handle` is used by the calling thread alone from now on. Right after it was opened.
void own_connection(sqlite3* handle);
// Another thread may use it from now on, for the connection's whole life. By the thread that owns it, also in the middle of a call.
void share_connection(sqlite3* handle);

}  // namespace rondo::modules::sqlite
