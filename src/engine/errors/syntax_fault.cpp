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
  };
  for (const auto& row : kRows) {
    if (!message.startsWith(row.message)) continue;
    Word word = word_before(source, offset);
    for (int i = 0; i < 4 && word.from > 0 && source.substring(word.from, word.to - word.from) != row.word; i++)
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

JSC::ParserError at_fault(const JSC::ParserError& error, StringView source) {
  const unsigned start = error.token().m_location.startOffset;
  const StringView message = error.message();
  if (error.type() != JSC::ParserError::SyntaxError || start > source.length()) return error;
  if (auto word = named_word(source, message, start)) return moved(error, source, {}, word->from, word->to);
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
