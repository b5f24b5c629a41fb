// Which `await` of a function's text is meant, by the little that the engine knows. For function_label.cpp and frame_info.cpp.
#pragma once

#include "engine/core/native.h"

#include <optional>

namespace rondo::engine {

// The offset in `text` of the await that a function (from `begin` to `end`) goes on from: `known` is a place that was passed before it, and
// `between` awaits went on since then. Nothing when the text tells of fewer.
std::optional<unsigned> find_await(WTF::StringView text, unsigned begin, unsigned end, std::optional<unsigned> known,
                                   unsigned between);

}  // namespace rondo::engine
