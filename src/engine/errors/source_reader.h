// The letters of a piece of JavaScript: passes over space, comments, strings, templates and brackets the way the grammar does. Used by
// expression_text.cpp.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

class SourceReader {
 public:
  explicit SourceReader(WTF::StringView text) : text_(text) {}

  bool at_end() const { return at_ >= text_.length(); }
  unsigned position() const { return at_; }
  void go_to(unsigned position) { at_ = position; }
  UChar peek(unsigned ahead = 0) const { return at_ + ahead < text_.length() ? text_[at_ + ahead] : 0; }
  void skip(unsigned count = 1) { at_ = std::min(at_ + count, text_.length()); }
  void skip_space();
  // Whether `word` stands here; passes over it then.
  bool take(WTF::ASCIILiteral word);
  bool starts_with(WTF::ASCIILiteral word) const;

  static bool is_name_part(UChar c) { return WTF::isASCIIAlphanumeric(c) || c == '_' || c == '$' || c >= 0x80; }
  static bool is_name_start(UChar c) { return is_name_part(c) && !WTF::isASCIIDigit(c); }
  WTF::String name();
  WTF::String number();  // as a program prints it; "(intermediate value)" for a BigInt
  WTF::String quoted_string();  // its value
  WTF::String regular_expression();
  // From an opening bracket to behind the one that closes it.
  void skip_bracket();
  void skip_template();
  // The expressions of a template, each by its place; empty when it has none.
  WTF::Vector<std::pair<unsigned, unsigned>> template_parts(WTF::String& plain);

 private:
  void escape(WTF::StringBuilder& out);

  WTF::StringView text_;
  unsigned at_ = 0;
};

}  // namespace rondo::engine
