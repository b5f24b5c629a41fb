// The small enumerations shared by the loop, its observers and its deciders: phases, handle kinds, and
// what a run may be. Numbers are stable: traces store them.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] rondo {

// One iteration runs the phases in this order.
enum class Phase : std::uint8_t { UpdateTime, Timers, Pending, Idle, Prepare, Poll, Check, Closing };

enum class RunMode : std::uint8_t {
  Default,  // iterate until nothing keeps the loop alive, or stop()
  Once,     // one iteration that may block; at least one callback runs unless nothing is alive
  NoWait,   // one iteration that never blocks
};

enum class HandleKind : std::uint8_t {
  None,
  Timer,
  Check,
  Prepare,
  Idle,
  Async,
  Post,       // a function given to Loop::post
  Deferred,   // a function given to Loop::defer (pending phase)
  Operation,  // an operation that belongs to no handle
  Tcp,
  TcpServer,
  Pipe,
  PipeServer,
  Tty,
  Udp,
  File,
  Directory,
  FileWatch,
  FilePoll,
  Signal,
  Process,
  PoolJob,
  Dns,
  Poll,       // readiness of a foreign descriptor
  Closing,    // a close callback
  User,       // handles defined outside the library
};

const char* phase_name(Phase phase);
const char* handle_kind_name(HandleKind kind);

}  // namespace rondo
