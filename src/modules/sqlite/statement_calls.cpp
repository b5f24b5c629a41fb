// The functions of StatementSync.prototype and of its iterators. `this` is the cell of the statement; see statement.h.
#include "modules/sqlite/shapes.h"
#include "modules/sqlite/statement.h"

namespace rondo::modules::sqlite {

namespace {

// For the time in which a statement is bound or stepped: functions of the program that run meanwhile can neither use it nor close
// the connection.
class InUse {
 public:
  explicit InUse(Statement& statement) : statement_(statement), in_callback_(statement.connection->callbacks) {
    statement_.is_running = true;
  }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() { statement_.is_running = false; }

 private:
  Statement& statement_;
  InCallback in_callback_;
};

// The same with the connection's mutex, for what takes many calls.
class Running {
 public:
  explicit Running(Statement& statement) : in_use_(statement), locked_(statement.connection->handle) {}

 private:
  InUse in_use_;
  Locked locked_;
};

// A step whose rows are wanted, after which the statement is reset, whatever happened.
class Execution {
 public:
  explicit Execution(Statement& statement) : statement_(statement), running_(statement) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution() {
    if (!is_reset_) statement_.reset();
  }

  int step() {
    statement_.is_reset = false;
    return sqlite3_step(statement_.handle);
  }
  // A failure that SQLite tells only now.
  bool finish(Call& call) {
    is_reset_ = true;
    if (statement_.reset() == SQLITE_OK) return true;
    raise_sqlite(call, *statement_.connection);
    return false;
  }

 private:
  Statement& statement_;
  Running running_;
  bool is_reset_ = false;
};

// `this`, reset and bound, or null with a pending exception.
Statement* ready(Call& call) {
  auto* statement = usable_statement(call, call.self());
  if (!statement) return nullptr;
  const InUse in_use(*statement);
  if (statement->reset() != SQLITE_OK) {
    raise_sqlite(call, *statement->connection);
    return nullptr;
  }
  return statement->bind(call) ? statement : nullptr;
}

Value integer(Call& call, const Statement& statement, sqlite3_int64 value) {
  const Value result = integer_value(call.realm(), value, statement.options.integers);
  return result ? result : call.raise(out_of_range(call.realm(), value));
}

Value run(Call& call, Statement& statement) {
  Execution execution(statement);
  const int result = execution.step();
  // Rows of a SELECT or RETURNING are dropped.
  if (result != SQLITE_DONE && result != SQLITE_ROW) return raise_sqlite(call, *statement.connection);
  if (!execution.finish(call)) return {};
  auto* handle = statement.connection->handle;
  const Value last_row = integer(call, statement, sqlite3_last_insert_rowid(handle));
  if (!last_row) return {};
  const Value changes = integer(call, statement, sqlite3_changes64(handle));
  if (!changes) return {};
  return Shapes::of(statement.connection->runtime).run_result(call.realm(), changes, last_row);
}

Value get(Call& call, Statement& statement) {
  Execution execution(statement);
  const int result = execution.step();
  if (result != SQLITE_ROW && result != SQLITE_DONE) return raise_sqlite(call, *statement.connection);
  Value row = call.undefined();
  if (result == SQLITE_ROW && sqlite3_column_count(statement.handle) > 0) {
    row = statement.row(call);
    if (!row) return {};
  }
  return execution.finish(call) ? row : Value();
}

Value all(Call& call, Statement& statement) {
  auto* realm = call.realm();
  Execution execution(statement);
  auto* rows = JSC::constructEmptyArray(realm, nullptr);
  if (!rows) return {};
  int result;
  auto which = Statement::Row::First;
  while ((result = execution.step()) == SQLITE_ROW) {
    const Value row = statement.row(call, which);
    if (!row) return {};
    which = Statement::Row::Later;
    rows->push(realm, row);
    if (call.failed()) return {};
  }
  if (result != SQLITE_DONE) return raise_sqlite(call, *statement.connection);
  return execution.finish(call) ? call.value(rows) : Value();
}

// An iterator over the rows; its cell keeps the statement's.
class Iterator final : public NativeObject {
 public:
  explicit Iterator(Statement& statement) : statement(statement), generation(statement.generation) {}
  Statement& statement;
  unsigned generation;
  bool is_done = false;
};

Value iterate(Call& call, NativeCell* cell, Statement& statement) {
  auto* structure = Shapes::of(statement.connection->runtime).iterator.get();
  auto* iterator = make_native(call.vm(), structure, std::make_unique<Iterator>(statement));
  iterator->keep(call.vm(), cell);
  return iterator;
}

template <Value (*kExecute)(Call&, Statement&)>
Value executed(Call& call) {
  auto* statement = ready(call);
  return statement ? kExecute(call, *statement) : Value();
}

Value iterate_method(Call& call) {
  auto* statement = ready(call);
  return statement ? iterate(call, JSC::jsCast<NativeCell*>(call.self().asCell()), *statement) : Value();
}

Value end_of(Call& call, Iterator& iterator) {
  iterator.is_done = true;
  return Shapes::of(iterator.statement.connection->runtime).iteration(call.realm(), true, JSC::jsNull());
}

Iterator* iterator_of(Call& call) {
  auto* iterator = native_of<Iterator>(call.self());
  if (!iterator) {
    call.type_error("Illegal invocation");
  } else if (!iterator->statement.handle) {
    raise_state(call, "statement has been finalized");
    iterator = nullptr;
  }
  return iterator;
}

// Whether the iterator's statement may be stepped or reset now.
bool may_touch(Call& call, Iterator& iterator) {
  if (refuse_in_authorizer(call, *iterator.statement.connection)) return false;
  if (!iterator.statement.is_running) return true;
  raise_state(call, "statement is already being executed");
  return false;
}

Value next(Call& call) {
  auto* iterator = iterator_of(call);
  if (!iterator) return {};
  if (iterator->is_done) return end_of(call, *iterator);
  if (!may_touch(call, *iterator)) return {};
  auto& statement = iterator->statement;
  if (iterator->generation != statement.generation) return raise_state(call, "iterator was invalidated");
  Running running(statement);
  statement.is_reset = false;
  const int result = sqlite3_step(statement.handle);
  if (result == SQLITE_ROW) {
    const Value row = statement.row(call);
    return row ? Shapes::of(statement.connection->runtime).iteration(call.realm(), false, row) : Value();
  }
  if (result != SQLITE_DONE) {
    const Value failure = raise_sqlite(call, *statement.connection);
    statement.reset();
    return failure;
  }
  if (statement.reset() != SQLITE_OK) return raise_sqlite(call, *statement.connection);
  return end_of(call, *iterator);
}

Value return_iterator(Call& call) {
  auto* iterator = iterator_of(call);
  if (!iterator) return {};
  if (!iterator->is_done) {
    if (!may_touch(call, *iterator)) return {};
    // Of another's rows it must not take any.
    if (iterator->generation == iterator->statement.generation) iterator->statement.reset();
  }
  return end_of(call, *iterator);
}

// Those of the tag store, lib/internal/sqlite/tag_store.js: (statement, …values)
bool bind_in_order(Call& call, Statement& statement) {
  if (statement.reset() != SQLITE_OK || statement.clear_bindings() != SQLITE_OK) {
    raise_sqlite(call, *statement.connection);
    return false;
  }
  const int count = sqlite3_bind_parameter_count(statement.handle);
  if (count != static_cast<int>(call.count()) - 1) {
    raise_coded(call, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s,
                "SQLite parameters must be bound using template literal placeholders.");
    return false;
  }
  for (int i = 1; i <= count; i++) {
    if (!statement.bind_value(call, i, call.at(i))) return false;
  }
  return true;
}

template <Value (*kExecute)(Call&, Statement&)>
Value tagged(Call& call) {
  auto* statement = usable_statement(call, call.at(0));
  return statement && bind_in_order(call, *statement) ? kExecute(call, *statement) : Value();
}

Value tagged_iterate(Call& call) {
  auto* statement = usable_statement(call, call.at(0));
  if (!statement || !bind_in_order(call, *statement)) return {};
  return iterate(call, JSC::jsCast<NativeCell*>(call.at(0).asCell()), *statement);
}

Value columns(Call& call) {
  auto* statement = statement_of(call, call.self());
  if (!statement) return {};
  auto* realm = call.realm();
  auto& vm = call.vm();
  JSC::MarkedArgumentBuffer items;
  const int count = sqlite3_column_count(statement->handle);
  for (int i = 0; i < count; i++) {
    auto* item = JSC::constructEmptyObject(vm, realm->nullPrototypeObjectStructure());
    put(realm, item, "column", nullable_text(vm, sqlite3_column_origin_name(statement->handle, i)));
    put(realm, item, "database", nullable_text(vm, sqlite3_column_database_name(statement->handle, i)));
    put(realm, item, "name", nullable_text(vm, sqlite3_column_name(statement->handle, i)));
    put(realm, item, "table", nullable_text(vm, sqlite3_column_table_name(statement->handle, i)));
    put(realm, item, "type", nullable_text(vm, sqlite3_column_decltype(statement->handle, i)));
    items.append(item);
  }
  return make_array(realm, items);
}

Value source_sql(Call& call) {
  auto* statement = statement_of(call, call.self());
  return statement ? nullable_text(call.vm(), sqlite3_sql(statement->handle)) : Value();
}

Value expanded_sql(Call& call) {
  auto* statement = statement_of(call, call.self());
  if (!statement) return {};
  char* text = sqlite3_expanded_sql(statement->handle);
  if (!text) return call.raise(make_error(call.realm(), "Expanded SQL text would exceed configured limits"));
  const Value result = make_string(call.vm(), text);
  sqlite3_free(text);
  return result;
}

// Those of lib/node/sqlite.js that take the statement first.
// isFinalized(statement)
Value is_finalized(Call& call) {
  auto* statement = native_of<Statement>(call.at(0));
  return statement ? call.value(statement->handle == nullptr) : call.type_error("Illegal invocation");
}

// closeStatement(statement)
Value close_statement(Call& call) {
  auto* statement = statement_of(call, call.at(0));
  if (!statement) return {};
  if (statement->is_running) return raise_state(call, "statement is already being executed");
  if (sqlite3_stmt_busy(statement->handle) && refuse_in_authorizer(call, *statement->connection)) return {};
  statement->close();
  return call.undefined();
}

// setOption(statement, bit, isOn)
Value set_option(Call& call) {
  auto* statement = statement_of(call, call.at(0));
  if (!statement) return {};
  auto& options = statement->options;
  switch (call.int32(1)) {
    case 1:
      options.integers = call.boolean(2) ? Integers::BigInts : Integers::Numbers;
      break;
    case 2:
      options.returns_arrays = call.boolean(2);
      break;
    case 4:
      options.allows_bare_names = call.boolean(2);
      break;
    case 8:
      options.allows_unknown_names = call.boolean(2);
      break;
  }
  return call.undefined();
}

// statistic(statement, SQLITE_STMTSTATUS_…, isReset)
Value statistic(Call& call) {
  auto* statement = statement_of(call, call.at(0));
  if (!statement) return {};
  return call.value(sqlite3_stmt_status(statement->handle, call.int32(1), call.boolean(2)));
}

// setClasses(statementPrototype, iteratorPrototype)
Value set_classes(Call& call) {
  auto& shapes = Shapes::of(runtime::Runtime::from(call.realm()));
  shapes.statement.set(call.vm(), NativeCell::create_structure(call.realm(), call.at(0)));
  shapes.iterator.set(call.vm(), NativeCell::create_structure(call.realm(), call.at(1)));
  return call.undefined();
}

constexpr FunctionSpec kMethods[] = {{"iterate", native<iterate_method>},
                                     {"all", native<executed<all>>},
                                     {"get", native<executed<get>>},
                                     {"run", native<executed<run>>},
                                     {"columns", native<columns>}};
constexpr FunctionSpec kIteratorMethods[] = {{"next", native<next>}, {"return", native<return_iterator>}};
constexpr FunctionSpec kFunctions[] = {
    {"setClasses", native<set_classes>, 2},   {"prepare", native<prepare>, 4},
    {"isFinalized", native<is_finalized>, 1}, {"closeStatement", native<close_statement>, 1},
    {"setOption", native<set_option>, 3},     {"statistic", native<statistic>, 3},
    {"sourceSQL", native<source_sql>},        {"expandedSQL", native<expanded_sql>},
    {"taggedAll", native<tagged<all>>, 1},    {"taggedGet", native<tagged<get>>, 1},
    {"taggedRun", native<tagged<run>>, 1},    {"taggedIterate", native<tagged_iterate>, 1}};

}  // namespace

Statement* statement_of(Call& call, Value value) {
  auto* statement = native_of<Statement>(value);
  if (!statement) {
    call.type_error("Illegal invocation");
  } else if (!statement->handle) {
    raise_state(call, "statement has been finalized");
    statement = nullptr;
  }
  return statement;
}

Statement* usable_statement(Call& call, Value value) {
  auto* statement = statement_of(call, value);
  if (!statement || refuse_in_authorizer(call, *statement->connection)) return nullptr;
  if (!statement->is_running) return statement;
  raise_state(call, "statement is already being executed");
  return nullptr;
}

Value prepare(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const auto sql = call.string(1);
  if (call.failed()) return {};
  sqlite3_stmt* handle = nullptr;
  const unsigned flags = call.boolean(3) ? SQLITE_PREPARE_PERSISTENT : 0;
  if (sqlite3_prepare_v3(connection->handle, sql.c_str(), -1, flags, &handle, nullptr) != SQLITE_OK) {
    return raise_sqlite(call, *connection);
  }
  if (!handle) {
    return raise_coded(call, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s,
                       "The SQL query contains no statements.");
  }
  auto shared = native_of<Database>(call.at(0))->connection;
  auto* structure = Shapes::of(connection->runtime).statement.get();
  auto statement = std::make_unique<Statement>(std::move(shared), handle, StatementOptions(call.int32(2)));
  auto* cell = make_native(call.vm(), structure, std::move(statement));
  cell->keep(call.vm(), call.at(0));
  return cell;
}

void put_statement_functions(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  auto* methods = make_object(runtime.realm());
  put_functions(runtime.realm(), methods, kMethods);
  put(runtime.realm(), target, "statementMethods", methods);
  auto* iterator_methods = make_object(runtime.realm());
  put_functions(runtime.realm(), iterator_methods, kIteratorMethods);
  put(runtime.realm(), target, "iteratorMethods", iterator_methods);
}

}  // namespace rondo::modules::sqlite
