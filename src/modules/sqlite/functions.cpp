// See functions.h.
#include "modules/sqlite/functions.h"

#include "modules/sqlite/values.h"
#include "modules/support/permission_check.h"

namespace rondo::modules::sqlite {

namespace {

// A function of the program as SQLite's user data. The cell of the database keeps what it points to.
struct UserFunction {
  Connection& connection;
  Integers integers;
  JSC::JSObject* function;

  static void destroy(void* self) { delete static_cast<UserFunction*>(self); }
  static void call(sqlite3_context* context, int count, sqlite3_value** values);
};

// The statement fails; why, the connection has been told.
void fail(sqlite3_context* context, Connection& connection, Value thrown) {
  connection.fail(thrown);
  sqlite3_result_error(context, "", 0);
}

// False when an INTEGER cannot be read: the statement has failed then.
bool read_arguments(sqlite3_context* context, Connection& connection, Integers integers, int count,
                    sqlite3_value** values, JSC::MarkedArgumentBuffer& arguments) {
  auto* realm = connection.runtime.realm();
  for (int i = 0; i < count; i++) {
    const Value value = to_value(realm, values[i], integers);
    if (!value) {
      fail(context, connection, out_of_range(realm, sqlite3_value_int64(values[i])));
      return false;
    }
    arguments.append(value);
  }
  return true;
}

// An empty value when it threw.
Value call_program(sqlite3_context* context, Connection& connection, JSC::JSObject* function,
                   const JSC::ArgList& arguments, Value self = JSC::jsUndefined()) {
  InCallback in_callback(connection.callbacks);
  const auto outcome = connection.runtime.call_nested(function, self, arguments);
  if (!outcome.exception) return outcome.value;
  fail(context, connection, outcome.exception);
  return {};
}

void UserFunction::call(sqlite3_context* context, int count, sqlite3_value** values) {
  auto& self = *static_cast<UserFunction*>(sqlite3_user_data(context));
  if (self.connection.quiet) return;
  JSC::MarkedArgumentBuffer arguments;
  if (!read_arguments(context, self.connection, self.integers, count, values, arguments)) return;
  if (const Value result = call_program(context, self.connection, self.function, arguments)) {
    set_result(self.connection.runtime.realm(), context, result);
  }
}

struct Aggregate {
  Connection& connection;
  Integers integers;
  Value start;
  JSC::JSObject* step;
  JSC::JSObject* inverse;
  JSC::JSObject* result;

  // One run of it, in the memory SQLite keeps for that.
  struct State {
    JSC::Strong<JSC::Unknown>* value;
    bool is_window;
  };

  static void destroy(void* self) { delete static_cast<Aggregate*>(self); }
  static void add(sqlite3_context* context, int count, sqlite3_value** values) {
    auto& self = *static_cast<Aggregate*>(sqlite3_user_data(context));
    self.advance(context, count, values, self.step);
  }
  static void remove(sqlite3_context* context, int count, sqlite3_value** values) {
    auto& self = *static_cast<Aggregate*>(sqlite3_user_data(context));
    self.advance(context, count, values, self.inverse);
  }
  static void value(sqlite3_context* context) {
    auto& self = *static_cast<Aggregate*>(sqlite3_user_data(context));
    if (auto* state = self.state_of(context)) {
      state->is_window = true;
      self.tell(context, *state);
    }
  }
  static void finish(sqlite3_context* context) {
    auto& self = *static_cast<Aggregate*>(sqlite3_user_data(context));
    auto* state = self.state_of(context);
    if (!state) return;
    // A window has told its values.
    if (!state->is_window && !self.connection.quiet) self.tell(context, *state);
    delete std::exchange(state->value, nullptr);
  }

 private:
  // Null when the start threw, or when nothing has been started and nothing may be.
  State* state_of(sqlite3_context* context) {
    auto* state = static_cast<State*>(sqlite3_aggregate_context(context, sizeof(State)));
    if (!state || state->value) return state;
    if (connection.quiet) return nullptr;
    Value value = start;
    if (value.isCallable()) {
      JSC::MarkedArgumentBuffer none;
      value = call_program(context, connection, JSC::asObject(value), none, JSC::jsNull());
      if (!value) return nullptr;
    }
    state->value = new JSC::Strong<JSC::Unknown>(connection.runtime.vm(), value);
    return state;
  }

  void advance(sqlite3_context* context, int count, sqlite3_value** values, JSC::JSObject* function) {
    auto* state = connection.quiet || connection.thrown ? nullptr : state_of(context);
    if (!state) return;
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(state->value->get());
    if (!read_arguments(context, connection, integers, count, values, arguments)) return;
    if (const Value next = call_program(context, connection, function, arguments)) {
      state->value->set(connection.runtime.vm(), next);
    }
  }

  void tell(sqlite3_context* context, State& state) {
    // An earlier step has failed: the statement is about to.
    if (connection.thrown) return;
    Value value = state.value->get();
    if (result) {
      JSC::MarkedArgumentBuffer arguments;
      arguments.append(value);
      value = call_program(context, connection, result, arguments, JSC::jsNull());
      if (!value) return;
    }
    set_result(connection.runtime.realm(), context, value);
  }
};

// Keeps `value` with the database under the name by which SQLite knows the function, in place of its predecessor.
void keep_function(Call& call, const std::string& name, int count, Value value) {
  std::string key = name + "/" + std::to_string(count);
  for (char& c : key) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  auto* cell = JSC::jsCast<NativeCell*>(call.at(0).asCell());
  put(call.realm(), JSC::asObject(cell->kept()), key, value);
}

int flags_of(bool is_deterministic, bool is_direct_only) {
  return SQLITE_UTF8 | (is_deterministic ? SQLITE_DETERMINISTIC : 0) | (is_direct_only ? SQLITE_DIRECTONLY : 0);
}

Integers integers_at(const Call& call, unsigned index) {
  return call.boolean(index) ? Integers::BigInts : Integers::Numbers;
}

// createFunction(database, name, count of arguments or -1, function, isDeterministic, isDirectOnly, usesBigInts)
Value create_function(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  auto* function = call.function(3);
  if (!connection || !function) return {};
  const auto name = call.string(1);
  const int count = call.int32(2);
  auto* user = new UserFunction{*connection, integers_at(call, 6), function};
  // Destroys `user` when it fails.
  const int result =
      sqlite3_create_function_v2(connection->handle, name.c_str(), count, flags_of(call.boolean(4), call.boolean(5)),
                                 user, UserFunction::call, nullptr, nullptr, UserFunction::destroy);
  if (result != SQLITE_OK) return raise_sqlite(call, *connection);
  keep_function(call, name, count, function);
  return call.undefined();
}

// createAggregate(database, name, count or -1, start, step, inverse or undefined, result or undefined, isDeterministic, isDirectOnly,
// usesBigInts)
Value create_aggregate(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection || !call.function(4)) return {};
  const auto name = call.string(1);
  const int count = call.int32(2);
  auto* aggregate = new Aggregate{*connection,      integers_at(call, 9), call.at(3),
                                  call.function(4), call.function(5),     call.function(6)};
  const bool is_window = aggregate->inverse != nullptr;
  const int result = sqlite3_create_window_function(
      connection->handle, name.c_str(), count, flags_of(call.boolean(7), call.boolean(8)), aggregate, Aggregate::add,
      Aggregate::finish, is_window ? Aggregate::value : nullptr, is_window ? Aggregate::remove : nullptr,
      Aggregate::destroy);
  if (result != SQLITE_OK) return raise_sqlite(call, *connection);
  JSC::MarkedArgumentBuffer parts;
  for (unsigned i = 3; i <= 6; i++) parts.append(call.at(i));
  keep_function(call, name, count, make_array(call.realm(), parts));
  return call.undefined();
}

int ask_program(Connection& connection, int action, const char* const (&texts)[4]) {
  auto* realm = connection.runtime.realm();
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(action));
  for (const char* text : texts) arguments.append(nullable_text(realm->vm(), text));
  InCallback in_callback(connection.callbacks), in_authorizer(connection.authorizers);
  const auto outcome = connection.runtime.call_nested(connection.authorizer, JSC::jsUndefined(), arguments);
  if (outcome.exception) {
    connection.fail(outcome.exception);
    return SQLITE_DENY;
  }
  if (!outcome.value.isInt32()) {
    connection.fail(JSC::createTypeError(realm, "Authorizer callback must return an integer authorization code"_s));
    return SQLITE_DENY;
  }
  const int answer = outcome.value.asInt32();
  if (answer == SQLITE_OK || answer == SQLITE_DENY || answer == SQLITE_IGNORE) return answer;
  connection.fail(JSC::createRangeError(realm, "Authorizer callback returned a invalid authorization code"_s));
  return SQLITE_DENY;
}

// ATTACH and VACUUM INTO open files.
bool may_attach(Connection& connection, const char* location) {
  auto* refusal = refused_database(connection.runtime, location, Access::Both);
  if (refusal) connection.fail(refusal);
  return !refusal;
}

int authorize(void* self, int action, const char* first, const char* second, const char* database, const char* source) {
  auto& connection = *static_cast<Connection*>(self);
  if (connection.quiet) return SQLITE_OK;
  if (connection.thrown) return SQLITE_DENY;
  if (action == SQLITE_ATTACH && connection.runtime.permission() && !may_attach(connection, first)) return SQLITE_DENY;
  return connection.authorizer ? ask_program(connection, action, {first, second, database, source}) : SQLITE_OK;
}

// setAuthorizer(database, function or null)
Value set_authorizer(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  connection->authorizer = call.function(1);
  auto* cell = JSC::jsCast<NativeCell*>(call.at(0).asCell());
  put(call.realm(), JSC::asObject(cell->kept()), "authorizer", call.at(1));
  install_authorizer(*connection);
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"createFunction", native<create_function>, 7},
                                       {"createAggregate", native<create_aggregate>, 10},
                                       {"setAuthorizer", native<set_authorizer>, 2}};

}  // namespace

void install_authorizer(Connection& connection) {
  const bool is_asked = connection.authorizer || connection.runtime.permission();
  sqlite3_set_authorizer(connection.handle, is_asked ? authorize : nullptr, &connection);
}

void put_function_functions(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules::sqlite
