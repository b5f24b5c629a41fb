// See syntax_fault.h.
#include "engine/errors/syntax_fault.h"

namespace rondo::engine {

namespace {

using WTF::StringView;

struct Word {
  unsigned from = 0;
  unsigned to = 0;
};

bool is_of_name(char16_t c) { return WTF::isASCIIAlphanumeric(c) || c == '_' || c == '$' || c > 0x7f; }

// The token that ends before `offset`: a name or number, or else one character.
Word word_before(StringView source, unsigned offset) {
  unsigned to = offset;
  while (to > 0 && WTF::isASCIIWhitespace(source[to - 1])) to--;
  unsigned from = to;
  while (from > 0 && is_of_name(source[from - 1])) from--;
  if (from == to && from > 0) from--;
  return {from, to};
}

// The word that a message is about, a few tokens before `offset`.
std::optional<Word> named_word(StringView source, StringView message, unsigned offset) {
  struct Row {
    WTF::ASCIILiteral message, word;
  };
  static constexpr Row kRows[] = {
      {"'break' is only valid "_s, "break"_s},
      {"'continue' is only valid "_s, "continue"_s},
      {"Function statements must have a name."_s, "function"_s},
      {"super is not valid in this context."_s, "super"_s},
      {"Cannot have a newline after 'throw'."_s, "throw"_s},
      {"Attempted to redefine __proto__ property."_s, "__proto__"_s},
      {"Cannot declare multiple constructors in a single class."_s, "constructor"_s},
  };
  for (const auto& row : kRows) {
    if (!message.startsWith(row.message)) continue;
    Word word = word_before(source, offset);
    for (int i = 0; i < 8 && word.from > 0 && source.substring(word.from, word.to - word.from) != row.word; i++)
      word = word_before(source, word.from);
    if (source.substring(word.from, word.to - word.from) == row.word) return word;
  }
  if (message.startsWith("Cannot declare a "_s) && message.contains(" twice: '"_s)) {
    const Word word = word_before(source, offset);
    const auto name = source.substring(word.from, word.to - word.from);
    if (message.contains(makeString('\'', name, '\''))) return word;
  }
  return std::nullopt;
}

// The chain of names before the sign of an assignment: `a?.b` of `a?.b = 1`.
Word left_side(StringView source, unsigned offset) {
  Word word = word_before(source, offset);
  while (word.from > 0 &&
         (is_of_name(source[word.from - 1]) || source[word.from - 1] == '.' || source[word.from - 1] == '?'))
    word.from--;
  return word;
}

bool is_about_left_side(StringView message) {
  return message == "Left side of assignment is not a reference."_s ||
         (message.startsWith("Postfix "_s) &&
          message.endsWith(" operator applied to value that is not a reference."_s));
}

}  // namespace

JSC::ParserError moved(const JSC::ParserError& error, StringView source, const WTF::String& message, unsigned from,
                       unsigned to) {
  unsigned line = 1, line_start = 0;
  for (unsigned i = 0; i < from; i++) {
    if (source[i] != '\n') continue;
    line++;
    line_start = i + 1;
  }
  auto token = error.token();
  token.m_location.line = static_cast<int>(line);
  token.m_location.lineStartOffset = line_start;
  token.m_location.startOffset = from;
  token.m_location.endOffset = to;
  return {JSC::ParserError::SyntaxError, JSC::ParserError::SyntaxErrorIrrecoverable, token,
          message.isNull() ? error.message() : message, static_cast<int>(line)};
}

JSC::ParserError at_last_token(const JSC::ParserError& error, StringView source, unsigned end) {
  const Word last = word_before(source, end);
  return moved(error, source, {}, last.from, last.to);
}

JSC::ParserError at_fault(const JSC::ParserError& error, StringView source) {
  const unsigned start = error.token().m_location.startOffset;
  const StringView message = error.message();
  if (error.type() != JSC::ParserError::SyntaxError || start > source.length()) return error;
  if (auto word = named_word(source, message, start)) return moved(error, source, {}, word->from, word->to);
  if (is_about_left_side(message)) {
    const Word left = left_side(source, start);
    return moved(error, source, {}, left.from, left.to);
  }
  if (!message.startsWith("Unexpected "_s)) return error;
  const Word before = word_before(source, start);
  const StringView word = source.substring(before.from, before.to - before.from);
  if (word == "await"_s) {
    return moved(error, source, "await is only valid in async functions and the top level bodies of modules"_s,
                 before.from, before.to);
  }
  const bool is_before = message.endsWith("Expected ')' to end an argument list."_s) ||
                         message.endsWith("' must have an initializer."_s) ||
                         message.endsWith("import call expects one or two arguments."_s) ||
                         message.endsWith("Try statements must have at least a catch or finally block."_s);
  return is_before ? moved(error, source, {}, before.from, before.to) : error;
}

}  // namespace rondo::engine
