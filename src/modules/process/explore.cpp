// native('explore'): the clock and the random numbers of an explored run (rondo/explore.h). For lib/internal/explore/inside.js, which
// nothing else loads.
#include "runtime/runtime.h"

#include "rondo/explore.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr double kNsPerMs = 1e6;

// The command line gives the loop no other decider.
ExploreWorld& world_of(Call& call) { return static_cast<ExploreWorld&>(*Runtime::from(call.realm()).loop().decider()); }

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

}  // namespace

void init_explore(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kAlways);
  if (runtime.loop().decider()) put_functions(runtime.realm(), target, kExplored);
}

}  // namespace rondo::modules
