// See frame_place.h.
#include "engine/errors/frame_place.h"

#include "engine/errors/source_reader.h"
#include "engine/patches/code_point.h"

#include <JavaScriptCore/CodeBlock.h>

namespace rondo::engine {

namespace {

using WTF::StringView;
using Place = std::optional<unsigned>;

bool is_name_character(UChar c) { return SourceReader::is_name_part(c) || c == '#'; }

bool is_word_at(StringView text, unsigned at, WTF::ASCIILiteral word) {
  if (text.length() < at + word.length() || text.substring(at, word.length()) != word) return false;
  return text.length() == at + word.length() || !is_name_character(text[at + word.length()]);
}

unsigned behind_space(StringView text, unsigned at) {
  SourceReader reader(text);
  reader.go_to(at);
  reader.skip_space();
  return reader.position();
}

unsigned behind_name(StringView text, unsigned at) {
  while (at < text.length() && is_name_character(text[at])) at++;
  return at;
}

// Passes over a name, literal or bracket at the beginning of an expression.
void skip_primary(SourceReader& reader) {
  const auto c = reader.peek();
  if (c == '(' || c == '[' || c == '{')
    reader.skip_bracket();
  else if (c == '`')
    reader.skip_template();
  else if (c == '"' || c == '\'')
    reader.quoted_string();
  else
    while (is_name_character(reader.peek())) reader.skip();
}

// Whether the expression from `from` to `end` is a chain with a call or `?.` in it. V8 has the places of later properties at their dots.
bool has_call(StringView text, unsigned from, unsigned end) {
  SourceReader reader(text);
  reader.go_to(from);
  bool is_new = is_word_at(text, from, "new"_s);
  if (is_new) reader.skip(3), reader.skip_space();
  skip_primary(reader);
  for (reader.skip_space(); reader.position() < end; reader.skip_space()) {
    const auto c = reader.peek();
    if (c == '?' && reader.peek(1) == '.') return true;
    if (c == '(' && !std::exchange(is_new, false)) return true;
    if (c == '.')
      reader.skip(), reader.skip_space(), skip_primary(reader);
    else if (c == '[' || c == '(' || c == '`')
      skip_primary(reader);
    else
      return false;
  }
  return false;
}

// `.name` or `?.name` from the end of what is before it.
Place name_of_property(StringView text, CodePoint::Range range) {
  unsigned at = behind_space(text, range.divot);
  if (at + 1 < text.length() && text[at] == '?') at++;
  if (at + 1 >= text.length() || text[at] != '.') return std::nullopt;
  const unsigned dot = at;
  at = behind_space(text, at + 1);
  if (at < text.length() && is_name_character(text[at]) && has_call(text, range.from, range.divot)) return dot;
  return at < text.length() && is_name_character(text[at]) ? Place(at) : std::nullopt;
}

bool is_assignment_sign(StringView text, unsigned at) {
  if (at >= text.length()) return false;
  if (text[at] == '=') return at + 1 >= text.length() || text[at + 1] != '=';
  const auto end = text.substring(at, 4).find('=');
  return end != WTF::notFound && end > 0 && !WTF::isASCIIAlphanumeric(text[at]) && text[at] != '!';
}

// The sign behind `.name`, `[key]` or a plain name.
Place assignment_sign(StringView text, CodePoint::Range range, bool is_property) {
  unsigned at = range.from;
  if (is_property) {
    const auto name = name_of_property(text, {range.divot, range.divot, range.to});
    at = name ? *name : behind_space(text, range.divot);
    if (!name && (at >= text.length() || text[at] != '[')) return std::nullopt;
    if (!name) {
      SourceReader reader(text);
      reader.go_to(at);
      reader.skip_bracket();
      at = reader.position();
    }
  }
  at = behind_space(text, behind_name(text, at));
  return is_assignment_sign(text, at) ? Place(at) : std::nullopt;
}

// The value that is walked: behind `of` of a loop, behind `=` of a pattern.
Place walked_value(StringView text, unsigned divot) {
  if (is_word_at(text, divot, "of"_s)) return behind_space(text, divot + 2);
  if (text[divot] != '[') return std::nullopt;
  SourceReader reader(text);
  reader.go_to(divot);
  reader.skip_bracket();
  const unsigned sign = behind_space(text, reader.position());
  return is_assignment_sign(text, sign) ? Place(behind_space(text, sign + 1)) : std::nullopt;
}

// The called name, on one line with the bracket, or the word `new` before it; in `new Foo().bar(` the call is bar's.
Place called_name(StringView text, unsigned from, unsigned divot) {
  if (text[divot] != '(') return std::nullopt;
  bool is_new = is_word_at(text, from, "new"_s);
  for (unsigned i = from; is_new && i < divot; i++) is_new = text[i] != '\n' && text[i] != '(';
  if (is_new) return from;
  unsigned at = divot;
  while (at > 0 && is_name_character(text[at - 1])) at--;
  return at;
}

unsigned before_space(StringView text, unsigned at) {
  while (at > 0 && WTF::isASCIIWhitespace(text[at - 1])) at--;
  return at;
}

unsigned before_name(StringView text, unsigned at) {
  while (at > 0 && is_name_character(text[at - 1])) at--;
  return at;
}

bool is_end_of_operand(UChar c) {
  return is_name_character(c) || c == ')' || c == ']' || c == '}' || c == '"' || c == '\'' || c == '`';
}

// Whether `x` of `x = …` is assigned to as a statement of its own: not a declaration, no property.
bool is_statement_before(StringView text, unsigned at) {
  at = before_space(text, at);
  return at == 0 || text[at - 1] == ';' || text[at - 1] == '{' || text[at - 1] == '}';
}

bool is_prefix_word(StringView word) {
  static constexpr WTF::ASCIILiteral kWords[] = {"return"_s, "throw"_s, "typeof"_s, "void"_s,
                                                 "delete"_s, "await"_s, "yield"_s};
  return std::ranges::any_of(kWords, [&](auto known) { return word == known; });
}

// The place before `at` that V8 would still have when it looks a name up there: operators and words that come first have no place.
Place one_before(StringView text, unsigned at) {
  const unsigned end = before_space(text, at);
  if (end == 0) return std::nullopt;
  const auto c = text[end - 1];
  const unsigned word = before_name(text, end);
  if (word < end) return is_prefix_word(text.substring(word, end - word)) ? Place(word) : std::nullopt;
  const unsigned before = before_space(text, end - 1);
  const auto previous = before > 0 ? text[before - 1] : UChar(';');
  const unsigned previous_word = before_name(text, before);
  if (c == '(') {
    const auto name = text.substring(previous_word, before - previous_word);
    if (name == "if"_s || name == "switch"_s) return previous_word;
    return is_end_of_operand(previous) && !is_prefix_word(name) ? std::nullopt : Place(end - 1);
  }
  if (c == '{' && end >= 3 && text.substring(end - 3, 3) == "`${"_s) return end - 3;
  if (c == '=' && previous_word < before && is_statement_before(text, previous_word)) return previous_word;
  const bool is_sign = c == '!' || c == '~' || c == '-' || c == '+';
  return is_sign && (!is_end_of_operand(previous) || previous == c) ? Place(end - 1) : std::nullopt;
}

// A name that is not declared, or not yet; `new` counts as part of it. In `{ a, b }` the engine knows the end alone.
Place unresolved_name(StringView text, unsigned from) {
  if (text[from] == '}' || text[from] == ',') {
    const unsigned end = before_space(text, from);
    return before_name(text, end) < end ? Place(before_name(text, end)) : std::nullopt;
  }
  if (!SourceReader::is_name_start(text[from])) return std::nullopt;
  const bool is_new =
      from >= 4 && text.substring(from - 4, 4) == "new "_s && (from == 4 || !is_name_character(text[from - 5]));
  if (is_new) return from - 4;
  unsigned place = from;
  for (int i = 0; i < 8; i++) {
    const auto before = one_before(text, place);
    if (!before) break;
    place = *before;
  }
  return place;
}

// `in` or `instanceof` before the right side.
Place word_operator(StringView text, unsigned right) {
  const unsigned end = before_space(text, right);
  const unsigned start = before_name(text, end);
  const auto word = text.substring(start, end - start);
  return word == "in"_s || word == "instanceof"_s ? Place(start) : std::nullopt;
}

// The sign of an operation that begins at `from`, if its left side is one name, literal or bracket with what belongs to it.
Place sign_operator(StringView text, unsigned from) {
  SourceReader reader(text);
  reader.go_to(from);
  skip_primary(reader);
  for (reader.skip_space(); !reader.at_end(); reader.skip_space()) {
    const auto c = reader.peek();
    if (c == '.')
      reader.skip(), reader.skip_space(), skip_primary(reader);
    else if (c == '[' || c == '(')
      reader.skip_bracket();
    else
      break;
  }
  static constexpr WTF::ASCIILiteral kSigns = "+-*/%&|^<>"_s;
  return reader.position() > from && StringView(kSigns).contains(reader.peek()) ? Place(reader.position())
                                                                                : std::nullopt;
}

// The first name of `{ a }`: of a parameter, or before `= value`.
Place destructured_name(StringView text, CodePoint::Range range) {
  unsigned at = range.from;
  if (text[at] == '(') {
    at = behind_space(text, at + 1);
  } else {
    const unsigned sign = before_space(text, at);
    if (sign == 0 || text[sign - 1] != '=') return std::nullopt;
    const unsigned close = before_space(text, sign - 1);
    if (close == 0 || text[close - 1] != '}') return std::nullopt;
    at = close - 1;
    while (at > 0 && (is_name_character(text[at - 1]) || WTF::isASCIIWhitespace(text[at - 1]) || text[at - 1] == ',' ||
                      text[at - 1] == ':'))
      at--;
    if (at > 0) at--;
  }
  if (text[at] != '{') return std::nullopt;
  at = behind_space(text, at + 1);
  return SourceReader::is_name_start(text[at]) ? Place(at) : std::nullopt;
}

Place place_of(const CodePoint& point) {
  const auto range = point.range();
  const auto text = point.source();
  if (!range || range->from >= text.length()) return std::nullopt;
  if (is_word_at(text, range->from, "throw"_s) && range->divot - range->from >= 6) return range->from;
  if (range->divot >= text.length())
    return point.opcode() == JSC::op_resolve_scope ? unresolved_name(text, range->from) : std::nullopt;
  switch (point.opcode()) {
    case JSC::op_construct:
    case JSC::op_construct_varargs:
      if (is_word_at(text, range->from, "new"_s)) return range->from;
      return called_name(text, range->from, range->divot);
    case JSC::op_resolve_scope:
    case JSC::op_get_from_scope:
    case JSC::op_check_tdz:
      return unresolved_name(text, range->from);
    case JSC::op_put_to_scope:
      return assignment_sign(text, *range, false);
    case JSC::op_put_by_id:
    case JSC::op_put_by_id_with_this:
    case JSC::op_put_by_val:
    case JSC::op_put_by_val_with_this:
    case JSC::op_put_private_name:
      return assignment_sign(text, *range, true);
    case JSC::op_iterator_open:
      return walked_value(text, range->divot);
    case JSC::op_spread:
      return range->from < range->divot ? Place(range->from) : std::nullopt;
    case JSC::op_in_by_val:
    case JSC::op_in_by_id:
      return word_operator(text, range->divot);
    case JSC::op_add:
    case JSC::op_sub:
    case JSC::op_mul:
    case JSC::op_div:
    case JSC::op_mod:
    case JSC::op_pow:
    case JSC::op_bitand:
    case JSC::op_bitor:
    case JSC::op_bitxor:
    case JSC::op_lshift:
    case JSC::op_rshift:
      return sign_operator(text, range->from);
    case JSC::op_throw_static_error:
    case JSC::op_throw: {
      const auto name = destructured_name(text, *range);
      return name ? name : word_operator(text, range->divot);
    }
    default:
      if (text[range->divot] == '(') return called_name(text, range->from, range->divot);
      if (text[range->divot] == '[')
        return point.opcode() == JSC::op_get_by_id ? walked_value(text, range->divot) : std::nullopt;
      if (is_word_at(text, range->divot, "of"_s)) return walked_value(text, range->divot);
      if (is_word_at(text, range->to, "++"_s) || is_word_at(text, range->to, "--"_s)) return range->from;
      if (const auto name = name_of_property(text, *range)) return name;
      // The value of `const [a] = value`.
      return point.opcode() == JSC::op_get_by_id && range->divot == range->to && range->from < range->divot
                 ? Place(range->from)
                 : std::nullopt;
  }
}

}  // namespace

void move_to_operation(JSC::CodeBlock* block, JSC::BytecodeIndex index, unsigned& line, unsigned& column) {
  const auto point = CodePoint::at(block->baselineAlternative(), index);
  const auto range = point ? point->range() : std::nullopt;
  const auto place = range ? place_of(*point) : std::nullopt;
  if (!place) return;
  const auto text = point->source();
  const unsigned first = std::min(*place, range->divot), last = std::max(*place, range->divot);
  unsigned lines = 0;
  for (unsigned i = first; i < last && i < text.length(); i++) lines += text[i] == '\n';
  const bool is_before = *place < range->divot;
  if (lines == 0) {
    column = is_before ? column - std::min(last - first, column - 1) : column + (last - first);
    return;
  }
  line = is_before ? line - std::min(lines, line - 1) : line + lines;
  unsigned line_start = *place;
  while (line_start > 0 && text[line_start - 1] != '\n') line_start--;
  column = *place - line_start + 1;
}

}  // namespace rondo::engine
