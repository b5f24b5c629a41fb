// native('perf'): the clock behind performance.now(), the process's milestones, and the loop's own counters: time spent
// waiting, and how long it was busy between two waits (monitorEventLoopDelay). For lib/internal/perf/clock.js and
// lib/internal/perf/*.
#include "runtime/runtime.h"

#include "rondo/observer.h"

#include <ctime>
#include <vector>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr double kNsPerMs = 1e6;
constexpr size_t kMaxSamples = 1 << 16;  // between two reads of the histogram

// Records the length of each busy stretch of the loop while a monitor is enabled, and passes every event on to the
// observer that was there before.
class DelayObserver final : public Observer {
 public:
  void attach(Loop& loop) {
    loop_ = &loop;
    next_ = loop.observer();
    woke_ = loop.read_clock();
    loop.set_observer(this);
  }
  void detach() { loop_->set_observer(next_); }
  std::vector<double> take() { return std::exchange(samples_, {}); }

  void wait_begin(Nanoseconds timeout) override {
    if (woke_ != 0 && samples_.size() < kMaxSamples)
      samples_.push_back(static_cast<double>(loop_->read_clock() - woke_));
    if (next_) next_->wait_begin(timeout);
  }
  void wait_end(size_t ready) override {
    woke_ = loop_->read_clock();
    if (next_) next_->wait_end(ready);
  }
  void iteration_begin(uint64_t number) override {
    if (next_) next_->iteration_begin(number);
  }
  void phase_begin(Phase phase) override {
    if (next_) next_->phase_begin(phase);
  }
  void phase_end(Phase phase) override {
    if (next_) next_->phase_end(phase);
  }
  void poll_budget_spent(size_t callbacks) override {
    if (next_) next_->poll_budget_spent(callbacks);
  }
  void callback_begin(HandleKind kind, uint32_t id) override {
    if (next_) next_->callback_begin(kind, id);
  }
  void callback_end(HandleKind kind, uint32_t id) override {
    if (next_) next_->callback_end(kind, id);
  }
  void handle_start(HandleKind kind, uint32_t id) override {
    if (next_) next_->handle_start(kind, id);
  }
  void handle_stop(HandleKind kind, uint32_t id) override {
    if (next_) next_->handle_stop(kind, id);
  }
  void handle_close(HandleKind kind, uint32_t id) override {
    if (next_) next_->handle_close(kind, id);
  }
  void pool_job_queued(uint32_t id, JobClass kind) override {
    if (next_) next_->pool_job_queued(id, kind);
  }
  void pool_job_begin(uint32_t id, JobClass kind, int thread) override {
    if (next_) next_->pool_job_begin(id, kind, thread);
  }
  void pool_job_end(uint32_t id, JobClass kind, int thread) override {
    if (next_) next_->pool_job_end(id, kind, thread);
  }

 private:
  Loop* loop_ = nullptr;
  Observer* next_ = nullptr;
  Nanoseconds woke_ = 0;
  std::vector<double> samples_;
};

// Of this thread's runtime, for its whole life.
struct State {
  DelayObserver delays;
  int monitors = 0;
};
thread_local State* state = nullptr;

// Milliseconds since the time origin, to the nanosecond.
Encoded now(JSC::JSGlobalObject* realm, JSC::CallFrame*) {
  return JSC::JSValue::encode(JSC::jsDoubleNumber(Runtime::from(realm).elapsed_ms()));
}

Encoded idle_time(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  return Call(realm, frame).value(static_cast<double>(Runtime::from(realm).loop().idle_time()) / kNsPerMs);
}

// milestone(name): milliseconds since the time origin, -1 when it has not been reached.
Encoded milestone(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  const auto& marks = Runtime::from(realm).milestones();
  auto name = call.string(0);
  if (name == "loopStart") return call.value(marks.loop_start);
  if (name == "loopExit") return call.value(marks.loop_exit);
  if (name == "nodeStart") return call.value(marks.node_start);
  if (name == "v8Start") return call.value(marks.engine_start);
  if (name == "environment") return call.value(marks.environment);
  if (name == "bootstrapComplete") return call.value(marks.bootstrap_complete);
  return call.value(0.0);
}

Encoded metrics(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* result = make_object(realm);
  put(realm, result, "loopCount", JSC::jsNumber(static_cast<double>(Runtime::from(realm).loop().iterations())));
  put(realm, result, "events", JSC::jsNumber(static_cast<double>(Runtime::from(realm).loop().metrics().events)));
  return call.value(Value(result));
}

Encoded start_delays(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  if (state->monitors++ == 0) state->delays.attach(Runtime::from(realm).loop());
  return Call(realm, frame).undefined();
}

Encoded stop_delays(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  if (state->monitors > 0 && --state->monitors == 0) state->delays.detach();
  return Call(realm, frame).undefined();
}

// Lengths in nanoseconds of the busy stretches since the last call.
Encoded take_delays(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto samples = state->delays.take();
  auto* array = JSC::constructEmptyArray(realm, nullptr, static_cast<unsigned>(samples.size()));
  RETURN_IF_EXCEPTION(scope, {});
  for (unsigned i = 0; i < samples.size(); i++) array->putDirectIndex(realm, i, JSC::jsNumber(samples[i]));
  return call.value(Value(array));
}

constexpr FunctionSpec kFunctions[] = {
    {"now", now},
    {"idleTime", idle_time},
    {"milestone", milestone, 1},
    {"metrics", metrics},
    {"startDelays", start_delays},
    {"stopDelays", stop_delays},
    {"takeDelays", take_delays},
};

}  // namespace

void init_perf(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  state = new State;
  put_functions(realm, target, kFunctions);
  timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  double wall_ms = static_cast<double>(wall.tv_sec) * 1e3 + static_cast<double>(wall.tv_nsec) / kNsPerMs;
  put(realm, target, "timeOrigin", JSC::jsNumber(wall_ms - runtime.elapsed_ms()));
}

}  // namespace rondo::modules
