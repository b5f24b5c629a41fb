// See character_ranges.h.
#include "engine/regexp/character_ranges.h"

#include <algorithm>

namespace rondo::engine::regexp {

using JSC::Yarr::CharacterClassWidths;
using JSC::Yarr::CharacterRange;

Ranges ranges_of(const JSC::Yarr::CharacterClass& set) {
  Ranges all;
  for (const auto* characters : {&set.m_matches, &set.m_matchesUnicode})
    for (const UChar32 character : *characters) all.emplace_back(character, character);
  for (const auto* ranges : {&set.m_ranges, &set.m_rangesUnicode})
    all.insert(all.end(), ranges->begin(), ranges->end());
  if (set.m_anyCharacter) all.emplace_back(0, kLastCharacter);
  std::ranges::sort(all, {}, &CharacterRange::begin);
  return all;
}

Ranges united(Ranges ranges) {
  std::ranges::sort(ranges, {}, &CharacterRange::begin);
  Ranges all;
  for (const auto& range : ranges) {
    if (!all.empty() && range.begin <= all.back().end + 1)
      all.back().end = std::max(all.back().end, range.end);
    else
      all.push_back(range);
  }
  return all;
}

Ranges difference(const Ranges& ranges, const Ranges& others) {
  Ranges all;
  for (const auto& range : ranges) {
    UChar32 next = range.begin;
    for (const auto& other : others) {
      if (other.end < next || other.begin > range.end) continue;
      if (next < other.begin) all.emplace_back(next, other.begin - 1);
      next = other.end + 1;
    }
    if (next <= range.end) all.emplace_back(next, range.end);
  }
  return all;
}

namespace {

void append(WTF::Vector<UChar32>& characters, WTF::Vector<CharacterRange>& ranges, UChar32 begin, UChar32 end) {
  if (begin == end)
    characters.append(begin);
  else
    ranges.append({begin, end});
}

}  // namespace

void set_ranges(JSC::Yarr::CharacterClass& set, const Ranges& ranges) {
  constexpr UChar32 kLastAscii = 0x7f, kLastOfPlane = 0xffff;
  for (auto* characters : {&set.m_matches, &set.m_matchesUnicode}) characters->clear();
  for (auto* old : {&set.m_ranges, &set.m_rangesUnicode}) old->clear();
  set.m_characterWidths = CharacterClassWidths::Unknown;
  for (const auto& [begin, end] : ranges) {
    if (begin <= kLastAscii) append(set.m_matches, set.m_ranges, begin, std::min(end, kLastAscii));
    if (end > kLastAscii) append(set.m_matchesUnicode, set.m_rangesUnicode, std::max(begin, kLastAscii + 1), end);
    if (begin <= kLastOfPlane) set.m_characterWidths |= CharacterClassWidths::HasBMPChars;
    if (end > kLastOfPlane) set.m_characterWidths |= CharacterClassWidths::HasNonBMPChars;
  }
}

}  // namespace rondo::engine::regexp
