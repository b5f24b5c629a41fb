// Case folding of single characters, as comparisons without regard to case need it.
#pragma once

namespace rondo::engine {

// Unicode's simple case folding (scf of CaseFolding.txt).
char32_t fold_simply(char32_t character);

// ECMA-262's Canonicalize without the flags u and v: upper case, where that is one UTF-16 code unit and does not lead from outside of
// ASCII into it.
char32_t upper_of_unit(char32_t unit);

}  // namespace rondo::engine
