// See node_profile.h.
#include "runtime/node/node_profile.h"

#include "runtime/entry/turn.h"

namespace rondo::runtime {

void NodeProfile::run() { runtime_.loop().run(RunMode::Default); }

// A tick that throws leaves the rest to a later turn, as in Node.
void NodeProfile::checkpoint() {
  if (runtime_.has_microtasks()) runtime_.run_microtasks();
}

void NodeProfile::stop() { runtime_.loop().stop(); }

bool NodeProfile::before_exit() {
  {
    Turn turn(runtime_);
    if (auto* callback = runtime_.callback(Callback::BeforeExit)) turn.call(callback);
  }
  return runtime_.loop().alive();
}

}  // namespace rondo::runtime
