// Which of kPrimordialMethods the files that every start runs (kStartFiles) use: these are copied at once, the others when the first other file is
// loaded. tools/check_lib compares the list with the files.
#pragma once

#include "runtime/primordials.h"

namespace rondo::runtime {

// clang-format off
inline constexpr std::string_view kStartMethods[] = {
    "arrayFilter", "arrayIncludes", "arrayIndexOf", "arrayJoin", "arrayMap", "arrayPop", "arrayPush", "arrayShift",
    "arraySlice", "arraySome", "arraySplice", "arrayUnshift", "functionCall", "functionToString", "numberToString",
    "regexpExec", "regexpTest", "stringCharCodeAt", "stringCodePointAt", "stringEndsWith", "stringIncludes",
    "stringIndexOf", "stringLastIndexOf", "stringReplace", "stringSlice", "stringSplit", "stringStartsWith",
    "stringToUpperCase"};
// clang-format on

// By places in the scope.
inline constexpr auto kIsLateMethod = [] {
  std::array<bool, kScopeNames.size()> is_late{};
  for (size_t i = std::size(kPrimordials); i < kScopeNames.size(); i++)
    is_late[i] = std::ranges::find(kStartMethods, kScopeNames[i]) == std::end(kStartMethods);
  return is_late;
}();

}  // namespace rondo::runtime
