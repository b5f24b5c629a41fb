// The % operator for numbers that are not 32-bit integers. The engine calls the C library's fmod for it, which takes a hundred
// nanoseconds in Debian 12. Programs use % mostly on whole numbers (hashes, random numbers, what `>>> 0` gives), for which a machine
// division is exact. The linker puts this function before the library's (--wrap, see cmake/engine.cmake).
#include <cmath>
#include <cstdint>

extern "C" double __real_fmod(double dividend, double divisor);

extern "C" double __wrap_fmod(double dividend, double divisor) {
  constexpr double kWhole = 9007199254740992.0;  // beyond 2^53 not every whole number is a double
  const double x = std::fabs(dividend), y = std::fabs(divisor);
  if (x < kWhole && y < kWhole && y > 0) {
    const auto whole_x = static_cast<uint64_t>(x), whole_y = static_cast<uint64_t>(y);
    if (static_cast<double>(whole_x) == x && static_cast<double>(whole_y) == y)
      return std::copysign(static_cast<double>(whole_x % whole_y), dividend);
  }
  return __real_fmod(dividend, divisor);
}
