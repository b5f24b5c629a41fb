// See await_place.h. Text only: a regular expression with quotes in it, or an arrow function without braces that awaits, may lead to
// another await of the same function.
#include "engine/errors/await_place.h"

#include "engine/errors/source_reader.h"

namespace rondo::engine {

namespace {

// Passes over one token. True: it was `await`.
bool is_await(SourceReader& in) {
  const UChar c = in.peek();
  if (SourceReader::is_name_start(c)) {
    const auto word = in.name();
    if (word == "await"_s) return true;
    if (word != "function"_s) return false;
    // Another function's awaits are its own.
    while (!in.at_end() && in.peek() != '(') in.skip();
    in.skip_bracket();
    in.skip_space();
    if (in.peek() == '{') in.skip_bracket();
  } else if (c == '"' || c == '\'') {
    in.quoted_string();
  } else if (c == '`') {
    in.skip_template();
  } else if (in.take("=>"_s)) {
    in.skip_space();
    if (in.peek() == '{') in.skip_bracket();
  } else {
    in.skip();
  }
  return false;
}

// Whether the place belongs to what is awaited: nothing ends the expression before it.
bool is_operand(WTF::StringView text, unsigned await, unsigned place) {
  SourceReader in(text.left(place));
  in.go_to(await + 5);
  for (;;) {
    const unsigned before = in.position();
    in.skip_space();
    if (in.at_end()) return true;
    const bool is_next_line = text.substring(before, in.position() - before).contains('\n');
    const UChar c = in.peek();
    if (is_next_line && before > await + 5 && c != '.' && c != '?' && c != '(') return false;
    if (c == ';' || c == ',' || c == ')' || c == ']' || c == '}') return false;
    if (c == '(' || c == '[' || c == '{')
      in.skip_bracket();
    else
      is_await(in);
  }
}

}  // namespace

std::optional<unsigned> find_await(WTF::StringView text, unsigned begin, unsigned end, std::optional<unsigned> known,
                                   unsigned between) {
  SourceReader in(text.left(end));
  in.go_to(begin);
  std::optional<unsigned> last;  // before the known place
  for (in.skip_space(); !in.at_end(); in.skip_space()) {
    const unsigned at = in.position();
    if (!is_await(in)) continue;
    if (known && at < *known) {
      last = at;
      continue;
    }
    if (last && is_operand(text, *last, *known)) {
      if (between == 0) return last;
      between--;
    }
    last.reset();
    if (between == 0) return at;
    between--;
  }
  return last && between == 0 && is_operand(text, *last, *known) ? last : std::nullopt;
}

}  // namespace rondo::engine
