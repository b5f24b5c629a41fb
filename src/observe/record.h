// The records of the ledger, as they lie in memory. docs/trace-format.md describes them; readers in other processes rely on the layout.
#pragma once

#include <cstdint>

namespace rondo::observe {

// Numbers are part of the format.
enum class RecordKind : uint8_t {
  Start,  // the ledger was opened
  IterationBegin,  // id: number
  PhaseBegin,
  PhaseEnd,
  WaitBegin,  // payload: timeout in ns, -1 without limit
  WaitEnd,  // payload: ready completions
  BudgetSpent,  // payload: callbacks run
  CallbackBegin,  // what: HandleKind; id: handle
  CallbackEnd,
  HandleStart,
  HandleStop,
  HandleClose,
  TaskQueued,  // what: TaskKind; id: task; cause: the task that queued it; name; payload: delay in µs, or a sender
  TaskBegin,  // payload: ns for which it could have run and did not
  TaskEnd,
  JobQueued,  // what: job class; id: job
  JobBegin,  // payload: thread
  JobEnd,
  Exit,  // payload: exit code
  Starvation,  // what: TaskKind of the queue; id: number of the finding; cause: the task before; name: who keeps queueing;
  // payload: length of the run, so far and, in a second record, when it is over
  TaskCancelled,  // what: TaskKind; id: task. payload: 0 cleared by the program, 1 its operation ended at once without a callback
  TaskNamed,  // id: task; name: what is known of it now
  Output,  // id: descriptor; name: the text, shortened; payload: its length in bytes
  Place,  // name: where the program was when it made the record before
  Turn,  // id: number of the HTML loop's turn, in which it runs a task or renders
};

struct Record {
  int64_t time = 0;  // ns since Start
  int64_t payload = 0;
  uint32_t id = 0;
  uint32_t cause = 0;  // a task's id; 0: the main script
  uint32_t name = 0;  // a number of NameTable; 0: none
  RecordKind kind = RecordKind::Start;
  uint8_t phase = 0;  // rondo::Phase, valid between PhaseBegin and PhaseEnd
  uint8_t what = 0;
  uint8_t depth = 0;  // tasks around this record: 0 outside, 1 in a task, 2 in a tick or microtask its turn drains
};
static_assert(sizeof(Record) == 32);

const char* record_kind_name(RecordKind kind);

}  // namespace rondo::observe
