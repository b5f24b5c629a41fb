// Signals that would end a watched program end it in order: Process::exit with the usual code, so that the report is written. A
// program that watches such a signal has it for itself meanwhile (librondo puts our handler back afterwards). The second time,
// when the program does not let the loop have its turn, the signal does what it always does.
//
// Owner: the run. Thread: the loop's. One in a process.
#pragma once

#include "rondo/async.h"

namespace rondo::cli {

class EndingSignals {
 public:
  explicit EndingSignals(Loop& loop);
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

 private:
  static void caught(int number);

  Async wake_;
};

}  // namespace rondo::cli
