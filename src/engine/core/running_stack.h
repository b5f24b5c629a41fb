// The stack of the JavaScript that runs on a VM's thread, for observers: functions and places, innermost first.
#pragma once

#include "engine/core/jsc.h"

#include <string>
#include <vector>

namespace rondo::engine {

struct RunningFrame {
  std::string function;  // "(anonymous)" without a name, "(top level)" of a module or script; empty for native code
  std::string place;  // "file:line:column"; empty for native code
};

// On the VM's thread.
std::vector<RunningFrame> running_stack(JSC::VM& vm, size_t most);

}  // namespace rondo::engine
