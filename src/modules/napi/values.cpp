// The napi_* functions about values that are not objects: making, reading, converting and comparing them; and strings.
#include "modules/napi/cells.h"
#include "modules/napi/external_memory.h"

#include "engine/core/buffer_class.h"

#include <JavaScriptCore/JSBigInt.h>
#include <JavaScriptCore/MathCommon.h>
#include <JavaScriptCore/Symbol.h>
#include <wtf/text/ExternalStringImpl.h>
#include <wtf/text/SymbolRegistry.h>

#include <cmath>
#include <cstring>

using namespace rondo::modules::napi;
namespace engine = rondo::engine;

namespace {

// Gives `value` to the addon.
napi_status give(napi_env env, JSC::JSValue value, napi_value* result) {
  NAPI_NEEDS(env, result);
  *result = env->handle(value);
  return env->ok();
}

}  // namespace

napi_status napi_get_undefined(napi_env env, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsUndefined(), result);
}
napi_status napi_get_null(napi_env env, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsNull(), result);
}
napi_status napi_get_global(napi_env env, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, env->realm->globalThis(), result);
}
napi_status napi_get_boolean(napi_env env, bool value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsBoolean(value), result);
}
napi_status napi_create_double(napi_env env, double value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsNumber(JSC::purifyNaN(value)), result);
}
napi_status napi_create_int32(napi_env env, int32_t value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsNumber(value), result);
}
napi_status napi_create_uint32(napi_env env, uint32_t value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsNumber(value), result);
}
napi_status napi_create_int64(napi_env env, int64_t value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::jsNumber(static_cast<double>(value)), result);
}

napi_status napi_typeof(napi_env env, napi_value value, napi_valuetype* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  Value given = decode(value);
  if (given.isNumber())
    *result = napi_number;
  else if (given.isBigInt())
    *result = napi_bigint;
  else if (given.isString())
    *result = napi_string;
  else if (given.isCallable())
    *result = napi_function;
  else if (JSC::jsDynamicCast<External*>(given))
    *result = napi_external;
  else if (given.isObject())
    *result = napi_object;
  else if (given.isBoolean())
    *result = napi_boolean;
  else if (given.isSymbol())
    *result = napi_symbol;
  else if (given.isUndefined())
    *result = napi_undefined;
  else if (given.isNull())
    *result = napi_null;
  else
    return env->fail(napi_invalid_arg);
  return env->ok();
}

// Numbers

namespace {

// Reads a number by `convert`.
template <class T, class Convert>
napi_status read_number(napi_env env, napi_value value, T* result, Convert convert) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  if (!decode(value).isNumber()) return env->fail(napi_number_expected);
  *result = convert(decode(value).asNumber());
  return env->ok();
}

// Of what has no place in 64 bits the nearest; 0 of what is not finite.
int64_t to_int64(double number) {
  if (!std::isfinite(number)) return 0;
  constexpr double kLimit = 9223372036854775808.0;
  if (number >= kLimit) return INT64_MAX;
  if (number <= -kLimit) return INT64_MIN;
  return static_cast<int64_t>(number);
}

}  // namespace

napi_status napi_get_value_double(napi_env env, napi_value value, double* result) {
  return read_number(env, value, result, [](double number) { return number; });
}
napi_status napi_get_value_int32(napi_env env, napi_value value, int32_t* result) {
  return read_number(env, value, result, [](double number) { return JSC::toInt32(number); });
}
napi_status napi_get_value_uint32(napi_env env, napi_value value, uint32_t* result) {
  return read_number(env, value, result, [](double number) { return JSC::toUInt32(number); });
}
napi_status napi_get_value_int64(napi_env env, napi_value value, int64_t* result) {
  return read_number(env, value, result, to_int64);
}

napi_status napi_get_value_bool(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  if (!decode(value).isBoolean()) return env->fail(napi_boolean_expected);
  *result = decode(value).asBoolean();
  return env->ok();
}

// Conversions, which may run JavaScript

napi_status napi_coerce_to_bool(napi_env env, napi_value value, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    return give(env, JSC::jsBoolean(decode(value).toBoolean(env->realm)), result);
  });
}
napi_status napi_coerce_to_number(napi_env env, napi_value value, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, result);
    return give(env, JSC::jsNumber(decode(value).toNumber(env->realm)), result);
  });
}
napi_status napi_coerce_to_string(napi_env env, napi_value value, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, result);
    return give(env, decode(value).toString(env->realm), result);
  });
}
napi_status napi_coerce_to_object(napi_env env, napi_value value, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, result);
    auto* object = object_of(env, value);
    return object ? give(env, object, result) : env->fail(napi_object_expected);
  });
}

napi_status napi_strict_equals(napi_env env, napi_value left, napi_value right, bool* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, left);
    NAPI_NEEDS(env, right);
    NAPI_NEEDS(env, result);
    *result = JSC::JSValue::strictEqual(env->realm, decode(left), decode(right));
    return napi_ok;
  });
}

// Strings

namespace {

template <class Character, class Make>
napi_status make_text(napi_env env, const Character* text, size_t length, napi_value* result, Make make) {
  NAPI_NEEDS_ENV(env);
  if (length != 0) NAPI_NEEDS(env, text);
  NAPI_NEEDS(env, result);
  if (length == NAPI_AUTO_LENGTH)
    length = std::char_traits<Character>::length(text);
  else if (length > INT_MAX)
    return env->fail(napi_invalid_arg);
  if (length > engine::kMaxStringLength) return env->fail(napi_generic_failure);
  return give(env, make(length), result);
}

JSC::JSValue latin1_text(napi_env env, const char* text, size_t length) {
  return engine::string_from_latin1(env->realm, {reinterpret_cast<const uint8_t*>(text), length});
}
JSC::JSValue utf8_text(napi_env env, const char* text, size_t length) {
  return engine::string_from_utf8(env->realm, {reinterpret_cast<const uint8_t*>(text), length});
}
JSC::JSValue utf16_text(napi_env env, const char16_t* text, size_t length) {
  return JSC::jsString(env->vm, WTF::String(std::span<const UChar>{text, length}));
}

// A string on the addon's own characters, which are the addon's again when the engine has let go of it.
template <class Unit, class Character>
napi_status adopt_text(napi_env env, Character* text, size_t length, const Finalizer& finalizer, napi_value* result,
                       bool* copied) {
  auto status = make_text(env, text, length, result, [&](size_t count) -> JSC::JSValue {
    if (count == 0) {
      if (finalizer.function) env->addons.enqueue(env, finalizer);
      return JSC::jsEmptyString(env->vm);
    }
    auto release = releasing(env, finalizer);
    return JSC::jsString(env->vm, WTF::String(WTF::ExternalStringImpl::create(
                                      reinterpret_cast<const Unit*>(text), static_cast<unsigned>(count), nullptr,
                                      [release](void*, void*, unsigned) { release->run(nullptr); })));
  });
  if (status == napi_ok && copied) *copied = false;
  return status;
}

}  // namespace

napi_status napi_create_string_latin1(napi_env env, const char* text, size_t length, napi_value* result) {
  return make_text(env, text, length, result, [&](size_t count) { return latin1_text(env, text, count); });
}
napi_status napi_create_string_utf8(napi_env env, const char* text, size_t length, napi_value* result) {
  return make_text(env, text, length, result, [&](size_t count) { return utf8_text(env, text, count); });
}
napi_status napi_create_string_utf16(napi_env env, const char16_t* text, size_t length, napi_value* result) {
  return make_text(env, text, length, result, [&](size_t count) { return utf16_text(env, text, count); });
}
napi_status node_api_create_property_key_latin1(napi_env env, const char* text, size_t length, napi_value* result) {
  return napi_create_string_latin1(env, text, length, result);
}
napi_status node_api_create_property_key_utf8(napi_env env, const char* text, size_t length, napi_value* result) {
  return napi_create_string_utf8(env, text, length, result);
}
napi_status node_api_create_property_key_utf16(napi_env env, const char16_t* text, size_t length, napi_value* result) {
  return napi_create_string_utf16(env, text, length, result);
}
napi_status node_api_create_external_string_latin1(napi_env env, char* text, size_t length,
                                                   node_api_basic_finalize finalize, void* hint, napi_value* result,
                                                   bool* copied) {
  return adopt_text<LChar>(env, text, length, {finalize, text, hint}, result, copied);
}
napi_status node_api_create_external_string_utf16(napi_env env, char16_t* text, size_t length,
                                                  node_api_basic_finalize finalize, void* hint, napi_value* result,
                                                  bool* copied) {
  return adopt_text<UChar>(env, text, length, {finalize, text, hint}, result, copied);
}

namespace {

// The string in `value`, or a null one with the error set.
WTF::String read_text(napi_env env, napi_value value) {
  Value given = decode(value);
  if (!given.isString()) {
    env->fail(napi_string_expected);
    return {};
  }
  return JSC::asString(given)->value(env->realm);
}

// Whole characters of `text` as UTF-8, as many as fit; a lone surrogate becomes U+FFFD. Returns the bytes used, or needed without `into`.
size_t write_utf8(WTF::StringView text, char* into, size_t room) {
  size_t used = 0;
  for (char32_t point : text.codePoints()) {
    if (point >= 0xD800 && point <= 0xDFFF) point = 0xFFFD;
    const size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (into) {
      if (used + size > room) break;
      char* at = into + used;
      if (size == 1) {
        at[0] = static_cast<char>(point);
      } else {
        for (size_t i = size - 1; i > 0; i--, point >>= 6) at[i] = static_cast<char>(0x80 | (point & 0x3F));
        at[0] = static_cast<char>((0xF00 >> size & 0xFF) | point);
      }
    }
    used += size;
  }
  return used;
}

// `count` units of the text into the addon's memory, with a zero behind them; or its length, without memory.
template <class Unit, class Write>
napi_status copy_text(napi_env env, napi_value value, Unit* into, size_t size, size_t* result, Write write) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, value);
  const WTF::String text = read_text(env, value);
  if (text.isNull()) return env->last_error.error_code;
  if (!into) {
    NAPI_NEEDS(env, result);
    *result = write(text, nullptr, 0);
  } else if (size != 0) {
    const size_t used = write(text, into, size - 1);
    into[used] = 0;
    if (result) *result = used;
  } else if (result) {
    *result = 0;
  }
  return env->ok();
}

}  // namespace

napi_status napi_get_value_string_utf8(napi_env env, napi_value value, char* into, size_t size, size_t* result) {
  return copy_text(env, value, into, size, result,
                   [](const WTF::String& text, char* to, size_t room) { return write_utf8(text, to, room); });
}

napi_status napi_get_value_string_latin1(napi_env env, napi_value value, char* into, size_t size, size_t* result) {
  return copy_text(env, value, into, size, result, [](const WTF::String& text, char* to, size_t room) -> size_t {
    if (!to) return text.length();
    const size_t count = std::min<size_t>(room, text.length());
    for (size_t i = 0; i < count; i++) to[i] = static_cast<char>(text[i]);
    return count;
  });
}

napi_status napi_get_value_string_utf16(napi_env env, napi_value value, char16_t* into, size_t size, size_t* result) {
  return copy_text(env, value, into, size, result, [](const WTF::String& text, char16_t* to, size_t room) -> size_t {
    if (!to) return text.length();
    const size_t count = std::min<size_t>(room, text.length());
    for (size_t i = 0; i < count; i++) to[i] = text[i];
    return count;
  });
}

// Symbols

napi_status napi_create_symbol(napi_env env, napi_value description, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  if (!description) return give(env, JSC::Symbol::create(env->vm), result);
  if (!decode(description).isString()) return env->fail(napi_string_expected);
  const WTF::String text = JSC::asString(decode(description))->value(env->realm);
  return give(env, JSC::Symbol::createWithDescription(env->vm, text), result);
}

napi_status node_api_symbol_for(napi_env env, const char* text, size_t length, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  if (length != 0) NAPI_NEEDS(env, text);
  if (length_of(text, length) == kNotLength) return env->fail(napi_invalid_arg);
  return give(env, JSC::Symbol::create(env->vm, env->vm.symbolRegistry().symbolForKey(text_of(text, length))), result);
}

// BigInt

napi_status napi_create_bigint_int64(napi_env env, int64_t value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::JSBigInt::createFrom(env->realm, value), result);
}
napi_status napi_create_bigint_uint64(napi_env env, uint64_t value, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  return give(env, JSC::JSBigInt::createFrom(env->realm, value), result);
}

napi_status napi_create_bigint_words(napi_env env, int sign, size_t count, const uint64_t* words, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, words);
    NAPI_NEEDS(env, result);
    if (count > INT_MAX) return env->fail(napi_invalid_arg);
    constexpr size_t kMaxWords = 16384;  // the engine's
    if (count > kMaxWords) {
      env->throw_later(JSC::createRangeError(env->realm, "Maximum BigInt size exceeded"_s));
      return env->fail(napi_pending_exception);
    }
    while (count > 0 && words[count - 1] == 0) count--;
    auto* made = JSC::JSBigInt::createWithLength(env->realm, static_cast<unsigned>(count));
    if (!made) return napi_pending_exception;
    for (unsigned i = 0; i < count; i++) made->setDigit(i, words[i]);
    made->setSign(sign != 0 && count > 0);
    return give(env, made, result);
  });
}

namespace {

napi_status read_bigint(napi_env env, napi_value value, JSC::JSBigInt** result) {
  NAPI_NEEDS(env, value);
  if (!decode(value).isHeapBigInt()) return env->fail(napi_bigint_expected);
  *result = decode(value).asHeapBigInt();
  return env->ok();
}

}  // namespace

napi_status napi_get_value_bigint_int64(napi_env env, napi_value value, int64_t* result, bool* lossless) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, lossless);
  JSC::JSBigInt* given;
  if (auto status = read_bigint(env, value, &given); status != napi_ok) return status;
  *result = JSC::JSBigInt::toBigInt64(given);
  const uint64_t magnitude = given->length() == 0 ? 0 : given->digit(0);
  *lossless = given->length() <= 1 && (given->sign() ? magnitude <= uint64_t{1} << 63 : magnitude < uint64_t{1} << 63);
  return env->ok();
}

napi_status napi_get_value_bigint_uint64(napi_env env, napi_value value, uint64_t* result, bool* lossless) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, lossless);
  JSC::JSBigInt* given;
  if (auto status = read_bigint(env, value, &given); status != napi_ok) return status;
  *result = JSC::JSBigInt::toBigUInt64(given);
  *lossless = given->length() <= 1 && !given->sign();
  return env->ok();
}

napi_status napi_get_value_bigint_words(napi_env env, napi_value value, int* sign, size_t* count, uint64_t* words) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, count);
  JSC::JSBigInt* given;
  if (auto status = read_bigint(env, value, &given); status != napi_ok) return status;
  if (sign || words) {
    NAPI_NEEDS(env, sign);
    NAPI_NEEDS(env, words);
    *sign = given->sign() ? 1 : 0;
    for (unsigned i = 0; i < std::min<size_t>(*count, given->length()); i++) words[i] = given->digit(i);
  }
  *count = given->length();
  return env->ok();
}
