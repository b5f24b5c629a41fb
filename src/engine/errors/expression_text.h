// How Node writes an expression into a message: `a.b(...)`, `(a + 1)`, `(intermediate value)`. The engine tells which piece of source
// an operation was compiled from; this reads that piece as the grammar does and prints it. Used by error_wording.cpp.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

struct ExpressionText {
  enum class Kind : uint8_t { Value, Name, Property, Call, New, Assignment, None };  // None: no expression
  Kind kind = Kind::Value;
  WTF::String text = {};
  WTF::String callee = {};  // of a call or a `new`
};

// Reads one expression from the start of `text`; what follows it is left alone.
ExpressionText expression_text(WTF::StringView text);

// Reads `target of expression`, as it stands in the head of a loop, and gives the expression; none when it is something else.
std::optional<ExpressionText> iterated_text(WTF::StringView text);
// Reads `= expression`, as it stands behind a declared name or pattern; none when it is something else.
std::optional<ExpressionText> initializer_text(WTF::StringView text);

// The names that stand in `text` as variables, in order: not those of properties, and none out of strings or comments.
struct NameAt {
  WTF::String name;
  unsigned position = 0;
};
WTF::Vector<NameAt> variables_in(WTF::StringView text);
// The variable that `text`, a piece of a function, uses before its own let, const or class; null when there is none, or more than
// one. Variables that nested functions use are left out: such a variable has a name that the engine knows.
WTF::String used_too_early(WTF::StringView text);

}  // namespace rondo::engine
