// The engine handles faults of its own code (SIGSEGV and SIGBUS: WebAssembly's bounds, its traps). A fault that is not its own it
// lets happen again, with the default action: a signal another process sent does not happen again, and would be lost.
#pragma once

namespace rondo::engine {

// After the engine has installed its handlers: a signal that was sent, and is no fault, ends the process as it would without them.
void let_sent_faults_through();

}  // namespace rondo::engine
