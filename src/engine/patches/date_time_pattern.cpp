// "February 29, 2024 at 3:04 PM": what stands between a date and a time that were asked for by single options. The engine's Unicode
// library is of 2020 and joins all of them as it joins short ones, with a comma; later ones, as in Node, take what belongs to the
// width of the month. The data are there: formats made by dateStyle and timeStyle use them. So for a long month the pattern is made
// here of a date's, a time's and what the library puts between a long date and a time. The linker puts the function below before
// the engine's (--wrap, see cmake/engine.cmake). May go with a Unicode library of 2022 or later.
#include "engine/core/jsc.h"

#include <string>
#include <string_view>

#include <wtf/Vector.h>
#include <wtf/text/CString.h>

// The installed headers of the library are of another version, which renames its functions.
#define RONDO_TEXT_OF(version) #version
#define RONDO_TEXT(version) RONDO_TEXT_OF(version)
#define ICU(name) asm(name "_" RONDO_TEXT(RONDO_ICU_VERSION))

extern "C" {
void* open_format(int time_style, int date_style, const char* locale, const char16_t* zone, int32_t zone_length,
                  const char16_t* pattern, int32_t pattern_length, int* error) ICU("udat_open");
void close_format(void* format) ICU("udat_close");
int32_t pattern_of_format(const void* format, int8_t localized, char16_t* result, int32_t capacity, int* error)
    ICU("udat_toPattern");
}

namespace {

using Pattern = WTF::Vector<char16_t, 32>;
enum Style : int { kNone = -1, kFull = 0, kLong = 1, kShort = 3 };

std::u16string pattern_of(const char* locale, Style date, Style time) {
  int error = 0;
  char16_t text[128];
  void* format = open_format(time, date, locale, nullptr, -1, nullptr, -1, &error);
  if (error > 0) return {};
  const int32_t length = pattern_of_format(format, 0, text, std::size(text), &error);
  close_format(format);
  return error == 0 ? std::u16string(text, static_cast<size_t>(length)) : std::u16string();
}

bool replace(std::u16string& text, std::u16string_view from, std::u16string_view to) {
  const size_t at = from.empty() ? std::u16string::npos : text.find(from);
  if (at == std::u16string::npos) return false;
  text.replace(at, from.size(), to);
  return true;
}

// The locale's pattern of a long date and a time, with these two in their places. Empty where it cannot be read so.
std::u16string joined(const char* locale, Style style, std::u16string_view date, std::u16string_view time) {
  constexpr std::u16string_view kPlace = u"\uFFFF";  // in no pattern
  std::u16string both = pattern_of(locale, style, kShort);
  if (!replace(both, pattern_of(locale, style, kNone), kPlace)) return {};
  if (!replace(both, pattern_of(locale, kNone, kShort), time)) return {};
  replace(both, kPlace, date);
  return both;
}

struct Parts {
  std::u16string date, time;
  int month = 0;
  bool has_weekday = false;
};

Parts parts_of(std::u16string_view skeleton) {
  constexpr std::u16string_view kTime = u"abBhHkKjJCmsSAzZOvVXx";
  Parts parts;
  for (char16_t field : skeleton) {
    (kTime.find(field) == kTime.npos ? parts.date : parts.time) += field;
    parts.month += field == u'M' || field == u'L';
    parts.has_weekday |= field == u'E' || field == u'e' || field == u'c';
  }
  return parts;
}

}  // namespace

#define RONDO_BEST "_ZN3JSC9IntlCache22getBestDateTimePatternERKN3WTF7CStringEPKDsjR10UErrorCode"

Pattern real_best(void*, const WTF::CString&, const char16_t*, unsigned, int&) asm("__real_" RONDO_BEST);
Pattern wrap_best(void*, const WTF::CString&, const char16_t*, unsigned, int&) asm("__wrap_" RONDO_BEST);

Pattern wrap_best(void* cache, const WTF::CString& locale, const char16_t* skeleton, unsigned size, int& error) {
  constexpr int kLongMonth = 4;
  const Parts parts = parts_of({skeleton, size});
  if (parts.month == kLongMonth && !parts.time.empty()) {
    auto best = [&](const std::u16string& part) {
      return real_best(cache, locale, part.data(), static_cast<unsigned>(part.size()), error);
    };
    const Pattern date = best(parts.date), time = best(parts.time);
    if (error > 0) return {};
    const std::u16string both = joined(locale.data(), parts.has_weekday ? kFull : kLong, {date.data(), date.size()},
                                       {time.data(), time.size()});
    Pattern result;
    result.append(both.data(), both.size());
    if (!both.empty()) return result;
  }
  return real_best(cache, locale, skeleton, size, error);
}
