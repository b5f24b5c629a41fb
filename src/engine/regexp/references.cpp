// See references.h.
#include "engine/regexp/references.h"

#include <wtf/text/StringBuilder.h>

namespace rondo::engine::regexp {

namespace {

class Reader {
 public:
  explicit Reader(WTF::StringView text) : text_(text) {}

  bool has(unsigned i) const { return i < text_.length(); }
  UChar at(unsigned i) const { return has(i) ? text_[i] : 0; }
  bool is_escaped_digit(unsigned i) const { return at(i) == '\\' && at(i + 1) >= '1' && at(i + 1) <= '9'; }

  // Calls `use(i)` for each character outside of classes; it returns where to go on.
  template <class Use>
  void walk(const Use& use) const {
    bool is_in_class = false;
    for (unsigned i = 0; has(i);) {
      const UChar unit = at(i);
      if (!is_in_class && unit != '[') {
        i = use(i);
        continue;
      }
      is_in_class = unit != ']';
      i += unit == '\\' ? 2 : 1;
    }
  }

  unsigned groups() const {
    unsigned count = 0;
    walk([&](unsigned i) {
      const bool is_named = at(i + 1) == '?' && at(i + 2) == '<' && at(i + 3) != '=' && at(i + 3) != '!';
      if (at(i) == '(' && (at(i + 1) != '?' || is_named)) count++;
      return i + (at(i) == '\\' ? 2 : 1);
    });
    return count;
  }

  // The number behind a backslash, and where it ends.
  std::pair<unsigned, unsigned> reference(unsigned i) const {
    constexpr unsigned kMost = 1'000'000;
    unsigned number = 0;
    for (i++; WTF::isASCIIDigit(at(i)); i++) number = std::min(kMost, number * 10 + (at(i) - '0'));
    return {number, i};
  }

  // The character of an octal escape (\1, \12, \377), and where it ends; a digit that is none stands for itself.
  std::pair<UChar, unsigned> octal(unsigned i) const {
    const unsigned first = i + 1;
    if (at(first) > '7') return {at(first), first + 1};
    const unsigned most = at(first) <= '3' ? 3 : 2;
    unsigned value = 0;
    for (i = first; i < first + most && at(i) >= '0' && at(i) <= '7'; i++) value = value * 8 + (at(i) - '0');
    return {static_cast<UChar>(value), i};
  }

 private:
  WTF::StringView text_;
};

}  // namespace

References check_references(WTF::StringView text, bool is_unicode) {
  const Reader reader(text);
  bool has_any = false;
  for (unsigned i = 0; i < text.length() && !has_any; i++) has_any = reader.is_escaped_digit(i);
  if (!has_any) return {};
  const unsigned groups = reader.groups();
  References found;
  WTF::StringBuilder written;
  unsigned copied = 0;
  reader.walk([&](unsigned i) {
    if (!reader.is_escaped_digit(i)) return i + (reader.at(i) == '\\' ? 2 : 1);
    const auto [number, end] = reader.reference(i);
    if (number <= groups) return end;
    found.is_missing = is_unicode;
    const auto [character, after] = reader.octal(i);
    written.append(text.substring(copied, i - copied));
    if (WTF::isASCIIDigit(character))
      written.append(character);
    else
      written.append("\\x"_s, WTF::hex(static_cast<unsigned>(character), 2));
    copied = after;
    return after;
  });
  if (found.is_missing || copied == 0) return found;
  written.append(text.substring(copied));
  found.text = written.toString();
  return found;
}

}  // namespace rondo::engine::regexp
