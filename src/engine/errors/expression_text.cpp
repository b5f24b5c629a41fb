// See expression_text.h. A parser by descent that builds the printed text in place of a tree.
#include "engine/errors/expression_text.h"

#include "engine/errors/source_reader.h"

#include <wtf/StackCheck.h>
#include <wtf/text/StringBuilder.h>

namespace rondo::engine {

namespace {

using WTF::String;
using WTF::StringBuilder;
using Kind = ExpressionText::Kind;

constexpr auto kIntermediate = "(intermediate value)"_s;
constexpr unsigned kMaxDepth = 200;

struct BinaryOperator {
  WTF::ASCIILiteral word;
  int level;
};

// Longer ones first, where one begins like another.
constexpr BinaryOperator kBinary[] = {
    {"??"_s, 1},  {"||"_s, 2}, {"&&"_s, 3},  {"==="_s, 7}, {"!=="_s, 7}, {"=="_s, 7},         {"!="_s, 7},
    {">>>"_s, 9}, {"<<"_s, 9}, {">>"_s, 9},  {"<="_s, 8},  {">="_s, 8},  {"instanceof"_s, 8}, {"in"_s, 8},
    {"<"_s, 8},   {">"_s, 8},  {"**"_s, 12}, {"|"_s, 4},   {"^"_s, 5},   {"&"_s, 6},          {"+"_s, 10},
    {"-"_s, 10},  {"*"_s, 11}, {"/"_s, 11},  {"%"_s, 11},
};

class Printer {
 public:
  explicit Printer(WTF::StringView text) : in_(text) {}

  ExpressionText expression() {
    auto first = assignment();
    in_.skip_space();
    if (in_.peek() != ',') return first;
    StringBuilder all;
    all.append('(', first.text);
    while (in_.take(","_s)) {
      all.append(" , "_s, assignment().text);
      in_.skip_space();
    }
    all.append(')');
    return value(all.toString());
  }

  unsigned position() const { return in_.position(); }

  std::optional<ExpressionText> iterated() {
    in_.skip_space();
    postfix(primary());
    in_.skip_space();
    if (!in_.take("of"_s)) return std::nullopt;
    return assignment();
  }

  std::optional<ExpressionText> initializer() {
    in_.skip_space();
    if (in_.peek() != '=' || in_.peek(1) == '=' || in_.peek(1) == '>') return std::nullopt;
    in_.skip();
    return assignment();
  }

  ExpressionText assignment() {
    in_.skip_space();
    if (in_.take("yield"_s)) {
      in_.skip_space();
      in_.take("*"_s);
      assignment();
      return value(kIntermediate);
    }
    auto left = conditional();
    in_.skip_space();
    if (in_.starts_with("=>"_s)) return arrow_body();
    if (is_assignment()) {
      assignment();
      return {.kind = Kind::Assignment, .text = left.text};
    }
    return left;
  }

 private:
  static ExpressionText value(String text) { return {.text = std::move(text)}; }

  bool is_assignment() {
    for (auto word : {">>>="_s, "**="_s, "<<="_s, ">>="_s, "&&="_s, "||="_s, "\?\?="_s, "+="_s, "-="_s, "*="_s, "/="_s,
                      "%="_s, "&="_s, "|="_s, "^="_s}) {
      if (in_.take(word)) return true;
    }
    return in_.peek() == '=' && in_.peek(1) != '=' && in_.peek(1) != '>' && in_.take("="_s);
  }

  ExpressionText arrow_body() {
    in_.take("=>"_s);
    in_.skip_space();
    if (in_.peek() == '{')
      in_.skip_bracket();
    else
      assignment();
    return value(kIntermediate);
  }

  ExpressionText conditional() {
    auto test = binary(0);
    in_.skip_space();
    if (in_.peek() != '?' || in_.peek(1) == '?' || (in_.peek(1) == '.' && !WTF::isASCIIDigit(in_.peek(2)))) return test;
    in_.skip();
    assignment();
    in_.skip_space();
    in_.take(":"_s);
    assignment();
    return value("(intermediate value)(intermediate value)(intermediate value)"_s);
  }

  const BinaryOperator* operator_here() {
    in_.skip_space();
    for (const auto& candidate : kBinary) {
      if (!in_.starts_with(candidate.word)) continue;
      const auto length = static_cast<unsigned>(candidate.word.length());
      const bool is_word = SourceReader::is_name_start(static_cast<UChar>(candidate.word[0]));
      if (is_word && SourceReader::is_name_part(in_.peek(length))) continue;
      // `a += b`, and `=>` behind parameters.
      if (!is_word && in_.peek(length) == '=' && candidate.level != 7 && candidate.word != "<="_s) return nullptr;
      return &candidate;
    }
    return nullptr;
  }

  // Operands of one operator stand in one pair of brackets: (a + b + c).
  ExpressionText binary(int level) {
    auto left = unary();
    WTF::ASCIILiteral open;
    for (auto* found = operator_here(); found && found->level > level; found = operator_here()) {
      in_.take(found->word);
      auto right = binary(found->word == "**"_s ? found->level - 1 : found->level);
      StringBuilder out;
      const bool goes_on = open == found->word && left.text.endsWith(')');
      out.append(goes_on ? ""_s : "("_s, goes_on ? left.text.left(left.text.length() - 1) : left.text, ' ', found->word,
                 ' ', right.text, ')');
      left = value(out.toString());
      open = found->word;
    }
    return left;
  }

  // Every way down into a nested expression leads through here.
  ExpressionText unary() {
    if (depth_ > kMaxDepth || !stack_.isSafeToRecurse()) return value(kIntermediate);
    depth_++;
    auto made = unary_at_depth();
    depth_--;
    return made;
  }

  ExpressionText unary_at_depth() {
    in_.skip_space();
    if (in_.take("await"_s)) {
      unary();
      return value(kIntermediate);
    }
    for (auto word : {"++"_s, "--"_s}) {
      if (in_.take(word)) return value(makeString('(', word, unary().text, ')'));
    }
    for (auto word : {"typeof"_s, "void"_s, "delete"_s}) {
      if (in_.take(word)) return value(makeString('(', word, ' ', unary().text, ')'));
    }
    for (auto word : {"!"_s, "~"_s, "+"_s, "-"_s}) {
      if (!in_.take(word)) continue;
      in_.skip_space();
      const bool is_number = WTF::isASCIIDigit(in_.peek());
      auto operand = unary();
      if (word == "-"_s && is_number) return value(makeString('-', operand.text));
      if (word == "!"_s && (operand.text == "true"_s || operand.text == "false"_s))
        return value(operand.text == "true"_s ? "false"_s : "true"_s);
      return value(makeString('(', word, operand.text, ')'));
    }
    auto operand = postfix(primary());
    for (auto word : {"++"_s, "--"_s}) {
      if (in_.take(word)) return value(makeString('(', operand.text, word, ')'));
    }
    return operand;
  }

  // Members, calls and templates behind an expression.
  ExpressionText postfix(ExpressionText of, bool may_call = true) {
    for (;;) {
      in_.skip_space();
      const bool is_optional = in_.starts_with("?."_s) && !WTF::isASCIIDigit(in_.peek(2));
      if (is_optional) in_.take("?."_s);
      in_.skip_space();
      UChar c = in_.peek();
      if (c == '(' && (may_call || is_optional)) {
        in_.skip_bracket();
        of = {.kind = Kind::Call, .text = makeString(of.text, "(...)"_s), .callee = of.text};
      } else if (c == '[') {
        of = {.kind = Kind::Property, .text = computed(of.text, is_optional)};
      } else if (c == '`') {
        in_.skip_template();
        of = {.kind = Kind::Call, .text = makeString(of.text, "(...)"_s), .callee = of.text};
      } else if (c == '.' || is_optional) {
        if (c == '.') in_.skip();
        in_.skip_space();
        if (in_.take("#"_s))
          of = {.kind = Kind::Property, .text = makeString(of.text, "[#"_s, in_.name(), ']')};
        else
          of = {.kind = Kind::Property, .text = makeString(of.text, is_optional ? "?."_s : "."_s, in_.name())};
      } else {
        return of;
      }
    }
  }

  String computed(const String& base, bool is_optional) {
    in_.take("["_s);
    in_.skip_space();
    const UChar first = in_.peek();
    auto key = expression();
    in_.skip_space();
    in_.take("]"_s);
    const bool is_string = (first == '"' || first == '\'' || first == '`') && key.kind == Kind::Value &&
                           key.text.startsWith('"') && key.text.endsWith('"');
    if (is_string)
      return makeString(base, is_optional ? "?."_s : "."_s, StringView(key.text).substring(1, key.text.length() - 2));
    return makeString(base, is_optional ? "?.["_s : "["_s, key.text, ']');
  }

  ExpressionText primary() {
    in_.skip_space();
    UChar c = in_.peek();
    if (SourceReader::is_name_start(c) || c == '\\') return word();
    if (WTF::isASCIIDigit(c) || (c == '.' && WTF::isASCIIDigit(in_.peek(1)))) return value(in_.number());
    switch (c) {
      case '"':
      case '\'':
        return value(makeString('"', in_.quoted_string(), '"'));
      case '`':
        return template_text();
      case '(':
        return bracketed();
      case '[':
        return array();
      case '{':
        return object();
      case '/':
        return value(in_.regular_expression());
      case '#':
        in_.skip();
        return {.kind = Kind::Name, .text = makeString('#', in_.name())};
      default:
        in_.skip();
        return value(kIntermediate);
    }
  }

  ExpressionText word() {
    auto name = in_.name();
    if (name == "new"_s) return construction();
    if (name == "super"_s) return value(kIntermediate);
    if (name == "throw"_s || name == "return"_s) return {.kind = Kind::None};
    if (name == "async"_s) {
      in_.skip_space();
      if (in_.take("function"_s)) return function();
      if (SourceReader::is_name_start(in_.peek()) || in_.peek() == '(') {
        const unsigned here = in_.position();
        if (in_.peek() == '(')
          in_.skip_bracket();
        else
          in_.name();
        in_.skip_space();
        if (in_.starts_with("=>"_s)) return value(kIntermediate);
        in_.go_to(here);
      }
      return {.kind = Kind::Name, .text = name};
    }
    if (name == "function"_s) return function();
    if (name == "class"_s) return class_text();
    if (name == "import"_s && in_.peek() == '(') {
      in_.skip();
      auto what = assignment();
      in_.skip_space();
      in_.take(")"_s);
      return value(makeString("import("_s, what.text, ')'));
    }
    const bool is_literal = name == "null"_s || name == "true"_s || name == "false"_s || name == "this"_s;
    return {.kind = is_literal ? Kind::Value : Kind::Name, .text = name};
  }

  ExpressionText function() {
    in_.skip_space();
    in_.take("*"_s);
    in_.skip_space();
    in_.name();
    in_.skip_space();
    if (in_.peek() == '(') in_.skip_bracket();
    in_.skip_space();
    if (in_.peek() == '{') in_.skip_bracket();
    return value(kIntermediate);
  }

  ExpressionText class_text() {
    in_.skip_space();
    if (!in_.starts_with("extends"_s)) in_.name();
    in_.skip_space();
    if (in_.take("extends"_s)) postfix(primary());
    in_.skip_space();
    if (in_.peek() == '{') in_.skip_bracket();
    return value(kIntermediate);
  }

  ExpressionText construction() {
    in_.skip_space();
    if (in_.take("."_s)) {
      in_.name();
      return value(".new.target"_s);
    }
    auto callee = postfix(primary(), false);
    in_.skip_space();
    if (in_.peek() == '(') in_.skip_bracket();
    return {.kind = Kind::New, .text = kIntermediate, .callee = callee.text};
  }

  ExpressionText bracketed() {
    const unsigned start = in_.position();
    in_.skip_bracket();
    const unsigned end = in_.position();
    in_.skip_space();
    if (in_.starts_with("=>"_s)) return value(kIntermediate);
    in_.go_to(start + 1);
    auto inner = expression();
    in_.go_to(end);
    return inner;
  }

  ExpressionText template_text() {
    String plain;
    auto parts = in_.template_parts(plain);
    if (parts.isEmpty()) return value(makeString('"', plain, '"'));
    StringBuilder out;
    const unsigned end = in_.position();
    for (auto [from, to] : parts) {
      in_.go_to(from);
      out.append(expression().text);
    }
    in_.go_to(end);
    return value(out.toString());
  }

  ExpressionText array() {
    const unsigned start = in_.position();
    in_.skip_bracket();
    const unsigned end = in_.position();
    in_.go_to(start + 1);
    StringBuilder out;
    out.append('[');
    for (bool is_first = true;; is_first = false) {
      in_.skip_space();
      if (in_.position() >= end - 1) break;
      if (!is_first) out.append(',');
      if (in_.peek() == ',') {
        in_.skip();
        continue;
      }
      if (in_.take("..."_s))
        out.append("(..."_s, assignment().text, ')');
      else
        out.append(assignment().text);
      in_.skip_space();
      if (!in_.take(","_s)) break;
    }
    out.append(']');
    in_.go_to(end);
    return value(out.toString());
  }

  // Each member prints as an intermediate value.
  ExpressionText object() {
    const unsigned start = in_.position();
    in_.skip_bracket();
    const unsigned end = in_.position();
    in_.go_to(start + 1);
    StringBuilder out;
    out.append('{');
    for (in_.skip_space(); in_.position() < end - 1; in_.skip_space()) {
      out.append(kIntermediate);
      skip_member(end - 1);
      in_.take(","_s);
    }
    out.append('}');
    in_.go_to(end);
    return value(out.toString());
  }

  void skip_member(unsigned end) {
    while (in_.position() < end && in_.peek() != ',') {
      UChar c = in_.peek();
      if (c == '(' || c == '[' || c == '{')
        in_.skip_bracket();
      else if (c == '"' || c == '\'')
        in_.quoted_string();
      else if (c == '`')
        in_.skip_template();
      else
        in_.skip();
      in_.skip_space();
    }
  }

  SourceReader in_;
  unsigned depth_ = 0;
  WTF::StackCheck stack_;
};

struct Declared {
  String name;
  unsigned position;
  unsigned end;  // of its initial value
};

// One declared name, or those of a pattern; to behind the initial value.
unsigned read_declaration(WTF::StringView text, unsigned from, WTF::Vector<Declared>& found) {
  SourceReader in(text);
  in.go_to(from);
  in.skip_space();
  const unsigned start = in.position();
  const size_t first = found.size();
  if (in.peek() == '{' || in.peek() == '[') {
    in.skip_bracket();
    for (auto& inner : variables_in(text.substring(start, in.position() - start)))
      found.append({inner.name, start + inner.position, 0});
  } else {
    found.append({in.name(), start, 0});
  }
  in.skip_space();
  unsigned end = in.position();
  if (in.peek() == '=') {
    Printer value(text.substring(end + 1));
    value.assignment();
    end += 1 + value.position();
  }
  for (size_t i = first; i < found.size(); i++) found[i].end = end;
  return end;
}

WTF::Vector<Declared> declared_in(WTF::StringView text) {
  WTF::Vector<Declared> found;
  SourceReader in(text);
  for (auto& word : variables_in(text)) {
    const bool is_class = word.name == "class"_s;
    if (!is_class && word.name != "let"_s && word.name != "const"_s) continue;
    in.go_to(word.position + word.name.length());
    do {
      in.go_to(read_declaration(text, in.position(), found));
      in.skip_space();
    } while (!is_class && in.take(","_s));
  }
  return found;
}

// Behind the parameters and the body of a function whose word ends at `from`.
unsigned behind_function(WTF::StringView text, unsigned from) {
  SourceReader in(text);
  in.go_to(from);
  for (UChar bracket : {'(', '{'}) {
    while (!in.at_end() && in.peek() != bracket) in.skip();
    if (!in.at_end()) in.skip_bracket();
  }
  return in.position();
}

}  // namespace

ExpressionText expression_text(WTF::StringView text) { return Printer(text).expression(); }

std::optional<ExpressionText> iterated_text(WTF::StringView text) { return Printer(text).iterated(); }

std::optional<ExpressionText> initializer_text(WTF::StringView text) { return Printer(text).initializer(); }

WTF::Vector<NameAt> variables_in(WTF::StringView text) {
  WTF::Vector<NameAt> names;
  SourceReader in(text);
  bool is_member = false;
  for (in.skip_space(); !in.at_end(); in.skip_space()) {
    UChar c = in.peek();
    const unsigned position = in.position();
    if (SourceReader::is_name_start(c)) {
      auto name = in.name();
      in.skip_space();
      if (!is_member && in.peek() != ':') names.append({name, position});
      is_member = false;
      continue;
    }
    if (c == '"' || c == '\'')
      in.quoted_string();
    else if (WTF::isASCIIDigit(c))
      in.number();
    else
      in.skip();  // the expressions of a template are read like others
    is_member = c == '.';
  }
  return names;
}

String used_too_early(WTF::StringView text) {
  auto declared = declared_in(text);
  String found;
  unsigned after = 0;
  for (auto& used : variables_in(text)) {
    if (used.position < after) continue;
    if (used.name == "function"_s) after = behind_function(text, used.position);
    for (auto& declaration : declared) {
      const bool is_early = used.position < declaration.position ||
                            (used.position > declaration.position && used.position < declaration.end);
      if (declaration.name != used.name || !is_early || found == used.name) continue;
      if (!found.isNull()) return {};
      found = used.name;
    }
  }
  return found;
}

}  // namespace rondo::engine
