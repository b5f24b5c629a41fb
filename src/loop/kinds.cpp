// Names of phases and handle kinds, for traces and messages.
#include "rondo/kinds.h"

namespace rondo {

const char* phase_name(Phase phase) {
  static constexpr const char* kNames[] = {"update time", "timers", "pending", "idle",
                                           "prepare",     "poll",   "check",   "closing"};
  return kNames[static_cast<int>(phase)];
}

const char* handle_kind_name(HandleKind kind) {
  static constexpr const char* kNames[] = {
      "none",      "timer",      "check",   "prepare",     "idle", "async", "post",    "deferred",  "operation",
      "tcp",       "tcp server", "pipe",    "pipe server", "tty",  "udp",   "file",    "directory", "file watch",
      "file poll", "signal",     "process", "pool job",    "dns",  "poll",  "closing", "user"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace rondo
