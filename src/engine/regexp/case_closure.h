// Character classes of expressions with the flags i and u (or v) hold every character whose simple case folding is that of one in it:
// /\p{Lu}/iu matches 'a', and /[a-z]/iu the long s and the Kelvin sign. The engine adds the counterparts of single letters only.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/YarrPattern.h>

namespace rondo::engine::regexp {

void close_under_case(JSC::Yarr::YarrPattern& pattern);

}  // namespace rondo::engine::regexp
