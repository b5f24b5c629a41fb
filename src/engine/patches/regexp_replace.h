// Replacing with a regular expression without the flags u and v: the engine steps over a whole surrogate pair after an empty match, where
// the language takes one code unit ('😀'.replace(/(?:)/g, '-') has three dashes).
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// Before any code of the realm runs.
void install_regexp_replace(JSC::JSGlobalObject* realm);

}  // namespace rondo::engine
