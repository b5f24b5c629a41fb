// Values between SQLite and JavaScript: NULL, INTEGER, REAL, TEXT and BLOB are null, number or BigInt, number, string and Uint8Array.
#pragma once

#include "engine/core/native.h"

#include <sqlite3.h>

#include <optional>

namespace rondo::modules::sqlite {

using namespace engine;

// How INTEGERs are read.
enum class Integers { Numbers, BigInts };

// A column of the current row, or an argument of a function. An empty value when an INTEGER is no safe number, see out_of_range,
// or with a pending exception when there is no memory.
Value to_value(JSC::JSGlobalObject* realm, sqlite3_value* value, Integers integers);
Value integer_value(JSC::JSGlobalObject* realm, sqlite3_int64 integer, Integers integers);
JSC::JSObject* out_of_range(JSC::JSGlobalObject* realm, sqlite3_int64 integer);

// A nullable text of SQLite's.
Value nullable_text(JSC::VM& vm, const char* text);

// The bytes of a string as UTF-8: its own when it is ASCII, else those of `copy`.
std::string_view utf8_of(JSC::JSGlobalObject* realm, const WTF::String& text, std::string& copy);

// The BigInt when 64 bits hold it.
std::optional<int64_t> fitting_bigint(Value big);

// Whether SQLite stores it as a BLOB: an ArrayBuffer, a view on one, a SharedArrayBuffer.
bool is_blob(Value value);

// The result of a function of the program. Something else than SQLite's types is an error of the statement.
void set_result(JSC::JSGlobalObject* realm, sqlite3_context* context, Value value);

}  // namespace rondo::modules::sqlite
