// The workload's inner structures, shared by its two files.
#pragma once

#include "loop/sim/workload.h"

namespace rondo {

// One operation with its buffers; deletes itself after its final completion.
struct Workload::Op {
  Operation operation;
  Workload* workload;
  Then then;
  bool has_ended = false;
};

struct Workload::TimerSlot {
  explicit TimerSlot(Loop& loop) : timer(loop) {}
  template <class F>
  void arm(std::uint32_t delay, std::uint64_t number, F callback) {
    deadline = timer.loop().now() + delay;
    sequence = number;
    is_armed = true;
    timer.start(Duration(delay), std::move(callback));
  }
  Timer timer;
  Nanoseconds deadline = 0;
  std::uint64_t sequence = 0;
  int runs_left = 0;
  bool is_armed = false;
  bool is_closed = false;
};

struct Workload::HandleSlot {
  std::unique_ptr<Handle> handle;
  int runs_left = 0;
  int sends = 0;
  bool is_closed = false;
};

template <class Fill>
Workload::Op* Workload::submit(Fill fill, Then then) {
  Op* op = new Op{{}, this, std::move(then)};
  fill(op->operation);
  op->operation.then(
      [](Operation& operation, const Completion& completion) {
        Op& ended = *static_cast<Op*>(operation.owner);
        Workload& self = *ended.workload;
        if (ended.has_ended) return self.breach("an operation completed twice");
        self.note(static_cast<std::uint64_t>(completion.result & 0xffff));  // descriptors: the part within their world
        if (completion.more) return ended.then(completion.result, completion);
        ended.has_ended = true;
        self.completed_++;
        std::erase(self.in_flight_, &ended);
        Then last = std::move(ended.then);
        delete &ended;
        last(completion.result, completion);
      },
      op);
  submitted_++;
  in_flight_.push_back(op);
  loop_.submit(op->operation);
  return op;
}

}  // namespace rondo
