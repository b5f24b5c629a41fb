// The engine's character classes as sorted lists of ranges, and back.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>

#include <vector>

namespace rondo::engine::regexp {

constexpr UChar32 kLastCharacter = 0x10ffff;

using Ranges = std::vector<JSC::Yarr::CharacterRange>;

// Sorted by where they begin; they may touch.
Ranges ranges_of(const JSC::Yarr::CharacterClass& set);
// Sorted, none touches another.
Ranges united(Ranges ranges);
// Those of `ranges`, which are united, without those of `others`, which are sorted.
Ranges difference(const Ranges& ranges, const Ranges& others);
// Makes them the class's characters; its strings stay.
void set_ranges(JSC::Yarr::CharacterClass& set, const Ranges& ranges);

}  // namespace rondo::engine::regexp
