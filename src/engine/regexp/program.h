// Regular expressions as instructions of a backtracking machine (match.h), for those that the engine's own matchers get wrong: with
// lookbehinds whose alternatives, or what stands before them, have different lengths they answer wrongly or end the process; a repeated
// reference to a group that matched nothing never ends. The engine's parser is right, so the program is made from its tree.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>

#include <cstdint>
#include <vector>

namespace rondo::engine::regexp {

enum class Op : uint8_t {
  Character,  // a: the character
  CasedCharacter,  // a: an ASCII letter in lower case, matched in either case
  Set,  // set; is_inverted
  Repeat,  // the character instruction after it, min to max times; is_lazy
  LineBegin,
  LineEnd,
  WordBoundary,  // is_inverted; set: of words, if not the expression's
  Reference,  // a: the group; b: 1 where case is ignored
  Save,  // a: the slot
  Clear,  // a: the first slot, b: the slot after the last
  Split,  // a: tried first, b: tried when that fails
  Jump,  // a: where to
  Counter,  // a: the register; set to zero
  Loop,  // a: the counter, b: behind the loop; min, max, is_lazy: whether there is another iteration
  Iterate,  // a: the counter, after which a register holds where the iteration begins
  LoopEnd,  // a: the Loop
  Look,  // a: behind the body; is_inverted
  Line,  // of /.*x.*/: the match becomes the whole line; a: 1 begins at ^, 2 ends at $
  Accept,
};

struct Instruction {
  Op op;
  bool is_backward = false;  // reads the character before the position, not the one at it
  bool is_inverted = false;
  bool is_lazy = false;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t min = 0;
  uint32_t max = 0;
  const JSC::Yarr::CharacterClass* set = nullptr;  // lives as long as the expression's code
};

struct Program {
  std::vector<Instruction> code;
  uint32_t registers = 0;  // of counters; they follow the slots
};

// Whether the engine's matchers cannot be trusted with it.
bool needs_program(const JSC::Yarr::YarrPattern& pattern);
// Whether the engine's compiled code for texts of sixteen bits may find a match that begins with the second half of a surrogate pair
// (/[^\p{L}]/u in the letter U+10428): it goes on there after a whole pair that did not match.
bool may_begin_inside_pair(const JSC::Yarr::YarrPattern& pattern);
// Whether it repeats something as seldom as it can: over surrogate pairs the engine's compiled code then goes back by the wrong width.
bool is_lazy_over_pairs(const JSC::Yarr::YarrPattern& pattern);
// Whether its interpreter cannot: over surrogate pairs it runs some expressions for ever.
bool is_better_interpreted(const JSC::Yarr::YarrPattern& pattern);

// For patterns without groups of one name in several places. Empty when groups are nested too deep for the thread's stack.
Program make_program(JSC::Yarr::YarrPattern& pattern);

}  // namespace rondo::engine::regexp
