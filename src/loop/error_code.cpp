// The category of errors beyond errno, and errors as text.
#include "rondo/error_code.h"

namespace rondo {
namespace {

class Category final : public std::error_category {
  const char* name() const noexcept override { return "rondo"; }
  std::string message(int number) const override { return error_message(number); }
};

}  // namespace

const std::error_category& error_category() {
  static const Category category;
  return category;
}

std::string to_text(const Error& error) {
  std::string text = std::string(error.name()) + ": " + error.message();
  if (error.syscall) text.append(", ").append(error.syscall);
  return text;
}

}  // namespace rondo
