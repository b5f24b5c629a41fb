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

// `.name` or `?.name` from the end of what is before it.
Place name_of_property(StringView text, unsigned divot) {
  unsigned at = behind_space(text, divot);
  if (at + 1 < text.length() && text[at] == '?') at++;
  if (at + 1 >= text.length() || text[at] != '.') return std::nullopt;
  at = behind_space(text, at + 1);
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
    const auto name = name_of_property(text, range.divot);
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

// A name that is not declared, or not yet; `new` counts as part of it.
Place unresolved_name(StringView text, unsigned from) {
  if (!SourceReader::is_name_start(text[from])) return std::nullopt;
  const bool is_new =
      from >= 4 && text.substring(from - 4, 4) == "new "_s && (from == 4 || !is_name_character(text[from - 5]));
  return is_new ? from - 4 : from;
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
    default:
      if (text[range->divot] == '(') return called_name(text, range->from, range->divot);
      if (text[range->divot] == '[')
        return point.opcode() == JSC::op_get_by_id ? walked_value(text, range->divot) : std::nullopt;
      return name_of_property(text, range->divot);
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
