// native('sqlite'): SQLite for lib/node/sqlite.js, which has checked the arguments. This file: databases. Statements, functions,
// sessions and backups have files of their own.
#include "engine/core/buffer_class.h"
#include "modules/sqlite/backup.h"
#include "modules/sqlite/connection.h"
#include "modules/sqlite/functions.h"
#include "modules/sqlite/memory.h"
#include "modules/sqlite/mutex.h"
#include "modules/sqlite/session.h"
#include "modules/sqlite/statement.h"
#include "modules/support/permission_check.h"

namespace rondo::modules {

using namespace engine;
using namespace sqlite;
using runtime::Runtime;

namespace {

// newDatabase(prototype, location, isReadOnly, hasForeignKeys, hasDoubleQuotedStrings, isDefensive, allowsExtensions, timeout,
// limits: Int32Array of pairs) → database, not yet open
Value new_database(Call& call) {
  Configuration configuration;
  configuration.location = call.string(1);
  if (call.failed()) return {};
  configuration.is_read_only = call.boolean(2);
  configuration.has_foreign_keys = call.boolean(3);
  configuration.has_double_quoted_strings = call.boolean(4);
  configuration.is_defensive = call.boolean(5);
  configuration.allows_extensions = call.boolean(6);
  configuration.busy_timeout = call.int32(7);
  int32_t pair[2];
  for (auto bytes = call.bytes(8); bytes.size() >= sizeof pair; bytes = bytes.subspan(sizeof pair)) {
    memcpy(pair, bytes.data(), sizeof pair);
    configuration.limits.emplace_back(pair[0], pair[1]);
  }
  auto connection = std::make_shared<Connection>(Runtime::from(call.realm()), std::move(configuration));
  auto* structure = NativeCell::create_structure(call.realm(), call.at(0));
  auto* cell = make_native(call.vm(), structure, std::make_unique<Database>(std::move(connection)));
  // Functions of the program, by the names under which SQLite knows them.
  cell->keep(call.vm(), JSC::constructEmptyObject(call.vm(), call.realm()->nullPrototypeObjectStructure()));
  return cell;
}

bool is_restricted(Runtime& runtime) { return runtime.permission() && runtime.permission()->is_enforced(); }

// Settings made before the program can use the connection; the first result that is not SQLITE_OK.
int configure(Connection& connection) {
  const auto& configuration = connection.configuration;
  auto* handle = connection.handle;
  const std::pair<int, bool> switches[] = {{SQLITE_DBCONFIG_DQS_DML, configuration.has_double_quoted_strings},
                                           {SQLITE_DBCONFIG_DQS_DDL, configuration.has_double_quoted_strings},
                                           {SQLITE_DBCONFIG_ENABLE_FKEY, configuration.has_foreign_keys},
                                           {SQLITE_DBCONFIG_DEFENSIVE, configuration.is_defensive},
                                           {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, configuration.allows_extensions}};
  for (const auto& [option, is_on] : switches) {
    if (const int result = sqlite3_db_config(handle, option, static_cast<int>(is_on), nullptr)) return result;
  }
  connection.may_load_extensions = configuration.allows_extensions;
  sqlite3_busy_timeout(handle, configuration.busy_timeout);
  // Distributions build the library to overwrite what is deleted with zeros; SQLite's own default, and Node's, is not to.
  if (const int result = sqlite3_exec(handle, "PRAGMA secure_delete = OFF", nullptr, nullptr, nullptr)) return result;
  for (const auto& [limit, value] : configuration.limits) sqlite3_limit(handle, limit, value);
  if (is_restricted(connection.runtime)) {
    if (const int result = OwnFiles::keep_temporary_in_memory(handle)) return result;
  }
  install_authorizer(connection);
  return SQLITE_OK;
}

// open(database)
Value open(Call& call) {
  auto* database = native_of<Database>(call.at(0));
  if (!database) return call.type_error("Illegal invocation");
  auto& connection = *database->connection;
  if (connection.handle) return raise_state(call, "database is already open");
  const auto& location = connection.configuration.location;
  const auto access_right = connection.configuration.is_read_only ? Access::Read : Access::Both;
  if (auto* refusal = refused_database(connection.runtime, location.c_str(), access_right)) return call.raise(refusal);
  if (connection.configuration.allows_extensions && connection.runtime.permission()) {
    return raise_coded(call, JSC::ErrorType::Error, "ERR_LOAD_SQLITE_EXTENSION"_s,
                       "Cannot load SQLite extensions when the permission model is enabled.");
  }
  // Serialized, whatever the library's default: a backup reads the connection on a thread of the pool.
  const int access =
      connection.configuration.is_read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  [[maybe_unused]] static const int configured = [] {
    // Without SQLite's own sums of memory, which nobody reads, an allocation takes no lock. Node's is built so.
    const int result = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    install_memory();
    install_mutexes();
    return result;
  }();
  const bool needs_rights = is_restricted(connection.runtime);
  if (needs_rights && !connection.own_files)
    connection.own_files = std::make_unique<OwnFiles>(*connection.runtime.permission());
  // A database without a name is a temporary file.
  const int memory = needs_rights && location.empty() ? SQLITE_OPEN_MEMORY : 0;
  const int flags = access | memory | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX;
  int result = sqlite3_open_v2(location.c_str(), &connection.handle, flags, connection.system());
  if (result == SQLITE_OK) {
    own_connection(connection.handle);
    result = configure(connection);
  }
  if (result == SQLITE_OK) return call.undefined();
  // Without memory there is no handle.
  auto* error = connection.handle ? make_error(call.realm(), connection.handle) : make_error(call.realm(), result);
  connection.close();
  return call.raise(error);
}

// isOpen(database)
Value is_open(Call& call) {
  auto* database = native_of<Database>(call.at(0));
  return database ? call.value(database->connection->handle != nullptr) : call.type_error("Illegal invocation");
}

// isInTransaction(database)
Value is_in_transaction(Call& call) {
  auto* connection = open_connection(call, call.at(0), From::Anywhere);
  return connection ? call.value(sqlite3_get_autocommit(connection->handle) == 0) : Value();
}

// check(database): throws unless it may be used now
Value check(Call& call) { return open_connection(call, call.at(0)) ? call.undefined() : Value(); }

// close(database)
Value close(Call& call) {
  auto* connection = open_connection(call, call.at(0), From::Anywhere);
  if (!connection) return {};
  if (connection->callbacks > 0) return raise_state(call, "database cannot be closed while in a callback");
  connection->close();
  // Their functions went with the connection.
  JSC::jsCast<NativeCell*>(call.at(0).asCell())
      ->keep(call.vm(), JSC::constructEmptyObject(call.vm(), call.realm()->nullPrototypeObjectStructure()));
  return call.undefined();
}

// execute(database, sql)
Value exec(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const auto sql = call.string(1);
  if (call.failed()) return {};
  int result;
  {
    InCallback in_callback(connection->callbacks);
    result = sqlite3_exec(connection->handle, sql.c_str(), nullptr, nullptr, nullptr);
  }
  return result == SQLITE_OK ? call.undefined() : raise_sqlite(call, *connection);
}

// location(database, name) → path, or null in memory
Value location(Call& call) {
  auto* connection = open_connection(call, call.at(0), From::Anywhere);
  if (!connection) return {};
  const char* path = sqlite3_db_filename(connection->handle, call.string(1).c_str());
  return path && *path ? call.text(path) : JSC::jsNull();
}

// limit(database, SQLITE_LIMIT_…, value or -1) → the value before
Value limit(Call& call) {
  auto* connection = open_connection(call, call.at(0), From::Anywhere);
  if (!connection) return {};
  return call.value(sqlite3_limit(connection->handle, call.int32(1), call.int32(2, -1)));
}

// setDefensive(database, isOn)
Value set_defensive(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const int result =
      sqlite3_db_config(connection->handle, SQLITE_DBCONFIG_DEFENSIVE, static_cast<int>(call.boolean(1)), nullptr);
  return result == SQLITE_OK ? call.undefined() : raise_sqlite(call, *connection);
}

// setExtensions(database, isOn)
Value set_extensions(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const bool is_on = call.boolean(1);
  if (is_on && !connection->configuration.allows_extensions) {
    return raise_state(call, "Cannot enable extension loading because it was disabled at database creation.");
  }
  const int option = SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION;
  const int result = sqlite3_db_config(connection->handle, option, static_cast<int>(is_on), nullptr);
  if (result != SQLITE_OK) return raise_sqlite(call, *connection);
  connection->may_load_extensions = is_on;
  return call.undefined();
}

// loadExtension(database, path or something else, entry point or undefined)
Value load_extension(Call& call) {
  auto* connection = open_connection(call, call.at(0), From::Anywhere);
  if (!connection) return {};
  if (!connection->may_load_extensions) return raise_state(call, "extension loading is not allowed");
  if (refuse_in_authorizer(call, *connection)) return {};
  if (!call.at(1).isString()) {
    return raise_coded(call, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_TYPE"_s,
                       "The \"path\" argument must be a string.");
  }
  const auto path = call.string(1), entry = call.string(2);
  char* message = nullptr;
  const int result = sqlite3_load_extension(connection->handle, path.c_str(),
                                            call.at(2).isString() ? entry.c_str() : nullptr, &message);
  if (result == SQLITE_OK) return call.undefined();
  const std::string text = message ? message : sqlite3_errstr(result);
  sqlite3_free(message);
  return raise_coded(call, JSC::ErrorType::Error, "ERR_LOAD_SQLITE_EXTENSION"_s, text);
}

// serialize(database, name) → Uint8Array
Value serialize(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const auto name = call.string(1);
  sqlite3_int64 size = 0;
  auto* bytes = sqlite3_serialize(connection->handle, name.c_str(), &size, 0);
  if (!bytes && size == 0 && sqlite3_get_autocommit(connection->handle)) {
    // SQLite before 3.47 has no page for a database that nothing has been written to; a transaction makes the first.
    Quiet quiet(*connection);
    sqlite3_exec(connection->handle, "BEGIN IMMEDIATE; COMMIT", nullptr, nullptr, nullptr);
    bytes = sqlite3_serialize(connection->handle, name.c_str(), &size, 0);
  }
  if (!bytes && size != 0) return raise_sqlite(call, *connection);
  const Value array = make_uint8_array(call.realm(), {bytes, bytes ? static_cast<size_t>(size) : 0});
  sqlite3_free(bytes);
  return array;
}

// deserialize(database, bytes, name)
Value deserialize(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  if (connection->callbacks > 0) return raise_state(call, "database cannot be deserialized while in a callback");
  const auto bytes = call.bytes(1);
  const auto name = call.string(2);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (!copy) return raise_sqlite(call, SQLITE_NOMEM);
  memcpy(copy, bytes.data(), bytes.size());
  connection->finalize_statements();
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  const unsigned flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
  const int result = sqlite3_deserialize(connection->handle, name.c_str(), copy, size, size, flags);
  return result == SQLITE_OK ? call.undefined() : raise_sqlite(call, *connection);
}

constexpr FunctionSpec kFunctions[] = {{"newDatabase", native<new_database>, 9},
                                       {"open", native<open>, 1},
                                       {"isOpen", native<is_open>, 1},
                                       {"isInTransaction", native<is_in_transaction>, 1},
                                       {"check", native<check>, 1},
                                       {"close", native<close>, 1},
                                       {"execute", native<exec>, 2},
                                       {"location", native<location>, 2},
                                       {"limit", native<limit>, 3},
                                       {"setDefensive", native<set_defensive>, 2},
                                       {"setExtensions", native<set_extensions>, 2},
                                       {"loadExtension", native<load_extension>, 3},
                                       {"serialize", native<serialize>, 2},
                                       {"deserialize", native<deserialize>, 3}};

}  // namespace

void init_sqlite(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  put_statement_functions(runtime, target);
  put_function_functions(runtime, target);
  put_session_functions(runtime, target);
  put_backup_functions(runtime, target);
  using Options = StatementOptions;
  static constexpr NumberSpec kOptionBits[] = {{"kReadBigInts", Options::kReadBigInts},
                                               {"kReturnArrays", Options::kReturnArrays},
                                               {"kAllowBareNamedParameters", Options::kAllowBareNamedParameters},
                                               {"kAllowUnknownNamedParameters", Options::kAllowUnknownNamedParameters}};
  put_numbers(runtime.realm(), target, kOptionBits);
}

}  // namespace rondo::modules
