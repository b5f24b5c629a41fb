// See session.h.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include "modules/sqlite/session.h"

#include "modules/sqlite/shapes.h"

namespace rondo::modules::sqlite {

Session::Session(std::shared_ptr<Connection> shared, sqlite3_session* handle)
    : connection(std::move(shared)), handle(handle) {
  connection->sessions.insert(this);
}

Session::~Session() {
  connection->sessions.erase(this);
  end();
}

void Session::end() {
  if (handle) sqlite3session_delete(std::exchange(handle, nullptr));
}

namespace {

Session* session_of(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) {
    call.type_error("Illegal invocation");
  } else if (!session->connection->handle) {
    raise_state(call, "database is not open");
    session = nullptr;
  } else if (!session->handle) {
    raise_state(call, "session is not open");
    session = nullptr;
  }
  return session;
}

// createSession(database, table or '', name of the database, prototype) → session
Value create_session(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const auto table = call.string(1), name = call.string(2);
  sqlite3_session* handle = nullptr;
  if (sqlite3session_create(connection->handle, name.c_str(), &handle) != SQLITE_OK)
    return raise_sqlite(call, *connection);
  if (sqlite3session_attach(handle, table.empty() ? nullptr : table.c_str()) != SQLITE_OK) {
    const Value failure = raise_sqlite(call, *connection);
    sqlite3session_delete(handle);
    return failure;
  }
  auto session = std::make_unique<Session>(native_of<Database>(call.at(0))->connection, handle);
  auto* cell = make_native(call.vm(), NativeCell::create_structure(call.realm(), call.at(3)), std::move(session));
  cell->keep(call.vm(), call.at(0));
  return cell;
}

// changeset(session, isPatchset) → Uint8Array
Value changeset(Call& call) {
  auto* session = session_of(call);
  if (!session || refuse_in_authorizer(call, *session->connection)) return {};
  int size = 0;
  void* bytes = nullptr;
  const auto make = call.boolean(1) ? sqlite3session_patchset : sqlite3session_changeset;
  int result;
  {
    // Reading the tables may ask the authorizer.
    InCallback in_callback(session->connection->callbacks);
    result = make(session->handle, &size, &bytes);
  }
  if (result != SQLITE_OK) return raise_sqlite(call, *session->connection);
  const Value array = make_uint8_array(call.realm(), {static_cast<const uint8_t*>(bytes), static_cast<size_t>(size)});
  sqlite3_free(bytes);
  return array;
}

// closeSession(session)
Value close_session(Call& call) {
  auto* session = session_of(call);
  if (!session) return {};
  if (session->connection->callbacks > 0) return raise_state(call, "session is currently in use");
  session->connection->sessions.erase(session);
  session->end();
  return call.undefined();
}

// The functions of the program that decide while a changeset is applied.
struct Deciders {
  Connection& connection;
  JSC::JSGlobalObject* realm;
  JSC::JSObject* filter;
  JSC::JSObject* on_conflict;

  // Once one has thrown, nothing more is asked.
  std::optional<Value> ask(JSC::JSObject* function, Value argument) {
    if (connection.thrown) return {};
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(argument);
    const auto outcome = engine::call(realm, function, JSC::jsNull(), arguments);
    if (!outcome.exception) return outcome.value;
    connection.fail(outcome.exception);
    return {};
  }

  static int includes_table(void* self, const char* table) {
    auto& deciders = *static_cast<Deciders*>(self);
    const auto answer = deciders.ask(deciders.filter, make_string(deciders.realm->vm(), table));
    return answer && answer->toBoolean(deciders.realm);
  }

  static int resolve(void* self, int conflict, sqlite3_changeset_iter*) {
    auto& deciders = *static_cast<Deciders*>(self);
    if (!deciders.on_conflict) return SQLITE_CHANGESET_ABORT;
    const auto answer = deciders.ask(deciders.on_conflict, JSC::jsNumber(conflict));
    if (!answer) return SQLITE_CHANGESET_ABORT;
    constexpr int kNone = -1;  // which SQLite reports as misuse
    return answer->isInt32() ? answer->asInt32() : kNone;
  }
};

// Whether every change has the values that its kind needs. SQLite before 3.51 reads them without asking and crashes.
bool has_its_values(sqlite3_changeset_iter* change, bool is_patchset) {
  const char* table = nullptr;
  int columns = 0, operation = 0, is_indirect = 0, key_columns = 0;
  unsigned char* keys = nullptr;
  if (sqlite3changeset_op(change, &table, &columns, &operation, &is_indirect) != SQLITE_OK) return false;
  if (sqlite3changeset_pk(change, &keys, &key_columns) != SQLITE_OK) return false;
  for (int i = 0; i < columns; i++) {
    sqlite3_value* value = nullptr;
    const bool is_insert = operation == SQLITE_INSERT;
    const bool is_needed = is_insert || keys[i] || (operation == SQLITE_DELETE && !is_patchset);
    if (!is_needed) continue;
    const int result = is_insert ? sqlite3changeset_new(change, i, &value) : sqlite3changeset_old(change, i, &value);
    if (result != SQLITE_OK || !value) return false;
  }
  return true;
}

bool is_well_formed(std::span<uint8_t> bytes) {
  sqlite3_changeset_iter* change = nullptr;
  if (sqlite3changeset_start(&change, static_cast<int>(bytes.size()), bytes.data()) != SQLITE_OK) return false;
  const bool is_patchset = !bytes.empty() && bytes[0] == 'P';
  int result;
  bool is_good = true;
  while (is_good && (result = sqlite3changeset_next(change)) == SQLITE_ROW)
    is_good = has_its_values(change, is_patchset);
  return sqlite3changeset_finalize(change) == SQLITE_OK && is_good;
}

// applyChangeset(database, bytes, filter or undefined, onConflict or undefined) → whether it was not aborted
Value apply_changeset(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  Deciders deciders{*connection, call.realm(), call.function(2), call.function(3)};
  // A copy: a function of the program may detach the bytes.
  const auto bytes = call.bytes(1);
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  if (!is_well_formed(copy)) return raise_sqlite(call, SQLITE_CORRUPT);
  int result;
  {
    InCallback in_callback(connection->callbacks);
    result = sqlite3changeset_apply(connection->handle, static_cast<int>(copy.size()), copy.data(),
                                    deciders.filter ? Deciders::includes_table : nullptr, Deciders::resolve, &deciders);
  }
  if (connection->thrown) return raise_sqlite(call, *connection);
  if (result == SQLITE_OK || result == SQLITE_ABORT) return call.value(result == SQLITE_OK);
  return raise_sqlite(call, result);
}

constexpr FunctionSpec kFunctions[] = {{"createSession", native<create_session>, 4},
                                       {"changeset", native<changeset>, 2},
                                       {"closeSession", native<close_session>, 1},
                                       {"applyChangeset", native<apply_changeset>, 4}};

}  // namespace

void put_session_functions(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules::sqlite
