// See program.h.
#include "engine/regexp/program.h"

#include "engine/regexp/case_closure.h"
#include "engine/regexp/modifiers.h"

#include <algorithm>

namespace rondo::engine::regexp {

namespace {

using JSC::Yarr::PatternAlternative;
using JSC::Yarr::PatternDisjunction;
using JSC::Yarr::PatternTerm;
using JSC::Yarr::QuantifierType;
using JSC::Yarr::YarrPattern;

constexpr uint32_t kDeepest = 500;

struct GroupRange {
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
};

class Compiler {
 public:
  explicit Compiler(YarrPattern& pattern)
      : pattern_(pattern), has_markers_(has_markers(pattern)), ignores_case_(pattern.ignoreCase()) {}

  Program take() {
    disjunction(*pattern_.m_body);
    add({.op = Op::Accept});
    return is_too_deep_ ? Program() : std::move(program_);
  }

 private:
  uint32_t here() const { return static_cast<uint32_t>(program_.code.size()); }

  uint32_t add(const Instruction& instruction) {
    program_.code.push_back(instruction);
    return here() - 1;
  }

  Instruction& at(uint32_t index) { return program_.code[index]; }

  void disjunction(PatternDisjunction& choices) {
    if (is_too_deep_ || depth_ == kDeepest) {
      is_too_deep_ = true;
      return;
    }
    depth_++;
    const bool is_ignored_outside = ignores_case_;
    const auto marker = has_markers_ ? marker_of(choices) : CaseMarker::None;
    if (marker != CaseMarker::None) ignores_case_ = marker == CaseMarker::Ignored;
    alternatives(choices, marker != CaseMarker::None);
    ignores_case_ = is_ignored_outside;
    depth_--;
  }

  void alternatives(PatternDisjunction& choices, bool has_marker) {
    std::vector<uint32_t> jumps;
    const size_t count = choices.m_alternatives.size();
    for (size_t i = 0; i < count; i++) {
      const bool is_last = i + 1 == count;
      const uint32_t split = is_last ? 0 : add({.op = Op::Split});
      if (!is_last) at(split).a = here();
      alternative(*choices.m_alternatives[i], has_marker && i == 0 ? 1 : 0);
      if (is_last) break;
      jumps.push_back(add({.op = Op::Jump}));
      at(split).b = here();
    }
    for (const uint32_t jump : jumps) at(jump).a = here();
  }

  // The engine's compiler puts a character before a class that it follows, to look at it first; where they stand does not change.
  static void put_in_order(PatternAlternative& sequence) {
    const auto is_behind = [](const PatternTerm& character, const PatternTerm& set) {
      return character.type == PatternTerm::Type::PatternCharacter && set.type == PatternTerm::Type::CharacterClass &&
             character.quantityType == QuantifierType::FixedCount && set.quantityType == QuantifierType::FixedCount &&
             character.inputPosition > set.inputPosition;
    };
    auto& terms = sequence.m_terms;
    for (size_t i = 1; i < terms.size(); i++)
      for (size_t j = i; j > 0 && is_behind(terms[j - 1], terms[j]); j--) std::swap(terms[j - 1], terms[j]);
  }

  // Terms that are read backwards are tried from the last one on.
  void alternative(PatternAlternative& sequence, size_t first) {
    if (sequence.matchDirection() == JSC::Yarr::Forward) put_in_order(sequence);
    const bool is_backward = sequence.matchDirection() == JSC::Yarr::Backward;
    const size_t count = sequence.m_terms.size();
    for (size_t i = first; i < count; i++)
      term(sequence.m_terms[is_backward ? count - 1 - (i - first) : i], is_backward);
  }

  void term(PatternTerm& term, bool is_backward) {
    switch (term.type) {
      case PatternTerm::Type::AssertionBOL:
        add({.op = Op::LineBegin});
        return;
      case PatternTerm::Type::AssertionEOL:
        add({.op = Op::LineEnd});
        return;
      case PatternTerm::Type::AssertionWordBoundary:
        add({.op = Op::WordBoundary, .is_inverted = term.invert(), .set = word_set()});
        return;
      case PatternTerm::Type::PatternCharacter:
      case PatternTerm::Type::CharacterClass:
        repeated_character(term, character(term, is_backward));
        return;
      case PatternTerm::Type::BackReference:
        loop(term, [&] {
          add({.op = Op::Reference,
               .is_backward = is_backward,
               .a = term.backReferenceSubpatternId,
               .b = ignores_case_ ? 1U : 0U});
        });
        return;
      case PatternTerm::Type::ForwardReference:
        return;  // of a group that cannot have matched: empty
      case PatternTerm::Type::ParenthesesSubpattern:
        loop(term, [&] { group(term, is_backward); });
        return;
      case PatternTerm::Type::ParentheticalAssertion:
        look(term);
        return;
      case PatternTerm::Type::DotStarEnclosure:
        add({.op = Op::Line, .a = (term.anchors.bolAnchor ? 1U : 0U) | (term.anchors.eolAnchor ? 2U : 0U)});
        return;
    }
  }

  // None: the expression's own.
  const JSC::Yarr::CharacterClass* word_set() {
    return has_markers_ && ignores_case_ ? word_regardless_of_case(pattern_) : nullptr;
  }

  Instruction character(const PatternTerm& term, bool is_backward) {
    if (has_markers_ && ignores_case_) {
      const auto meant = term.type == PatternTerm::Type::CharacterClass
                             ? regardless_of_case(pattern_, *term.characterClass, term.invert())
                             : regardless_of_case(pattern_, term.patternCharacter);
      return {.op = Op::Set, .is_backward = is_backward, .is_inverted = meant.is_inverted, .set = meant.set};
    }
    if (term.type == PatternTerm::Type::CharacterClass)
      return {.op = Op::Set, .is_backward = is_backward, .is_inverted = term.invert(), .set = term.characterClass};
    // Other letters with two cases are classes by now.
    const auto letter = static_cast<uint32_t>(term.patternCharacter);
    if (pattern_.ignoreCase() && WTF::isASCIIAlpha(letter))
      return {.op = Op::CasedCharacter, .is_backward = is_backward, .a = WTF::toASCIILower(letter)};
    return {.op = Op::Character, .is_backward = is_backward, .a = letter};
  }

  void repeated_character(const PatternTerm& term, const Instruction& one) {
    const uint32_t min = term.quantityMinCount;
    const uint32_t max = term.quantityMaxCount;
    if (min == 1 && max == 1) {
      add(one);
      return;
    }
    add({.op = Op::Repeat,
         .is_backward = one.is_backward,
         .is_lazy = term.quantityType == QuantifierType::NonGreedy,
         .min = min,
         .max = max});
    add(one);
  }

  template <class Body>
  void loop(const PatternTerm& term, const Body& body) {
    const uint32_t min = term.quantityMinCount;
    const uint32_t max = term.quantityMaxCount;
    if (min == 1 && max == 1) {
      body();
      return;
    }
    const uint32_t counter = program_.registers;
    program_.registers += 2;
    add({.op = Op::Counter, .a = counter});
    const bool is_lazy = term.quantityType == QuantifierType::NonGreedy;
    const uint32_t head = add({.op = Op::Loop, .is_lazy = is_lazy, .a = counter, .min = min, .max = max});
    add({.op = Op::Iterate, .a = counter});
    const uint32_t clear = add({.op = Op::Clear});  // each iteration begins with its groups unset
    body();
    GroupRange groups;
    for (uint32_t i = clear; i < here(); i++) {
      if (at(i).op != Op::Save) continue;
      groups.first = std::min(groups.first, at(i).a / 2);
      groups.last = std::max(groups.last, at(i).a / 2);
    }
    if (groups.first <= groups.last) at(clear).a = groups.first * 2, at(clear).b = groups.last * 2 + 2;
    add({.op = Op::LoopEnd, .a = head});
    at(head).b = here();
  }

  void group(PatternTerm& term, bool is_backward) {
    const uint32_t slot = term.parentheses.subpatternId * 2;
    if (term.capture()) add({.op = Op::Save, .a = slot + (is_backward ? 1 : 0)});
    disjunction(*term.parentheses.disjunction);
    if (term.capture()) add({.op = Op::Save, .a = slot + (is_backward ? 0 : 1)});
  }

  void look(PatternTerm& term) {
    const uint32_t start = add({.op = Op::Look, .is_inverted = term.invert()});
    disjunction(*term.parentheses.disjunction);
    add({.op = Op::Accept});
    at(start).a = here();
  }

  YarrPattern& pattern_;
  Program program_;
  bool has_markers_;
  bool ignores_case_;  // here, in a group with modifiers
  uint32_t depth_ = 0;
  bool is_too_deep_ = false;
};

// Whether a term within the disjunction is one that `is_wanted` names; the second argument tells whether a group around it is repeated.
template <class IsWanted>
bool has_term(const PatternDisjunction& choices, const IsWanted& is_wanted, bool is_repeated = false,
              uint32_t depth = 0) {
  if (depth == kDeepest) return false;
  const auto is_one = [&](const PatternTerm& term) {
    if (is_wanted(term, is_repeated)) return true;
    if (term.type == PatternTerm::Type::ParentheticalAssertion)
      return has_term(*term.parentheses.disjunction, is_wanted, is_repeated, depth + 1);
    if (term.type != PatternTerm::Type::ParenthesesSubpattern) return false;
    return has_term(*term.parentheses.disjunction, is_wanted, is_repeated || term.quantityMaxCount > 1U, depth + 1);
  };
  return std::ranges::any_of(choices.m_alternatives, [&](const auto& alternative) {
    return std::ranges::any_of(alternative->m_terms, is_one);
  });
}

// A reference that is repeated or beside an assertion, or an assertion with groups: the engine's matchers forget or keep them wrongly.
bool has_hard_group(const YarrPattern& pattern) {
  const bool has_references = pattern.m_containsBackreferences;
  return has_term(*pattern.m_body, [&](const PatternTerm& term, bool) {
    if (term.type == PatternTerm::Type::BackReference) return term.quantityMaxCount > 1U;
    if (term.type != PatternTerm::Type::ParentheticalAssertion) return false;
    const auto& group = term.parentheses;
    return has_references || (group.lastSubpatternId != 0 && group.lastSubpatternId >= group.subpatternId);
  });
}

bool has_repeated_line_begin(const YarrPattern& pattern) {
  return pattern.m_containsBOL && has_term(*pattern.m_body, [](const PatternTerm& term, bool is_repeated) {
           return is_repeated && term.type == PatternTerm::Type::AssertionBOL;
         });
}

// How an alternative begins: with a character, or nothing, that is matched at the whole pair wherever it is matched at its second half.
enum class Beginning : uint8_t { Safe, Unsafe, Empty };

bool holds_any(const JSC::Yarr::CharacterClass& set, UChar32 first, UChar32 last) {
  const auto is_between = [&](UChar32 character) { return character >= first && character <= last; };
  const auto overlaps = [&](const auto& range) { return range.begin <= last && range.end >= first; };
  return set.m_anyCharacter || std::ranges::any_of(set.m_matchesUnicode, is_between) ||
         std::ranges::any_of(set.m_rangesUnicode, overlaps);
}

bool holds_all(const JSC::Yarr::CharacterClass& set, UChar32 first, UChar32 last) {
  const auto covers = [&](const auto& range) { return range.begin <= first && range.end >= last; };
  return set.m_anyCharacter || std::ranges::any_of(set.m_rangesUnicode, covers);
}

bool is_safe(const PatternTerm& term) {
  constexpr UChar32 kFirstTrail = 0xdc00, kLastTrail = 0xdfff, kFirstOfPairs = 0x10000, kLast = 0x10ffff;
  if (term.type == PatternTerm::Type::PatternCharacter)
    return term.patternCharacter < kFirstTrail || term.patternCharacter > kLastTrail;
  if (term.type != PatternTerm::Type::CharacterClass) return false;
  const auto& set = *term.characterClass;
  return term.invert() ? holds_all(set, kFirstTrail, kLastTrail) || !holds_any(set, kFirstOfPairs, kLast)
                       : !holds_any(set, kFirstTrail, kLastTrail) || holds_all(set, kFirstOfPairs, kLast);
}

Beginning beginning_of(const PatternDisjunction& choices, uint32_t depth);

Beginning beginning_of(const PatternTerm& term, uint32_t depth) {
  using Type = PatternTerm::Type;
  // None of these three holds between the halves of a pair.
  if (term.type == Type::AssertionBOL || term.type == Type::AssertionEOL) return Beginning::Safe;
  if (term.type == Type::AssertionWordBoundary) return term.invert() ? Beginning::Unsafe : Beginning::Safe;
  if (term.type == Type::ParenthesesSubpattern) {
    const auto inner = beginning_of(*term.parentheses.disjunction, depth + 1);
    return inner == Beginning::Safe && term.quantityMinCount == 0U ? Beginning::Empty : inner;
  }
  if (!is_safe(term)) return Beginning::Unsafe;
  return term.quantityMinCount == 0U ? Beginning::Empty : Beginning::Safe;
}

Beginning beginning_of(const PatternDisjunction& choices, uint32_t depth) {
  if (depth == kDeepest) return Beginning::Unsafe;
  auto all = Beginning::Safe;
  for (const auto& alternative : choices.m_alternatives) {
    auto begins = Beginning::Empty;
    for (const auto& term : alternative->m_terms) {
      begins = beginning_of(term, depth);
      if (begins != Beginning::Empty) break;
    }
    if (begins == Beginning::Unsafe) return Beginning::Unsafe;
    if (begins == Beginning::Empty) all = Beginning::Empty;
  }
  return all;
}

}  // namespace

bool may_begin_inside_pair(const YarrPattern& pattern) {
  if (!pattern.eitherUnicode() || pattern.sticky() || pattern.hasDuplicateNamedCaptureGroups()) return false;
  return beginning_of(*pattern.m_body, 0) == Beginning::Unsafe;
}

bool is_lazy_over_pairs(const YarrPattern& pattern) {
  if (!pattern.eitherUnicode() || pattern.hasDuplicateNamedCaptureGroups()) return false;
  return has_term(*pattern.m_body,
                  [](const PatternTerm& term, bool) { return term.quantityType == QuantifierType::NonGreedy; });
}

bool needs_program(const YarrPattern& pattern) {
  if (pattern.hasDuplicateNamedCaptureGroups()) return false;
  return pattern.m_containsLookbehinds || has_markers(pattern) || has_hard_group(pattern) ||
         has_repeated_line_begin(pattern);
}

bool is_better_interpreted(const YarrPattern& pattern) {
  return needs_program(pattern) || (pattern.eitherUnicode() && !pattern.hasDuplicateNamedCaptureGroups());
}

Program make_program(YarrPattern& pattern) { return Compiler(pattern).take(); }

}  // namespace rondo::engine::regexp
