// See inferred_name.h.
#include "engine/errors/inferred_name.h"

#include "engine/core/source.h"

#include <JavaScriptCore/FunctionExecutable.h>

#include <vector>

namespace rondo::engine {

namespace {

constexpr size_t kMaxParts = 16;
constexpr unsigned kMaxKey = 200;  // characters between brackets

bool is_name_character(UChar c) { return WTF::isASCIIAlphanumeric(c) || c == '_' || c == '$' || c >= 0x80; }

// Reads a text backwards; `at` is the end of what is left.
class Backwards {
 public:
  Backwards(WTF::StringView text, unsigned at) : text_(text), at_(at) {}

  void skip_space() {
    while (at_ > 0 && WTF::isASCIIWhitespace(text_[at_ - 1])) at_--;
  }
  UChar before(unsigned distance = 1) const { return at_ >= distance ? text_[at_ - distance] : 0; }

  // An assignment's sign: no comparison, no arrow, no `+=`. `||=`, `&&=` and `??=` do assign the function.
  bool take_assignment() {
    skip_space();
    if (before() != '=') return false;
    const UChar sign = before(2);
    const bool is_logical = (sign == '|' || sign == '&' || sign == '?') && before(3) == sign;
    if (WTF::StringView("=!<>+-*/%^|&?~"_s).contains(sign) && !is_logical) return false;
    at_ -= is_logical ? 3 : 1;
    return true;
  }

  // `a || ` before the function, or `a ? `, as far as `a` is names and points.
  void take_alternative() {
    skip_space();
    const UChar sign = before();
    const bool is_pair = (sign == '|' || sign == '&' || sign == '?') && before(2) == sign;
    if (!is_pair && sign != '?' && sign != ':') return;
    auto rest = *this;
    rest.at_ -= is_pair ? 2 : 1;
    while (is_name_character(rest.before()) || rest.before() == '.' || WTF::isASCIIWhitespace(rest.before()))
      rest.at_--;
    if (rest.before() == '=') at_ = rest.at_;
  }

  std::string take_word() {
    const unsigned end = at_;
    while (is_name_character(before())) at_--;
    return to_utf8(text_.substring(at_, end - at_).toString());
  }

  // The key between brackets, when it is written out.
  std::optional<std::string> take_key() {
    const unsigned end = at_ - 1;
    int depth = 0;
    for (unsigned read = 0; at_ > 0 && read < kMaxKey; read++) {
      const UChar c = text_[--at_];
      if (c == '\n') return std::nullopt;
      depth += c == ']' ? 1 : c == '[' ? -1 : 0;
      if (depth) continue;
      auto key = text_.substring(at_ + 1, end - at_ - 1);
      const bool is_text = key.length() > 2 && (key[0] == '\'' || key[0] == '"') && key[key.length() - 1] == key[0];
      return is_text ? to_utf8(key.substring(1, key.length() - 2).toString()) : "<computed>";
    }
    return std::nullopt;
  }

  void drop() { at_--; }

 private:
  WTF::StringView text_;
  unsigned at_;
};

// `a.prototype.b` before the assignment as [b, a]; false: something else stands there.
bool take_target(Backwards& text, std::vector<std::string>& parts) {
  while (parts.size() < kMaxParts) {
    text.skip_space();
    if (text.before() == ']') {
      auto key = text.take_key();
      if (!key) return false;
      parts.push_back(*key);
      continue;  // what has the key comes next, without a point
    }
    std::string word = text.take_word();
    if (word.empty()) return false;
    if (word != "prototype" && word != "this") parts.push_back(word);
    text.skip_space();
    if (text.before() != '.') return true;
    text.drop();
  }
  return true;
}

}  // namespace

std::string inferred_name(WTF::StringView text, unsigned start) {
  if (start == 0 || start > text.length()) return {};
  Backwards before(text, start);
  before.take_alternative();
  std::vector<std::string> parts;
  while (before.take_assignment()) {
    if (!take_target(before, parts)) return {};
  }
  std::string name;
  for (size_t i = parts.size(); i-- > 0;) name += (name.empty() ? "" : ".") + parts[i];
  return name;
}

std::string inferred_name(JSC::FunctionExecutable& code) {
  return inferred_name(code.source().provider()->source(), code.functionStart());
}

}  // namespace rondo::engine
