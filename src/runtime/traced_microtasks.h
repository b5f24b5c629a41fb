// The watched path of microtasks: each one passes through a queue of ours, so that it has an id, a cause and a time. Used
// only while a TaskObserver is installed; otherwise microtasks stay in the engine's own queue.
#pragma once

namespace rondo::runtime {

class Runtime;

void trace_microtasks(Runtime& runtime);
void run_traced_microtasks(Runtime& runtime);

}  // namespace rondo::runtime
