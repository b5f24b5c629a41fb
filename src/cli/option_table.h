// The options that have an effect, in one table: name, kind of value, short form; and the words that some of them take. What an option
// does is told elsewhere: options.cpp parses, lib/ asks for values by name. Options of Node's without an effect are in foreign_options.h.
#pragma once

#include <string>
#include <string_view>

namespace rondo::cli {

enum class OptionKind {
  Flag,
  Always,  // what it asks for is so in every run; its --no- form is refused
  Text,
  List,
  Number,
  Permission,  // a flag, or the word "kernel"
  Address  // a flag that may name where to listen: [host:]port
};

struct OptionSpec {
  std::string_view name;
  OptionKind kind;
  std::string_view alias = {};  // short form, or the full name this one stands for
};

// By its name or short form; null for any other.
const OptionSpec* find_option(std::string_view name);
// Also options without an effect, and the --no- forms of both.
bool is_known_option(std::string_view name);
// One that a worker cannot have for itself.
bool is_process_option(std::string_view name);
// Whether the option takes the word; true for options that take any.
bool is_choice(std::string_view option, std::string_view word);
// Node takes underscores for dashes: --max_old_space_size.
std::string with_dashes(std::string name);
// The long names of all options that have an effect, each with a space behind.
std::string list_of_options();

}  // namespace rondo::cli
