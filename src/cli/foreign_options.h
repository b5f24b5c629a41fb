// Options of Node's that concern V8 or a part that is not here: those that are accepted and change nothing, and those that are refused
// with a sentence. What an option of either kind is stands in one table (foreign_options.cpp), which --help and --v8-options print.
#pragma once

#include <string>
#include <string_view>

namespace rondo::cli {

enum class OptionForm { Flag, Number, Text };

struct ForeignOption {
  std::string_view name;  // with a "*" at its end: all that begin so
  OptionForm form;
  std::string_view about;
};

// One that changes nothing here (decision 0048); null for any other. `name` is without "--no-".
const ForeignOption* find_without_effect(std::string_view name);

// Why an option of Node's is refused, for the message; "" for one that nobody knows.
std::string_view why_refused(std::string_view name);
// An option that is refused may be switched off: it is off.
bool is_off_anyway(std::string_view name);

std::string list_of_options_without_effect();  // for --help
std::string list_of_v8_options();  // for --v8-options: a name a line, as tools expect it
// A script that completes `rondo --…` in bash; `known` are the other options, each with a space behind.
std::string bash_completion(std::string_view known);

}  // namespace rondo::cli
