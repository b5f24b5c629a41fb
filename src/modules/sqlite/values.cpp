// See values.h.
#include "modules/sqlite/values.h"

#include "engine/core/buffer_class.h"

#include <JavaScriptCore/JSBigInt.h>
#include <JavaScriptCore/JSPromise.h>

namespace rondo::modules::sqlite {

static constexpr sqlite3_int64 kMaxSafeInteger = 9007199254740991;

Value to_value(JSC::JSGlobalObject* realm, sqlite3_value* from, Integers integers) {
  switch (sqlite3_value_type(from)) {
    case SQLITE_INTEGER:
      return integer_value(realm, sqlite3_value_int64(from), integers);
    case SQLITE_FLOAT:
      return JSC::jsNumber(sqlite3_value_double(from));
    case SQLITE_TEXT: {
      const auto* text = sqlite3_value_text(from);
      const auto size = static_cast<size_t>(sqlite3_value_bytes(from));
      if (!text) return JSC::jsEmptyString(realm->vm());
      constexpr size_t kSurelyFits = 1 << 20;
      if (size <= kSurelyFits) return make_string(realm->vm(), {reinterpret_cast<const char*>(text), size});
      return string_from_utf8(realm, {text, size});
    }
    case SQLITE_BLOB: {
      const auto* blob = static_cast<const uint8_t*>(sqlite3_value_blob(from));
      return make_uint8_array(realm, {blob, blob ? static_cast<size_t>(sqlite3_value_bytes(from)) : 0});
    }
    default:
      return JSC::jsNull();
  }
}

Value integer_value(JSC::JSGlobalObject* realm, sqlite3_int64 integer, Integers integers) {
  if (integers == Integers::BigInts) return JSC::JSBigInt::createFrom(realm, static_cast<int64_t>(integer));
  if (integer < -kMaxSafeInteger || integer > kMaxSafeInteger) return {};
  return JSC::jsNumber(static_cast<int64_t>(integer));
}

JSC::JSObject* out_of_range(JSC::JSGlobalObject* realm, sqlite3_int64 integer) {
  const auto message = "Value is too large to be represented as a JavaScript number: " + std::to_string(integer);
  auto* error = JSC::createRangeError(realm, to_wtf(message));
  put(realm, error, "code", make_string(realm->vm(), "ERR_OUT_OF_RANGE"));
  return error;
}

Value nullable_text(JSC::VM& vm, const char* text) { return text ? make_string(vm, text) : JSC::jsNull(); }

std::string_view utf8_of(JSC::JSGlobalObject* realm, const WTF::String& text, std::string& copy) {
  if (text.is8Bit()) {
    const auto* characters = text.span8().data();
    if (WTF::charactersAreAllASCII(characters, text.length()))
      return {reinterpret_cast<const char*>(characters), text.length()};
  }
  copy = to_utf8(realm, text);
  return copy;
}

std::optional<int64_t> fitting_bigint(Value big) {
  const int64_t wrapped = JSC::JSBigInt::toBigInt64(big);
#if USE(BIGINT32)
  if (big.isBigInt32()) return wrapped;
#endif
  auto* cell = JSC::asHeapBigInt(big);
  if (cell->length() == 0 || (cell->length() == 1 && (wrapped < 0) == cell->sign())) return wrapped;
  return {};
}

bool is_blob(Value value) {
  return value.isCell() && (value.inherits<JSC::JSArrayBufferView>() || value.inherits<JSC::JSArrayBuffer>());
}

void set_result(JSC::JSGlobalObject* realm, sqlite3_context* context, Value value) {
  if (value.isUndefinedOrNull()) return sqlite3_result_null(context);
  if (value.isNumber()) return sqlite3_result_double(context, value.asNumber());
  if (value.isString()) {
    std::string copy;
    const WTF::String text = JSC::asString(value)->value(realm);
    const auto utf8 = utf8_of(realm, text, copy);
    return sqlite3_result_text64(context, utf8.data(), utf8.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  if (value.isBigInt()) {
    if (const auto integer = fitting_bigint(value)) return sqlite3_result_int64(context, *integer);
    return sqlite3_result_error(context, "BigInt value is too large for SQLite", -1);
  }
  if (is_blob(value)) {
    const auto bytes = bytes_of(value);
    return sqlite3_result_blob64(context, bytes.empty() ? "" : static_cast<const void*>(bytes.data()), bytes.size(),
                                 SQLITE_TRANSIENT);
  }
  if (value.inherits<JSC::JSPromise>()) {
    return sqlite3_result_error(context, "Asynchronous user-defined functions are not supported", -1);
  }
  sqlite3_result_error(context, "Returned JavaScript value cannot be converted to a SQLite value", -1);
}

}  // namespace rondo::modules::sqlite
