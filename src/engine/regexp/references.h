// References to groups that are not there. The engine's parser counts groups that capture nothing, so that it takes `\1` of /(?:a)\1/ for
// a reference: it is the character U+0001, and an error with the flags u and v.
#pragma once

#include "engine/core/jsc.h"

#include <optional>

namespace rondo::engine::regexp {

struct References {
  bool is_missing = false;  // with u or v: the expression is none
  std::optional<WTF::String> text =
      {};  // without them: the expression with characters for what is no reference, where that differs
};

References check_references(WTF::StringView text, bool is_unicode);

}  // namespace rondo::engine::regexp
