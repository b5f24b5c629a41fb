// SIGURG with a token, by which a watcher of the same user asks this process to connect to it (control.h). A process that does not know
// the signal ignores it. The handler starts a thread only where the interrupted one can hold no lock: in compiled or interpreted
// JavaScript, or asleep in the kernel; elsewhere it does nothing, and the watcher asks again.
#pragma once

#include <string>

namespace rondo::observe {

void install_attach_signal(void (*connect)(const std::string& path));
// The watcher has gone.
void allow_attach_again();

}  // namespace rondo::observe
