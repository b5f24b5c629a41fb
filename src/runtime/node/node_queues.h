// The C++ ends of Node's timers and immediates, whose queues are in JavaScript (lib/internal/timers): one timer, one check handle, one idle handle.
// Both profiles have them: under --loop=html it is the library's own timers that run here, a page's are the HTML loop's.
//
// Owner: the Runtime. Thread: its loop's.
#pragma once

#include "rondo/loop.h"
#include "rondo/phase_handles.h"
#include "rondo/timer.h"

namespace rondo::runtime {

class Runtime;

class NodeQueues {
 public:
  NodeQueues(Runtime& runtime, Loop& loop);
  NodeQueues(const NodeQueues&) = delete;
  NodeQueues& operator=(const NodeQueues&) = delete;

  void start();
  void stop();

  // The next deadline, in milliseconds since the runtime's start.
  void schedule_timers(double deadline_ms);
  void ref_timers(bool ref) { ref ? timer_.ref() : timer_.unref(); }
  void ref_immediates(bool ref);

 private:
  void run_timers();
  void run_immediates();

  Runtime& runtime_;
  Timer timer_;
  Check check_;
  Idle idle_;
};

}  // namespace rondo::runtime
