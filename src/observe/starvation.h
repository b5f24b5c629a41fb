// Notices when ticks or microtasks that keep queueing themselves hold the loop where it is: no phase, no I/O, no timer gets a
// turn until they end. The ledger feeds it and writes down what it finds; nothing here prints.
#pragma once

#include "runtime/entry/task_trace.h"

#include <cstdint>
#include <optional>

namespace rondo::observe {

class StarvationWatch {
 public:
  // So many ticks or microtasks queued by their like, in one run without anything else in between.
  static constexpr uint64_t kNoticedAt = 10'000;

  struct Run {
    TaskKind queue = TaskKind::Tick;  // the queue most of them came from
    uint64_t length = 0;
    uint32_t origin = 0;  // the task before the run: 0 is the main script
  };

  // A task begins. `newest_task` is the last id given out. True when the run just became long enough to be noticed.
  bool begin(TaskKind kind, uint32_t id, uint32_t newest_task);
  // Anything else happens: a run is over. A noticed one is handed out.
  std::optional<Run> end();

  bool is_noticed() const { return recursive_ >= kNoticedAt; }
  Run run() const;

 private:
  uint64_t ticks_ = 0, microtasks_ = 0;
  uint64_t recursive_ = 0;  // of them, queued since the run began
  uint32_t newest_at_start_ = 0;  // what is older was queued before the run
  uint32_t origin_ = 0;
};

}  // namespace rondo::observe
