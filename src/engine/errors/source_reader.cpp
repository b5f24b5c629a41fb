// See source_reader.h.
#include "engine/errors/source_reader.h"

#include <wtf/StackCheck.h>
#include <wtf/dtoa.h>
#include <wtf/text/StringBuilder.h>
#include <wtf/text/StringToIntegerConversion.h>

namespace rondo::engine {

using WTF::String;
using WTF::StringBuilder;

void SourceReader::skip_space() {
  while (!at_end()) {
    UChar c = peek();
    if (WTF::isUnicodeCompatibleASCIIWhitespace(c) || c == 0xa0 || c == 0xfeff || c == 0x2028 || c == 0x2029) {
      skip();
    } else if (c == '/' && peek(1) == '/') {
      while (!at_end() && peek() != '\n') skip();
    } else if (c == '/' && peek(1) == '*') {
      auto end = text_.find("*/"_s, at_ + 2);
      at_ = end == WTF::notFound ? text_.length() : static_cast<unsigned>(end) + 2;
    } else {
      return;
    }
  }
}

bool SourceReader::starts_with(WTF::ASCIILiteral word) const { return text_.substring(at_).startsWith(word); }

bool SourceReader::take(WTF::ASCIILiteral word) {
  if (!starts_with(word)) return false;
  const bool is_name = is_name_start(static_cast<UChar>(word[0]));
  if (is_name && is_name_part(peek(static_cast<unsigned>(word.length())))) return false;
  skip(static_cast<unsigned>(word.length()));
  return true;
}

// One escape of a string or name, from behind its backslash.
void SourceReader::escape(StringBuilder& out) {
  UChar c = peek();
  skip();
  auto code = [&](unsigned length) {
    auto digits = text_.substring(at_, length);
    skip(length);
    if (auto value = WTF::parseInteger<uint32_t>(digits, 16); value && *value <= 0x10ffff)
      out.appendCharacter(static_cast<UChar32>(*value));
  };
  static constexpr std::string_view kLetters = "ntrbvf0", kMeanings{"\n\t\r\b\v\f\0", 7};
  const size_t letter = c < 0x80 ? kLetters.find(static_cast<char>(c)) : std::string_view::npos;
  if (letter != std::string_view::npos) return out.append(kMeanings[letter]);
  switch (c) {
    case '\n':
      return;
    case 'x':
      return code(2);
    case 'u':
      if (peek() != '{') return code(4);
      skip();
      code(static_cast<unsigned>(text_.find('}', at_) - at_));
      return skip();
    default:
      return out.append(c);
  }
}

String SourceReader::name() {
  StringBuilder out;
  while (!at_end()) {
    if (is_name_part(peek())) {
      out.append(peek());
      skip();
    } else if (peek() == '\\' && peek(1) == 'u') {
      skip();
      escape(out);
    } else {
      break;
    }
  }
  return out.toString();
}

String SourceReader::number() {
  const unsigned from = at_;
  const bool has_base = peek() == '0' && WTF::isASCIIAlpha(peek(1)) && (peek(1) | 0x20) != 'e';
  for (bool has_dot = has_base; !at_end(); skip()) {
    UChar c = peek();
    const bool is_sign = !has_base && (c == '+' || c == '-') && at_ > from && (text_[at_ - 1] | 0x20) == 'e';
    const bool is_dot = c == '.' && !has_dot;
    if (is_dot) has_dot = true;
    if (!is_name_part(c) && !is_dot && !is_sign) break;
  }
  String digits = makeStringByReplacingAll(text_.substring(from, at_ - from).toString(), '_', ""_s);
  if (digits.endsWith('.')) digits = digits.left(digits.length() - 1);
  if (digits.endsWith('n')) return "(intermediate value)"_s;
  if (has_base) {
    const uint8_t base = (digits[1] | 0x20) == 'x' ? 16 : (digits[1] | 0x20) == 'o' ? 8 : 2;
    auto value = WTF::parseInteger<uint64_t>(WTF::StringView(digits).substring(2), base);
    return value ? String::number(static_cast<double>(*value)) : digits;
  }
  return String::number(digits.toDouble());
}

String SourceReader::quoted_string() {
  const UChar quote = peek();
  skip();
  StringBuilder out;
  while (!at_end() && peek() != quote) {
    UChar c = peek();
    skip();
    if (c == '\\')
      escape(out);
    else
      out.append(c);
  }
  skip();
  return out.toString();
}

String SourceReader::regular_expression() {
  const unsigned from = at_;
  bool in_class = false;
  skip();
  while (!at_end() && (in_class || peek() != '/')) {
    if (peek() == '\\') skip();
    if (peek() == '[') in_class = true;
    if (peek() == ']') in_class = false;
    skip();
  }
  skip();
  name();
  return text_.substring(from, at_ - from).toString();
}

WTF::Vector<std::pair<unsigned, unsigned>> SourceReader::template_parts(String& plain) {
  WTF::Vector<std::pair<unsigned, unsigned>> parts;
  StringBuilder out;
  // Templates lie in the expressions of templates; where no stack is left for one more, the text ends.
  if (!WTF::StackCheck().isSafeToRecurse()) at_ = text_.length();
  skip();
  while (!at_end() && peek() != '`') {
    UChar c = peek();
    if (c == '$' && peek(1) == '{') {
      skip();
      const unsigned from = at_ + 1;
      skip_bracket();
      parts.append({from, at_ - 1});
      continue;
    }
    skip();
    if (c == '\\')
      escape(out);
    else
      out.append(c);
  }
  skip();
  plain = out.toString();
  return parts;
}

void SourceReader::skip_template() {
  String plain;
  template_parts(plain);
}

void SourceReader::skip_bracket() {
  int depth = 0;
  bool after_value = false;  // a slash behind a value divides, elsewhere it begins a regular expression
  do {
    skip_space();
    UChar c = peek();
    if (c == '\'' || c == '"') {
      quoted_string();
      after_value = true;
    } else if (c == '`') {
      skip_template();
      after_value = true;
    } else if (c == '/' && !after_value) {
      regular_expression();
      after_value = true;
    } else if (is_name_part(c)) {
      auto word = name();
      after_value = word != "return"_s && word != "typeof"_s && word != "case"_s && word != "in"_s && word != "of"_s;
    } else {
      if (c == '(' || c == '[' || c == '{') depth++;
      if (c == ')' || c == ']' || c == '}') depth--;
      after_value = c == ')' || c == ']' || c == '}';
      skip();
    }
  } while (depth > 0 && !at_end());
}

}  // namespace rondo::engine
