// See connection.h.
#include "modules/sqlite/connection.h"

#include "engine/core/buffer_class.h"
#include "modules/sqlite/session.h"
#include "modules/sqlite/statement.h"
#include "modules/support/permission_check.h"

namespace rondo::modules::sqlite {

void Connection::finalize_statements() {
  Quiet quiet(*this);
  for (auto* statement : statements) statement->finalize();
  statements.clear();
}

void Connection::close() {
  if (!handle) return;
  finalize_statements();
  for (auto* session : sessions) session->end();
  sessions.clear();
  sqlite3_close_v2(std::exchange(handle, nullptr));
  authorizer = nullptr;
  may_load_extensions = false;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string without_escapes(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size();
    const int high = is_escape ? hex_digit(text[i + 1]) : -1, low = is_escape ? hex_digit(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      result += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string file_of(std::string_view location) {
  if (!location.starts_with("file:")) return std::string(location);
  location.remove_prefix(strlen("file:"));
  location = location.substr(0, location.find_first_of("?#"));
  if (location.starts_with("//")) {
    const auto root = location.find('/', 2);
    location = root == std::string_view::npos ? std::string_view() : location.substr(root);
  }
  return without_escapes(location);
}

JSC::JSObject* refused_database(runtime::Runtime& runtime, const char* location, Access access) {
  if (!runtime.permission() || (location && (!*location || std::string_view(location) == ":memory:"))) return nullptr;
  // Not known yet, or by ways of its own: it may be any file's.
  const bool is_any = !location || chooses_system(location);
  const auto file = is_any ? std::string() : file_of(location);
  JSC::JSObject* refusal = access == Access::Write ? nullptr : refused(runtime, Scope::FileSystemRead, file);
  if (!refusal && access != Access::Read) refusal = refused(runtime, Scope::FileSystemWrite, file);
  return refusal;
}

bool refuse_in_authorizer(Call& call, const Connection& connection) {
  if (connection.authorizers == 0) return false;
  raise_state(call, "database cannot be accessed from an authorizer callback");
  return true;
}

Connection* open_connection(Call& call, Value value, From from) {
  auto* database = native_of<Database>(value);
  if (!database) {
    call.type_error("Illegal invocation");
    return nullptr;
  }
  auto& connection = *database->connection;
  if (!connection.handle) {
    raise_state(call, "database is not open");
    return nullptr;
  }
  if (from == From::NoAuthorizer && refuse_in_authorizer(call, connection)) return nullptr;
  return &connection;
}

Value raise_coded(Call& call, JSC::ErrorType type, ASCIILiteral code, std::string_view message) {
  return raise_with_code(call.realm(), type, code, to_wtf(message));
}

Value raise_state(Call& call, std::string_view message) {
  return raise_coded(call, JSC::ErrorType::Error, "ERR_INVALID_STATE"_s, message);
}

JSC::JSObject* make_error(JSC::JSGlobalObject* realm, std::string_view message) {
  auto* error = JSC::createError(realm, to_wtf(message));
  put(realm, error, "code", make_string(realm->vm(), "ERR_SQLITE_ERROR"));
  // Made in a completion, with no JavaScript below, an error would have no stack at all.
  if (!realm->vm().topCallFrame) {
    error->putDirect(realm->vm(), realm->vm().propertyNames->stack,
                     make_string(realm->vm(), "Error: " + std::string(message)),
                     static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  }
  return error;
}

static JSC::JSObject* with_number(JSC::JSGlobalObject* realm, JSC::JSObject* error, int code) {
  put(realm, error, "errcode", JSC::jsNumber(code));
  put(realm, error, "errstr", make_string(realm->vm(), sqlite3_errstr(code)));
  return error;
}

JSC::JSObject* make_error(JSC::JSGlobalObject* realm, sqlite3* handle) {
  const int code = sqlite3_extended_errcode(handle);
  return with_number(realm, make_error(realm, std::string_view(sqlite3_errmsg(handle))), code);
}

JSC::JSObject* make_error(JSC::JSGlobalObject* realm, int code) {
  return with_number(realm, make_error(realm, std::string_view(sqlite3_errstr(code))), code);
}

static Value take_thrown(Call& call, Connection& connection) {
  Value thrown = connection.thrown.get();
  connection.thrown.clear();
  return call.raise(thrown);
}

Value raise_sqlite(Call& call, Connection& connection) {
  if (connection.thrown) return take_thrown(call, connection);
  return call.raise(make_error(call.realm(), connection.handle));
}

Value raise_sqlite(Call& call, int code) { return call.raise(make_error(call.realm(), code)); }

}  // namespace rondo::modules::sqlite
