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

}  // namespace

void close_under_case(JSC::Yarr::YarrPattern& pattern) {
  if (!pattern.ignoreCase() || !pattern.eitherUnicode()) return;
  // Classes with a table (digits, spaces, letters of words) are closed as they are.
  for (auto& set : pattern.m_userCharacterClasses)
    if (!set->m_table && !set->m_anyCharacter) close(*set);
}

}  // namespace rondo::engine::regexp
