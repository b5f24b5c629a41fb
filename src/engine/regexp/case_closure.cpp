// See case_closure.h.
#include "engine/regexp/case_closure.h"

#include "engine/regexp/case_folding.h"
#include "engine/regexp/character_ranges.h"
#include "engine/regexp/match.h"

#include <map>
#include <vector>

namespace rondo::engine::regexp {

namespace {

// An explicit instantiation may name a private member.
Properties& private_properties(JSC::Yarr::YarrPattern& pattern);
template <Properties JSC::Yarr::YarrPattern::* kMember>
struct PropertiesMember {
  friend Properties& private_properties(JSC::Yarr::YarrPattern& pattern) { return pattern.*kMember; }
};
template struct PropertiesMember<&JSC::Yarr::YarrPattern::unicodePropertiesCached>;

}  // namespace

Properties& properties_of(JSC::Yarr::YarrPattern& pattern) { return private_properties(pattern); }

namespace {

// The blocks that have letters with cases; Unicode adds none in between without saying so in a new block.
constexpr std::pair<char32_t, char32_t> kCased[] = {
    {0x41, 0x587},      {0x10a0, 0x1fff},   {0x2126, 0x2184},   {0x24b6, 0x24e9},   {0x2c00, 0x2d2d},
    {0xa640, 0xa7ff},   {0xab30, 0xabbf},   {0xff21, 0xff5a},   {0x10400, 0x105bc}, {0x10c80, 0x10cff},
    {0x118a0, 0x118df}, {0x16e40, 0x16e7f}, {0x1e900, 0x1e943},
};

using Family = std::vector<char32_t>;  // characters of one case folding, more than one

std::vector<Family> find_families(char32_t (*fold)(char32_t)) {
  std::map<char32_t, Family> by_folding;
  for (const auto& [first, last] : kCased)
    for (char32_t c = first; c <= last; c++) by_folding[fold(c)].push_back(c);
  std::vector<Family> families;
  for (auto& [folding, family] : by_folding)
    if (family.size() > 1) families.push_back(std::move(family));
  return families;
}

const std::vector<Family>& unicode_families() {
  static const std::vector<Family> all = find_families(fold_simply);
  return all;
}

// Of expressions without u and v, whose texts have no characters beyond 16 bits.
const std::vector<Family>& unit_families() {
  static const std::vector<Family> all = find_families([](char32_t c) { return c > 0xffff ? c : upper_of_unit(c); });
  return all;
}

void insert(WTF::Vector<UChar32>& sorted, char32_t character) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), static_cast<UChar32>(character)) - sorted.begin();
  sorted.insert(at, static_cast<UChar32>(character));
}

void close(JSC::Yarr::CharacterClass& set, const std::vector<Family>& families) {
  using JSC::Yarr::CharacterClassWidths;
  for (const auto& family : families) {
    const auto is_member = [&](char32_t character) { return is_in(set, character); };
    if (std::ranges::none_of(family, is_member)) continue;
    for (const char32_t character : family) {
      if (is_member(character)) continue;
      insert(WTF::isASCII(character) ? set.m_matches : set.m_matchesUnicode, character);
      set.m_characterWidths |=
          character > 0xffff ? CharacterClassWidths::HasNonBMPChars : CharacterClassWidths::HasBMPChars;
    }
  }
}

void append_range(JSC::Yarr::CharacterClass& set, UChar32 begin, UChar32 end) {
  constexpr UChar32 kLastAscii = 0x7f;
  if (begin <= kLastAscii) set.m_ranges.append({begin, std::min(end, kLastAscii)});
  if (end > kLastAscii) set.m_rangesUnicode.append({std::max(begin, kLastAscii + 1), end});
}

std::unique_ptr<JSC::Yarr::CharacterClass> complement_of(const JSC::Yarr::CharacterClass& set) {
  auto complement = WTF::makeUnique<JSC::Yarr::CharacterClass>();
  // Both widths, whatever is in it: places for terms of one width are laid out otherwise.
  complement->m_characterWidths = JSC::Yarr::CharacterClassWidths::HasBothBMPAndNonBMP;
  UChar32 next = 0;
  for (const auto& range : ranges_of(set)) {
    if (next < range.begin) append_range(*complement, next, range.begin - 1);
    next = std::max(next, range.end + 1);
  }
  if (next <= kLastCharacter) append_range(*complement, next, kLastCharacter);
  return complement;
}

// With u, \P{…} is every character that is one of the others in any case: /\P{Lu}/iu matches A for the sake of a. The engine
// has the property and a term that is inverted, as for [^\p{…}], where that is right.
void complement_properties(JSC::Yarr::YarrPattern& pattern) {
  std::map<JSC::Yarr::CharacterClass*, JSC::Yarr::CharacterClass*> complements;
  for (const auto& [id, property] : properties_of(pattern)) complements[property] = nullptr;
  if (complements.empty()) return;
  const auto replace = [&](JSC::Yarr::PatternTerm& term) {
    if (term.type != JSC::Yarr::PatternTerm::Type::CharacterClass || !term.invert()) return;
    const auto found = complements.find(term.characterClass);
    if (found == complements.end()) return;
    if (!found->second) {
      pattern.m_userCharacterClasses.append(complement_of(*found->first));
      found->second = pattern.m_userCharacterClasses.last().get();
    }
    term.characterClass = found->second;
    term.m_invert = false;
  };
  for (auto& disjunction : pattern.m_disjunctions)
    for (auto& alternative : disjunction->m_alternatives) std::ranges::for_each(alternative->m_terms, replace);
}

// A closed copy, which the pattern owns.
const JSC::Yarr::CharacterClass* add_closed(JSC::Yarr::YarrPattern& pattern,
                                            std::unique_ptr<JSC::Yarr::CharacterClass> set) {
  close(*set, pattern.eitherUnicode() ? unicode_families() : unit_families());
  pattern.m_userCharacterClasses.append(std::move(set));
  return pattern.m_userCharacterClasses.last().get();
}

std::unique_ptr<JSC::Yarr::CharacterClass> copy_of(const JSC::Yarr::CharacterClass& set) {
  auto copy = WTF::makeUnique<JSC::Yarr::CharacterClass>();
  copy->m_strings = set.m_strings;
  copy->m_matches = set.m_matches;
  copy->m_ranges = set.m_ranges;
  copy->m_matchesUnicode = set.m_matchesUnicode;
  copy->m_rangesUnicode = set.m_rangesUnicode;
  copy->m_characterWidths = set.m_characterWidths;
  return copy;
}

bool is_property(JSC::Yarr::YarrPattern& pattern, const JSC::Yarr::CharacterClass& set) {
  for (const auto& [id, property] : properties_of(pattern))
    if (property == &set) return true;
  return false;
}

}  // namespace

MeantClass regardless_of_case(JSC::Yarr::YarrPattern& pattern, const JSC::Yarr::CharacterClass& set, bool is_inverted) {
  if (set.m_anyCharacter) return {&set, is_inverted};
  if (&set == pattern.nonwordcharCharacterClass()) return {word_regardless_of_case(pattern), !is_inverted};
  if (is_inverted && pattern.unicode() && is_property(pattern, set))
    return {add_closed(pattern, complement_of(set)), false};
  return {add_closed(pattern, copy_of(set)), is_inverted};
}

MeantClass regardless_of_case(JSC::Yarr::YarrPattern& pattern, char32_t character) {
  auto set = WTF::makeUnique<JSC::Yarr::CharacterClass>();
  insert(WTF::isASCII(character) ? set->m_matches : set->m_matchesUnicode, character);
  return {add_closed(pattern, std::move(set)), false};
}

const JSC::Yarr::CharacterClass* word_regardless_of_case(JSC::Yarr::YarrPattern& pattern) {
  const auto& word = *pattern.wordcharCharacterClass();
  return pattern.eitherUnicode() ? add_closed(pattern, copy_of(word)) : &word;
}

void close_under_case(JSC::Yarr::YarrPattern& pattern) {
  if (!pattern.ignoreCase() || !pattern.eitherUnicode()) return;
  if (pattern.unicode()) complement_properties(pattern);
  // Classes with a table (digits, spaces, letters of words) are closed as they are.
  for (auto& set : pattern.m_userCharacterClasses)
    if (!set->m_table && !set->m_anyCharacter) close(*set, unicode_families());
}

}  // namespace rondo::engine::regexp
