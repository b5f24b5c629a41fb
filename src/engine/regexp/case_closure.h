// Character classes of expressions with the flags i and u (or v) hold every character whose simple case folding is that of one in it:
// /\p{Lu}/iu matches 'a', and /[a-z]/iu the long s and the Kelvin sign. The engine adds the counterparts of single letters only.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>

namespace rondo::engine::regexp {

// The classes of \\p{…} in a pattern, by the engine's number.
using Properties = WTF::HashMap<unsigned, JSC::Yarr::CharacterClass*>;
Properties& properties_of(JSC::Yarr::YarrPattern& pattern);

void close_under_case(JSC::Yarr::YarrPattern& pattern);

// The meaning of a class where case is ignored, in an expression whose flags regard it; the set lives as long as the expression.
struct MeantClass {
  const JSC::Yarr::CharacterClass* set;
  bool is_inverted;
};
MeantClass regardless_of_case(JSC::Yarr::YarrPattern& pattern, const JSC::Yarr::CharacterClass& set, bool is_inverted);
MeantClass regardless_of_case(JSC::Yarr::YarrPattern& pattern, char32_t character);
// The characters of words, for \b and \B.
const JSC::Yarr::CharacterClass* word_regardless_of_case(JSC::Yarr::YarrPattern& pattern);

}  // namespace rondo::engine::regexp
