// A prepared statement: what StatementSync is, and the iterators over its rows. The cell is the JavaScript object itself, so run(),
// get() and all() are native functions of its prototype with nothing between them and SQLite.
#pragma once

#include "modules/sqlite/connection.h"
#include "modules/sqlite/values.h"

#include <map>

namespace rondo::modules::sqlite {

// Of a DatabaseSync or of a statement; lib/node/sqlite.js passes them as one number.
struct StatementOptions {
  enum Bits : int {
    kReadBigInts = 1,
    kReturnArrays = 2,
    kAllowBareNamedParameters = 4,
    kAllowUnknownNamedParameters = 8
  };
  explicit StatementOptions(int bits)
      : integers(bits & kReadBigInts ? Integers::BigInts : Integers::Numbers),
        returns_arrays(bits & kReturnArrays),
        allows_bare_names(bits & kAllowBareNamedParameters),
        allows_unknown_names(bits & kAllowUnknownNamedParameters) {}

  Integers integers;
  bool returns_arrays;
  bool allows_bare_names;
  bool allows_unknown_names;
};

class Statement final : public NativeObject {
 public:
  Statement(std::shared_ptr<Connection> connection, sqlite3_stmt* handle, StatementOptions options);
  ~Statement() override { close(); }

  // Forgets the rows; iterators over them are invalid from now on.
  int reset();
  // Binds the arguments of the call: an object of named parameters first, if there is one. False with a pending exception.
  bool bind(Call& call);
  bool bind_value(Call& call, int index, Value value);
  // The current row, the first since a reset or another one. An empty value with a pending exception.
  enum class Row { First, Later };
  Value row(Call& call, Row which = Row::First);

  int clear_bindings();
  void close();
  void finalize();

  std::shared_ptr<Connection> connection;
  sqlite3_stmt* handle;
  StatementOptions options;
  unsigned generation = 0;  // counts resets
  bool is_reset = true;  // nothing has been stepped since
  bool is_running = false;  // SQLite is stepping it: functions of the program must leave it alone

 private:
  bool bind_named(Call& call, JSC::JSObject* parameters);
  bool collect_bare_names(Call& call);
  int index_of(const std::string& name) const;
  bool update_shape(JSC::JSGlobalObject* realm);
  void measure_columns();
  Value column(Call& call, sqlite3_value* value);

  int parameters_ = 0;
  // Texts that SQLite reads where they are: an entry stays until its parameter is bound anew.
  std::vector<WTF::String> bound_;
  bool has_named_ = false;  // parameters that are not bound by their place
  std::optional<std::map<std::string, std::string>> bare_names_;  // to the name in the SQL
  // The shape of a row's object. Without a structure the columns are put one by one: two of the same name, a name that is an index,
  // or very many.
  std::vector<JSC::Identifier> names_;
  JSC::Strong<JSC::Structure> structure_;
  // Columns of a row are equally far apart in memory, by so many bytes; 0 if not. SQLite is asked for the first alone then.
  ptrdiff_t stride_ = 0;
  int prepared_ = -1;  // SQLITE_STMTSTATUS_REPREPARE when the names were read
};

// The statement that is `this`, if it may be executed now; otherwise null with a pending error.
Statement* statement_of(Call& call, Value value);
Statement* usable_statement(Call& call, Value value);

// prepare(database, sql, options, isPersistent) → statement
Value prepare(Call& call);

// setClasses(StatementSync.prototype, StatementSyncIterator.prototype) and what they consist of.
void put_statement_functions(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::modules::sqlite
