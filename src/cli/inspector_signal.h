// SIGUSR1 starts the inspector of a running program, as in Node. The program may take the signal for itself (process.on('SIGUSR1')), which
// replaces this handler. It takes effect when the loop turns next.
//
// Owner: the main thread's run_program(). One a process.
#pragma once

#include "runtime/runtime.h"

#include "rondo/async.h"

namespace rondo::cli {

class InspectorSignal {
 public:
  explicit InspectorSignal(runtime::Runtime& runtime);
  ~InspectorSignal();
  InspectorSignal(const InspectorSignal&) = delete;
  InspectorSignal& operator=(const InspectorSignal&) = delete;

 private:
  void start_inspector();

  runtime::Runtime& runtime_;
  Async wake_;
};

}  // namespace rondo::cli
