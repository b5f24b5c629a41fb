// See node_queues.h. The order of things here is Node's; docs/loop.md explains it.
#include "runtime/node/node_queues.h"

#include "runtime/entry/turn.h"

#include <cmath>

namespace rondo::runtime {

using engine::Value;

NodeQueues::NodeQueues(Runtime& runtime, Loop& loop) : runtime_(runtime), timer_(loop), check_(loop), idle_(loop) {}

void NodeQueues::start() {
  timer_.unref();
  check_.start([this] { run_immediates(); });
  check_.unref();
}

void NodeQueues::stop() {
  timer_.stop();
  check_.stop();
  idle_.stop();
}

void NodeQueues::schedule_timers(double deadline_ms) {
  timer_.start_at(runtime_.to_loop_time(deadline_ms), [this] { run_timers(); });
}

void NodeQueues::ref_immediates(bool ref) {
  if (ref)
    idle_.start([] {});
  else
    idle_.stop();
}

void NodeQueues::run_timers() {
  // A callback that throws leaves RunTimers early; what is due still runs in this phase, in the same turn.
  if (runtime_.is_stopped()) return;
  Turn turn(runtime_);
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(runtime_.loop_time_ms()));
  for (;;) {
    Value next = turn.call(runtime_.callback(Callback::RunTimers), JSC::jsUndefined(), arguments);
    if (runtime_.is_stopped()) return;
    if (!next) continue;
    double deadline = next.isNumber() ? next.asNumber() : 0;
    if (deadline == 0) return;
    // A timer that is due already waits a millisecond from the last reading of the loop's clock, as in Node: immediates that
    // queue immediates go on meanwhile.
    const double read_at = runtime_.loop_time_ms();
    schedule_timers(std::abs(deadline) > read_at ? std::abs(deadline) : read_at + 1);
    ref_timers(deadline > 0);
    return;
  }
}

void NodeQueues::run_immediates() {
  const auto& shared = runtime_.shared();
  if (runtime_.is_stopped() || !shared.fields[SharedState::ImmediateCount]) return;
  do {
    Turn turn(runtime_);
    turn.call(runtime_.callback(Callback::RunImmediates));
  } while (shared.fields[SharedState::ImmediatesOutstanding] && !runtime_.is_stopped());
  if (!shared.fields[SharedState::ImmediateRefCount]) ref_immediates(false);
}

}  // namespace rondo::runtime
