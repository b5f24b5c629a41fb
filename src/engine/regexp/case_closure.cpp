// See case_closure.h.
#include "engine/regexp/case_closure.h"

#include "engine/regexp/case_folding.h"
#include "engine/regexp/match.h"

#include <map>
#include <vector>

namespace rondo::engine::regexp {

namespace {

// The blocks that have letters with cases; Unicode adds none in between without saying so in a new block.
constexpr std::pair<char32_t, char32_t> kCased[] = {
    {0x41, 0x587},      {0x10a0, 0x1fff},   {0x2126, 0x2184},   {0x24b6, 0x24e9},   {0x2c00, 0x2d2d},
    {0xa640, 0xa7ff},   {0xab30, 0xabbf},   {0xff21, 0xff5a},   {0x10400, 0x105bc}, {0x10c80, 0x10cff},
    {0x118a0, 0x118df}, {0x16e40, 0x16e7f}, {0x1e900, 0x1e943},
};

using Family = std::vector<char32_t>;  // characters of one case folding, more than one

std::vector<Family> find_families() {
  std::map<char32_t, Family> by_folding;
  for (const auto& [first, last] : kCased)
    for (char32_t c = first; c <= last; c++) by_folding[fold_simply(c)].push_back(c);
  std::vector<Family> families;
  for (auto& [folding, family] : by_folding)
    if (family.size() > 1) families.push_back(std::move(family));
  return families;
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = find_families();
  return all;
}

void insert(WTF::Vector<UChar32>& sorted, char32_t character) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), static_cast<UChar32>(character)) - sorted.begin();
  sorted.insert(at, static_cast<UChar32>(character));
}

void close(JSC::Yarr::CharacterClass& set) {
  using JSC::Yarr::CharacterClassWidths;
  for (const auto& family : families()) {
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

constexpr UChar32 kLastCharacter = 0x10ffff;

std::vector<JSC::Yarr::CharacterRange> ranges_of(const JSC::Yarr::CharacterClass& set) {
  std::vector<JSC::Yarr::CharacterRange> all;
  for (const auto* characters : {&set.m_matches, &set.m_matchesUnicode})
    for (const UChar32 character : *characters) all.emplace_back(character, character);
  for (const auto* ranges : {&set.m_ranges, &set.m_rangesUnicode})
    all.insert(all.end(), ranges->begin(), ranges->end());
  if (set.m_anyCharacter) all.emplace_back(0, kLastCharacter);
  std::ranges::sort(all, {}, &JSC::Yarr::CharacterRange::begin);
  return all;
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

// An explicit instantiation may name a private member.
using Properties = WTF::HashMap<unsigned, JSC::Yarr::CharacterClass*>;
Properties& properties_of(JSC::Yarr::YarrPattern& pattern);
template <Properties JSC::Yarr::YarrPattern::* kMember>
struct PropertiesMember {
  friend Properties& properties_of(JSC::Yarr::YarrPattern& pattern) { return pattern.*kMember; }
};
template struct PropertiesMember<&JSC::Yarr::YarrPattern::unicodePropertiesCached>;

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

}  // namespace

void close_under_case(JSC::Yarr::YarrPattern& pattern) {
  if (!pattern.ignoreCase() || !pattern.eitherUnicode()) return;
  if (pattern.unicode()) complement_properties(pattern);
  // Classes with a table (digits, spaces, letters of words) are closed as they are.
  for (auto& set : pattern.m_userCharacterClasses)
    if (!set->m_table && !set->m_anyCharacter) close(*set);
}

}  // namespace rondo::engine::regexp
