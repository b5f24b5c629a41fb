// The engine's messages that have one counterpart in Node, whatever the values were. Used by error_wording.cpp alone.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Null when the message is none of them.
WTF::String node_phrase(WTF::StringView message);

}  // namespace rondo::engine
