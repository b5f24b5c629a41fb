// native('explore'): the clock and the random numbers of an explored run (rondo/explore.h). For lib/internal/explore/inside.js, which
// nothing else loads.
#include "runtime/runtime.h"

#include "rondo/explore.h"
#include "rondo/recording.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr double kNsPerMs = 1e6;

// The command line gives the loop no other decider.
ExploreWorld& world_of(Call& call) { return static_cast<ExploreWorld&>(*Runtime::from(call.realm()).loop().decider()); }

// A recorded run, or its replay, has its own clock, and the time of day at which it began.
RecordedWorld& recorded_of(Call& call) {
  return static_cast<RecordedWorld&>(*Runtime::from(call.realm()).loop().decider());
}
Value read_recorded(Call& call) { return JSC::jsNumber(static_cast<double>(recorded_of(call).read()) / kNsPerMs); }

// recordedStart() → [time of day in milliseconds, pid, parent's pid]
Value recorded_start(Call& call) {
  const RecordedStart& start = Recording::current()->start();
  JSC::MarkedArgumentBuffer parts;
  parts.append(JSC::jsNumber(static_cast<double>(start.began_at)));
  parts.append(JSC::jsNumber(start.pid));
  parts.append(JSC::jsNumber(start.parent_pid));
  return make_array(call.realm(), parts);
}

// readClock() → milliseconds since the run began
Value read_clock(Call& call) { return JSC::jsNumber(static_cast<double>(world_of(call).read()) / kNsPerMs); }

// seed(number): Math.random() and random bytes follow from it
Value seed(Call& call) {
  call.realm()->weakRandom().setSeed(call.uint32(0));
  seed_random(call.uint32(0));
  return call.undefined();
}

// note(text): a line for the explorer
Value note(Call& call) {
  world_of(call).note(call.string(0));
  return call.undefined();
}

constexpr FunctionSpec kAlways[] = {{"seed", native<seed>, 1}};
constexpr FunctionSpec kExplored[] = {{"readClock", native<read_clock>}, {"note", native<note>, 1}};
constexpr FunctionSpec kRecorded[] = {{"readClock", native<read_recorded>}, {"recordedStart", native<recorded_start>}};

}  // namespace

void init_explore(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kAlways);
  if (Recording::current())
    put_functions(runtime.realm(), target, kRecorded);
  else if (runtime.loop().decider())
    put_functions(runtime.realm(), target, kExplored);
}

}  // namespace rondo::modules
