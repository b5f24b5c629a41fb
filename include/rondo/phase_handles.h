// Handles that run once in every iteration: Idle and Prepare before poll, Check after it. While an Idle
// handle is active poll does not block. Handles of one kind run in the order they were started; one
// started during its own phase runs in the next iteration. Rules of owner and thread: handle.h.
#pragma once

#include <utility>

#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

class PhaseHandle : public Handle {
 public:
  ~PhaseHandle() override { unlink(); }

  // Starting an active handle replaces its function and keeps its place.
  void start(Function<void()> callback);
  // Also for one that this visit has not reached yet.
  void stop();

 protected:
  using Handle::Handle;
  void begin_close() override;
};

class Idle final : public PhaseHandle {
 public:
  explicit Idle(Loop& loop) : PhaseHandle(loop, HandleKind::Idle) {}
};

class Prepare final : public PhaseHandle {
 public:
  explicit Prepare(Loop& loop) : PhaseHandle(loop, HandleKind::Prepare) {}
};

class Check final : public PhaseHandle {
 public:
  explicit Check(Loop& loop) : PhaseHandle(loop, HandleKind::Check) {}
};

}  // namespace rondo
