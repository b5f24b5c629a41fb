// Inherited state of the process (descriptors, signals, limits), set up before anything else runs.
#pragma once

namespace rondo::cli {

// Opens closed standard streams on /dev/null, so that no file or socket gets a number that programs write to. No signal
// is ignored because the parent ignored it, as in Node; those are whose news comes as an error of a call. The process may open as many
// descriptors as its hard limit allows. Ends the process where it has too little address space to start.
void prepare_process();

}  // namespace rondo::cli
