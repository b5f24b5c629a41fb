// Memory of a program, for observers: what is left after a whole collection, where the program allocates, and which
// waiting async functions nothing can wake any more. On the VM's thread.
#pragma once

#include "engine/core/native.h"

#include <string>
#include <vector>

namespace rondo::engine {

class FunctionLabels;

// A whole collection, then the size of the heap.
size_t bytes_after_collection(JSC::VM& vm);

// "await in name (file:line:column)" of the program's async functions that wait for a promise that nothing refers to: a collection has
// taken them while they waited. At most `most` are looked at; without any that waits there is no collection.
std::vector<std::string> find_lost_functions(JSC::VM& vm, FunctionLabels& labels, size_t most);

}  // namespace rondo::engine
