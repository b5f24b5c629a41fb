// See json_error.h.
#include "engine/errors/json_error.h"

#include <wtf/text/StringConcatenateNumbers.h>

namespace rondo::engine {

namespace {

constexpr unsigned kContext = 10;  // characters shown on each side of the bad one

class Walker {
 public:
  explicit Walker(WTF::StringView text) : text_(text) {}

  WTF::String run() {
    skip_space();
    if (value()) {
      skip_space();
      if (!at_end()) at_position("Unexpected non-whitespace character after JSON"_s);
    }
    return message_;
  }

 private:
  bool at_end() const { return at_ >= text_.length(); }
  UChar peek() const { return at_end() ? 0 : text_[at_]; }
  bool is_digit() const { return WTF::isASCIIDigit(peek()); }
  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t')) at_++;
  }

  bool at_position(WTF::ASCIILiteral what) {
    unsigned line = 1, column = 1;
    for (unsigned i = 0; i < at_; i++) {
      bool is_break = text_[i] == '\n' || (text_[i] == '\r' && !(i + 1 < text_.length() && text_[i + 1] == '\n'));
      column = is_break ? 1 : column + 1;
      line += is_break;
    }
    message_ = makeString(what, " in JSON at position "_s, at_, " (line "_s, line, " column "_s, column, ')');
    if (what == "Unexpected non-whitespace character after JSON"_s)
      message_ = makeString(what, " at position "_s, at_, " (line "_s, line, " column "_s, column, ')');
    return false;
  }

  bool unexpected() {
    if (at_end()) return message_ = "Unexpected end of JSON input"_s, false;
    if (peek() == '"') return at_position("Unexpected string"_s);
    if (is_digit() || peek() == '-') return at_position("Unexpected number"_s);
    if (text_ == "NaN"_s || text_ == "Infinity"_s || text_ == "undefined"_s || text_ == "[object Object]"_s)
      return message_ = makeString('"', text_, "\" is not valid JSON"_s), false;
    unsigned length = text_.length();
    bool is_short = length <= 2 * kContext;
    bool cut_start = !is_short && at_ >= kContext, cut_end = !is_short && at_ + kContext < length;
    unsigned start = cut_start ? at_ - kContext : 0, end = cut_end ? at_ + kContext : length;
    message_ = makeString("Unexpected token '"_s, text_.substring(at_, 1), "', "_s, cut_start ? "...\""_s : "\""_s,
                          text_.substring(start, end - start),
                          cut_end ? "\"... is not valid JSON"_s : "\" is not valid JSON"_s);
    return false;
  }

  // A value with all that is in it. The enclosing values are kept here and not on the thread's stack, of which little may
  // be left.
  bool value() {
    WTF::Vector<UChar, 64> open;
    for (;;) {
      skip_space();
      const UChar c = peek();
      if (c == '[' || c == '{') {
        at_++;
        skip_space();
        if (peek() == closing(c)) {
          at_++;
        } else {
          open.append(c);
          if (c == '{' && !key(true)) return false;
          continue;
        }
      } else if (!scalar()) {
        return false;
      }
      if (!after_value(open)) return false;
      if (open.isEmpty()) return true;
    }
  }

  static UChar closing(UChar open) { return open == '[' ? ']' : '}'; }

  // Goes to the next value, closing what ends here; nothing is open any more when that was the last one.
  bool after_value(WTF::Vector<UChar, 64>& open) {
    while (!open.isEmpty()) {
      const bool is_array = open.last() == '[';
      skip_space();
      if (peek() == ',') {
        at_++;
        return is_array || key(false);
      }
      if (peek() != closing(open.last()))
        return at_position(is_array ? "Expected ',' or ']' after array element"_s
                                    : "Expected ',' or '}' after property value"_s);
      at_++;
      open.removeLast();
    }
    return true;
  }

  bool key(bool is_first) {
    skip_space();
    if (peek() != '"')
      return at_position(is_first ? "Expected property name or '}'"_s : "Expected double-quoted property name"_s);
    if (!string()) return false;
    skip_space();
    if (peek() != ':') return at_position("Expected ':' after property name"_s);
    at_++;
    return true;
  }

  bool scalar() {
    switch (peek()) {
      case '"':
        return string();
      case 't':
        return word("true"_s);
      case 'f':
        return word("false"_s);
      case 'n':
        return word("null"_s);
      default:
        return peek() == '-' || is_digit() ? number() : unexpected();
    }
  }

  bool word(WTF::ASCIILiteral wanted) {
    for (size_t i = 0; i < wanted.length(); i++, at_++) {
      if (peek() != static_cast<UChar>(wanted[i])) return unexpected();
    }
    return true;
  }

  bool number() {
    if (peek() == '-') {
      at_++;
      if (!is_digit()) return at_position("No number after minus sign"_s);
    }
    bool is_zero = peek() == '0';
    at_++;
    if (is_zero && is_digit()) return at_position("Unexpected number"_s);
    while (is_digit()) at_++;
    if (peek() == '.') {
      at_++;
      if (!is_digit()) return at_position("Unterminated fractional number"_s);
      while (is_digit()) at_++;
    }
    if (peek() == 'e' || peek() == 'E') {
      at_++;
      if (peek() == '+' || peek() == '-') at_++;
      if (!is_digit()) return at_position("Exponent part is missing a number"_s);
      while (is_digit()) at_++;
    }
    return true;
  }

  bool string() {
    at_++;
    while (!at_end()) {
      UChar c = text_[at_];
      if (c == '"') return at_++, true;
      if (c < 0x20) return at_position("Bad control character in string literal"_s);
      at_++;
      if (c == '\\' && !escape()) return false;
    }
    return at_position("Unterminated string"_s);
  }

  bool escape() {
    if (at_end()) return at_position("Unterminated string"_s);
    UChar c = text_[at_];
    if (c != 'u') {
      if (!strchr("\"\\/bfnrt", static_cast<char>(c < 0x80 ? c : 1))) return at_position("Bad escaped character"_s);
      return at_++, true;
    }
    at_++;
    for (int i = 0; i < 4; i++, at_++) {
      if (at_end() || !WTF::isASCIIHexDigit(text_[at_])) return at_position("Bad Unicode escape"_s);
    }
    return true;
  }

  WTF::StringView text_;
  unsigned at_ = 0;
  WTF::String message_;
};

}  // namespace

WTF::String json_error(WTF::StringView text) { return Walker(text).run(); }

}  // namespace rondo::engine
