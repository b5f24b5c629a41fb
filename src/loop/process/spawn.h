// Starting a program: everything between options and a running pid. No loop in here; Process calls it.
#pragma once

#include <vector>

#include "rondo/process.h"

namespace rondo {

struct Spawned {
  pid_t pid = 0;
  std::vector<UniqueFd> pipes;  // by descriptor number; empty where there is no pipe
};

// `pipe_flags`: SOCK_NONBLOCK or 0, for our ends. Errors carry the system call that failed ("spawn" for exec).
Result<Spawned> spawn_process(const ProcessOptions& options, int pipe_flags);

}  // namespace rondo
