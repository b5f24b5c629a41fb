// See modifiers.h.
#include "engine/regexp/modifiers.h"

#include <wtf/text/StringBuilder.h>

#include <vector>

namespace rondo::engine::regexp {

namespace {

using JSC::Yarr::Flags;
using JSC::Yarr::PatternTerm;

constexpr auto kIgnored = "(?!(?!)(?=)(?!))"_s;
constexpr auto kRegarded = "(?!(?!)(?=)(?=)(?!))"_s;

constexpr auto kAny = "[^]"_s;
constexpr auto kNoNewline = "[^\\n\\r\\u2028\\u2029]"_s;

struct State {
  bool ignores_case;
  bool is_multiline;
  bool is_dot_all;
  bool operator==(const State&) const = default;
};

// The letters between `(?` and `:`.
struct Modifiers {
  unsigned length = 0;  // with the colon
  State added{};
  State removed{};
};

bool* flag_in(State& state, char16_t letter) {
  switch (letter) {
    case 'i':
      return &state.ignores_case;
    case 'm':
      return &state.is_multiline;
    case 's':
      return &state.is_dot_all;
    default:
      return nullptr;
  }
}

std::optional<Modifiers> modifiers_at(WTF::StringView text, unsigned at) {
  Modifiers found;
  bool is_removing = false;
  for (unsigned i = at; i < text.length(); i++) {
    const char16_t letter = text[i];
    if (letter == ':') {
      found.length = i + 1 - at;
      const bool has_letters = found.length > (is_removing ? 2U : 1U);
      return has_letters ? std::optional(found) : std::nullopt;
    }
    if (letter == '-' && !is_removing) {
      is_removing = true;
      continue;
    }
    bool* flag = flag_in(is_removing ? found.removed : found.added, letter);
    if (!flag || *flag_in(found.added, letter) || *flag_in(found.removed, letter)) return std::nullopt;
    *flag = true;
  }
  return std::nullopt;
}

State applied(State state, const Modifiers& modifiers) {
  const auto after = [](bool before, bool is_added, bool is_removed) { return is_added || (before && !is_removed); };
  return {after(state.ignores_case, modifiers.added.ignores_case, modifiers.removed.ignores_case),
          after(state.is_multiline, modifiers.added.is_multiline, modifiers.removed.is_multiline),
          after(state.is_dot_all, modifiers.added.is_dot_all, modifiers.removed.is_dot_all)};
}

class Rewriter {
 public:
  Rewriter(WTF::StringView text, WTF::OptionSet<Flags> flags)
      : text_(text),
        flags_(flags),
        base_{flags.contains(Flags::IgnoreCase), flags.contains(Flags::Multiline), flags.contains(Flags::DotAll)},
        now_(base_) {}

  std::optional<PlainPattern> run() {
    while (at_ < text_.length()) {
      if (!step()) return std::nullopt;
    }
    if (!outer_.empty() || !has_modifiers_) return std::nullopt;
    if (!marks_case_) return PlainPattern{text_as_written(), flags_};
    flags_.remove(Flags::IgnoreCase);
    return PlainPattern{makeString("(?:"_s, base_.ignores_case ? kIgnored : kRegarded, text_as_written(), ')'), flags_};
  }

 private:
  WTF::String text_as_written() { return plain_.toString(); }

  void copy(unsigned count) {
    const unsigned end = std::min(at_ + count, text_.length());
    plain_.append(text_.substring(at_, end - at_));
    at_ = end;
  }

  bool step() {
    switch (text_[at_]) {
      case '\\':
        copy(2);
        return true;
      case '[':
        copy_class();
        return true;
      case '(':
        open();
        return true;
      case ')':
        if (outer_.empty()) return false;
        now_ = outer_.back();
        outer_.pop_back();
        copy(1);
        return true;
      case '.':
        replace(now_.is_dot_all == base_.is_dot_all, now_.is_dot_all ? kAny : kNoNewline);
        return true;
      case '^':
        replace(now_.is_multiline == base_.is_multiline,
                now_.is_multiline ? "(?<![^\\n\\r\\u2028\\u2029])"_s : "(?<![^])"_s);
        return true;
      case '$':
        replace(now_.is_multiline == base_.is_multiline,
                now_.is_multiline ? "(?![^\\n\\r\\u2028\\u2029])"_s : "(?![^])"_s);
        return true;
      default:
        copy(1);
        return true;
    }
  }

  void replace(bool is_unchanged, WTF::ASCIILiteral other) {
    if (is_unchanged) {
      copy(1);
      return;
    }
    plain_.append(other);
    at_++;
  }

  // With the flag v, classes contain classes.
  void copy_class() {
    const bool has_nested = flags_.contains(Flags::UnicodeSets);
    unsigned depth = 0;
    do {
      const char16_t letter = text_[at_];
      if (letter == '[' && (depth == 0 || has_nested)) depth++;
      if (letter == ']') depth--;
      copy(letter == '\\' ? 2 : 1);
    } while (depth > 0 && at_ < text_.length());
  }

  void open() {
    outer_.push_back(now_);
    const bool is_special = text_.substring(at_).startsWith("(?"_s);
    const auto modifiers = is_special ? modifiers_at(text_, at_ + 2) : std::nullopt;
    if (!modifiers) {
      copy(1);
      return;
    }
    has_modifiers_ = true;
    const State inside = applied(now_, *modifiers);
    plain_.append("(?:"_s);
    if (inside.ignores_case != now_.ignores_case) {
      marks_case_ = true;
      plain_.append(inside.ignores_case ? kIgnored : kRegarded);
    }
    now_ = inside;
    at_ += 2 + modifiers->length;
  }

  WTF::StringView text_;
  WTF::OptionSet<Flags> flags_;
  State base_;
  State now_;
  std::vector<State> outer_;  // of the groups that are open
  WTF::StringBuilder plain_;
  unsigned at_ = 0;
  bool has_modifiers_ = false;
  bool marks_case_ = false;
};

bool may_have_modifiers(WTF::StringView text) {
  for (size_t at = text.find("(?"_s); at != WTF::notFound; at = text.find("(?"_s, static_cast<unsigned>(at) + 2)) {
    const char16_t next = at + 2 < text.length() ? text[static_cast<unsigned>(at) + 2] : 0;
    if (next == 'i' || next == 'm' || next == 's' || next == '-') return true;
  }
  return false;
}

// An assertion about nothing: (?=) or (?!).
bool is_empty_look(const PatternTerm& term, bool is_inverted) {
  if (term.type != PatternTerm::Type::ParentheticalAssertion || term.invert() != is_inverted) return false;
  const auto& choices = term.parentheses.disjunction->m_alternatives;
  return choices.size() == 1 && choices[0]->m_terms.isEmpty();
}

}  // namespace

std::optional<PlainPattern> without_modifiers(WTF::StringView pattern, WTF::OptionSet<Flags> flags) {
  return may_have_modifiers(pattern) ? Rewriter(pattern, flags).run() : std::nullopt;
}

CaseMarker marker_of(const JSC::Yarr::PatternDisjunction& group) {
  if (group.m_alternatives.isEmpty() || group.m_alternatives[0]->m_terms.isEmpty()) return CaseMarker::None;
  const PatternTerm& first = group.m_alternatives[0]->m_terms[0];
  if (first.type != PatternTerm::Type::ParentheticalAssertion || !first.invert()) return CaseMarker::None;
  const auto& choices = first.parentheses.disjunction->m_alternatives;
  if (choices.size() != 1) return CaseMarker::None;
  const auto& terms = choices[0]->m_terms;
  const size_t count = terms.size();
  if (count != 3 && count != 4) return CaseMarker::None;
  for (size_t i = 0; i < count; i++)
    if (!is_empty_look(terms[i], i == 0 || i + 1 == count)) return CaseMarker::None;
  return count == 3 ? CaseMarker::Ignored : CaseMarker::Regarded;
}

bool has_markers(const JSC::Yarr::YarrPattern& pattern) {
  const auto& choices = pattern.m_body->m_alternatives;
  if (choices.isEmpty() || choices[0]->m_terms.size() != 1) return false;
  const PatternTerm& only = choices[0]->m_terms[0];
  return only.type == PatternTerm::Type::ParenthesesSubpattern &&
         marker_of(*only.parentheses.disjunction) != CaseMarker::None;
}

}  // namespace rondo::engine::regexp
