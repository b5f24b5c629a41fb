// See statement.h. Parameters in, rows out; the functions that JavaScript calls are in statement_calls.cpp.
#include "modules/sqlite/statement.h"

#include "modules/sqlite/shapes.h"

#include <JavaScriptCore/PropertyNameArray.h>

namespace rondo::modules::sqlite {

Statement::Statement(std::shared_ptr<Connection> shared, sqlite3_stmt* handle, StatementOptions options)
    : connection(std::move(shared)), handle(handle), options(options) {
  connection->statements.insert(this);
  parameters_ = sqlite3_bind_parameter_count(handle);
  for (int i = 1; i <= parameters_; i++) {
    if (sqlite3_bind_parameter_name(handle, i)) has_named_ = true;
  }
}

void Statement::finalize() {
  Quiet quiet(*connection);
  sqlite3_finalize(std::exchange(handle, nullptr));
  bound_.clear();
}

int Statement::clear_bindings() {
  const int result = sqlite3_clear_bindings(handle);
  bound_.clear();
  return result;
}

void Statement::close() {
  if (!handle) return;
  connection->statements.erase(this);
  finalize();
}

int Statement::reset() {
  generation++;
  if (is_reset) return SQLITE_OK;
  Quiet quiet(*connection);
  is_reset = true;
  return sqlite3_reset(handle);
}

bool Statement::bind_value(Call& call, int index, Value value) {
  int result = SQLITE_OK;
  if (value.isNumber()) {
    result = sqlite3_bind_double(handle, index, value.asNumber());
  } else if (value.isString()) {
    std::string copy;
    const WTF::String text = JSC::asString(value)->value(call.realm());
    if (call.failed()) return false;
    const auto utf8 = utf8_of(call.realm(), text, copy);
    if (call.failed()) return false;
    const bool is_kept = copy.empty() && index > 0 && index <= parameters_;
    result = sqlite3_bind_text64(handle, index, utf8.data() ? utf8.data() : "", utf8.size(),
                                 is_kept ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
    if (is_kept) {
      if (bound_.empty()) bound_.resize(parameters_);
      bound_[index - 1] = text;
    }
  } else if (value.isNull()) {
    result = sqlite3_bind_null(handle, index);
  } else if (value.isBoolean()) {
    result = sqlite3_bind_int(handle, index, value.asBoolean());
  } else if (value.isBigInt()) {
    const auto integer = fitting_bigint(value);
    if (!integer) {
      raise_coded(call, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "BigInt value is too large to bind.");
      return false;
    }
    result = sqlite3_bind_int64(handle, index, *integer);
  } else if (is_blob(value)) {
    const auto bytes = bytes_of(value);
    // Without memory behind it SQLite would bind NULL.
    result = sqlite3_bind_blob64(handle, index, bytes.empty() ? "" : static_cast<const void*>(bytes.data()),
                                 bytes.size(), SQLITE_TRANSIENT);
  } else {
    raise_coded(call, JSC::ErrorType::TypeError, "ERR_INVALID_ARG_TYPE"_s,
                "Provided value cannot be bound to SQLite parameter " + std::to_string(index) + ".");
    return false;
  }
  if (result == SQLITE_OK) return true;
  raise_sqlite(call, *connection);
  return false;
}

bool Statement::collect_bare_names(Call& call) {
  bare_names_.emplace();
  const int count = sqlite3_bind_parameter_count(handle);
  for (int i = 1; i <= count; i++) {
    const char* name = sqlite3_bind_parameter_name(handle, i);
    if (!name) continue;
    const auto [entry, is_new] = bare_names_->emplace(name + 1, name);
    if (is_new || entry->second == name) continue;
    raise_state(call, "Cannot create bare named parameter '" + entry->first + "' because of conflicting names '" +
                          entry->second + "' and '" + name + "'.");
    bare_names_.reset();
    return false;
  }
  return true;
}

int Statement::index_of(const std::string& name) const {
  if (const int index = sqlite3_bind_parameter_index(handle, name.c_str())) return index;
  if (!options.allows_bare_names) return 0;
  const auto found = bare_names_->find(name);
  return found == bare_names_->end() ? 0 : sqlite3_bind_parameter_index(handle, found->second.c_str());
}

bool Statement::bind_named(Call& call, JSC::JSObject* parameters) {
  auto* realm = call.realm();
  if (options.allows_bare_names && !bare_names_ && !collect_bare_names(call)) return false;
  JSC::PropertyNameArray keys(call.vm(), JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
  parameters->methodTable()->getOwnPropertyNames(parameters, realm, keys, JSC::DontEnumPropertiesMode::Exclude);
  if (call.failed()) return false;
  for (const auto& key : keys) {
    const std::string name = to_utf8(key.string());
    const int index = index_of(name);
    if (index == 0) {
      if (options.allows_unknown_names) continue;
      raise_state(call, "Unknown named parameter '" + name + "'");
      return false;
    }
    const Value value = parameters->get(realm, key);
    if (call.failed()) return false;
    if (!bind_value(call, index, value)) return false;
  }
  return true;
}

bool Statement::bind(Call& call) {
  const bool is_named = call.object(0) && !is_blob(call.at(0));
  // All are bound anew: the old values need not go first.
  const bool is_whole = !is_named && !has_named_ && static_cast<int>(call.count()) == parameters_;
  if (!is_whole && clear_bindings() != SQLITE_OK) {
    raise_sqlite(call, *connection);
    return false;
  }
  if (is_named && !bind_named(call, call.object(0))) return false;
  int index = 1;
  for (unsigned i = is_named ? 1 : 0; i < call.count(); i++, index++) {
    // Named parameters are skipped; ?1 counts as one without a name.
    for (const char* name; has_named_ && (name = sqlite3_bind_parameter_name(handle, index)) && name[0] != '?';)
      index++;
    if (!bind_value(call, index, call.at(i))) return false;
  }
  return true;
}

bool Statement::update_shape(JSC::JSGlobalObject* realm) {
  auto& vm = realm->vm();
  // SQLite prepares a statement anew, maybe with other columns, when the schema has changed.
  const int prepared = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0);
  if (prepared == prepared_) return true;
  names_.clear();
  structure_.clear();
  const int count = sqlite3_column_count(handle);
  bool is_plain = true;
  for (int i = 0; i < count; i++) {
    const char* name = sqlite3_column_name(handle, i);
    if (!name) return false;
    names_.push_back(identifier(vm, name));
    if (JSC::parseIndex(names_.back())) is_plain = false;
  }
  auto* structure = is_plain ? Shapes::of(connection->runtime).empty_row(realm, names_.size()) : nullptr;
  for (size_t i = 0; structure && i < names_.size(); i++) {
    JSC::PropertyOffset offset = JSC::invalidOffset;
    if (JSC::isValidOffset(structure->get(vm, names_[i]))) {
      structure = nullptr;
    } else {
      structure = JSC::Structure::addPropertyTransition(vm, structure, names_[i], 0, offset);
      if (offset != static_cast<JSC::PropertyOffset>(i)) structure = nullptr;
    }
  }
  if (structure) structure_.set(vm, structure);
  measure_columns();
  prepared_ = prepared;
  return true;
}

// sqlite3_column_value takes the connection's mutex and looks for failures each time: a third of the cost of reading a number.
void Statement::measure_columns() {
  const auto address = [this](int column) {
    return reinterpret_cast<const char*>(sqlite3_column_value(handle, column));
  };
  const int count = sqlite3_data_count(handle);
  stride_ = count > 1 ? address(1) - address(0) : 0;
  for (int i = 2; i < count; i++) {
    if (address(i) - address(0) != i * stride_) stride_ = 0;
  }
}

Value Statement::column(Call& call, sqlite3_value* column) {
  const Value value = to_value(call.realm(), column, options.integers);
  if (value || call.failed()) return value;
  return call.raise(out_of_range(call.realm(), sqlite3_value_int64(column)));
}

Value Statement::row(Call& call, Row which) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  const int count = sqlite3_column_count(handle);
  if (which == Row::First && !update_shape(realm)) return raise_state(call, "Cannot get name of column");
  auto* first = sqlite3_column_value(handle, 0);
  const auto value_at = [&](int i) {
    auto* value = stride_ ? reinterpret_cast<sqlite3_value*>(reinterpret_cast<char*>(first) + i * stride_)
                          : sqlite3_column_value(handle, i);
    return column(call, value);
  };
  if (options.returns_arrays) {
    JSC::MarkedArgumentBuffer values;
    for (int i = 0; i < count; i++) {
      const Value value = value_at(i);
      if (!value) return {};
      values.append(value);
    }
    return make_array(realm, values);
  }
  auto* structure = structure_.get();
  auto* object = JSC::constructEmptyObject(vm, structure ? structure : realm->nullPrototypeObjectStructure());
  for (int i = 0; i < count; i++) {
    const Value value = value_at(i);
    if (!value) return {};
    if (structure)
      object->putDirectOffset(vm, i, value);
    else
      object->putDirectMayBeIndex(realm, names_[i], value);
  }
  return object;
}

}  // namespace rondo::modules::sqlite
