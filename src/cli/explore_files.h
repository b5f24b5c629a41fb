// Files of an explored run: what it writes to its folder and to the folder for temporary files goes to a private layer in memory, which is
// gone with the run; everything else is read-only. A mount namespace does it, so it holds for native code and children too. Where the system
// allows none, nothing can be written at all (Landlock).
#pragma once

#include <string>

namespace rondo::cli {

enum class RunFiles {
  Real,  // --real-fs
  Private,
  ReadOnly,  // the system allows no private ones
};

// The best that the system allows; once for a process that will start runs, before there are threads.
RunFiles best_run_files();
// In the run itself, before there are threads. `script` may be empty. False: it cannot be done.
bool set_up_files(RunFiles how, const std::string& script);

}  // namespace rondo::cli
