// Interface between the HTML loop and its owner: hooks that the owner implements, and notifications. All calls come from the loop's thread.
// The microtasks of a language's engine, its rejected promises and databases are the owner's; a loop without a host has its own microtasks
// alone.
#pragma once

#include <cstdint>

#include "rondo/html/task.h"

namespace rondo {
namespace [[gnu::visibility("default")]] html {

class Host {
 public:
  virtual ~Host() = default;

  // Steps 3 and 4 of the checkpoint: the owner's microtasks, beyond those of queue_a_microtask, and its rejected promises.
  virtual bool has_microtasks() { return false; }
  virtual void run_microtasks() {}
  // Step 5 of the checkpoint.
  virtual void clean_up_indexed_database_transactions() {}

  // Step 9: every task that took more than kLongTask.
  virtual void report_long_task(const TaskTiming&) {}

  // For reports of a run.
  virtual void task_begins(const Task&, Nanoseconds /*start*/) {}
  virtual void rendering_begins(Nanoseconds /*timestamp*/, std::size_t /*documents*/) {}
  // Step 12: what updating the rendering took.
  virtual void rendering_ended(Nanoseconds /*start*/, Nanoseconds /*end*/) {}
  virtual void idle_period_begins(Nanoseconds /*deadline*/) {}
  virtual void spin_begins() {}
  virtual void spin_ended() {}
};

}  // namespace html
}  // namespace rondo
