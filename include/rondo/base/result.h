// How librondo reports failure: an `Error` is a system error number (plus the call that failed), a
// `Result<T>` is a value or an Error. Nothing here throws. Names and messages are those that
// Node prints (`ENOENT`, "no such file or directory"), so a runtime can pass them on unchanged.
#pragma once

#include <cerrno>
#include <version>

#ifndef __cpp_lib_expected
#error "librondo needs C++23 with std::expected: -std=c++23 with g++ 12 or later, or with clang 19 or later"
#include "the error above: librondo needs C++23"
#endif
#include <expected>

namespace [[gnu::visibility("default")]] rondo {

// The name of an error number ("ECONNRESET"), or "UNKNOWN". The string lives for ever.
const char* error_name(int number);
// The message Node gives for an error number ("connection reset by peer").
const char* error_message(int number);

// End of stream. Outside the range of errno, as in Node (`EOF`, -4095).
inline constexpr int kEndOfFile = 4095;

// Name resolution errors (`EAI_AGAIN` ...) follow Node's numbers: 3000 upwards.
inline constexpr int kAddressInfoErrors = 3000;

struct Error {
  int number = 0;                  // positive errno value
  const char* syscall = nullptr;   // static string such as "open"; may be null

  const char* name() const { return error_name(number); }
  const char* message() const { return error_message(number); }
  // Equality is by number: where it happened is commentary.
  friend bool operator==(const Error& a, const Error& b) { return a.number == b.number; }
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> failure(int number, const char* syscall = nullptr) {
  return std::unexpected(Error{number, syscall});
}
inline std::unexpected<Error> last_failure(const char* syscall = nullptr) { return failure(errno, syscall); }

// Completion results are kernel style: negative means -errno.
template <class T = int>
[[nodiscard]] Result<T> to_result(long value, const char* syscall = nullptr) {
  if (value < 0) return failure(static_cast<int>(-value), syscall);
  return static_cast<T>(value);
}

}  // namespace rondo
