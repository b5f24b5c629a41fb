// Node's event loop: the phases of librondo's Loop as they are, ticks and microtasks after each callback, 'beforeExit' when nothing is left.
#pragma once

#include "runtime/profile.h"

namespace rondo::runtime {

class Runtime;

class NodeProfile final : public Profile {
 public:
  explicit NodeProfile(Runtime& runtime) : runtime_(runtime) {}

  void run() override;
  void checkpoint() override;
  void stop() override;
  bool before_exit() override;

 private:
  Runtime& runtime_;
};

}  // namespace rondo::runtime
