// See session.h.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include "modules/sqlite/session.h"

#include "modules/sqlite/changeset.h"

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
    const auto outcome = connection.runtime.call_nested(function, JSC::jsNull(), arguments);
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

// applyChangeset(database, bytes, filter or undefined, onConflict or undefined) → whether it was not aborted
Value apply_changeset(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  Deciders deciders{*connection, call.realm(), call.function(2), call.function(3)};
  // A copy: a function of the program may detach the bytes.
  const auto bytes = call.bytes(1);
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  if (!is_changeset(copy)) return raise_sqlite(call, SQLITE_CORRUPT);
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
