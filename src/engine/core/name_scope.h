// Names that code sees as if they stood around it: a scope between functions and their global object. lib/ finds in one what it
// keeps for itself. One scope for all files costs each of them nothing; as parameters every file had them all in its bytecode.
#pragma once

#include "engine/core/native.h"

#include <span>

namespace rondo::engine {

class NameScope {
 public:
  // Every name is undefined at first.
  NameScope(JSC::JSGlobalObject* realm, std::span<const std::string_view> names);

  Value at(size_t index);
  void set(size_t index, Value value);
  // From here on nothing is set any more: compiled code may take the values for constants.
  void settle();

  JSC::JSScope* get() const { return scope_.get(); }

 private:
  JSC::VM& vm_;
  JSC::Strong<JSC::JSLexicalEnvironment> scope_;
};

}  // namespace rondo::engine
