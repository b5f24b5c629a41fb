// See shell_help.h.
#include "cli/shell_help.h"

#include <map>

namespace rondo::cli {

namespace {

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(by), text.size());
    if (end > 0 || by == '\n') parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// "  names    text" → both; a line without a second half has names alone.
HelpLine line_of(std::string_view line) {
  const size_t begin = line.find_first_not_of(' ');
  const size_t gap = line.find("  ", begin);
  if (gap == std::string_view::npos) return {std::string(line.substr(begin)), ""};
  return {std::string(line.substr(begin, gap - begin)), std::string(line.substr(line.find_first_not_of(' ', gap)))};
}

// "--require" → its text in the help.
std::map<std::string, std::string> texts_of_options(std::string_view help) {
  std::map<std::string, std::string> texts;
  for (const auto& section : help_sections(help)) {
    for (const auto& line : section.lines) {
      for (auto word : split(line.names, ' ')) {
        if (word.ends_with(',')) word.pop_back();
        if (word.starts_with("--")) texts.emplace(word, line.text);
      }
    }
  }
  return texts;
}

std::string without(std::string text, std::string_view characters) {
  std::erase_if(text, [&](char c) { return characters.find(c) != std::string_view::npos; });
  return text;
}

// A backslash, and a dot or quote at the beginning of a line, mean something to roff.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '-') out += '\\';
    out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

}  // namespace

std::vector<HelpSection> help_sections(std::string_view help) {
  std::vector<HelpSection> sections;
  for (const auto& line : split(help, '\n')) {
    if (line.starts_with("  ") && !sections.empty())
      sections.back().lines.push_back(line_of(line));
    else if (line.ends_with(':'))
      sections.push_back({line.substr(0, line.size() - 1), {}});
  }
  return sections;
}

std::string zsh_completion(std::string_view help, std::string_view known) {
  const auto texts = texts_of_options(help);
  std::string out = "#compdef rondo\n_rondo() {\n  _arguments -S \\\n";
  for (const auto& name : split(known, ' ')) {
    const auto found = texts.find(name);
    const std::string text = found == texts.end() ? "" : "[" + without(found->second, "[]':\\") + "]";
    out += "    '*" + name + text + "' \\\n";
  }
  return out +
         "    '*:file:_files'\n}\n"
         "if [ \"$funcstack[1]\" = _rondo ]; then _rondo \"$@\"; else compdef _rondo rondo; fi\n";
}

std::string fish_completion(std::string_view help, std::string_view known) {
  const auto texts = texts_of_options(help);
  std::string out;
  for (const auto& name : split(known, ' ')) {
    const auto found = texts.find(name);
    out += "complete -c rondo -l " + name.substr(2);
    if (found != texts.end()) out += " -d '" + without(found->second, "'\\") + "'";
    out += "\n";
  }
  return out;
}

std::string man_page(std::string_view help, std::string_view known, std::string_view version) {
  std::string out = ".TH RONDO 1 \"\" \"rondo " + std::string(version) +
                    "\"\n.SH NAME\nrondo \\- a JavaScript runtime on its own event loop\n"
                    ".SH SYNOPSIS\n.B rondo\n[options] [script.js | \\-e code | \\-] [arguments]\n";
  for (const auto& section : help_sections(help)) {
    out += ".SH " + section.title + "\n";
    for (const auto& line : section.lines) out += ".TP\n.B " + roff(line.names) + "\n" + roff(line.text) + "\n";
  }
  const auto texts = texts_of_options(help);
  out +=
      ".SH OTHER OPTIONS\nThese have the meaning that they have in Node; see https://nodejs.org/api/cli.html.\n.PP\n";
  for (const auto& name : split(known, ' ')) {
    if (!texts.contains(name)) out += ".br\n.B " + roff(name) + "\n";
  }
  return out;
}

}  // namespace rondo::cli
