// See option_words.h.
#include "cli/option_words.h"

namespace rondo::cli {

bool split_words(std::string_view text, std::vector<std::string>& words) {
  bool quoted = false, begun = false;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (c == '\\' && quoted) {
      if (++i == text.size()) return false;
      c = text[i];
    } else if (c == ' ' && !quoted) {
      begun = false;
      continue;
    } else if (c == '"') {
      quoted = !quoted;
      if (!begun) words.emplace_back();
      begun = true;
      continue;
    }
    if (!begun) words.emplace_back();
    begun = true;
    words.back() += c;
  }
  return !quoted;
}

}  // namespace rondo::cli
