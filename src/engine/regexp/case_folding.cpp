// See case_folding.h. The engine's Unicode library has its version in every name and brings no headers (core/icu_converter.cpp).
#include "engine/regexp/case_folding.h"

#include <cstdint>

#define RONDO_ICU_JOIN(name, version) name##_##version
#define RONDO_ICU_NAME(name, version) RONDO_ICU_JOIN(name, version)
#define ICU(name) RONDO_ICU_NAME(name, RONDO_ICU_VERSION)

extern "C" {
int32_t ICU(u_foldCase)(int32_t character, uint32_t options);
int32_t ICU(u_strToUpper)(char16_t* to, int32_t capacity, const char16_t* from, int32_t length, const char* locale,
                          int* error);
}

namespace rondo::engine {

char32_t fold_simply(char32_t character) {
  constexpr uint32_t kDefault = 0;
  return static_cast<char32_t>(ICU(u_foldCase)(static_cast<int32_t>(character), kDefault));
}

char32_t upper_of_unit(char32_t unit) {
  if (unit < 0x80) return unit >= 'a' && unit <= 'z' ? unit - ('a' - 'A') : unit;
  const auto from = static_cast<char16_t>(unit);
  char16_t upper[4];
  int error = 0;
  const int32_t length = ICU(u_strToUpper)(upper, 4, &from, 1, "", &error);
  return error > 0 || length != 1 || upper[0] < 0x80 ? unit : upper[0];
}

}  // namespace rondo::engine
