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
  if (error.type() != JSC::ParserError::SyntaxError || !message.startsWith("Unexpected "_s) || start > source.length())
    return error;
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
