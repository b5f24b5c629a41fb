// The engine's object for one scope of a stopped frame. Its header is not installed; its functions are in the library. Reading and
// writing properties of such an object reads and writes the variables.
// And a private member of a stopped frame, which knows its function: frame.*reveal(Frame()).
// Undeclared: DebuggerScope
// Layout: m_shadowChickenFrame
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/Debugger.h>

namespace JSC {

struct DebuggerLocation {
  SourceID sourceID;
  unsigned line;
  unsigned column;
};

class DebuggerScope : public JSNonFinalObject {
 public:
  DebuggerScope* next();
  bool isCatchScope() const;
  bool isFunctionNameScope() const;
  bool isWithScope() const;
  bool isGlobalScope() const;
  bool isGlobalLexicalEnvironment() const;
  bool isNestedLexicalScope() const;
  String name() const;
  // Of the function that the scope belongs to.
  DebuggerLocation location() const;
};

}  // namespace JSC

namespace rondo::engine::debugger_members {

template <auto Member, typename Tag>
struct Reveal {
  friend constexpr auto reveal(Tag) { return Member; }
};
struct Frame {
  friend constexpr auto reveal(Frame);
};
template struct Reveal<&JSC::DebuggerCallFrame::m_shadowChickenFrame, Frame>;

}  // namespace rondo::engine::debugger_members
