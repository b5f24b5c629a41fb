// The circle in a structure that JSON cannot show, drawn as Node draws it. Used by builtin_wording.cpp alone.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Lines to append, each after a line break; empty when no circle is found without running JavaScript.
WTF::String circular_path(JSC::JSGlobalObject* realm, Value root);

}  // namespace rondo::engine
