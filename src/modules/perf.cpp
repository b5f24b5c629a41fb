// native('perf'): the clock behind performance.now(), the process's milestones, the time that the loop spent waiting, and how late a
// timer comes round (monitorEventLoopDelay). For lib/internal/perf/*.
#include "runtime/runtime.h"

#include "rondo/timer.h"

#include <chrono>
#include <ctime>
#include <map>
#include <vector>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr double kNsPerMs = 1e6;
constexpr size_t kMaxSamples = 1 << 16;  // between two reads of the histogram

// Of one monitor: a timer that keeps nothing alive, and how long it took to come round each time.
class DelaySampler {
 public:
  DelaySampler(Loop& loop, Duration resolution) : loop_(loop), timer_(loop), last_(loop.read_clock()) {
    timer_.start(resolution, [this, resolution] {
      sample();
      timer_.restart(resolution);  // from now on, as in Node: after a task that blocked there is no short sample
    });
    timer_.unref();
  }
  std::vector<double> take() { return std::exchange(samples_, {}); }

 private:
  void sample() {
    const Nanoseconds now = loop_.read_clock();
    if (samples_.size() < kMaxSamples) samples_.push_back(static_cast<double>(now - last_));
    last_ = now;
  }

  Loop& loop_;
  Timer timer_;
  Nanoseconds last_;
  std::vector<double> samples_;
};

// The monitors that are enabled, by the number that startDelays() answers with.
struct DelaySamplers {
  explicit DelaySamplers(Runtime& runtime) : loop(runtime.loop()) {}

  Loop& loop;
  uint32_t last_id = 0;
  std::map<uint32_t, DelaySampler> running;
};

DelaySamplers& samplers(const Call& call) { return Runtime::from(call.realm()).local<DelaySamplers>(); }

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

// startDelays(resolution in milliseconds) → the sampler's number
Value start_delays(Call& call) {
  auto& all = samplers(call);
  const Duration resolution = std::chrono::milliseconds(call.uint32(0, 1));
  all.running.try_emplace(++all.last_id, all.loop, resolution);
  return call.value(static_cast<double>(all.last_id));
}

Value stop_delays(Call& call) {
  samplers(call).running.erase(call.uint32(0));
  return call.undefined();
}

// takeDelays(number): nanoseconds from one sample to the next, since the last call.
Value take_delays(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto& running = samplers(call).running;
  const auto found = running.find(call.uint32(0));
  auto samples = found == running.end() ? std::vector<double>() : found->second.take();
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
    {"startDelays", native<start_delays>, 1},
    {"stopDelays", native<stop_delays>, 1},
    {"takeDelays", native<take_delays>, 1},
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
