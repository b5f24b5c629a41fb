// See match.h.
#include "engine/regexp/match.h"

namespace rondo::engine::regexp {

namespace {

bool is_among(const WTF::Vector<UChar32>& sorted, UChar32 character) {
  return std::binary_search(sorted.begin(), sorted.end(), character);
}

bool is_within(const WTF::Vector<JSC::Yarr::CharacterRange>& sorted, UChar32 character) {
  const auto after = std::upper_bound(sorted.begin(), sorted.end(), character,
                                      [](UChar32 c, const auto& range) { return c < range.begin; });
  return after != sorted.begin() && character <= (after - 1)->end;
}

}  // namespace

bool is_in(const JSC::Yarr::CharacterClass& set, char32_t code) {
  if (set.m_anyCharacter) return true;
  const auto character = static_cast<UChar32>(code);
  if (WTF::isASCII(code)) return is_among(set.m_matches, character) || is_within(set.m_ranges, character);
  return is_among(set.m_matchesUnicode, character) || is_within(set.m_rangesUnicode, character);
}

}  // namespace rondo::engine::regexp
