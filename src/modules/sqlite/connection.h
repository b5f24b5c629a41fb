// One connection to a SQLite database, shared by the native objects that use it (database, statements, sessions, backups), whose
// order of destruction the collector chooses. Not here: anything that lib/node/sqlite.js can check before it calls.
//
// Thread: the Runtime's, but for a backup's step, which runs on the pool; the connection's own mutex (SQLite's serialized mode, mutex.h)
// keeps the two apart.
#pragma once

#include "engine/core/native_object.h"
#include "modules/sqlite/own_files.h"
#include "runtime/runtime.h"

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

namespace rondo::modules::sqlite {

using namespace engine;

class Statement;
class Session;

// Arguments of new DatabaseSync(); open() may use it again and again.
struct Configuration {
  std::string location;
  bool is_read_only = false;
  bool has_foreign_keys = true;
  bool has_double_quoted_strings = false;
  bool is_defensive = true;
  bool allows_extensions = false;
  int busy_timeout = 0;
  std::vector<std::pair<int, int>> limits;  // SQLITE_LIMIT_…, value
};

class Connection {
 public:
  Connection(runtime::Runtime& runtime, Configuration configuration)
      : runtime(runtime), configuration(std::move(configuration)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(); }

  // Closes the handle; SQLite keeps it until a backup that reads it has ended.
  void close();
  void finalize_statements();

  // The name of the file system that opens its files; null: the machine's.
  const char* system() const { return own_files ? own_files->name() : nullptr; }

  // Called by SQLite while it runs a statement, a function of the program threw this. The statement's failure is reported as it.
  void fail(Value thrown_value) { thrown.set(runtime.vm(), thrown_value); }

  runtime::Runtime& runtime;
  Configuration configuration;
  std::unique_ptr<OwnFiles>
      own_files;  // under --permission, from the first opening on: a backup may need it after close()
  sqlite3* handle = nullptr;
  bool may_load_extensions = false;
  std::unordered_set<Statement*> statements;
  std::unordered_set<Session*> sessions;
  JSC::Strong<JSC::Unknown> thrown;
  JSC::JSObject* authorizer = nullptr;  // the database's cell keeps it
  int callbacks = 0;  // calls in which a function of the program may run: the connection stays open
  int authorizers = 0;  // calls of the authorizer
  // While above 0 SQLite must not call functions of the program: a statement is being reset or destroyed, maybe by the collector.
  int quiet = 0;
};

// For the time of a call to SQLite that must not enter JavaScript.
class Quiet {
 public:
  explicit Quiet(Connection& connection) : connection_(connection) { connection_.quiet++; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { connection_.quiet--; }

 private:
  Connection& connection_;
};

// A function of the program may run while SQLite, or we, are in the middle of something.
class InCallback {
 public:
  explicit InCallback(int& depth) : depth_(depth) { depth_++; }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
  ~InCallback() { depth_--; }

 private:
  int& depth_;
};

// Holds the connection's mutex, so that the many calls that read a row find it held by their own thread, which costs little.
class Locked {
 public:
  explicit Locked(sqlite3* handle) : mutex_(sqlite3_db_mutex(handle)) { sqlite3_mutex_enter(mutex_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { sqlite3_mutex_leave(mutex_); }

 private:
  sqlite3_mutex* mutex_;
};

class Database final : public NativeObject {
 public:
  explicit Database(std::shared_ptr<Connection> connection) : connection(std::move(connection)) {}
  std::shared_ptr<Connection> connection;
};

// The Database in `value` when it may be used now; otherwise null with a pending error. kAnywhere: also in an authorizer.
enum class From { Anywhere, NoAuthorizer };
Connection* open_connection(Call& call, Value value, From from = From::NoAuthorizer);
bool refuse_in_authorizer(Call& call, const Connection& connection);

// The file that a location names: what SQLite makes of a path or of a "file:" URI.
std::string file_of(std::string_view location);

// The same without "%41" and its like.
std::string without_escapes(std::string_view text);
// The error when the program may not open this database; null: it is named by an expression.
enum class Access { Read, Write, Both };
JSC::JSObject* refused_database(runtime::Runtime& runtime, const char* location, Access access);

// Errors, as Node words them.
Value raise_state(Call& call, std::string_view message);
Value raise_coded(Call& call, JSC::ErrorType type, ASCIILiteral code, std::string_view message);
// The error of the connection's last call to SQLite, or the error of the program's function that made it fail.
Value raise_sqlite(Call& call, Connection& connection);
Value raise_sqlite(Call& call, int code);
JSC::JSObject* make_error(JSC::JSGlobalObject* realm, std::string_view message);
JSC::JSObject* make_error(JSC::JSGlobalObject* realm, sqlite3* handle);
JSC::JSObject* make_error(JSC::JSGlobalObject* realm, int code);

}  // namespace rondo::modules::sqlite
