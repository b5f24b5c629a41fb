// For a process that forks while it has a VM (rondo explore): a child has only the thread that called fork(2), so the engine must have no
// others then. Called before the first VM.
#pragma once

namespace rondo::engine {

// No thread gives freed memory back to the system, here and in the children. The engine's other threads start when there is something to
// compile or to collect; a process that forks has its VM compile on the thread that runs (JSC_useConcurrentJIT=0).
void keep_freed_memory();

}  // namespace rondo::engine
