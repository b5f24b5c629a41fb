// Errors as std::error_code and as text, for programs that have one error style of their own.
//
//   std::error_code code = rondo::to_error_code(result.error());       // errno: std::generic_category(), comparable to std::errc
//   std::string text = rondo::to_text(result.error());                  // "ECONNREFUSED: connection refused, connect"
//   std::format("{}", result.error());                                  // where the compiler's library has <format>
//
// Any thread.
#pragma once

#include <string>
#include <system_error>
#include <version>

#ifdef __cpp_lib_format
#include <format>
#include <string_view>
#endif

#include "rondo/base/result.h"

namespace [[gnu::visibility("default")]] rondo {

// Errors beyond errno: kEndOfFile, name look-ups. Its name is "rondo".
const std::error_category& error_category();

inline std::error_code to_error_code(const Error& error) {
  if (error.number >= kAddressInfoErrors) return {error.number, error_category()};
  return {error.number, std::generic_category()};
}
// The other way; the call that failed is not known then. Codes of categories that are no errno are EIO.
inline Error to_error(const std::error_code& code) {
  const bool is_number = code.category() == std::generic_category() || code.category() == std::system_category() ||
                         code.category() == error_category();
  return {is_number ? code.value() : EIO, nullptr};
}

std::string to_text(const Error& error);

}  // namespace rondo

#ifdef __cpp_lib_format
template <>
struct std::formatter<rondo::Error> : std::formatter<std::string_view> {
  auto format(const rondo::Error& error, std::format_context& context) const {
    return std::formatter<std::string_view>::format(rondo::to_text(error), context);
  }
};
#endif
