// See help_colors.h.
#include "cli/help_colors.h"

#include <unistd.h>
#include <cctype>
#include <cstdlib>

namespace rondo::cli {

namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kMagenta = "\x1b[35m";
constexpr std::string_view kBlueUnderlined = "\x1b[34m\x1b[4m";
constexpr std::string_view kPlain = "\x1b[0m";

void append_colored(std::string& out, std::string_view color, std::string_view text) {
  out.append(color).append(text).append(kPlain);
}

bool is_variable(std::string_view word) {
  if (word.size() < 2 || !std::isupper(static_cast<unsigned char>(word[0]))) return false;
  for (char c : word) {
    const auto letter = static_cast<unsigned char>(c);
    if (!std::isupper(letter) && !std::isdigit(letter) && c != '_') return false;
  }
  return word.find('_') != std::string_view::npos;
}

// Names stand at the beginning of a line, apart by commas; a text of two spaces or more ends them.
void append_line(std::string& out, std::string_view line) {
  const bool is_title = !line.empty() && line[0] != ' ' && line.ends_with(':');
  if (is_title) return append_colored(out, kBold, line);
  bool is_name = line.starts_with("  ");
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    auto word = line.substr(at, end - at);
    const auto bare = word.ends_with(',') ? word.substr(0, word.size() - 1) : word;
    if (word.starts_with("https://"))
      append_colored(out, kBlueUnderlined, word);
    else if (is_name && bare.starts_with('-'))
      append_colored(out, kGreen, bare), out.append(word.substr(bare.size()));
    else if (is_name && is_variable(bare))
      append_colored(out, kMagenta, bare), out.append(word.substr(bare.size()));
    else
      out.append(word);
    const size_t next = std::min(line.find_first_not_of(' ', end), line.size());
    if (!word.empty() && next - end > 1) is_name = false;
    out.append(line.substr(end, next - end));
    at = next;
  }
}

}  // namespace

std::string color_help(std::string_view help) {
  std::string out;
  while (!help.empty()) {
    const size_t end = help.find('\n');
    append_line(out, help.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    help.remove_prefix(end + 1);
  }
  return out;
}

bool wants_colors() {
  if (const char* forced = ::getenv("FORCE_COLOR")) {
    const std::string_view value = forced;
    return value.empty() || value == "true" || value == "1" || value == "2" || value == "3";
  }
  return !::getenv("NO_COLOR") && !::getenv("NODE_DISABLE_COLORS") && ::isatty(STDOUT_FILENO) == 1;
}

}  // namespace rondo::cli
