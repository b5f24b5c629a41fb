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

// Records the length of each busy stretch of the loop while a monitor is enabled.
class DelayObserver final : public Observer {
 public:
  explicit DelayObserver(Runtime& runtime) : loop_(runtime.loop()) {}
  ~DelayObserver() override {
    if (monitors_ > 0) loop_.remove_observer(*this);
  }
  void start() {
    if (monitors_++ > 0) return;
    woke_ = loop_.read_clock();
    loop_.add_observer(*this);
  }
  void stop() {
    if (monitors_ > 0 && --monitors_ == 0) loop_.remove_observer(*this);
  }
  std::vector<double> take() { return std::exchange(samples_, {}); }

  void wait_begin(Nanoseconds) override {
    if (samples_.size() < kMaxSamples) samples_.push_back(static_cast<double>(loop_.read_clock() - woke_));
  }
  void wait_end(size_t) override { woke_ = loop_.read_clock(); }

 private:
  Loop& loop_;
  Nanoseconds woke_ = 0;
  int monitors_ = 0;
  std::vector<double> samples_;
};

DelayObserver& delays(const Call& call) { return Runtime::from(call.realm()).local<DelayObserver>(); }

// Milliseconds since the time origin, to the nanosecond.
Value now(Call& call) { return JSC::jsDoubleNumber(Runtime::from(call.realm()).elapsed_ms()); }

Value idle_time(Call& call) {
  return call.value(static_cast<double>(Runtime::from(call.realm()).loop().idle_time()) / kNsPerMs);
}

// milestone(name): milliseconds since the time origin, -1 when it has not been reached.
Value milestone(Call& call) {
  const auto& marks = Runtime::from(call.realm()).milestones();
  auto name = call.string(0);
  if (name == "loopStart") return call.value(marks.loop_start);
  if (name == "loopExit") return call.value(marks.loop_exit);
  if (name == "nodeStart") return call.value(marks.node_start);
  if (name == "v8Start") return call.value(marks.engine_start);
  if (name == "environment") return call.value(marks.environment);
  if (name == "bootstrapComplete") return call.value(marks.bootstrap_complete);
  return call.value(0.0);
}

Value metrics(Call& call) {
  auto* realm = call.realm();
  auto* result = make_object(realm);
  put(realm, result, "loopCount", JSC::jsNumber(static_cast<double>(Runtime::from(call.realm()).loop().iterations())));
  put(realm, result, "events", JSC::jsNumber(static_cast<double>(Runtime::from(call.realm()).loop().metrics().events)));
  return call.value(Value(result));
}

Value start_delays(Call& call) {
  delays(call).start();
  return call.undefined();
}

Value stop_delays(Call& call) {
  delays(call).stop();
  return call.undefined();
}

// Lengths in nanoseconds of the busy stretches since the last call.
Value take_delays(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto samples = delays(call).take();
  auto* array = JSC::constructEmptyArray(realm, nullptr, static_cast<unsigned>(samples.size()));
  RETURN_IF_EXCEPTION(scope, {});
  for (unsigned i = 0; i < samples.size(); i++) array->putDirectIndex(realm, i, JSC::jsNumber(samples[i]));
  return call.value(Value(array));
}

constexpr FunctionSpec kFunctions[] = {
    {"now", native<now>},
    {"idleTime", native<idle_time>},
    {"milestone", native<milestone>, 1},
    {"metrics", native<metrics>},
    {"startDelays", native<start_delays>},
    {"stopDelays", native<stop_delays>},
    {"takeDelays", native<take_delays>},
};

}  // namespace

void init_perf(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  double wall_ms = static_cast<double>(wall.tv_sec) * 1e3 + static_cast<double>(wall.tv_nsec) / kNsPerMs;
  put(realm, target, "timeOrigin", JSC::jsNumber(wall_ms - runtime.elapsed_ms()));
}

}  // namespace rondo::modules
