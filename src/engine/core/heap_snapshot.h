// Every live cell of a heap, and who holds it: for v8.writeHeapSnapshot and its like.
#pragma once

#include "engine/core/jsc.h"

namespace rondo::engine {

// Collects garbage first. The engine's own JSON (lib/internal/v8/heap_snapshot.js reads it); a null string of a heap so large
// that its JSON might not fit into a string.
// A cell keeps its number in the snapshots that follow, so that two can be compared: the VM remembers the numbers of live cells.
WTF::String heap_snapshot(JSC::VM& vm);

}  // namespace rondo::engine
