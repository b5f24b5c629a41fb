// The kinds of operations, one row each: the ring's opcode and how its entry is written, the system call that does the same, and
// whether that call may be left to a thread of the pool. The simulation's answer to each is in sim/sim_calls.cpp and
// sim/sim_file_calls.cpp.
#pragma once

#include <liburing.h>

#include "rondo/operation.h"

namespace rondo {

struct OperationKind {
  int opcode;
  bool is_file;  // a thread can wait for it; else it waits for readiness, or takes no time
  void (*prepare)(io_uring_sqe* entry,
                  const Operation& operation);  // null: several entries (UringPoller::start_read_file)
  ssize_t (*call)(const Operation& operation);  // blocks; -1 and errno. Null: never without readiness
};

const OperationKind& kind_of(const Operation& operation);

}  // namespace rondo
