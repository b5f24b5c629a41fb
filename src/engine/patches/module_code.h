// The code of modules that are linked and have not ended, kept while the engine deletes all code to compile it anew. The engine compiles
// functions that are suspended as they were compiled before, but not modules: the variables of a module that stands at an `await`, and
// those of its environment, are laid out for the code that was deleted.
#pragma once

#include "engine/core/jsc.h"

#include <functional>

namespace rondo::engine {

// `deletes` calls what makes the engine delete all code, now or when the VM is idle. Thread: the VM's.
void keep_module_code(JSC::VM& vm, const std::function<void()>& deletes);

}  // namespace rondo::engine
