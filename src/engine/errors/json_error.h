// Why a text is not JSON, in the words Node's users know ("Unexpected token '}', "{"a":}" is not valid JSON"). The engine has
// already refused the text; this walks it once more to find the place. Used by error_wording.cpp alone.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Empty when nothing wrong is found.
WTF::String json_error(WTF::StringView text);

}  // namespace rondo::engine
