// Texts made from the text of --help and the table of options: completion for zsh and fish (bash's is foreign_options.h's), and the manual page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo::cli {

struct HelpLine {
  std::string names;  // "-r, --require module"
  std::string text;
};
struct HelpSection {
  std::string title;
  std::vector<HelpLine> lines;
};

// The sections of a help text: a title that ends with a colon, then lines indented by two spaces, names and text apart by two or more.
std::vector<HelpSection> help_sections(std::string_view help);

// `known`: the long names of all options, each with a space behind.
std::string zsh_completion(std::string_view help, std::string_view known);
std::string fish_completion(std::string_view help, std::string_view known);
// In roff, for man(1).
std::string man_page(std::string_view help, std::string_view known, std::string_view version);

}  // namespace rondo::cli
